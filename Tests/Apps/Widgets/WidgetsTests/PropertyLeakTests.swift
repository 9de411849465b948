import ProcessorTime
import Testing
import Widgets

/// Ways by which something private once was seen, each with its own view.
@Suite struct Leaks {
    private static let family = WidgetFamily.systemSmall
    private let locked = ViewEnvironment(family: family, placement: .lockScreen, redactionReasons: .privacy)
    private let placeholder = ViewEnvironment(family: family, redactionReasons: .placeholder)

    private func drawn(_ view: some View, _ environment: ViewEnvironment) -> FrameNode {
        Redaction.resolve(view, in: environment)
    }

    private func findings(_ view: some View) -> [Redaction.Finding] {
        Redaction.findings(in: view, family: Self.family)
    }

    private func archived(_ view: some View) throws -> (parts: TimelineArchive.Parts, view: Node) {
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: Self.family, view: view.node)])
        let parts = try TimelineArchive([entry], policy: .never).encode()
        let archive = try TimelineArchive(open: parts.open, secrets: parts.secrets)
        return (parts, try #require(archive.view(Self.family, at: Moment(seconds: 0))))
    }

    @Test func `a private text in a placeholder of a Reveal does not show its length`() {
        func view(_ name: String) -> some View {
            Reveal(Sealed(1)) { _ in
                Text("x")
            } placeholder: {
                HStack {
                    Text(name).privacySensitive()
                    Text("public")
                }
            }
        }
        #expect(drawn(view("A"), locked) == drawn(view("Anna Karenina"), locked))
    }

    @Test func `a private container with something to be seen in it does not show how many others there are`() {
        func view(_ items: [String]) -> some View {
            VStack {
                Text("Notes").privacySensitive(false)
                for item in items { Text(item) }
            }.privacySensitive()
        }
        #expect(drawn(view(["a"]), locked) == drawn(view(["a", "b", "c"]), locked))
        #expect(drawn(view([]), locked) == drawn(view(["a"]), locked))
        let title = FrameNode.text(TextRun("Notes"), isDimmed: false)
        #expect(drawn(view(["a"]), locked) == .stack(.vertical, .leading, spacing: 4, [title, .mask(.block)]))
    }

    @Test func `what says in a secret that it is to be seen does not change what stands for the secret`() throws {
        let view = VStack {
            Reveal(Sealed("4711")) {
                Text($0).privacySensitive(false)
            } placeholder: {
                Text("—")
            }
        }.privacySensitive()
        let parts = try archived(view).parts
        let shut = try TimelineArchive(open: parts.open, secrets: nil).entries[0].views[0].view
        #expect(drawn(view, locked) == drawn(shut, locked))
    }

    @Test func `a reader in a private container keeps what it lifts, archived or not`() throws {
        let view = VStack {
            EnvironmentReader { _ in Text("4711").unredacted() }
        }.privacySensitive()
        #expect(findings(view) == [.unredactedPrivateView])
        #expect(findings(try archived(view).view) == [.unredactedPrivateView])
        let harmless = VStack {
            EnvironmentReader { _ in Text("App").privacySensitive(false) }
            Text("4711")
        }.privacySensitive()
        #expect(drawn(harmless, locked) == drawn(try archived(harmless).view, locked))
    }

    @Test func `lines and empty views that lift privacy are found`() {
        let view = VStack { for _ in 0..<3 { Divider().unredacted() } }.privacySensitive()
        #expect(!findings(view).isEmpty)
        #expect(!findings(VStack { EmptyView().unredacted() }.privacySensitive()).isEmpty)
    }

    @Test func `what lifts the placeholder alone is found`() {
        let view = EnvironmentReader { environment in
            if environment.redactionReasons == .placeholder {
                Text("4711").privacySensitive().unredacted()
            } else {
                Text("4711").privacySensitive()
            }
        }
        #expect(findings(view) == [.unredactedPrivateView])
    }

    @Test func `a label or link around a reader's own branch is gone with what it spoke of`() {
        let view = EnvironmentReader { environment in
            if environment.redactionReasons.contains(.privacy) {
                Text("a note")
            } else {
                Text("Divorce").privacySensitive()
            }
        }
        let text = FrameNode.text(TextRun("a note"), isDimmed: false)
        #expect(drawn(view.accessibilityLabel("Divorce"), locked) == text)
        #expect(drawn(view.widgetURL("notes://Divorce"), locked) == text)
        #expect(drawn(view.accessibilityLabel("Divorce"), ViewEnvironment(family: Self.family)) != text)
    }

    @Test func `under a placeholder no label and no link is left, also where there is nothing to mask`() {
        for view in [Divider().node, Spacer().node, EmptyView().node, Text("App").unredacted()] {
            let bare = drawn(view, placeholder)
            #expect(!bare.hasMask)
            #expect(drawn(view.accessibilityLabel("4711").widgetURL("x://4711"), placeholder) == bare)
        }
    }

    @Test func `what is not sealed does not tell whether two secrets are alike`() throws {
        func view(_ secret: String) -> some View {
            EnvironmentReader { environment in
                Reveal(Sealed(environment.isLuminanceReduced ? String(secret.prefix(3)) : secret)) {
                    Text($0)
                } placeholder: {
                    Text("—")
                }
            }
        }
        let (short, long) = (try archived(view("abc")), try archived(view("abcdefgh")))
        #expect(short.parts.open == long.parts.open)
        for isReduced in [false, true] {
            let environment = ViewEnvironment(family: Self.family, isLuminanceReduced: isReduced)
            #expect(drawn(long.view, environment) == .text(TextRun(isReduced ? "abc" : "abcdefgh"), isDimmed: false))
        }
    }

    @Test func `a secret read under other reasons than those around its reader is the right one`() throws {
        let view = EnvironmentReader { environment in
            let isUpdating = environment.redactionReasons.contains(.invalidated)
            VStack {
                Reveal(Sealed(isUpdating ? "old" : "new")) {
                    Text($0)
                } placeholder: {
                    Text("—")
                }
            }.redacted(reason: .invalidated)
        }
        let archived = try archived(view).view
        for reasons in [RedactionReasons.invalidated, []] {
            let environment = ViewEnvironment(family: Self.family, redactionReasons: reasons)
            #expect(drawn(archived, environment) == drawn(view, environment))
        }
    }

    @Test func `a reader in a placeholder in a reader is told of the placeholder, archived or not`() throws {
        let view = EnvironmentReader { _ in
            Reveal(Sealed("4711")) {
                Text($0)
            } placeholder: {
                EnvironmentReader { Text("\($0.redactionReasons.rawValue)").unredacted() }
            }
        }
        #expect(drawn(view, locked) == .text(TextRun("3"), isDimmed: false))
        #expect(drawn(try archived(view).view, locked) == drawn(view, locked))
    }

    @Test func `sixty labels in each other, and forty readers, cost no more than their sum`() throws {
        var labelled: Node = Text("4711").privacySensitive()
        for _ in 0..<60 { labelled = labelled.accessibilityLabel("4711") }
        var readers: Node = Text("4711").privacySensitive()
        for _ in 0..<40 {
            let inner = readers
            readers = EnvironmentReader { _ in inner }.node
        }
        let time = try ProcessorTime.of {
            #expect(drawn(labelled, locked) == .mask(.text(.body, columns: Mask.privateColumns)))
            let view = try archived(readers).view
            #expect(drawn(view, locked).hasMask)
        }
        #expect(time < .seconds(5))
    }

    @Test func `a view's own placeholder is seen where it says so`() {
        let view = Reveal(Sealed("4711")) {
            Text($0)
        } placeholder: {
            Text("3 notes").unredacted()
        }
        #expect(drawn(view, locked) == .text(TextRun("3 notes"), isDimmed: false))
        #expect(drawn(view.accessibilityLabel("4711"), locked) == .text(TextRun("3 notes"), isDimmed: false))
    }
}
