import TerminalScreen
import Testing
import Thoroughness

@Suite struct WordWrapTests {
    private func wrapped(_ text: String, _ columns: Int) -> String { WordWrap(columns: columns).text(text) }

    @Test func `a text that fits stays as it is, and a longer one is broken between words`() {
        #expect(wrapped("twelve signs", 12) == "twelve signs")
        #expect(wrapped("twelve signs", 11) == "twelve\nsigns")
        #expect(wrapped("one\n\ntwo  words\n", 5) == "one\n\ntwo\nwords\n")
        #expect(wrapped("tabs\tare for programs", 8) == "tabs\tare for programs")
    }

    @Test(arguments: [
        ("  a hint of several words", "  a hint of\n  several\n  words"),
        ("- a list of words", "- a list of\n  words"),
        ("2. a list of words", "2. a list of\n   words"),
        ("home  /a/b, and more", "home  /a/b,\n      and\n      more"),
        // Of a name that takes more than half of the line the next one keeps away.
        ("somebody's  a and some more", "somebody's\na and some\nmore"),
    ]) func `further lines begin where the words of the first one do`(_ text: String, _ expected: String) {
        #expect(wrapped(text, 12) == expected)
    }

    @Test func `a command in quotes stays together where it fits a line`() {
        #expect(wrapped("look with 'tresor ls', then go", 16) == "look with\n'tresor ls',\nthen go")
        #expect(wrapped("look ('tresor ls') now", 14) == "look\n('tresor ls')\nnow")
        #expect(wrapped("look with 'tresor notes ls' now", 14) == "look with\n'tresor notes\nls' now")
        // An apostrophe opens nothing.
        #expect(wrapped("the owner's one of the owners' keys", 14) == "the owner's\none of the\nowners' keys")
    }

    @Test func `a path that is longer than the line is left whole, alone, and from its edge`() {
        #expect(
            wrapped("  kept: /a/path/of/many/folders, see there", 16)
                == "  kept:\n/a/path/of/many/folders,\n  see there")
        // One that fits a line of its own is moved left for it.
        #expect(wrapped("data    /a/path/of/15, see", 15) == "data\n/a/path/of/15,\nsee")
    }

    @Test func `wide letters count two columns, and what French binds is not broken`() {
        #expect(wrapped("find 東京 now", 9) == "find 東京\nnow")
        #expect(wrapped("find 東京 now", 8) == "find\n東京 now")
        #expect(wrapped("ouvrir la note ?", 14) == "ouvrir la\nnote ?")
        #expect(wrapped("ouvrir la note\u{A0}?", 14) == "ouvrir la\nnote\u{A0}?")
        #expect(wrapped("la note « nom » ici", 10) == "la note\n« nom »\nici")
    }

    @Test func `the space behind a question is not alone on a line`() {
        #expect(wrapped("Change this one? [y/N] ", 22) == "Change this one?\n[y/N] ")
    }

    @Test func `nothing but spaces at breaks is changed, and no line is wider that could be broken`() {
        let pieces = [
            "word", "a", "東京", "é", "e\u{301}", "👨‍👧", "'tresor ls'", "'tresor", "ls'", "it's", "?", "«", "»", "-", "1.",
            "…",
            "/a/rather/long/path/of/folders", " ", " ", " ", " ", "  ", "\n", "\u{A0}", "owners'", "(", ",",
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<Thoroughness.count(2000, soak: 50_000) {
            let text =
                (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }.joined() + "end"
            let columns = Int.random(in: 1...60, using: &random)
            let lines = wrapped(text, columns)
            #expect(signs(lines) == signs(text), "\(columns): \(text.debugDescription)")
            #expect(wrapped(text, 1000) == text)
            for line in lines.split(separator: "\n") {
                // A text may have spaces of its own at the end of a line, which nobody sees there.
                let seen = line.reversed().drop { $0 == " " }.reversed()
                let isWide = CellWidth.of(String(seen)) > columns
                #expect(!isWide || line.split(separator: " ").count == 1, "\(columns): \(line) of \(text)")
            }
        }
    }

    /// All but spaces and line feeds, which a break may stand for.
    private func signs(_ text: String) -> String { text.filter { $0 != " " && $0 != "\n" } }
}
