import DiaryViews
import Localization
import NotesClient
import ResidentClient
import Widgets
import Wire

/// A note as widgets show it.
struct ShownNote: Sendable, Equatable {
    var title: String
    /// When it was changed, and the line below its title: `27 Nov · Milk, bread`.
    var details: String
    var isLocked: Bool

    /// Of a locked note nothing but that there is one: what a list may show to its owner, a desktop need not.
    ///
    /// - Parameters:
    ///   - opening: the line below its title; empty for none.
    ///   - viewpoint: when and where it is shown.
    init(_ note: NoteSummary, opening: String, seenFrom viewpoint: Viewpoint) {
        isLocked = note.isLocked
        title = note.isLocked ? localized("Locked note") : note.title.isEmpty ? localized("New note") : note.title
        let date = WidgetDate.text(of: note.modified, seenFrom: viewpoint)
        details = note.isLocked ? "" : opening.isEmpty ? date : date + " · " + opening
    }
}

/// Asks tresor-notes, and turns its refusals into a provider's.
struct NotesSource: Sendable {
    let home: Home

    func asking<Answer>(_ body: (NotesConnection) throws -> Answer) throws(ProviderFailure) -> Answer {
        do { return try body(try NotesConnection(home: home)) } catch let error as NotesError {
            throw error.code == .deviceLocked || error.code == .noteLocked ? .locked : .unavailable
        } catch { throw .unavailable }
    }

    /// The newest notes, those that are pinned first; at most `limit`.
    func list(limit: Int) throws(ProviderFailure) -> [NoteSummary] {
        try asking { connection in
            var filter = NoteFilter()
            filter.limit = limit
            guard case .list(let list) = try connection.ask(.list(filter)).reply else { return [] }
            return list.notes
        }
    }

    /// The lines below the titles of notes, by identity; none of a locked one.
    func openings(of notes: [NoteSummary]) throws(ProviderFailure) -> [String: String] {
        try asking { connection in
            // Reading for a widget shows no person at work.
            try connection.ask(.follow)
            var openings: [String: String] = [:]
            for note in notes where !note.isLocked { openings[note.id] = try Self.opening(of: note, connection) }
            return openings
        }
    }

    /// Empty for a note that is gone meanwhile, or does not open.
    private static func opening(of note: NoteSummary, _ connection: NotesConnection) throws -> String {
        do {
            return NoteOpening.line(of: try connection.ask(.show(id: note.id, version: nil)).body)
        } catch let error as NotesError where error.code != .deviceLocked { return "" }
    }
}

/// The notes that were written in last, or that are pinned: title, date and first line.
struct RecentNotes: Widget {
    enum Selection: Sendable {
        case recent, pinned
    }

    let configuration: WidgetConfiguration
    let provider: RecentNotesProvider
    private let selection: Selection

    /// - Parameter isShownWhenLocked: whether a locked device shows it too: titles and dates alone, then.
    init(home: Home, selection: Selection, isShownWhenLocked: Bool = false) {
        let isPinned = selection == .pinned
        configuration = WidgetConfiguration(
            kind: isPinned ? "notes.pinned" : "notes.recent",
            displayName: isPinned ? localized("Pinned notes") : localized("Notes"),
            summary: isPinned ? marked("The notes that you pinned.") : marked("The notes that you wrote in last."),
            symbol: isPinned ? .pin : .note,
            families: [.systemSmall, .systemMedium, .systemLarge, .accessoryInline, .accessoryRectangular],
            protection: .complete)
        provider = RecentNotesProvider(
            source: NotesSource(home: home), selection: selection, showsText: !isShownWhenLocked)
        self.selection = selection
    }

    func body(_ entry: WidgetEntry<String, [ShownNote]>, in family: WidgetFamily) -> some View {
        if family == .accessoryInline {
            HStack {
                Symbol(configuration.symbol)
                Reveal(entry.sealed) { notes in
                    Text(notes.first?.title ?? emptyText).lineLimit(1)
                } placeholder: {
                    Text("Title of a note")
                }
            }
        } else {
            VStack {
                WidgetHeader(symbol: configuration.symbol, title: entry.content, family: family)
                Reveal(entry.sealed) { notes in
                    if notes.isEmpty { Text(emptyText).foreground(.secondary) }
                    for note in notes.prefix(Self.count(family)) {
                        row(note, family, lines: Self.lineCount(of: notes.count, family))
                    }
                } placeholder: {
                    for _ in 0..<Self.count(family) {
                        Text("The title of a note").lineLimit(1)
                        if Self.showsDetails(family) { Text("When, and how it begins").font(.caption).lineLimit(1) }
                    }
                }
                Spacer()
            }
        }
    }

    private func row(_ note: ShownNote, _ family: WidgetFamily, lines: Int) -> some View {
        VStack(spacing: 0) {
            HStack {
                if note.isLocked { Symbol(.lock, tint: .secondary) }
                Text(note.title).font(family.isAccessory ? .caption : .body).bold(!family.isAccessory)
                    .foreground(note.isLocked ? .secondary : .primary).lineLimit(1)
            }
            if Self.showsDetails(family), !note.details.isEmpty {
                Text(note.details).font(.caption).foreground(.secondary).lineLimit(lines)
            }
        }
    }

    private var emptyText: String { selection == .pinned ? localized("Nothing pinned") : localized("No notes yet") }

    /// How many notes there is room for.
    static func count(_ family: WidgetFamily) -> Int {
        switch family {
        case .systemLarge, .systemExtraLarge: 6
        case .accessoryInline: 1
        default: 2
        }
    }

    /// A bar and a lock screen have room for titles alone.
    static func showsDetails(_ family: WidgetFamily) -> Bool { !family.isAccessory }

    /// Over how many lines the details of each note may go, so that few notes fill the tile too.
    ///
    /// - Parameter noteCount: how many notes there are.
    static func lineCount(of noteCount: Int, _ family: WidgetFamily) -> Int {
        let room = family == .systemLarge || family == .systemExtraLarge ? 290 : 102
        let each = room / max(1, min(noteCount, count(family)))
        // The title's line, and the gap to the next note.
        return max(1, (each - 24) / 16)
    }
}

struct RecentNotesProvider: TimelineProvider {
    let source: NotesSource
    let selection: RecentNotes.Selection
    /// Whether the line below a title is shown, which is the note's text.
    let showsText: Bool

    private var heading: String { selection == .pinned ? localized("Pinned") : localized("Notes") }

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, [ShownNote]> {
        WidgetEntry(date: Moment(seconds: 0), content: heading, sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, [ShownNote]>> {
        let listed = try source.list(limit: 50).filter { selection == .recent || $0.isPinned }
        let newest = selection == .recent ? listed.sorted { $0.modified > $1.modified } : listed
        let notes = Array(newest.prefix(RecentNotes.count(family)))
        let openings = showsText && RecentNotes.showsDetails(family) ? try source.openings(of: notes) : [:]
        // What was today is yesterday then.
        let entries = [now, DiarySource.midnight(after: now)].map { date in
            let viewpoint = DiarySource.viewpoint(date)
            let shown = notes.map { ShownNote($0, opening: openings[$0.id] ?? "", seenFrom: viewpoint) }
            return WidgetEntry(date: date, content: heading, sealed: Sealed(shown))
        }
        // tresor-notes tells of each change; the clock is for what it could not tell.
        return Widgets.Timeline(entries, policy: .after(now.advanced(bySeconds: 3600)))
    }
}
