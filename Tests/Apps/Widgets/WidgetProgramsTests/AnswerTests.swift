import Testing
import Widgets

@testable import WidgetPrograms

/// Answers as a host reads them.
@Suite struct Answers {
    static let sizes: [WidgetFamily] = [.systemSmall]

    /// The view of the only entry.
    static func view(_ json: String) throws -> Node {
        let answer = #"{"entries":[{"date":0,"views":{"systemSmall":"# + json + #"}}],"policy":"never"}"#
        let archive = try AnswerReader.timeline(Array(answer.utf8), families: sizes, wanted: sizes).get()
        return try #require(archive.view(.systemSmall, at: Moment(seconds: 0)))
    }

    /// A view's one form as bytes.
    static func bytes(_ view: some View) throws -> TimelineArchive.Parts {
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: .systemSmall, view: view.node)])
        return try TimelineArchive([entry], policy: .never).encode()
    }

    static func isSame(_ json: String, _ view: some View) throws -> Bool { try bytes(Self.view(json)) == bytes(view) }

    @Test func `leaves are what the kit makes`() throws {
        #expect(try Self.isSame(#"{"text":"a"}"#, Text("a")))
        #expect(
            try Self.isSame(
                #" { "text" : "\u00fc\ud83d\ude00\n\"", "font":"title","tint":"critical","bold":true,"lines":2 } "#,
                Text("ü😀\n\"").font(.title).foreground(.critical).bold().lineLimit(2)))
        #expect(try Self.isSame(#"{"symbol":"lock.open","tint":"accent"}"#, Symbol(.lockOpen, tint: .accent)))
        #expect(try Self.isSame(#""divider""#, Divider()))
        #expect(try Self.isSame(#"{"view":"spacer"}"#, Spacer()))
        #expect(
            try Self.isSame(
                #"{"gauge":{"value":1,"total":3,"style":"circular","label":{"text":"x"}}}"#,
                Gauge(1, of: 3, style: .circular) { Text("x") }))
        #expect(try Self.isSame(#"{"gauge":{"value":0,"total":1}}"#, Gauge(0, of: 1)))
        #expect(
            try Self.isSame(#"{"toggle":{"on":true,"label":{"text":"x"}}}"#, Toggle(isOn: true) { Text("x") }))
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]
        #expect(
            try Self.isSame(
                #"{"image":{"base64":"iVBORw0KGgoBAg==","width":3,"height":1000,"label":"A cat"}}"#,
                Image(png, width: 3, height: 1000, label: "A cat")))
    }

    @Test func `containers are what the kit makes`() throws {
        #expect(
            try Self.isSame(
                #"{"hstack":[{"text":"a"},"spacer",{"vstack":[],"spacing":255,"alignment":"trailing"}]}"#,
                HStack {
                    Text("a")
                    Spacer()
                    VStack(alignment: .trailing, spacing: 255) {}
                }))
        #expect(try Self.isSame(#"{"zstack":[],"alignment":"center"}"#, ZStack {}))
        #expect(try Self.isSame(#"{"group":[{"text":"a"}]}"#, Node.group([Text("a").node])))
        #expect(
            try Self.isSame(
                #"{"sealed":{"text":"42"},"placeholder":{"text":"—"}}"#,
                Reveal(Sealed("42")) {
                    Text($0)
                } placeholder: {
                    Text("—")
                }))
        #expect(
            try Self.isSame(
                #"{"sealed":null,"placeholder":{"text":"—"}}"#,
                Reveal(Sealed<String>.shut) {
                    Text($0)
                } placeholder: {
                    Text("—")
                }))
    }

    @Test func `members are modifiers from the inside out`() throws {
        #expect(
            try Self.isSame(
                #"{"redacted":["privacy","placeholder"],"private":true,"invalidatable":false,"#
                    + #""url":"https://example.org/?a=%20","label":"l","text":"a"}"#,
                Text("a").accessibilityLabel("l").widgetURL("https://example.org/?a=%20").invalidatableContent(false)
                    .privacySensitive().redacted(reason: [.privacy, .placeholder])))
        #expect(
            try Self.isSame(
                #"{"view":{"text":"a","redacted":["privacy"]},"unredacted":true}"#,
                Text("a").redacted(reason: .privacy).unredacted()))
    }

    struct Case: Sendable {
        let condition: String
        var reasons: RedactionReasons = []
        var isReduced = false
        var placement = WidgetPlacement.desktop
        let holds: Bool
    }

    @Test(arguments: [
        Case(condition: #"{"reasons":["privacy"]}"#, reasons: .privacy, holds: true),
        Case(condition: #"{"reasons":["privacy","invalidated"]}"#, reasons: .invalidated, holds: true),
        Case(condition: #"{"reasons":["privacy"]}"#, reasons: .invalidated, holds: false),
        Case(condition: #"{"luminanceReduced":true}"#, isReduced: true, placement: .remote, holds: true),
        Case(condition: #"{"luminanceReduced":false}"#, isReduced: true, holds: false),
        Case(condition: #"{"placement":["lockScreen","remote"]}"#, placement: .remote, holds: true),
        Case(condition: #"{"placement":["lockScreen","remote"]}"#, holds: false),
        Case(
            condition: #"{"placement":["desktop"],"reasons":["privacy"]}"#, reasons: .privacy, placement: .lockScreen,
            holds: false),
        Case(condition: #"{"placement":["desktop","lockScreen","remote"]}"#, placement: .lockScreen, holds: true),
    ])
    func `a condition chooses a view`(_ test: Case) throws {
        let view = try Self.view(
            #"{"when":"# + test.condition + #","then":{"symbol":"lock"},"else":{"symbol":"key"}}"#)
        let environment = ViewEnvironment(
            family: .systemSmall, placement: test.placement, isLuminanceReduced: test.isReduced,
            redactionReasons: test.reasons)
        let frame = Redaction.resolve(view, in: environment)
        #expect(frame == .symbol(test.holds ? .lock : .key, .primary, isDimmed: false))
    }

    @Test func `an entry's date is seconds or a time as people write it`() throws {
        for (text, microseconds) in [
            ("0", 0), ("1700000000", 1_700_000_000_000_000), ("1.5", 1_500_000),
            ("1700000000.1234567", 1_700_000_000_123_456),
            (#""1970-01-01T00:00:00Z""#, 0), (#""2024-02-29T23:59:59.25+01:00""#, 1_709_247_599_250_000),
            (#""1970-01-01T00:00:00-00:30""#, 1_800_000_000), (#""9999-12-31T23:59:59Z""#, 253_402_300_799_000_000),
            (#""2026-11-22t20:00:00z""#, 1_795_377_600_000_000),
        ] as [(String, Int64)] {
            let answer = #"{"entries":[{"date":"# + text + #","views":{"systemSmall":"spacer"}}],"policy":{"after":5}}"#
            let archive = try AnswerReader.timeline(Array(answer.utf8), families: Self.sizes, wanted: Self.sizes).get()
            #expect(archive.entries.map(\.date.microseconds) == [microseconds])
            #expect(archive.policy == .after(Moment(seconds: 5)))
        }
    }

    @Test func `a program says that it has nothing`() throws {
        for failure in [ProviderFailure.locked, .empty, .unavailable] {
            let answer = Array((#"{"failure":""# + failure.word + #""}"#).utf8)
            #expect(throws: failure) { try AnswerReader.timeline(answer, families: [], wanted: []).get() }
        }
    }

    @Test func `Base64 is decoded as it is encoded, and in no other form`() {
        for count in 0..<20 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 97 + 200) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.encode([0xFB, 0xFF]) == Array("+/8=".utf8))
        for text in ["A", "AA", "AAA", "A===", "AA=A", "AB==", "AAB=", "AA==AAAA", "AA-_", "AAA\n", " AAA", "===="] {
            #expect(Base64.decode(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
