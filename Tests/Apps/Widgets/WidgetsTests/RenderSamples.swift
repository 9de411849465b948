import Foundation
import Testing

@testable import Widgets

/// Frames and checks that the tests of renderers share.
enum RenderSamples {
    static func configuration(_ name: String = "Notes") -> WidgetConfiguration {
        WidgetConfiguration(
            kind: "notes.recent", displayName: name, summary: "", symbol: .note, families: WidgetFamily.allCases,
            protection: .complete)
    }

    static func frame(
        _ family: WidgetFamily = .systemMedium, _ state: Frame.State = .shown, name: String = "Notes",
        isDim: Bool = false,
        @ViewBuilder _ view: () -> some View
    ) -> Frame {
        let root = Redaction.resolve(view(), in: ViewEnvironment(family: family, isLuminanceReduced: isDim))
        return Frame(configuration(name), family: family, state: state, isLuminanceReduced: isDim, root: root)
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1, 2]

    /// Every sort of node.
    static func everything(_ family: WidgetFamily) -> Frame {
        frame(family) {
            VStack {
                HStack {
                    Symbol(.pin, tint: .accent).accessibilityLabel("Pinned")
                    Text("Shopping").font(.headline)
                }
                Gauge(3, of: 7) { Text("3 of 7") }
                Gauge(3, of: 4, style: .circular)
                Divider()
                Toggle(isOn: true) { Text("Milk").foreground(.positive) }
                Toggle(isOn: false) { Text("Bread").foreground(.secondary) }
                Image(png, width: 20, height: 10, label: "A loaf")
                ZStack {
                    Text("below"); Text("above")
                }
                Text("open").widgetURL("https://example.org/?a=1&b=2")
                Text("stale").invalidatableContent().redacted(reason: .invalidated)
                Text("gone").redacted(reason: .placeholder)
            }
        }
    }

    /// What each renderer makes of a frame.
    static func outputs(_ frame: Frame) -> [String] {
        [
            PlainTextRenderer.render(frame), PlainTextRenderer.render(frame, columns: 12), ANSIRenderer.render(frame),
            WaybarRenderer.render(frame), I3barRenderer.line([frame, frame]), TmuxRenderer.render(frame),
            JSONRenderer.render(frame), HTMLRenderer.render(frame),
            HTMLRenderer.page([frame], title: frame.displayName),
        ]
    }

    static func object(_ json: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private static let noncharacters = String(
        String.UnicodeScalarView([0xFFFE, 0xFFFF, 0x1FFFE, 0xFDD0].compactMap { Unicode.Scalar($0 as UInt32) }))

    /// Texts that try to be more than text.
    static let hostile: [String] = [
        "\u{1B}[2J\u{1B}]52;c;aGk=\u{07}", "\u{9B}31m\u{90}q\u{9C}", "</span><script>alert(1)</script>", "<b>&amp;'\"",
        "\" onload=\"x", "\"},{\"full_text\":\"x", "\\\",\"class\":\"x", "#[fg=red]#(id)#{pane_id}##[bg=blue]",
        "a\u{0}b",
        "one\ntwo\r\nthree\u{2028}four\u{85}five", "\u{202E}txt.exe\u{2066}\u{200F}\u{061C}",
        "e" + String(repeating: "\u{0301}", count: 1000), "\u{200D}", "\u{301}<\u{301}>\u{338}\"\u{301}#\u{301}[",
        String(repeating: "W", count: 16_000), noncharacters, "]]>--><!--", "\u{1B}\\\u{7F}",
        "\u{E0041}\u{FEFF}\u{AD}", "`${x}`%n%s{{}}",
    ]
}
