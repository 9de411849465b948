import Checkout
import Foundation
import Localization
import NotesClient
import ShippedCatalogues
import TerminalScreen
import Testing

@testable import NotesTerminal

/// Screens as people see them, compared with docs/screens.
///
/// With `TRESOR_WRITE_SCREENS=1` in the environment the files are written instead; look at them before you commit.
@Suite struct GoldenScreenTests {
    static let folder = Checkout.root.appendingPathComponent("docs/screens")

    private func expect(_ stage: Stage, looksLike name: String) throws {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["TRESOR_WRITE_SCREENS"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try stage.text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try stage.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test func `the list beside a note`() throws { try expect(Stage(.sample), looksLike: "list") }

    @Test func `a long note with the keys in its pane`() throws {
        var world = NotesWorld()
        let paragraph = String(repeating: "There is a word, and then another. ", count: 6)
        world.add("# Long\n\n" + (1...9).map { "## Part \($0)\n\n" + paragraph }.joined(separator: "\n\n")) {
            $0.hasConflict = true
            $0.tags = ["long", "draft"]
        }
        var stage = Stage(world)
        stage.press(.tab, .pageDown)
        try expect(stage, looksLike: "note")
    }

    @Test func `a locked note before its passphrase`() throws {
        var stage = Stage(.sample)
        stage.press(.text("j"), .enter)
        stage.world.isPassphraseRight = false
        for _ in 1...3 { stage.feed(.secretEntered) }
        try expect(stage, looksLike: "locked-note")
    }

    @Test func `an open locked note, twenty seconds before its session ends`() throws {
        var stage = Stage.withOpenLockedNote
        stage.pass(milliseconds: 162_000)
        try expect(stage, looksLike: "session-ending")
    }

    @Test func `a search and what it found`() throws {
        var stage = Stage(.sample)
        stage.press(.text("/"))
        stage.type("a")
        stage.press(.enter, .text("/"))
        stage.type("bisc")
        try expect(stage, looksLike: "search")
    }

    @Test func `the help`() throws {
        var stage = Stage(.sample)
        stage.press(.text("?"))
        try expect(stage, looksLike: "help")
    }

    @Test(arguments: [("de", "german"), ("fr", "french"), ("nb", "norwegian")])
    func `the list beside a note in each language, a locked one, and the help`(code: String, name: String) throws {
        let catalogue = try ShippedCatalogue.read(code)
        try Localization.speaking(catalogue) {
            var stage = Stage(.sample)
            try expect(stage, looksLike: "\(name)-list")
            stage.press(.text("j"), .enter)
            try expect(stage, looksLike: "\(name)-locked-note")
            var helped = Stage(.sample)
            helped.press(.text("?"))
            try expect(helped, looksLike: "\(name)-help")
        }
    }

    @Test(arguments: ["de", "fr", "nb"])
    func `rows of keys and the help fit 80 columns in each language`(language: String) throws {
        let catalogue = try ShippedCatalogue.read(language)
        Localization.speaking(catalogue) {
            for line in Help.lines { #expect(CellWidth.of(String(line)) <= 80, "\(String(line))") }
            let rows = [NotePicker.Rows.files([]), .versions([]), .links([])].map { ScreenWords.keys($0) }
            for keys in rows + [ScreenWords.listKeys, ScreenWords.editorKeys, ScreenWords.lockedNoteKeys] {
                // A space stands before them.
                #expect(CellWidth.of(keys) <= 79, "\(keys)")
            }
        }
    }

    @Test func `the editor`() throws {
        var stage = Stage(.sample)
        stage.press(.text("e"), .documentEnd)
        stage.type(" that goes on and on until it does not fit the width of the screen any more")
        try expect(stage, looksLike: "editor")
        let cursor = try #require(stage.screen.frame().cursor)
        #expect(cursor.row == 7)
    }

    @Test func `the device is locked`() throws {
        var stage = Stage(.sample)
        stage.lockDevice()
        try expect(stage, looksLike: "device-locked")
    }

    @Test func `wide characters keep the panes in line`() throws {
        var world = NotesWorld()
        world.add("# 日本語のメモ、とても長い題名です\n\n東京は晴れ。とても長い一行なので、折り返しが必要になります。")
        world.add("# 👨‍👩‍👧‍👦 family 🇳🇴 ❤️")
        world.add("# e\u{301}te\u{301} ﬀ Ａ ｶﾅ") { $0.folder = "フォルダ/長い名前のフォルダ" }
        try expect(Stage(world), looksLike: "wide-characters")
    }

    @Test func `hostile titles do nothing`() throws {
        var world = NotesWorld()
        world.add("# \u{1B}[2J\u{1B}]0;owned\u{07}\n\ntext \u{1B}[31mred\u{202E}txet") {
            $0.folder = "\u{9B}31m/\u{2028}"
        }
        world.add("# a" + String(repeating: "\u{301}", count: 300))
        world.add("# \u{202E}gpj.exe\u{200D}\u{E0041}")
        world.add("# " + String(repeating: "very ", count: 400))
        let stage = Stage(world)
        try expect(stage, looksLike: "hostile-titles")
        var painter = ScreenPainter()
        let output = painter.paint(stage.screen.frame())
        #expect(!output.contains("\u{1B}]") && !output.contains("\u{1B}[31m") && !output.contains("\u{07}"))
        #expect(!output.contains("\u{1B}[2J") && !output.contains("\u{9B}") && !output.contains("\u{202E}"))
    }

    @Test func `a small window shows one pane`() throws {
        var stage = Stage(.sample, columns: 40, rows: 10)
        try expect(stage, looksLike: "small-list")
        stage.press(.enter)
        try expect(stage, looksLike: "small-note")
    }

    @Test func `only rows that changed are painted`() {
        var stage = Stage(.sample)
        var painter = ScreenPainter()
        let first = painter.paint(stage.screen.frame())
        #expect(painter.paint(stage.screen.frame()).isEmpty)
        stage.press(.text("x"))
        stage.press(.text("j"))
        let second = painter.paint(stage.screen.frame())
        #expect(second.utf8.count < first.utf8.count)
        painter.forget()
        #expect(painter.paint(stage.screen.frame()).contains("\u{1B}[1;1H"))
    }
}
