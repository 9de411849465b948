import Foundation
import Testing
import Widgets

@testable import WidgetPrograms

/// Programs in Swift: what goes through JSON is what the kit makes in one process.
@Suite struct Bundles {
    struct EverythingProvider: TimelineProvider {
        func placeholder(in family: WidgetFamily) -> WidgetEntry<String, [String]> {
            WidgetEntry(date: Moment(seconds: 0), content: "–", sealed: .shut)
        }

        func timeline(
            in family: WidgetFamily, at now: Moment
        ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, [String]>> {
            let entries = [0, 60].map {
                WidgetEntry(
                    date: Moment(microseconds: now.microseconds + 1).advanced(bySeconds: $0),
                    content: "öffentlich \"\\\u{1}"
                        .replacing("\u{1}", with: "\n"), sealed: Sealed(["one \($0)", "two"]))
            }
            return Timeline(entries, policy: .after(now.advanced(bySeconds: 3600)))
        }
    }

    struct Everything: Widget {
        let configuration = WidgetConfiguration(
            kind: "every.thing", displayName: "Everything", summary: "All that there is.", symbol: .lockOpen,
            families: [.systemSmall, .systemLarge, .accessoryInline], protection: .completeUnlessOpen)
        let provider = EverythingProvider()

        func body(_ entry: WidgetEntry<String, [String]>, in family: WidgetFamily) -> some View {
            VStack(alignment: .trailing, spacing: 9) {
                Text(entry.content).font(.monospaced).foreground(.warning).bold().lineLimit(3)
                HStack {
                    Symbol(.flame, tint: .critical).unredacted()
                    Spacer().privacySensitive(false)
                    Image([0xFF, 0xD8, 0xFF, 0xE0, 7], width: 10, height: 20, label: "A picture")
                }
                ZStack(alignment: .leading) { Divider() }
                Gauge(1, of: 7, style: .circular) { Text("1/7") }.privacySensitive().invalidatableContent()
                Toggle(isOn: true) { Text("on") }.redacted(reason: .placeholder).redacted(reason: .privacy)
                if family == .systemLarge { Text("large").widgetURL("https://example.org").accessibilityLabel("Large") }
                Text("both").accessibilityLabel("Both").widgetURL("mailto:a@example.org").unredacted()
                EnvironmentReader { environment in
                    if environment.redactionReasons.contains(.privacy) {
                        Text("hidden")
                    } else if environment.isLuminanceReduced {
                        EnvironmentReader { inner in
                            Text(inner.placement.name).privacySensitive()
                        }.redacted(reason: .invalidated)
                    } else {
                        Reveal(entry.sealed) { words in
                            for word in words { Text(word).privacySensitive(false) }
                            Reveal(Sealed("deeper")) {
                                Text($0)
                            } placeholder: {
                                Text("x")
                            }
                        } placeholder: {
                            Text("what is sealed")
                        }
                    }
                }
            }
        }
    }

    struct Locked: Widget {
        struct Provider: TimelineProvider {
            func placeholder(in family: WidgetFamily) -> WidgetEntry<Int, Int> {
                WidgetEntry(date: Moment(seconds: 0), content: 0, sealed: .shut)
            }

            func timeline(
                in family: WidgetFamily, at now: Moment
            ) throws(ProviderFailure) -> Timeline<WidgetEntry<Int, Int>> { throw .locked }
        }

        let configuration = WidgetConfiguration(
            kind: "locked", displayName: "Locked", summary: "Nothing.", symbol: .lock, families: [.systemSmall],
            protection: .none)
        let provider = Provider()

        func body(_ entry: WidgetEntry<Int, Int>, in family: WidgetFamily) -> some View { Text("\(entry.content)") }
    }

    struct Program: WidgetBundle {
        var body: WidgetList {
            Everything()
            if true { Locked() }
        }
    }

    let families = Everything().configuration.families

    @Test func `widgets of several types describe themselves`() throws {
        let answer = try Program().answer(to: .describe)
        #expect(try AnswerReader.description(answer) == [Everything().configuration, Locked().configuration])
        #expect(answer.last == 0x0A && !answer.dropLast().contains(0x0A))
    }

    @Test func `a timeline is the same behind JSON, byte by byte`() throws {
        let now = Moment(seconds: 1_700_000_000)
        let answer = try Program().answer(to: .timeline(kind: "every.thing", families: families, now: now))
        let archive = try AnswerReader.timeline(answer, families: families, wanted: families).get()
        let direct = try Everything().archive(at: now)
        #expect(try archive.encode() == direct.encode())
        #expect(archive.policy == direct.policy)
    }

    @Test func `a host is given the sizes that it asks for`() throws {
        let answer = try Program().answer(
            to: .timeline(kind: "every.thing", families: [.systemLarge], now: Moment(seconds: 5)))
        let archive = try AnswerReader.timeline(answer, families: families, wanted: [.systemLarge]).get()
        #expect(archive.entries.allSatisfy { $0.views.map(\.family) == [.systemLarge] })
    }

    @Test func `placeholders are the same behind JSON`() throws {
        let answer = try Program().answer(to: .placeholder(kind: "every.thing"))
        let views = try AnswerReader.placeholders(answer, families: families)
        for (family, view) in views {
            let direct = Everything().placeholder(in: family)
            #expect(try Answers.bytes(view) == Answers.bytes(direct))
        }
        #expect(views.map(\.family) == families)
    }

    @Test func `failures and unknown kinds are said`() throws {
        for (kind, failure) in [("locked", ProviderFailure.locked), ("none", .unavailable)] {
            let answer = try Program().answer(
                to: .timeline(kind: kind, families: [.systemSmall], now: Moment(seconds: 5)))
            #expect(throws: failure) { try AnswerReader.timeline(answer, families: [], wanted: []).get() }
        }
    }

    @Test func `the example in Swift is a whole program`() throws {
        let program = try ExternalProgram(path: try #require(Self.example), builtInKinds: [])
        let widget = try #require(program.describe().first)
        #expect(widget.kind == "todo-widget.open" && widget.symbol == .checklist)
        #expect(try program.placeholders(of: widget).count == 2)
        do throws(ProgramError) {
            let archive = try program.timeline(widget, in: widget.families, at: Moment(seconds: 1_700_000_000))
            #expect(archive.policy == .after(Moment(seconds: 1_700_000_900)))
        } catch { #expect(error == .failed(.empty)) }
    }

    /// The example as this build has made it, beside the tests or some folders above them.
    static var example: String? {
        var folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        for _ in 0..<4 {
            let file = folder.appendingPathComponent("todo-widget").path
            if FileManager.default.isExecutableFile(atPath: file) { return file }
            folder = folder.deletingLastPathComponent()
        }
        return [Folder.root.appendingPathComponent(".build/debug/todo-widget").path]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
