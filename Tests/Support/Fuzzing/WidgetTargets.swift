import Envelopes
import WidgetPrograms
import Widgets

/// What widget programs of others answer.
enum WidgetTargets {
    /// JSON has many forms; what is taken has to be written and read again as the same.
    static func answer(_ bytes: [UInt8]) throws -> Bool {
        if let widgets = try? AnswerReader.description(bytes) {
            return !widgets.isEmpty && widgets.allSatisfy { WidgetConfiguration.isKind($0.kind) }
        }
        let families = WidgetFamily.allCases
        if (try? AnswerReader.placeholders(bytes, families: [.systemSmall])) != nil { return true }
        guard case .success(let archive) = try AnswerReader.timeline(bytes, families: families, wanted: []) else {
            return true
        }
        return holds {
            let parts = try archive.encode()
            let again = try AnswerReader.timeline(try archive.answer(), families: families, wanted: []).get()
            guard try again.encode() == parts else { return false }
            return try TimelineArchive(open: parts.open, secrets: parts.secrets).encode() == parts
        }
    }

    static let answers: [[UInt8]] = [
        """
        {"protocol":1,"widgets":[{"kind":"a-1.b","displayName":"Ä","summary":"B.","symbol":"lock.open",
        "families":["systemSmall","accessoryInline"],"protection":"completeUnlessOpen"}]}
        """,
        """
        {"entries":[{"date":1700000000.5,"views":{"systemSmall":{"vstack":[{"text":"3\\u00e4\\ud83d\\ude00\\n",
        "font":"title","private":true,"lines":2},{"sealed":{"hstack":["spacer",{"symbol":"pin"}],"spacing":9},
        "placeholder":{"text":"A","label":"l","url":"https://example.org/"}}],"alignment":"center"}}},
        {"date":"2026-11-22T20:00:00.25+01:00","views":{"systemLarge":{"when":{"reasons":["privacy"],
        "luminanceReduced":false,"placement":["desktop"]},"then":"divider","else":{"gauge":{"value":1,"total":3,
        "style":"circular","label":{"toggle":{"on":true}}}}}}}],"policy":{"after":1700003600}}
        """,
        """
        {"views":{"systemSmall":{"group":[{"image":{"base64":"iVBORw0KGgoBAg==","width":3,"height":1000,
        "label":"A cat"},"redacted":["placeholder"]},{"view":{"sealed":null,"placeholder":"spacer"},
        "invalidatable":true}]}}}
        """,
        #"{"entries":[{"date":0,"views":{"systemSmall":{"choice":{"variants":[0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,"#
            + #"1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1,0,0,1,1],"views":[{"text":"a"},"divider"]}}}}],"#
            + #""policy":"atEnd"}"#, #"{"failure":"empty"}"#,
    ].map { Array($0.utf8) }
}

extension WidgetTargets {
    static func frame(_ bytes: [UInt8]) throws -> [UInt8] { try WidgetFrame(decoding: bytes).encode() }

    /// A timeline as its two parts, the first with its length before it.
    static func timeline(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.count >= 2 else { throw WidgetCodingError.truncated }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes.count >= 2 + count else { throw WidgetCodingError.truncated }
        let archive = try TimelineArchive(open: Array(bytes[2..<2 + count]), secrets: Array(bytes[(2 + count)...]))
        return joined(try archive.encode())
    }

    private static func joined(_ parts: TimelineArchive.Parts) -> [UInt8] {
        [UInt8(parts.open.count >> 8), UInt8(parts.open.count & 255)] + parts.open + parts.secrets
    }

    private static let views: [Node] = [
        VStack {
            Text("A").font(.headline)
            Reveal(Sealed("secret")) {
                Text($0)
            } placeholder: {
                Text("—")
            }
        }
        .node,
        HStack {
            Symbol(.lock, tint: .accent)
            Gauge(1, of: 3, style: .circular) { Text("1/3").lineLimit(1) }.accessibilityLabel("one of three")
            Spacer()
            Divider()
        }
        .privacySensitive().widgetURL("https://example.org/"),
        ZStack {
            Image([1, 2, 3], width: 4, height: 5, label: "a cat")
            Toggle(isOn: true) { Text("on").bold() }.invalidatableContent()
            EnvironmentReader { environment in
                if environment.redactionReasons.contains(.privacy) {
                    Text("hidden")
                } else {
                    Text("n").redacted(reason: .privacy)
                }
            }
        }
        .node,
    ]

    static let timelines: [[UInt8]] = views.compactMap { view in
        let entry = TimelineArchive.Entry(
            date: Moment(seconds: 1),
            views: [(family: .systemSmall, view: view), (family: .accessoryInline, view: view)])
        return (try? TimelineArchive([entry], policy: .after(Moment(seconds: 2))).encode()).map(joined)
    }

    static let frames: [[UInt8]] = views.flatMap { view -> [[UInt8]] in
        [RedactionReasons(), .placeholder].compactMap { reasons in
            let configuration = WidgetConfiguration(
                kind: "a.b", displayName: "Ä", summary: "", symbol: .key, families: [.systemSmall], protection: .none)
            let root = Redaction.resolve(
                view, in: ViewEnvironment(family: .systemSmall, redactionReasons: reasons))
            return try? WidgetFrame(configuration, family: .systemSmall, state: .shown, root: root).encode()
        }
    }

    static func store(_ bytes: [UInt8]) throws -> [UInt8] { try WidgetTimelineEnvelope(bytes).encoded }

    static let stores: [[UInt8]] = (0...2).map { number in
        [1, number] + Array(repeating: 7, count: 16) + [0, 0, 0, 40] + Array(repeating: 1, count: 40) + [0, 0, 0, 28]
            + Array(repeating: 2, count: 28)
    }
}
