import Checkout
import Foundation
import Localization
import Protection
import ShippedCatalogues
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// Screens as people see them, compared with docs/screens/keychain.
///
/// With `TRESOR_WRITE_SCREENS=1` in the environment the files are written instead; look at them before you commit.
@Suite struct GoldenScreenTests {
    static let folder = Checkout.root.appendingPathComponent("docs/screens/keychain")

    private func expect(_ stage: Stage, looksLike name: String) throws {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        if ProcessInfo.processInfo.environment["TRESOR_WRITE_SCREENS"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try stage.text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try stage.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test func `the list`() throws { try expect(Stage(), looksLike: "list") }

    @Test func `a small window`() throws {
        var stage = Stage(columns: 40, rows: 12)
        try expect(stage, looksLike: "small-list")
        stage.press(.text("j"), .enter)
        try expect(stage, looksLike: "small-details")
        stage.press(.escape, .text("d"))
        try expect(stage, looksLike: "small-question")
    }

    @Test func `all of an item`() throws {
        var stage = Stage()
        stage.press(.text("j"), .enter)
        try expect(stage, looksLike: "details")
    }

    @Test func `a certificate that has expired, and one that soon will`() throws {
        var stage = Stage()
        stage.press(.tab, .tab, .tab, .text("j"), .enter)
        try expect(stage, looksLike: "expired")
        stage.press(.escape, .text("j"), .enter)
        try expect(stage, looksLike: "expires-soon")
    }

    @Test func `identities, and the question before one is deleted`() throws {
        var stage = Stage()
        stage.press(.backTab, .text("d"))
        try expect(stage, looksLike: "identities")
    }

    @Test func `a search while it is typed`() throws {
        var stage = Stage()
        stage.press(.text("/"))
        stage.type("EXAMPLE")
        try expect(stage, looksLike: "search")
    }

    @Test func `a wrong passcode`() throws {
        var stage = Stage()
        stage.guarded = [BrowserScreenTests.shop]
        stage.isPasscodeRight = false
        stage.press(.text("j"), .text("r"))
        stage.feed(.passcodeEntered)
        try expect(stage, looksLike: "passcode")
    }

    @Test func `the page of a secret, which the driver fills`() throws {
        var stage = Stage()
        stage.press(.text("r"))
        stage.pass(milliseconds: 2500)
        try expect(stage, looksLike: "secret")
    }

    @Test func `the device is locked`() throws {
        var stage = Stage(.whileLocked, state: .locked)
        stage.feed(.typed(count: 5))
        try expect(stage, looksLike: "device-locked")
        stage.feed(.passcodeCancelled)
        stage.press(.text("G"))
        try expect(stage, looksLike: "device-locked-list")
    }

    @Test func `a login with its one-time code, whose digits the driver writes`() throws {
        var stage = CodePageTests.stage()
        stage.press(.enter)
        stage.pass(milliseconds: 3000)
        try expect(stage, looksLike: "code")
    }

    @Test func `the form for a new item, and the prompt for its secret`() throws {
        var stage = Stage()
        stage.press(.text("n"))
        stage.type("shop2.example.com")
        try expect(stage, looksLike: "new-item")
        stage.press(.control("s"))
        stage.feed(.typed(count: 6))
        try expect(stage, looksLike: "new-secret")
    }

    @Test func `the list by change`() throws {
        var stage = Stage(order: .name)
        stage.press(.text("s"))
        try expect(stage, looksLike: "by-change")
    }

    @Test func `a keychain that belongs to no user`() throws {
        var stage = Stage()
        stage.system = [.systemRoots: .ofFiles(.systemRoots)]
        stage.press(.text("K"), .text("K"))
        try expect(stage, looksLike: "system-roots")
        stage.feed(.resized(columns: 40, rows: 12))
        try expect(stage, looksLike: "small-system-roots")
    }

    @Test func `the help`() throws {
        var stage = Stage()
        stage.press(.text("?"))
        try expect(stage, looksLike: "help")
    }

    @Test(arguments: [("de", "german"), ("fr", "french"), ("nb", "norwegian")])
    func `the list, an item and the help in each language, all within 80 columns`(code: String, name: String) throws {
        let catalogue = try ShippedCatalogue.read(code)
        try Localization.speaking(catalogue) {
            var stage = Stage()
            try expect(stage, looksLike: "\(name)-list")
            try expectWhole(stage)
            stage.press(.text("j"), .enter)
            try expect(stage, looksLike: "\(name)-details")
            try expectWhole(stage)
            stage.press(.escape, .text("?"))
            try expect(stage, looksLike: "\(name)-help")
            try expectWhole(stage)
        }
    }

    /// No row of words is cut off.
    private func expectWhole(_ stage: Stage) throws {
        for line in stage.text.split(separator: "\n") { #expect(!line.hasSuffix("…"), "\(line)") }
    }

    @Test(arguments: ["de", "fr", "nb"])
    func `rows of keys, headings and the help fit 80 columns in each language`(language: String) throws {
        let catalogue = try ShippedCatalogue.read(language)
        Localization.speaking(catalogue) {
            for line in Help.lines { #expect(CellWidth.of(line) <= 80, "\(line)") }
            var stage = CodePageTests.stage()
            for keys in [[Key.text("j")], [.enter], [.escape, .text("n")], [.escape, .text("K"), .text("K")]] {
                for key in keys { stage.feed(.key(key)) }
                let foot = stage.text.split(separator: "\n", omittingEmptySubsequences: false)[23]
                #expect(!foot.hasSuffix("…"), "\(foot)")
            }
            for kind in Record.Kind.allCases { #expect(CellWidth.of(kind.words) <= 17, "\(kind.words)") }
            for one in ProtectionClass.allCases { #expect(CellWidth.of(Words.short(one)) <= 12, "\(one)") }
            for month in Int64(0)..<12 {
                let day = ReadableDate.short(wall: Stage.noon + month * 30 * 86_400)
                #expect(CellWidth.of(day) <= 12, "\(day)")
            }
        }
    }

    @Test func `hostile names do nothing`() throws {
        var listing = Listing()
        listing.add(
            .password, [.label: .string("\u{1B}[2J\u{1B}]52;c;aGk=\u{07}"), .account: .string("\u{202E}gpj.exe")])
        listing.add(.password, [.label: .string("a" + String(repeating: "\u{301}", count: 300))])
        listing.add(.password, [.label: .string("日本語のとても長い名前のパスワードです、とても長い"), .account: .string("アカウント")])
        listing.add(.password, [.label: .string("two\nlines"), .comment: .string("\u{9B}31mred\n\u{1B}c")])
        var stage = Stage(listing)
        try expect(stage, looksLike: "hostile-names")
        stage.press(.text("G"), .enter)
        try expect(stage, looksLike: "hostile-details")
        var painter = ScreenPainter()
        let output = painter.paint(stage.screen.frame())
        #expect(!output.contains("\u{1B}]") && !output.contains("\u{07}") && !output.contains("\u{1B}c"))
        #expect(!output.contains("\u{9B}") && !output.contains("\u{202E}"))
    }

    @Test func `styles carry no colour`() {
        var stage = Stage()
        var painter = ScreenPainter()
        stage.press(.tab, .tab, .tab, .text("j"), .enter, .text("d"))
        let output = painter.paint(stage.screen.frame())
        // Select graphic rendition 30 to 49 and 90 to 107 are the colours.
        let codes = output.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap {
            $0.1.split(separator: ";").compactMap { Int($0) }
        }
        #expect(!codes.isEmpty && codes.allSatisfy { $0 < 30 })
    }
}
