import Checkout
import Foundation
import Testing
import Widgets

/// How many parcels come today, for everybody; who sent them, for the owner alone.
struct Parcels: Widget {
    let configuration = WidgetConfiguration(
        kind: "parcels", displayName: "Parcels", summary: "What is delivered today.", symbol: .square,
        families: [.systemSmall, .accessoryInline], protection: .completeUntilFirstUserAuthentication)
    let provider = ParcelProvider()

    func body(_ entry: WidgetEntry<Int, [String]>, in family: WidgetFamily) -> some View {
        VStack {
            Text("\(entry.content) today").font(.headline)
            if family == .systemSmall {
                Reveal(entry.sealed) { senders in
                    ForEach(senders) { Text($0).lineLimit(1) }
                }
            }
        }
    }
}

struct ParcelProvider: TimelineProvider {
    func placeholder(in family: WidgetFamily) -> WidgetEntry<Int, [String]> {
        WidgetEntry(date: Moment(seconds: 0), content: 0, sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<Int, [String]>> {
        let senders = ["The bookshop", "Aunt Ada"]
        let entry = WidgetEntry(date: now, content: senders.count, sealed: Sealed(senders))
        return Timeline([entry], policy: .after(now.advanced(bySeconds: 3600)))
    }
}

struct Bus: Sendable {
    var leaves: Moment
    var line: String
}

/// Where the owner waits, for everybody; for which bus, for the owner alone.
struct NextBus: TimelineProvider {
    let stop: String
    /// The earliest first.
    let buses: [Bus]

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, Bus> {
        WidgetEntry(date: Moment(seconds: 0), content: "A stop", sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, Bus>> {
        let coming = buses.filter { $0.leaves > now }
        guard let last = coming.last else { throw .empty }
        // Each is the next bus from when the one before it has left.
        let dates = [now] + coming.dropLast().map { $0.leaves }
        let entries = zip(dates, coming).map { date, bus in
            WidgetEntry(date: date, content: stop, sealed: Sealed(bus))
        }
        return Timeline(entries, policy: .after(last.leaves))
    }
}

/// The examples of the documentation, which are compiled above, word for word.
@Suite struct KitExamples {
    private static let root = Checkout.root

    /// The code in the comment of a declaration, without its imports.
    private func example(_ file: String, before declaration: String) throws -> String {
        let source = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
        let end = try #require(source.range(of: "\n" + declaration))
        let comment = source[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).reversed()
            .prefix { $0.hasPrefix("///") }.reversed()
        let code = comment.drop { $0 != "///     import Widgets" }.dropFirst(2)
            .prefix { $0 == "///" || $0.hasPrefix("///     ") }
        return code.map { String($0.dropFirst(8)) }.joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    @Test(arguments: [
        ("Sources/Apps/Widgets/Widgets/Timeline/Widget.swift", "public protocol Widget:"),
        ("Sources/Apps/Widgets/Widgets/Timeline/Timeline.swift", "public protocol TimelineProvider:"),
    ]) func `examples of the documentation are whole programs`(file: String, declaration: String) throws {
        let example = try example(file, before: declaration)
        #expect(example.count > 500)
        #expect(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8).contains(example))
    }

    @Test func `the widget of the documentation shows its secret to the owner and its number to everybody`() throws {
        let widget = Parcels()
        let entry = try widget.provider.snapshot(in: .systemSmall, at: Moment(seconds: 9))
        let view = widget.body(entry, in: .systemSmall)
        func frame(_ reasons: RedactionReasons) -> FrameNode {
            Redaction.resolve(view, in: ViewEnvironment(family: .systemSmall, redactionReasons: reasons))
        }
        let heading = FrameNode.text(TextRun("2 today", font: .headline), isDimmed: false)
        let senders = ["The bookshop", "Aunt Ada"].map { FrameNode.text(TextRun($0, lineLimit: 1), isDimmed: false) }
        #expect(frame([]) == .stack(.vertical, .leading, spacing: 4, [heading] + senders))
        let mask = FrameNode.mask(.text(.body, columns: Mask.privateColumns))
        #expect(frame(.privacy) == .stack(.vertical, .leading, spacing: 4, [heading, mask]))
    }

    @Test func `the provider of the documentation has an entry for each bus that still comes`() throws {
        let provider = NextBus(
            stop: "Mill Lane", buses: [10, 20, 30].map { Bus(leaves: Moment(seconds: $0), line: "\($0)") })
        let timeline = try provider.timeline(in: .systemSmall, at: Moment(seconds: 10))
        #expect(timeline.entries.map(\.date) == [10, 20].map { Moment(seconds: $0) })
        #expect(timeline.policy == .after(Moment(seconds: 30)))
        #expect(throws: ProviderFailure.empty) {
            try provider.timeline(in: .systemSmall, at: Moment(seconds: 30))
        }
    }
}
