import BrowserWidget
import Foundation
import Protection
import Testing
import Widgets

/// The kit in a browser: the same source, compiled to WebAssembly, beside the same source compiled for this machine.
@Suite(
    .enabled(if: Browser.isThere, "needs node, and clang and wasm-ld of a toolchain from swift.org"), .serialized)
struct BrowserTests {
    /// Texts that each take another way through strings: short and long ones, many scripts, hostile ones, broken ones.
    static let secrets: [[UInt8]?] =
        [
            "14:30 Dentist, Dr. Quince", "", "Zoë", "</span><script>alert(1)</script>&amp;'\"`",
            "פגישה עם עדה \u{202E}evil\u{2066} ب", "👨‍👩‍👧‍👦🇳🇴🏽 e\u{301}\u{301} क्षि ㍿ İß Ω", "a\r\nb\u{2028}c\u{0}\u{1B}[2J\t",
            "e" + String(repeating: "\u{301}", count: 200), String(repeating: "漢字 wide ", count: 400), "\u{FEFF}x",
        ].map { Array($0.utf8) } + [[0xFF, 0x41, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xF4], nil]

    private static func html(_ family: UInt8, _ variant: UInt8, _ secret: [UInt8]?) -> String? {
        BrowserWidget.html(
            family: family, reasons: variant & 7, placement: variant >> 4, isLuminanceReduced: variant & 8 != 0,
            appointment: secret.map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func `every size in every environment is the same HTML, byte by byte`() throws {
        let answers = [UInt8](try Browser.ask("render", Self.secrets))
        var place = 0
        var compared = 0
        var different: [String] = []
        for (number, secret) in Self.secrets.enumerated() {
            for family in WidgetFamily.allCases {
                for variant in UInt8(0)..<48 {
                    let head = try #require(answers.dropFirst(place).prefix(4).count == 4 ? place + 4 : nil)
                    let count = (0..<4).reduce(0) { $0 | Int(answers[place + $1]) << (8 * $1) }
                    let html = answers.dropFirst(head).prefix(count)
                    let native = try #require(Self.html(family.rawValue, variant, secret))
                    if !html.elementsEqual(native.utf8) { different.append("\(number) \(family) \(variant)") }
                    place = head + count
                    compared += 1
                }
            }
        }
        #expect(different == [])
        #expect(place == answers.count && compared == Self.secrets.count * 7 * 48)
    }

    @Test func `the sample has something of everything, differs between environments and hides what it should`() {
        let secret = Array("Quince".utf8)
        for family in WidgetFamily.allCases {
            let view = DayWidget(appointment: "Quince").placeholder(in: family)
            #expect(Redaction.findings(in: view, family: family) == [])
            for variant in UInt8(0)..<48 where variant & 3 != 0 {
                #expect(Self.html(family.rawValue, variant, secret)?.contains("Quince") == false)
            }
        }
        let large = Set((0..<48).compactMap { Self.html(WidgetFamily.systemLarge.rawValue, $0, secret) })
        #expect(large.count > 12)
        let all = large.joined()
        for part in [
            "Quince", "<img", "<meter", "<circle", "<hr", "checkbox", "href=", "mask-text", "mask-block", "mask-gauge",
            "invalidated", "stack depth", "spacer", "strong",
        ] { #expect(all.contains(part), "\(part)") }
    }

    struct Inspection: Decodable {
        struct Frame: Decodable {
            let lock: UInt8
            let placement: UInt8
            let isDimmed: Bool
            let reasons: Int32
            let isHandedIn: Bool
            let held: Int
            let inHTML: Int
            let left: Int
        }
        struct Hidden: Decodable {
            let inHTML: Int
            let left: Int
        }
        let imports: Int
        let refused: Int
        let unknownStates: Int
        let frames: [Frame]
        let hidden: [Hidden]
    }

    @Test func `a module asked for a locked frame has nothing private in its memory, and keeps nothing`() throws {
        let secrets = ["Quince", "14:30 Dentist, Dr. Quince, second floor", "פגישה"].map { Array($0.utf8) }
        let inspection = try JSONDecoder().decode(Inspection.self, from: Browser.ask("inspect", secrets))
        #expect(inspection.imports == 0, "nothing of the page can be reached from within")
        #expect(inspection.refused == 6 && inspection.unknownStates == 2)
        var shown = 0
        var hidden = 0
        for frame in inspection.frames {
            let wanted = BrowserWidget.resolve(
                lock: frame.lock, placement: frame.placement, isLuminanceReduced: frame.isDimmed)
            #expect(wanted.map { $0 & 7 } ?? -1 == frame.reasons)
            #expect(frame.isHandedIn == ((wanted ?? 0) & BrowserWidget.opensSealed != 0))
            // While it is shown it is there: so a search that finds nothing means something.
            if frame.inHTML > 0 { shown += 1 } else { hidden += 1 }
            #expect(frame.inHTML > 0 ? frame.held > 0 : frame.isHandedIn || frame.held == 0)
            #expect(frame.left == 0)
            if frame.lock != LockState.unlocked.rawValue && frame.placement == WidgetPlacement.lockScreen.rawValue {
                #expect(!frame.isHandedIn && frame.held == 0)
            }
        }
        #expect(shown > 20 && hidden > 100)
        #expect(inspection.hidden.count == 63 && inspection.hidden.allSatisfy { $0.inHTML == 0 && $0.left == 0 })
    }

    @Test func `the page has the renderer's stylesheet, and neither script nor style of its own in its HTML`() throws {
        let folder = try Browser.folder.get()
        #expect(try String(contentsOfFile: folder + "/widgets.css", encoding: .utf8) == HTMLRenderer.stylesheet)
        let page = try String(contentsOfFile: folder + "/index.html", encoding: .utf8)
        #expect(page.contains("script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"))
        for part in ["unsafe-inline", "'unsafe-eval'", "<style", " style=", " onclick", "<script>", "javascript:"] {
            #expect(!page.contains(part), "\(part)")
        }
    }

    struct Pages: Decodable {
        struct Page: Decodable {
            let source: String
            let widgets: String
            let held: String
            let corners: String
        }
        let pages: [String: Page]
        let complaints: [String]
        let paths: [String]
    }

    @Test(.enabled(if: Browser.chromium != nil, "needs Chromium"))
    func `Chromium shows each state under the page's policy, and nothing complains`() throws {
        let answers = try JSONDecoder().decode(Pages.self, from: Browser.browse())
        #expect(answers.complaints == [])
        #expect(
            answers.paths == ["/", "/page.css", "/page.mjs", "/widget.mjs", "/widget.wasm", "/widgets.css"])
        let states: [(name: String, reasons: UInt8, placement: UInt8, isDimmed: Bool)] = [
            ("unlocked", 0, 0, false), ("locked", 2, 1, false), ("beforeFirstUnlock", 1, 1, false),
            ("alwaysOn", 2, 1, true),
        ]
        for state in states {
            let page = try #require(answers.pages[state.name])
            let isShown = state.name == "unlocked"
            let html = BrowserWidget.html(
                family: WidgetFamily.systemMedium.rawValue, reasons: state.reasons, placement: state.placement,
                isLuminanceReduced: state.isDimmed, appointment: isShown ? "14:30 Dentist, Dr. Quince" : nil)
            #expect(page.source == html)
            #expect(page.widgets.hasPrefix("<article class=\"tresor-widget system-medium "))
            #expect(page.widgets.contains("Quince") == isShown)
            #expect(page.held.hasSuffix(", 0 times now") && page.held.hasPrefix("0 times") == !isShown)
            #expect(page.corners == "18px", "the stylesheet is taken")
        }
    }
}
