import ProcessorTime
import Foundation
import Testing

@testable import Widgets

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct RenderHostile {
    /// A text everywhere where one may stand.
    private func frame(_ text: String, _ family: WidgetFamily, _ state: Frame.State) -> Frame {
        var frame = RenderSamples.frame(family, state, name: text) {
            VStack {
                Text(text).font(.headline).widgetURL(text)
                Image(RenderSamples.png, width: 1, height: 1, label: text)
                Image(Array(text.utf8), width: 1, height: 1, label: text)
                Gauge(1, of: 2) { Text(text) }
                Toggle(isOn: true) { Text(text) }
                Symbol(.key).accessibilityLabel(text).widgetURL("https://x/" + text)
                HStack {
                    Text(text); Spacer(); Text(text)
                }
            }
        }
        frame.kind = text
        return frame
    }

    private func frames(_ text: String) -> [Frame] {
        [WidgetFamily.systemMedium, .accessoryInline].flatMap { family in
            Frame.State.allCases.map { frame(text, family, $0) }
        }
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2067, 0x200E...0x200F, 0x61C, 0xFEFF: false
        case 0xFDD0...0xFDEF, 0x2028...0x2029, 0xE0000...0xE007F: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }

    @Test(arguments: RenderSamples.hostile)
    func `nothing but lines and what is seen is in any output`(text: String) {
        for frame in frames(text) {
            for output in RenderSamples.outputs(frame) {
                // Escapes of a terminal are ours: taken away whole, none is left.
                var seen = output.replacing("\u{1B}]8;;\u{1B}\\", with: "")
                for codes in ["0", "1", "2", "31", "90"] { seen = seen.replacing("\u{1B}[\(codes)m", with: "") }
                #expect(seen.unicodeScalars.allSatisfy { $0 == "\n" || Self.isShown($0) })
                #expect(
                    output.unicodeScalars.count { $0.value == 0x2068 }
                        == output.unicodeScalars.count { $0.value == 0x2069 })
            }
            if frame.family == .accessoryInline {
                #expect(!PlainTextRenderer.render(frame).contains("\n") && !ANSIRenderer.render(frame).contains("\n"))
            }
            for line in PlainTextRenderer.render(frame, columns: 12).split(separator: "\n") {
                #expect(ColumnWidth.of(String(line)) <= 12)
            }
        }
    }

    @Test(arguments: RenderSamples.hostile)
    func `no text breaks out of JSON`(text: String) throws {
        for frame in frames(text) {
            let waybar = try RenderSamples.object(WaybarRenderer.render(frame))
            #expect(Set(waybar.keys).isSubset(of: ["text", "tooltip", "alt", "class", "percentage"]))
            #expect(waybar["alt"] as? String == frame.state.name)
            let line = I3barRenderer.line([frame, frame])
            #expect(line.utf8.count { $0 == 0x0A } == 1)
            let blocks = try RenderSamples.object("{\"blocks\":\(line.dropFirst())}")["blocks"] as? [[String: Any]]
            #expect(blocks?.count == 2 && blocks?.allSatisfy { $0["markup"] as? String == "none" } == true)
            let tree = try RenderSamples.object(JSONRenderer.render(frame))
            #expect(tree["name"] as? String == DisplayText.clean(text))
        }
    }

    @Test(arguments: RenderSamples.hostile)
    func `no text breaks out of markup`(text: String) throws {
        for frame in frames(text) {
            let waybar = try RenderSamples.object(WaybarRenderer.render(frame))
            for key in ["text", "tooltip"] {
                let markup = try #require(waybar[key] as? String)
                #expect(try Elements("<markup>\(markup)</markup>").names == ["markup"])
            }
            let elements = try Elements(HTMLRenderer.render(frame))
            let known: Set = [
                "article", "div", "span", "strong", "img", "a", "hr", "meter", "input", "svg", "circle",
            ]
            #expect(Set(elements.names).isSubset(of: known))
            #expect(elements.attributes.allSatisfy { !$0.name.hasPrefix("on") && $0.name != "style" })
            #expect(elements.attributes.filter { $0.name == "href" }.allSatisfy { $0.value.hasPrefix("https://x/") })
            let page = HTMLRenderer.page([frame, frame], title: text, language: text)
            #expect(try Elements(String(page.drop { $0 != "\n" }.dropFirst())).names.count { $0 == "article" } == 2)
        }
    }

    @Test(arguments: [Axis.horizontal, .vertical, .depth])
    func `the deepest tree is laid out once`(axis: Axis) {
        var root = FrameNode.text(TextRun("a long word: incomprehensibilities"), isDimmed: false)
        for level in 0..<(WidgetLimit.depth - 1) {
            let small = FrameNode.text(TextRun("x\(level)"), isDimmed: false)
            root =
                switch level % 4 {
                case 0: .gauge(.linear, GaugeValue(1, of: 2), label: root, isDimmed: false)
                case 1: .labelled("label", root)
                case 2: .stack(axis, .center, spacing: 8, [small, .divider, root, small])
                default: .stack(axis, .trailing, spacing: 8, [root, small, .spacer, small])
                }
        }
        var frame = RenderSamples.frame { Text("") }
        frame.root = root
        for family in [WidgetFamily.systemSmall, .accessoryInline] {
            frame.family = family
            let time = ProcessorTime.of {
                #expect(RenderSamples.outputs(frame).allSatisfy { !$0.isEmpty })
            }
            #expect(time < .seconds(5))
        }
    }

    @Test(arguments: RenderSamples.hostile)
    func `tmux reads no style or format but ours`(text: String) {
        for frame in frames(text) {
            var line = TmuxRenderer.render(frame)
            for style in ["default", "bold", "fg=brightblack", "fg=brightblack,bold"] {
                line = line.replacing("#[\(style)]", with: "")
            }
            let bytes = Array(line.utf8)
            // Every run of hashes that is left is of an even length.
            let runs = bytes.split { $0 != 0x23 }
            #expect(runs.allSatisfy { $0.count % 2 == 0 })
        }
    }
}

/// The elements of a text that is well-formed XML.
final class Elements: NSObject, XMLParserDelegate {
    private(set) var names: [String] = []
    private(set) var attributes: [(name: String, value: String)] = []

    struct NotWellFormed: Error { let text: String }

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { throw NotWellFormed(text: String(text.prefix(2000))) }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        names.append(element)
        for (name, value) in attributes { self.attributes.append((name: name, value: value)) }
    }
}
