import DiaryClient
import DiaryViews
import TerminalScreen

/// What an open diary looks like: two rows at the top, the page, and the last row.
extension OpenDiary {
    func frame() -> Frame {
        var frame = Frame(lines: [head(), menu()], cursor: nil)
        let body = Array(body().prefix(size.bodyHeight))
        frame.lines += body + blank(size.bodyHeight - body.count)
        if case .editor(let editor) = page, dialog == nil { frame.cursor = cursor(in: editor) }
        frame.lines.append(StyledLine("", width: size.columns))
        drawFoot(on: &frame)
        return frame
    }

    func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: size.columns), count: max(0, count))
    }

    func row(_ text: String, _ style: Style = .plain) -> StyledLine {
        StyledLine(text, style, width: size.columns)
    }

    // MARK: The top

    private func head() -> StyledLine {
        let chip = " " + language.heading(viewpoint.today) + " "
        let isWide = size.columns >= 60
        var line = StyledLine()
        let title = " " + DiaryPhrase.title.text(in: language) + " · " + self.title
        line.append(title, .bold, width: size.columns - (isWide ? CellWidth.of(chip) : 0))
        if isWide { line.append(chip, .faint) }
        return line
    }

    private var title: String {
        switch page {
        case .list(let pane): title(of: pane)
        case .calendar: DiaryPhrase.calendar.text(in: language)
        case .map: DiaryPhrase.map.text(in: language)
        case .statistics: DiaryPhrase.statistics.text(in: language)
        case .tags: DiaryPhrase.tags.text(in: language)
        case .entry(let entry): language.heading(entry.summary.head.localDay)
        case .files(let files): ScreenPhrase.files.text(in: language) + " (\(files.entry.media.count))"
        case .settings: ScreenPhrase.settings.text(in: language)
        case .templates: ScreenPhrase.templates.text(in: language)
        case .editor(let editor):
            (editor.id == nil || editor.original?.isDraft == true
                ? DiaryPhrase.newEntry.text(in: language) : ScreenPhrase.edit.text(in: language))
                + (editor.isChanged ? " · " + ScreenPhrase.notSaved.text(in: language) : "")
        }
    }

    private func title(of pane: EntryPane) -> String {
        let count = pane.isLoaded ? " (\(pane.total))" : ""
        return switch pane.source {
        case .timeline: DiaryPhrase.timeline.text(in: language) + count
        case .drafts: DiaryPhrase.drafts.text(in: language) + count
        case .trash: ScreenPhrase.trash.text(in: language) + count
        case .starred: "★" + count
        case .onThisDay: DiaryPhrase.onThisDay.text(in: language)
        case .tag(let tag): "#" + tag + count
        case .search(let text): DiaryPhrase.search.text(in: language) + ": " + text + count
        case .chosen(let ids): ScreenPhrase.entries(ids.count, in: language)
        }
    }

    /// Keys and names of the views, as many as fit; the one that is seen stands out.
    private func menu() -> StyledLine {
        let main: [(key: String, phrase: DiaryPhrase, isShown: Bool)] = [
            ("t", .timeline, isList(.timeline)), ("c", .calendar, isCalendar), ("o", .onThisDay, isOnThisDay),
            ("m", .map, isMap), ("s", .statistics, isStatistics), ("g", .tags, isTags), ("/", .search, isSearch),
            ("D", .drafts, isList(.drafts)),
        ]
        let others: [(key: String, phrase: ScreenPhrase, isShown: Bool)] = [
            ("T", .trash, isList(.trash)), ("S", .settings, isSettings),
        ]
        let items =
            main.map { ($0.key, $0.phrase.text(in: language), $0.isShown) }
            + others.map { ($0.key, $0.phrase.text(in: language), $0.isShown) }
        var line = StyledLine()
        for item in items {
            let text = " \(item.0) \(item.1) "
            guard line.width + CellWidth.of(text) <= size.columns else { break }
            line.append(text, item.2 ? .inverse : .plain)
        }
        line.pad(to: size.columns)
        return line
    }

    private func isList(_ source: EntryPane.Source) -> Bool {
        if case .list(let pane) = pages[0] { pane.source == source } else { false }
    }
    private var isSearch: Bool {
        if case .list(let pane) = pages[0], case .search = pane.source { true } else { false }
    }
    private var isOnThisDay: Bool {
        if case .list(let pane) = pages[0], case .onThisDay = pane.source { true } else { false }
    }
    private var isCalendar: Bool { if case .calendar = pages[0] { true } else { false } }
    private var isMap: Bool { if case .map = pages[0] { true } else { false } }
    private var isStatistics: Bool { if case .statistics = pages[0] { true } else { false } }
    private var isSettings: Bool { if case .settings = pages[0] { true } else { false } }
    private var isTags: Bool { if case .tags = pages[0] { true } else { false } }

    // MARK: The page

    private func body() -> [StyledLine] {
        if case .help(let view) = dialog {
            let lines = Help.lines(language)
            return view.rows(of: lines).map { view.draw($0, of: lines) }
        }
        return switch page {
        case .list(let pane): draw(pane)
        case .calendar(let pane): draw(pane)
        case .map(let pane): draw(pane)
        case .statistics: drawStatistics()
        case .tags(let row): drawTags(row)
        case .entry(let entry): draw(entry)
        case .files(let files): draw(files)
        case .settings(let row): drawSettings(row)
        case .templates(let row): drawTemplates(row)
        case .editor(let editor): draw(editor)
        }
    }

    /// The rows of a list that fit, with the selected one in the middle where that is possible.
    func visible(_ count: Int, around row: Int, height: Int) -> Range<Int> {
        let first = max(0, min(row - height / 2, count - height))
        return first..<min(count, first + height)
    }

    // MARK: The foot

    private func drawFoot(on frame: inout Frame) {
        let columns = size.columns
        switch dialog {
        case .search(let field): frame.put(DiaryPhrase.search.text(in: language) + ": ", field, columns: columns)
        case .saving(let saving):
            let whole = ScreenPhrase.savingTo(saving.file, saving.size).text(in: language)
            // In a narrow window the path needs the room more.
            let isNarrow = CellWidth.of(whole) > columns - 20
            let label = isNarrow ? ScreenPhrase.saveAs.text(in: language) : whole
            frame.put(label, saving.path, columns: columns)
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: columns) }
        case .removal: frame.put(ScreenPhrase.askRemoval.text(in: language), .warning, columns: columns)
        case .deletion: frame.put(ScreenPhrase.askDeletion.text(in: language), .warning, columns: columns)
        case .discarding: frame.put(ScreenPhrase.askDiscarding.text(in: language), .warning, columns: columns)
        case .help: frame.put(" " + ScreenPhrase.helpKeys.text(in: language), .faint, columns: columns)
        case nil: drawNews(on: &frame)
        }
    }

    private func drawNews(on frame: inout Frame) {
        if !message.isEmpty { return frame.put(message, .bold, columns: size.columns) }
        if let locksAt, locksAt < now.uptime + 30_000 {
            let left = locksAt > now.uptime ? Int((locksAt - now.uptime + 999) / 1000) : 0
            return frame.put(ScreenPhrase.ending(left, in: language), .warning, columns: size.columns)
        }
        frame.lines[frame.lines.count - 1] = row(" " + keys.text(in: language), .faint)
    }

    private var keys: ScreenPhrase {
        switch page {
        case .list(let pane) where pane.source == .trash: .trashKeys
        case .list, .tags, .statistics, .templates: .listKeys
        case .calendar: .calendarKeys
        case .map: .mapKeys
        case .entry: .entryKeys
        case .files: .filesKeys
        case .settings: .settingsKeys
        case .editor(let editor): editor.field == .files ? .editorFilesKeys : .editorKeys
        }
    }
}
