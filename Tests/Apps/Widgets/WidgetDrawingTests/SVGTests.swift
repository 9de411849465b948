import Foundation
import Testing
import Thoroughness
import Widgets

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct SVGTests {
    /// What a reader of XML makes of a picture.
    private final class Reading: NSObject, XMLParserDelegate {
        var names: [String] = []
        var attributes: [(name: String, value: String)] = []
        var texts: [String: String] = [:]
        private var open: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.append(name)
            open.append(name)
            self.attributes += attributes.map { (name: $0.key, value: $0.value) }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) { open.removeLast() }

        func parser(_ parser: XMLParser, foundCharacters text: String) { texts[open.last ?? "", default: ""] += text }
    }

    private static func read(_ svg: String) -> Reading? {
        let reading = Reading()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reading
        return parser.parse() ? reading : nil
    }

    /// All that we write; neither a script nor a style nor anything that could bring one.
    private static let elements: Set = ["svg", "title", "desc", "rect", "text", "path", "circle", "image"]

    private static func isHarmless(_ reading: Reading) -> Bool {
        reading.names.allSatisfy(elements.contains)
            && reading.attributes.allSatisfy { name, value in
                !name.lowercased().hasPrefix("on") && !["style", "class", "id"].contains(name)
                    && (name != "href" || value.hasPrefix("data:image/png;base64,")
                        || value.hasPrefix("data:image/jpeg;base64,"))
                    && (name == "xmlns" || !value.contains("://")) && !value.contains("url(")
            }
    }

    @Test(arguments: WidgetFamily.allCases)
    func `given a widget, it is well-formed, named, and as large as its family`(_ family: WidgetFamily) throws {
        for theme in WidgetTheme.allCases {
            let svg = SVGRenderer.render(Sample.frame(family, Sample.content(family)), theme: theme)
            let reading = try #require(Self.read(svg))
            #expect(Self.isHarmless(reading))
            #expect(reading.texts["title"] == "Notes")
            #expect(reading.attributes.contains { $0.name == "width" && $0.value == "\(family.size.width)" })
            #expect(svg.utf8.count < 12_000)
        }
    }

    @Test func `given hostile words, they are words`() throws {
        let hostile = "<script>alert('x')</script>\"]]>&\u{0}\u{8}\u{202e}\u{1b}[31m\u{85}end"
        let frame = Sample.frame(
            .systemLarge, .labelled(hostile, .link("javascript:alert(1)", Sample.text(hostile))), name: hostile)
        let svg = SVGRenderer.render(frame)
        let reading = try #require(Self.read(svg))
        #expect(Self.isHarmless(reading))
        #expect(!svg.contains("<script") && !svg.contains("javascript:"))
        #expect(reading.texts["text"]?.hasPrefix("<script>") == true)
        #expect(reading.texts["title"]?.hasPrefix("<script>alert('x')</script>\"]]>&") == true)
        let isClean = svg.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" }
        #expect(isClean && !svg.unicodeScalars.contains { (0x202a...0x202e).contains($0.value) })
    }

    @Test func `given frames that nobody would think of, all are well-formed and harmless`() throws {
        var random = SeededGenerator(state: 5)
        for _ in 0..<Thoroughness.count(100, soak: 500) {
            let reading = try #require(Self.read(SVGRenderer.render(RandomFrame.make(&random))))
            #expect(Self.isHarmless(reading))
        }
    }

    @Test func `given a file that is no picture, no byte of it is in the result`() {
        let frame = Sample.frame(
            .systemSmall, .image(Picture(Array("<svg onload=x>".utf8), width: 40, height: 40), isDimmed: false))
        let svg = SVGRenderer.render(frame)
        #expect(!svg.contains("<image") && !svg.contains("onload"))
    }

    @Test func `given words from right to left, the text says so`() {
        let frame = Sample.frame(.systemSmall, Sample.text("שלום"))
        #expect(SVGRenderer.render(frame).contains("direction=\"rtl\""))
        #expect(!SVGRenderer.render(Sample.frame(.systemSmall, Sample.text("hello"))).contains("direction="))
    }

    @Test(arguments: [
        ("日本語のテキスト", "ja", "Noto Sans CJK JP"), ("中文字", "zh", "Noto Sans CJK SC"),
        ("漢字와 한국어", "ko", "Noto Sans CJK KR"),
    ])
    func `given Han letters, the letters beside them say whose forms are drawn`(
        _ words: String, _ language: String, _ font: String
    ) {
        let svg = SVGRenderer.render(Sample.frame(.systemMedium, Sample.text(words)))
        #expect(svg.contains("xml:lang=\"\(language)\"") && svg.contains(font))
        let script = TextScript(words)
        #expect(script.language == language && script.families(isFixed: true).hasSuffix("monospace"))
        let others = SVGRenderer.render(Sample.frame(.systemMedium, Sample.text("hello 😀 שלום")))
        #expect(!others.contains("xml:lang") && !others.contains("CJK"))
    }

    @Test func `given a widget that is locked, its title says so`() throws {
        for state in [Frame.State.redacted, .placeholder] {
            let frame = Sample.frame(.systemSmall, Sample.masks(.systemSmall), state: state)
            let reading = try #require(Self.read(SVGRenderer.render(frame)))
            #expect(["Notes, locked", "Notes, hidden"].contains(reading.texts["title"]))
            #expect(!reading.names.contains("desc"))
        }
    }

    @Test func `given two secrets, the masked pictures are the same to the byte`() {
        #expect(Set(Secrets.frames.map { SVGRenderer.render($0) }).count == 1)
    }
}

/// One widget with secrets of all lengths, behind a mask.
enum Secrets {
    static let frames: [Frame] = ["", "7", "1,234.50", "שלום", String(repeating: "secret ", count: 500)].map { secret in
        let view = VStack {
            Text("Balance").font(.headline)
            Text(secret).privacySensitive()
            Gauge(secret.count, of: 4000) { Text(secret) }.privacySensitive()
            HStack { for word in secret.split(separator: " ") { Text(String(word)) } }.privacySensitive()
            Text(secret).accessibilityLabel(secret).widgetURL("tresor:" + secret).privacySensitive()
        }
        var environment = ViewEnvironment(family: .systemMedium)
        environment.redactionReasons = .privacy
        return Sample.frame(.systemMedium, Redaction.resolve(view, in: environment), state: .redacted)
    }
}
