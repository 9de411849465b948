import DiaryClient
import DiaryViews
import TerminalScreen

/// What stands above a page and below it.
extension PageStack.Page {
    func title(in language: DiaryLanguage) -> String {
        switch self {
        case .list(let pane): pane.title(in: language)
        case .calendar: DiaryPhrase.calendar.text(in: language)
        case .map: DiaryPhrase.map.text(in: language)
        case .statistics: DiaryPhrase.statistics.text(in: language)
        case .tags: DiaryPhrase.tags.text(in: language)
        case .entry(let entry): language.heading(entry.summary.head.localDay)
        case .files(let files): ScreenPhrase.files.text(in: language) + " (\(files.entry.media.count))"
        case .picture(let picture): picture.selected?.name ?? ""
        case .settings: ScreenPhrase.settings.text(in: language)
        case .templates: ScreenPhrase.templates.text(in: language)
        case .editor(let writing): writing.title(in: language)
        }
    }

    /// The keys that it takes.
    var keys: ScreenPhrase {
        switch self {
        case .list(let pane) where pane.source == .trash: .trashKeys
        case .list, .tags, .statistics, .templates: .listKeys
        case .calendar: .calendarKeys
        case .map: .mapKeys
        case .entry(let entry): entry.isInTrash ? .trashedEntryKeys : .entryKeys
        case .files: .filesKeys
        case .picture: .pictureKeys
        case .settings: .settingsKeys
        case .editor(let writing): writing.editor.field == .files ? .editorFilesKeys : .editorKeys
        }
    }

    /// The day that it is about: that of the entry that is seen or selected; nil where it is about none.
    var day: LocalDay? {
        switch self {
        case .list(let pane): pane.selected?.head.localDay
        case .entry(let entry): entry.summary.head.localDay
        case .files(let files): files.entry.head.localDay
        case .picture(let picture): picture.entry.head.localDay
        case .calendar(let pane): pane.selected
        case .map, .statistics, .tags, .editor, .settings, .templates: nil
        }
    }
}

/// The row of the menu.
extension PageStack {
    /// Keys and names of the views, as many as fit; the one that is seen stands out.
    func menu(_ here: Surroundings) -> StyledLine {
        let main: [(key: String, phrase: DiaryPhrase, isShown: Bool)] = [
            ("t", .timeline, isList(.timeline)), ("c", .calendar, isCalendar), ("o", .onThisDay, isOnThisDay),
            ("m", .map, isMap), ("s", .statistics, isStatistics), ("g", .tags, isTags), ("/", .search, isSearch),
            ("D", .drafts, isList(.drafts)),
        ]
        let others: [(key: String, phrase: ScreenPhrase, isShown: Bool)] = [
            ("T", .trash, isList(.trash)), ("S", .settings, isSettings),
        ]
        let items =
            main.map { ($0.key, $0.phrase.text(in: here.language), $0.isShown) }
            + others.map { ($0.key, $0.phrase.text(in: here.language), $0.isShown) }
        var line = StyledLine()
        for item in items {
            let text = " \(item.0) \(item.1) "
            guard line.width + CellWidth.of(text) <= here.size.columns else { break }
            line.append(text, item.2 ? .inverse : .plain)
        }
        line.pad(to: here.size.columns)
        return line
    }

    /// The key of the view whose name stands at this column of the menu's row.
    func menuKey(at column: Int, _ here: Surroundings) -> Key? {
        let span = menu(here).spans.last { $0.column <= column }
        let word = span?.text.split(separator: " ").first
        return word.flatMap { $0.count == 1 ? .text(String($0)) : nil }
    }

    private func isList(_ source: EntryPane.Source) -> Bool {
        if case .list(let pane) = bottom { pane.source == source } else { false }
    }
    private var isSearch: Bool {
        if case .list(let pane) = bottom, case .search = pane.source { true } else { false }
    }
    private var isOnThisDay: Bool {
        if case .list(let pane) = bottom, case .onThisDay = pane.source { true } else { false }
    }
    private var isCalendar: Bool { if case .calendar = bottom { true } else { false } }
    private var isMap: Bool { if case .map = bottom { true } else { false } }
    private var isStatistics: Bool { if case .statistics = bottom { true } else { false } }
    private var isSettings: Bool { if case .settings = bottom { true } else { false } }
    private var isTags: Bool { if case .tags = bottom { true } else { false } }
}
