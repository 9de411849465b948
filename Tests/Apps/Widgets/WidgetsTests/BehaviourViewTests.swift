import Testing
import Widgets

/// Rows 21 to 30: what views say themselves, without any reason from the system but where a row needs one.
@Suite struct BehaviourOfViews {
    private static let family = WidgetFamily.systemSmall
    private let open = ViewEnvironment(family: family)
    private let locked = ViewEnvironment(family: family, placement: .lockScreen, redactionReasons: .privacy)
    private let plain = Text("Balance")
    private let secret = Text("42").privacySensitive()
    private let barred = FrameNode.mask(.text(.body, columns: Mask.privateColumns))

    private func shown(_ words: String) -> FrameNode { .text(TextRun(words), isDimmed: false) }

    private func drawn(_ view: some View, _ environment: ViewEnvironment? = nil) -> FrameNode {
        Redaction.resolve(view, in: environment ?? open)
    }

    private func stack(_ nodes: [FrameNode]) -> FrameNode { .stack(.vertical, .leading, spacing: 4, nodes) }

    private func findings(_ view: some View) -> [Redaction.Finding] {
        Redaction.findings(in: view, family: Self.family)
    }

    @Test func `row 21: redacted for privacy, what is private is masked and the rest is not`() {
        let view = VStack {
            plain
            secret
        }.redacted(reason: .privacy)
        #expect(drawn(view) == stack([shown("Balance"), barred]))
    }

    @Test func `row 22: redacted as a placeholder, all is masked and keeps its size, what is private has one size`() {
        let view = VStack {
            plain
            secret
            Text("a longer text").font(.title)
            Image([1], width: 9, height: 9, label: "face")
            Symbol(.key)
            Gauge(1, of: 2, style: .circular) { Text("half") }
            Toggle(isOn: true) { Text("on") }
            Divider()
            Spacer()
        }.redacted(reason: .placeholder)
        #expect(
            drawn(view)
                == stack([
                    .mask(.text(.body, columns: 7)), barred, .mask(.text(.title, columns: 13)), .mask(.image),
                    .mask(.image), .mask(.gauge(.circular)), .mask(.toggle), .divider, .spacer,
                ]))
    }

    @Test func `row 23: reasons add up`() {
        let view = EnvironmentReader { Text("\($0.redactionReasons.rawValue)").unredacted() }
        let both = RedactionReasons([.privacy, .placeholder]).rawValue
        #expect(drawn(view.redacted(reason: .privacy).redacted(reason: .placeholder)) == shown("\(both)"))
    }

    @Test func `row 24: unredacted shows what is private, and is refused`() {
        let view = VStack { secret.unredacted() }.redacted(reason: .privacy)
        #expect(drawn(view) == stack([shown("42")]))
        #expect(findings(view) == [.unredactedPrivateView])
        #expect(findings(secret.unredacted()) == [.unredactedPrivateView])
        for amount in [Sealed("42"), .shut] {
            let sealed = Reveal(amount) {
                Text($0)
            } placeholder: {
                Text("—")
            }
            #expect(findings(sealed.unredacted()) == [.unredactedPrivateView])
            #expect(findings(sealed) == [] && findings(plain.unredacted()) == [])
        }
    }

    @Test func `row 25: a reason below an unredacted holds`() {
        let view = secret.redacted(reason: .privacy).unredacted()
        #expect(drawn(view) == barred && drawn(view, locked) == barred)
        #expect(findings(view) == [])
    }

    @Test func `row 26: in something private the inner word counts`() {
        let view = VStack {
            plain.privacySensitive(false)
            Text("42")
        }.privacySensitive()
        #expect(drawn(view, locked) == stack([shown("Balance"), .mask(.block)]))
        #expect(drawn(plain.privacySensitive(false).privacySensitive(), locked) == shown("Balance"))
        #expect(drawn(plain.privacySensitive().privacySensitive(false), locked) == barred)
        #expect(drawn(view) == stack([shown("Balance"), shown("42")]))
    }

    @Test func `row 27: a view's own branch is drawn in place of a mask`() {
        let view = EnvironmentReader { [secret] environment in
            if environment.redactionReasons.contains(.privacy) { Text("3 notes") } else { secret }
        }
        #expect(drawn(view, locked) == shown("3 notes") && drawn(view) == shown("42"))
        #expect(drawn(view.redacted(reason: .privacy)) == shown("3 notes"))
    }

    @Test func `row 28: to mark the label of a toggle leaves its state, to mark the toggle hides both`() {
        for isOn in [false, true] {
            let label = Toggle(isOn: isOn) { secret }
            #expect(drawn(label, locked) == .toggle(isOn: isOn, label: barred, isDimmed: false))
            #expect(drawn(Toggle(isOn: isOn) { plain }.privacySensitive(), locked) == .mask(.toggle))
        }
    }

    @Test func `row 29: a mask over something private is as wide for every secret`() {
        for environment in [locked, ViewEnvironment(family: Self.family, redactionReasons: .placeholder)] {
            for word in ["", "4", "Donaudampfschifffahrtsgesellschaft", "漢字", "🔥🔥🔥"] {
                #expect(drawn(Text(word).privacySensitive(), environment) == barred)
            }
        }
    }

    @Test func `row 30: no byte of a frame that hides is a secret's`() throws {
        let marker = "MARKER-4711"
        let view = VStack {
            Text(marker).privacySensitive().accessibilityLabel(marker).widgetURL("x://" + marker)
            Image(Array(marker.utf8), width: 9, height: 9, label: marker).privacySensitive()
            Gauge(1, of: 2) { Text(marker) }.privacySensitive()
            VStack { Text(marker) }.accessibilityLabel(marker).privacySensitive()
            Reveal(Sealed(marker)) {
                Text($0).accessibilityLabel($0)
            } placeholder: {
                Text("—")
            }.widgetURL("x://" + marker)
        }.accessibilityLabel(marker)
        let configuration = WidgetConfiguration(
            kind: "test", displayName: "Test", summary: "A test.", symbol: .key, families: [Self.family],
            protection: .complete)
        func bytes(_ environment: ViewEnvironment, _ state: Frame.State) throws -> [UInt8] {
            try Frame(configuration, family: Self.family, state: state, root: drawn(view, environment)).encode()
        }
        func hasMarker(_ bytes: [UInt8]) -> Bool {
            bytes.indices.contains { bytes[$0...].starts(with: marker.utf8) }
        }
        #expect(hasMarker(try bytes(open, .shown)))
        #expect(!hasMarker(try bytes(locked, .redacted)))
        let placeholder = ViewEnvironment(family: Self.family, redactionReasons: .placeholder)
        #expect(!hasMarker(try bytes(placeholder, .placeholder)))
    }
}
