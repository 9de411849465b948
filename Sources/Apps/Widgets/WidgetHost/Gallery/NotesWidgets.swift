import NotesClient
import ResidentClient
import Widgets
import Wire

/// A note as widgets show it.
struct ShownNote: Sendable, Equatable {
    var title: String
    var isLocked: Bool
    var isPinned: Bool
    /// Microseconds since 1970, UTC.
    var modified: Int64
    var id: String

    /// Of a locked note nothing but that there is one: what a list may show to its owner, a desktop need not.
    init(_ note: NoteSummary) {
        isLocked = note.isLocked
        title = note.isLocked ? "Locked note" : note.title.isEmpty ? "New note" : note.title
        isPinned = note.isPinned
        modified = note.modified
        id = note.id
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
}

/// The titles of notes that were written in last, or that are pinned.
struct RecentNotes: Widget {
    enum Selection: Sendable {
        case recent, pinned
    }

    let configuration: WidgetConfiguration
    let provider: RecentNotesProvider
    private let selection: Selection

    init(home: Home, selection: Selection) {
        let isPinned = selection == .pinned
        configuration = WidgetConfiguration(
            kind: isPinned ? "notes.pinned" : "notes.recent", displayName: isPinned ? "Pinned notes" : "Notes",
            summary: isPinned ? "The notes that you pinned." : "The notes that you wrote in last.",
            symbol: isPinned ? .pin : .note,
            families: [.systemSmall, .systemMedium, .systemLarge, .accessoryInline, .accessoryRectangular],
            protection: .complete)
        provider = RecentNotesProvider(source: NotesSource(home: home), selection: selection)
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
                    for note in notes.prefix(count(family)) { row(note, family) }
                } placeholder: {
                    for _ in 0..<min(3, count(family)) { Text("The title of a note").lineLimit(1) }
                }
                Spacer()
            }
        }
    }

    private func row(_ note: ShownNote, _ family: WidgetFamily) -> some View {
        HStack {
            if note.isLocked { Symbol(.lock, tint: .secondary) }
            Text(note.title).font(family.isAccessory ? .caption : .body)
                .foreground(note.isLocked ? .secondary : .primary).lineLimit(1)
        }
    }

    private var emptyText: String { selection == .pinned ? "Nothing pinned" : "No notes yet" }

    private func count(_ family: WidgetFamily) -> Int {
        switch family {
        case .systemLarge, .systemExtraLarge: 10
        case .accessoryRectangular: 2
        default: 4
        }
    }
}

struct RecentNotesProvider: TimelineProvider {
    let source: NotesSource
    let selection: RecentNotes.Selection

    private var heading: String { selection == .pinned ? "Pinned" : "Notes" }

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, [ShownNote]> {
        WidgetEntry(date: Moment(seconds: 0), content: heading, sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, [ShownNote]>> {
        let listed = try source.list(limit: 50).filter { selection == .recent || $0.isPinned }
        let newest = selection == .recent ? listed.sorted { $0.modified > $1.modified } : listed
        let entry = WidgetEntry(date: now, content: heading, sealed: Sealed(newest.prefix(10).map { ShownNote($0) }))
        // tresor-notes tells of each change; the clock is for what it could not tell.
        return Timeline([entry], policy: .after(now.advanced(bySeconds: 3600)))
    }
}
