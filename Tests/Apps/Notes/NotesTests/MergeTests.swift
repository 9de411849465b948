import ProcessorTime
import Secrets
import Testing
import Thoroughness

@testable import Notes

@Suite struct MergeTests {
    @Test func `edits of different words of one paragraph come together`() {
        let base = note("The quick brown fox.")
        let merged = merge(base, change(base, "The slow brown fox."), change(base, "The quick brown fox jumps."))
        #expect(text(merged) == "The slow brown fox jumps." && !merged.hasConflict)
    }

    @Test func `edits of the same word keep both paragraphs`() {
        let base = note("The quick fox.")
        let merged = merge(base, change(base, "The slow fox."), change(base, "The red fox."))
        #expect(merged.hasConflict && merged.blocks.count == 2 && merged.blocks.contains { $0.id == base[0].id })
        #expect(["The slow fox.\n\nThe red fox.", "The red fox.\n\nThe slow fox."].contains(text(merged)))
    }

    @Test func `an edit beats a deletion, and a deletion what nobody touched`() {
        let base = note("one\n\ntwo")
        let merged = merge(base, [], change(base, "one more"))
        #expect(text(merged) == "one more" && !merged.hasConflict)
    }

    @Test func `both sides add at the same place and both stay in one piece`() {
        let base = note("start\n\nend")
        let mine = change(base, "start\n\na\n\nb\n\nend")
        let theirs = change(base, "start\n\nc\n\nd\n\nend")
        let result = text(merge(base, mine, theirs))
        #expect(result == "start\n\na\n\nb\n\nc\n\nd\n\nend" || result == "start\n\nc\n\nd\n\na\n\nb\n\nend")
    }

    @Test func `an item that one adds stays in its list when the other writes after it`() {
        let base = note("- milk")
        for _ in 1...16 {
            let merged = merge(base, change(base, "- milk\n- bread"), change(base, "- milk\n\nThanks"))
            #expect(text(merged) == "- milk\n- bread\n\nThanks")
        }
    }

    @Test func `one ticks an item while the other writes in it`() {
        let base = note("- [ ] milk\n- [ ] bread")
        let mine = change(base, "- [x] milk\n- [ ] bread")
        #expect(text(merge(base, mine, change(base, "- [ ] oat milk\n- [ ] bread"))) == "- [x] oat milk\n- [ ] bread")
        // A tick is an edit: it is not lost by a deletion.
        #expect(text(merge(base, mine, change(base, "- [ ] bread"))) == "- [x] milk\n- [ ] bread")
    }

    @Test func `one moves a block while the other edits it`() {
        let base = note("one\n\ntwo\n\nthree")
        let merged = merge(base, change(base, "three\n\none\n\ntwo"), change(base, "one\n\ntwo\n\nthree!"))
        #expect(text(merged) == "three!\n\none\n\ntwo")
    }

    @Test func `a paragraph becomes a heading while the other edits its words`() {
        let base = note("Plan for May")
        let merged = merge(base, change(base, "## Plan for May"), change(base, "Plan for June"))
        #expect(text(merged) == "## Plan for June")
    }

    @Test func `cells and lines of code come together`() {
        let table = note("| a | b |\n|---|---|\n| 1 | 2 |")
        let tables = merge(
            table, change(table, "| a | b |\n|---|---|\n| 3 | 2 |"), change(table, "| a | b |\n|:--|---|\n| 1 | 4 |"))
        #expect(text(tables) == "| a | b |\n|:--|---|\n| 3 | 4 |")
        let code = note("```\na\nb\nc\n```")
        let codes = merge(code, change(code, "```\nx\nb\nc\n```"), change(code, "```c\na\nb\nz\n```"))
        #expect(text(codes) == "```c\nx\nb\nz\n```")
    }

    @Test func `lines that nobody touched stay as they were typed`() {
        let base = note("Top\r\n===\r\n\r\n* one\r\n* two\r\n\r\n[wifi]:   secret\r\n\r\n\r\nend  ")
        let mine = change(base, "Top\r\n===\r\n\r\n* one\r\n* two\r\n\r\n[wifi]:   secret\r\n\r\n\r\nthe end  ")
        let theirs = change(base, "Top\r\n===\r\n\r\n* one 1\r\n* two\r\n\r\n[wifi]:   secret\r\n\r\n\r\nend  ")
        let expected = "Top\r\n===\r\n\r\n* one 1\r\n* two\r\n\r\n[wifi]:   secret\r\n\r\n\r\nthe end  "
        #expect(text(merge(base, mine, theirs)) == expected)
    }

    @Test func `two add a definition each, and a numbered list is counted anew`() {
        let links = note("See [a].\n\n[a]: 0171\n")
        let both = merge(
            links, change(links, "See [a].\n\n[a]: 0171\n[b]: 0172\n"), change(links, "See [a]!\n\n[a]: 0171\n"))
        #expect(text(both) == "See [a]!\n\n[a]: 0171\n[b]: 0172\n")
        let list = note("1. a\n2. b\n3. c\n")
        let merged = merge(list, change(list, "1. new\n2. a\n3. b\n4. c\n"), change(list, "1. a\n2. c, too\n"))
        #expect(!merged.hasConflict && text(merged).contains("new") && text(merged).contains("c, too"))
        #expect(!text(merged).contains("b"))
    }

    @Test func `what both added alike is there once`() {
        let base = note("a\n\nz\n")
        let merged = merge(base, change(base, "a\n\nsame words\n\nz\n"), change(base, "a\n\nsame words\n\nz!\n"))
        #expect(text(merged) == "a\n\nsame words\n\nz!\n" && !merged.hasConflict)
    }

    @Test func `letters of the same look and other bytes are not the same`() {
        let base = note("Caf\u{E9}\n\nend\n")
        let mine = change(base, "Cafe\u{301}\n\nend\n")
        #expect(mine.text == Array("Cafe\u{301}\n\nend\n".utf8))
        #expect(merge(base, mine, base).blocks.text == mine.text)
        #expect(
            merge(base, mine, change(base, "Caf\u{E9}\n\nthe end\n")).blocks.text
                == Array("Cafe\u{301}\n\nthe end\n".utf8))
    }

    @Test func `an edited note keeps its identities`() {
        let old = note("# Trip\n\nPack the tent.\n\n- one\n- two\n\n> wise words\n\nend")
        let text = "# Trip\n\nPack the small tent.\n\nnew\n\n- one and a half\n- two\n\n> wise words\n\nend"
        let new = BlockIdentity.carry(from: old, to: note(text))
        #expect(new[0].id == old[0].id && new[1].id == old[1].id && !old.map(\.id).contains(new[2].id))
        #expect(new[3].id == old[2].id && new[4].id == old[3].id && new[5].id == old[4].id && new[6].id == old[5].id)
        #expect(self.text(new) == text)
    }

    @Test func `a note of very many blocks takes seconds`() {
        let count = Thoroughness.count(20_000, soak: 100_000)
        var lines = (0..<count).map { "- item \($0 % 1_000) \($0 / 7)" }
        let base = note(lines.joined(separator: "\n"))
        lines = Array(lines.reversed().prefix(count / 2) + lines.prefix(count / 2))
        lines.remove(at: 77)
        let time = ProcessorTime.of {
            let mine = change(base, lines.joined(separator: "\n"))
            let merged = merge(base, mine, Array(base.dropFirst(3)))
            #expect(merged.blocks.count >= count - 4 && mine.count == lines.count)
        }
        #expect(time < .milliseconds(count * 6 / 10))
    }

    private typealias Merged = (blocks: [SourceBlock], hasConflict: Bool)

    private func note(_ text: String) -> [SourceBlock] { Markdown.split(Array(text.utf8)) }

    private func change(_ base: [SourceBlock], _ text: String) -> [SourceBlock] {
        BlockIdentity.carry(from: base, to: note(text))
    }

    private func merge(_ base: [SourceBlock], _ mine: [SourceBlock], _ theirs: [SourceBlock]) -> Merged {
        BlockMerge.merge(base: base, mine: mine, theirs: theirs)
    }

    private func text(_ merged: Merged) -> String { text(merged.blocks) }

    private func text(_ blocks: [SourceBlock]) -> String { String(decoding: blocks.text, as: UTF8.self) }
}
