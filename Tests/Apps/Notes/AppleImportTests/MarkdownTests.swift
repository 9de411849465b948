import Testing

@testable import AppleImport

/// From Apple's body to Markdown.
@Suite struct NoteMarkdown {
    private typealias Run = BodyFixture.Run

    private func markdown(_ runs: [BodyFixture.Run]) throws -> String {
        let text = try NoteText(document: BodyFixture.document(runs))
        return MarkdownWriter.render(text.paragraphs) { .text("[\($0.identifier)]") }
    }

    @Test func `titles and headings get their signs`() throws {
        let runs = [Run(text: "One\n", style: 0), Run(text: "Two\n", style: 1), Run(text: "Three #\n", style: 2)]
        #expect(try markdown(runs) == "# One\n\n## Two\n\n### Three \\#\n")
    }

    @Test func `each paragraph stands alone and empty ones vanish`() throws {
        #expect(try markdown([.plain("a\n\n\nb\nc\n")]) == "a\n\nb\n\nc\n")
    }

    @Test func `a line break inside a paragraph is a hard break`() throws {
        #expect(try markdown([.plain("a\u{2028}- b\u{2028}\u{2028}c\u{2028}")]) == "a\\\n\\- b\\\n\\\nc\n")
    }

    @Test func `lists nest by their indent and number themselves`() throws {
        let runs = [
            Run(text: "a\n", style: 100), Run(text: "b\n", style: 101, indent: 1),
            Run(text: "c\n", style: 102, indent: 1),
            Run(text: "d\n", style: 102, indent: 1), Run(text: "e\n", style: 102, indent: 3),
            Run(text: "f", style: 100),
        ]
        #expect(try markdown(runs) == "- a\n  - b\n  1. c\n  2. d\n     1. e\n- f\n")
    }

    @Test func `a second list right after the first has other marks`() throws {
        let runs = [Run(text: "a\n", style: 102), .plain("\n"), Run(text: "b\n", style: 102), .plain("x\n")]
        #expect(try markdown(runs) == "1. a\n\n1) b\n\nx\n")
    }

    @Test func `a checklist keeps what is done`() throws {
        let runs = [Run(text: "a\n", style: 103, isDone: true), Run(text: "b", style: 103, isDone: false)]
        #expect(try markdown(runs) == "- [x] a\n- [ ] b\n")
    }

    @Test func `monospaced lines share one fence, longer than any inside`() throws {
        let runs = [Run(text: "let a = *b*\n\n", style: 4), Run(text: "```\n", style: 4), .plain("end")]
        #expect(try markdown(runs) == "````\nlet a = *b*\n\n```\n````\n\nend\n")
    }

    @Test func `quotes keep their mark between paragraphs`() throws {
        let runs = [Run(text: "a\nb\n", isQuoted: true), .plain("c")]
        #expect(try markdown(runs) == "> a\n>\n> b\n\nc\n")
    }

    @Test func `styles become delimiters and underlining vanishes`() throws {
        let runs = [
            Run(text: "b", weight: 1), .plain(" "), Run(text: "i", weight: 2), .plain(" "), Run(text: "bi", weight: 3),
            .plain(" "), Run(text: "s", isStruck: true), .plain(" "), Run(text: "u", isUnderlined: true), .plain(" "),
            Run(text: "l k", link: "https://x.y/z"), .plain(" "), Run(text: "c`", font: "Menlo-Regular"),
        ]
        #expect(try markdown(runs) == "**b** *i* ***bi*** ~~s~~ u [l k](https://x.y/z) `` c` ``\n")
    }

    @Test func `white space and loose punctuation stay outside of delimiters`() throws {
        #expect(try markdown([Run(text: " a b ", weight: 1), .plain("c")]) == "&#32;**a b** c\n")
        #expect(try markdown([.plain("a"), Run(text: "(b)", weight: 1), .plain("c")]) == "a(**b**)c\n")
        #expect(try markdown([Run(text: "“a.”", weight: 1), .plain(" b")]) == "**“a.”** b\n")
    }

    @Test func `delimiters that would run into each other are left out`() throws {
        #expect(try markdown([Run(text: "a", weight: 1), Run(text: "b", weight: 2)]) == "**a***b*\n")
        #expect(try markdown([Run(text: "a.", weight: 1), Run(text: "b", weight: 2)]) == "**a**.*b*\n")
        #expect(try markdown([Run(text: "a!", isStruck: true), .plain("b")]) == "a!b\n")
    }

    @Test func `an exclamation mark before a link makes no image of it`() throws {
        #expect(try markdown([.plain("Look!"), Run(text: "here", link: "u:v")]) == "Look\\![here](u:v)\n")
    }

    @Test func `an address that shows itself is written once`() throws {
        #expect(try markdown([Run(text: "https://a_b", link: "https://a_b")]) == "<https://a_b>\n")
    }

    @Test func `run lengths count UTF-16`() throws {
        #expect(try markdown([.plain("🙂"), Run(text: "b🙂", weight: 1), .plain("é")]) == "🙂**b**🙂é\n")
    }

    @Test func `a run that cuts a character in two moves to its end`() throws {
        let note = ProtobufWriter.message { note in
            note.text(2, "🙂b")
            for (length, weight) in [(1, 0), (2, 1)] {
                note.message(5) { run in
                    run.number(1, length)
                    run.number(5, weight)
                }
            }
        }
        let paragraphs = try NoteText(message: note[...]).paragraphs
        #expect(MarkdownWriter.render(paragraphs) { _ in .blocks([]) } == "🙂**b**\n")
    }

    @Test func `half a character becomes one replacement character`() throws {
        let note = ProtobufWriter.message { note in note.field(2, [0x61, 0xED, 0xA0, 0xBD, 0x62, 0xFF]) }
        #expect(
            MarkdownWriter.render(try NoteText(message: note[...]).paragraphs) { _ in .blocks([]) }
                == "a\u{FFFD}b\u{FFFD}\n")
    }

    @Test func `attachments part the text around them`() throws {
        let document = BodyFixture.document([.plain("a "), .attachment("X", "public.png"), .plain(" b")])
        let source = MarkdownWriter.render(try NoteText(document: document).paragraphs) { .blocks([[$0.identifier]]) }
        #expect(source == "a\n\nX\n\n&#32;b\n")
    }

    @Test func `a table keeps its order and escapes its pipes`() throws {
        let table = try MergeableTable(Gunzip.unpack(TableFixture.packed([["A", "B|b"], ["c\nc", ""]])))
        #expect(TableMarkdown.render(table.rows) == ["| A | B\\|b |", "| --- | --- |", "| c c |  |"])
        #expect(TableMarkdown.losesLineBreaks(table.rows))
    }
}
