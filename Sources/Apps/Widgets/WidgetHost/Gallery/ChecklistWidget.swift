import Localization
import NotesClient
import ResidentClient
import Widgets
import Wire

/// How far the checklist of a note has come.
struct ChecklistProgress: Sendable, Equatable {
    var title: String
    var done: Int
    var total: Int
    /// The first thing that is still to be done.
    var next: String?

    /// Counts the items of a checklist in Markdown as it was typed, outside of fenced code (GitHub Flavored Markdown,
    /// "Task list items").
    ///
    /// - Returns: nil for a text without any.
    init?(title: String, markdown: String) {
        (self.title, done, total) = (title, 0, 0)
        var fence: Substring?
        for line in markdown.split(
            omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r\n", "\r"].contains($0) })
        {
            let text = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
            let marks = text.prefix { $0 == text.first && ($0 == "`" || $0 == "~") }
            if let open = fence {
                let isEnd = marks.first == open.first && marks.count >= open.count
                if isEnd, text.dropFirst(marks.count).allSatisfy(\.isWhitespace) { fence = nil }
                continue
            }
            if marks.count >= 3 { fence = marks }
            guard marks.count < 3, let item = Self.item(text) else { continue }
            total += 1
            if item.isDone { done += 1 } else if next == nil { next = String(item.text.prefix(120)) }
        }
        guard total > 0 else { return nil }
    }

    private static func item(_ line: Substring) -> (isDone: Bool, text: Substring)? {
        let digits = line.prefix(9).prefix { $0.isASCII && $0.isNumber }
        guard let marker = line.dropFirst(digits.count).first, (digits.isEmpty ? "-*+" : ".)").contains(marker) else {
            return nil
        }
        let rest = line.dropFirst(digits.count + 1)
        let mark = rest.drop { $0 == " " || $0 == "\t" }
        guard mark.count < rest.count, mark.hasPrefix("["), mark.dropFirst(2).hasPrefix("]") else { return nil }
        let after = mark.dropFirst(3)
        guard after.first.map({ $0 == " " || $0 == "\t" }) ?? true else { return nil }
        let text = after.drop { $0 == " " || $0 == "\t" }
        switch mark.dropFirst().first {
        case " ": return (isDone: false, text: text)
        case "x", "X": return (isDone: true, text: text)
        default: return nil
        }
    }
}

/// Checklists that are not done, and how far each is.
struct Checklists: Widget {
    let configuration = WidgetConfiguration(
        kind: "notes.checklists", displayName: localized("Checklists"),
        summary: marked("How far your checklists are."),
        symbol: .checklist,
        families: [.systemSmall, .systemMedium, .accessoryInline, .accessoryCircular, .accessoryRectangular],
        protection: .complete)
    let provider: ChecklistProvider

    /// - Parameter isShownWhenLocked: whether a locked device shows it too: titles and numbers alone, then.
    init(home: Home, isShownWhenLocked: Bool = false) {
        provider = ChecklistProvider(source: NotesSource(home: home), showsText: !isShownWhenLocked)
    }

    func body(_ entry: WidgetEntry<String, [ChecklistProgress]>, in family: WidgetFamily) -> some View {
        switch family {
        case .accessoryCircular:
            Reveal(entry.sealed) { lists in
                gauge(lists.first, .circular)
            } placeholder: {
                Gauge(0, of: 1, style: .circular)
            }
        case .accessoryInline:
            HStack {
                Symbol(.checklist)
                Reveal(entry.sealed) { lists in
                    Text(lists.first.map { "\($0.title) \($0.done)/\($0.total)" } ?? localized("All done")).lineLimit(1)
                } placeholder: {
                    Text("Checklist 0/0")
                }
            }
        default:
            VStack {
                WidgetHeader(symbol: .checklist, title: entry.content, family: family)
                Reveal(entry.sealed) { lists in
                    if lists.isEmpty { Text(localized("All done")).foreground(.positive) }
                    for list in lists.prefix(family.isAccessory ? 1 : 2) {
                        Text(list.title).font(.caption).lineLimit(1)
                        gauge(list, .linear)
                    }
                    // One list leaves room for what is to be done next.
                    if !family.isAccessory, lists.count == 1, let next = lists.first?.next, !next.isEmpty {
                        Text(next).foreground(.secondary).lineLimit(2)
                    }
                } placeholder: {
                    Text("The title of a note").font(.caption)
                    Gauge(0, of: 1)
                }
                Spacer()
            }
        }
    }

    private func gauge(_ list: ChecklistProgress?, _ style: GaugeStyle) -> some View {
        Gauge(list?.done ?? 1, of: list?.total ?? 1, style: style) {
            Text(list.map { "\($0.done)/\($0.total)" } ?? "✓").font(.caption)
        }
    }
}

struct ChecklistProvider: TimelineProvider {
    /// Notes that are looked into, from the newest on.
    private static let mostNotes = 60
    let source: NotesSource
    /// Whether what is to be done next is shown, which is the note's text.
    let showsText: Bool

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, [ChecklistProgress]> {
        WidgetEntry(date: Moment(seconds: 0), content: localized("Checklists"), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, [ChecklistProgress]>> {
        let notes = try source.list(limit: Self.mostNotes).filter { !$0.isLocked }
        let lists = try source.asking { connection in
            // Reading for a widget shows no person at work.
            try connection.ask(.follow)
            return try notes.compactMap { note -> ChecklistProgress? in
                let answer = try connection.ask(.show(id: note.id, version: nil))
                var list = ChecklistProgress(title: note.title, markdown: String(decoding: answer.body, as: UTF8.self))
                if !showsText { list?.next = nil }
                return list
            }
        }
        let entry = WidgetEntry(
            date: now, content: localized("Checklists"),
            sealed: Sealed(Array(lists.filter { $0.done < $0.total }.prefix(5))))
        return Timeline([entry], policy: .after(now.advanced(bySeconds: 3600)))
    }
}
