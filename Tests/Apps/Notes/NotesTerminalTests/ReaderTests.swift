import NotesClient
import TerminalScreen
import Testing

@testable import NotesTerminal

/// A note as it is read: Markdown in rows, boxes that are ticked, links that are followed.
@Suite struct ReaderTests {
    private static func lines(_ text: String, width: Int = 30) -> [String] {
        MarkdownRow.rows(of: text, width: width).map(\.line.text)
    }

    @Test func `headings, lists, boxes, quotes, rules and code are drawn as such`() {
        let text = """
            # Top
            Second
            ---
            ### Third ###
            - one
              - [ ] open
              - [x] done
            3) three
            > said
            >> and more
            ***
            ```swift
            let a = **b**
            ```
            plain
            """
        #expect(
            Self.lines(text) == [
                "Top", "═══", "Second", "──────", "Third", "• one", "  ☐ open", "  ☑ done", "3) three", "▌ said",
                "▌ ▌ and more", String(repeating: "─", count: 30), "│ let a = **b**", "plain",
            ])
        let rows = MarkdownRow.rows(of: text, width: 30)
        #expect(rows.filter(\.hasBox).map(\.source) == [5, 6])
        #expect(rows[0].line.spans.first?.style == .bold)
    }

    @Test func `what is strong, code, a link or a picture within a line`() {
        let text = #"a **b c** `*d*` *e* \*f\* [g](https://h.example/x) [[Shop|buy]] ![p](attachment:1) __i__"#
        let row = MarkdownRow.rows(of: text, width: 200)[0]
        #expect(row.line.text == "a b c `*d*` *e* *f* g↗ buy→ [▣ p] i")
        #expect(row.links.map(\.target) == ["https://h.example/x", "Shop"])
        #expect(row.links.map(\.note) == [nil, "Shop"])
        #expect(row.line.spans.filter { $0.style == .bold }.map(\.text) == ["b c", "g↗", "buy→", "i"])
        for text in ["**", "** a", "a ** b", "[x", "[x](", "![", "`", "[[", "[[]]", "<https://", "2*3*4", "_a", "\\"] {
            #expect(Self.lines(text) == [text], "\(text)")
        }
    }

    @Test func `a table stands in columns, as wide as there is room`() {
        let text = "| name | n |\n|---|--:|\n| oats | 12 |\n| a very long name | 3 |\nbehind"
        #expect(
            Self.lines(text) == [
                "name             │ n", "─────────────────┼───", "oats             │ 12", "a very long name │ 3",
                "behind",
            ])
        let narrow = Self.lines(text, width: 12)
        #expect(narrow.count == 5 && narrow[3].contains("…") && narrow.allSatisfy { CellWidth.of($0) <= 12 })
    }

    @Test(arguments: [4, 5, 17, 80])
    func `every row has its width, whatever stands in it`(width: Int) {
        let pieces = [
            "日本語のメモ、とても長い", "👨‍👩‍👧‍👦 family 🇳🇴", "# ", "- [ ] ", "> ", "| a | b |\n|-|-|\n", "```\n", "**", "[a](b)",
            "\u{1B}[2J", "\u{202E}x", "e\u{301}", "\t", "\r\n", "\n", "[[", "`", String(repeating: "long ", count: 30),
            " ",
        ]
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let text = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for row in MarkdownRow.rows(of: text, width: width) { #expect(row.line.width == width, "\(text)") }
        }
    }

    @Test(arguments: ["[", "[[", "**a", "`a``", "<https://", "|", "![", "> ", "*"])
    func `a long line of signs is read in no time`(sign: String) {
        let clock = ContinuousClock()
        let text = String(repeating: sign, count: 40_000 / sign.count)
        let time = clock.measure { _ = MarkdownRow.rows(of: text, width: 40) }
        #expect(time < .seconds(20))
    }

    @Test func `what a terminal would obey is spelled out`() {
        let text = Self.lines("# \u{1B}]0;owned\u{7}\n\n| \u{9B}31m | b |\n|-|-|\n[\u{202E}](x)", width: 80).joined()
        #expect(!text.unicodeScalars.contains { [0x1B, 0x07, 0x9B, 0x202E].contains($0.value) })
    }

    // MARK: Boxes and links

    @Test func `Space ticks the box of the row, and all else of the text stays`() {
        var stage = Stage(.sample)
        let before = stage.world.notes[0].text
        stage.press(.tab, .down, .down, .down)
        #expect(stage.text.contains(">☐ oats"))
        stage.press(.text(" "))
        #expect(stage.world.notes[0].text == before.replacing("[ ] oats", with: "[x] oats"))
        #expect(stage.text.contains(">☑ oats"), "the row stays where it was")
        stage.press(.text(" "))
        #expect(stage.world.notes[0].text == before)
    }

    @Test func `a box in a text with other line ends is ticked in its place`() {
        var world = NotesWorld()
        world.add("# T\r\n\r\n```\r\n- [ ] no box\r\n```\r\n- [X] done [ ]\r\n")
        var stage = Stage(world)
        stage.press(.tab, .end, .up)
        stage.press(.text(" "))
        #expect(stage.world.notes[0].text == "# T\r\n\r\n```\r\n- [ ] no box\r\n```\r\n- [ ] done [ ]\r\n")
    }

    @Test func `Enter follows a link to another note`() {
        var world = NotesWorld.sample
        world.add("# Links\n\nSee [[Garden plan]] and [two](Minutes.md)") { $0.isPinned = true }
        var stage = Stage(world)
        stage.press(.home, .down, .tab, .end)
        #expect(stage.screen.panes.open?.summary.title == "Links")
        stage.press(.enter)
        #expect(stage.text.contains("Links in Links") && stage.text.contains("Garden plan"))
        stage.press(.enter)
        #expect(stage.screen.panes.shelf.selected?.title == "Garden plan" && stage.text.contains("Beans in May"))
    }

    @Test func `a link out of the notes is asked about`() {
        var world = NotesWorld()
        world.add("<https://example.org/>")
        var stage = Stage(world)
        stage.press(.tab, .enter)
        #expect(stage.opened.isEmpty && stage.text.contains("Open https://example.org/"))
        stage.press(.text("y"))
        #expect(stage.opened == ["https://example.org/"])
    }

    @Test func `a dumb terminal gets lines`() {
        #expect(NotesTerminal.canFill(terminal: "xterm") && !NotesTerminal.canFill(terminal: "dumb"))
        #expect(!NotesTerminal.canFill(terminal: nil) && !NotesTerminal.canFill(terminal: ""))
    }
}
