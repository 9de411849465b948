import DiaryClient
import DiaryViews
import TerminalScreen

/// Keys.
extension OpenDiary {
    mutating func press(_ key: Key) -> [Effect] {
        message = ""
        if let dialog { return press(key, in: dialog) }
        if case .editor(let editor) = page { return press(key, in: editor) }
        return choose(key) ?? pressOnPage(key)
    }

    /// The menu; nil for keys that are not of it.
    private mutating func choose(_ key: Key) -> [Effect]? {
        switch key {
        case .text("q"), .control("c"): return [.quit]
        case .control("r"): return reload()
        case .text("t"): return go(to: .list(EntryPane(.timeline)))
        case .text("D"): return go(to: .list(EntryPane(.drafts)))
        case .text("o"): return go(to: .list(EntryPane(.onThisDay(viewpoint.today))))
        case .text("s"): return go(to: .statistics)
        case .text("g"): return go(to: .tags(row: 0))
        case .text("*"): return go(to: .list(EntryPane(.starred)))
        case .text("T"): return go(to: .list(EntryPane(.trash)))
        case .text("S"): return go(to: .settings(row: 0))
        case .text("n"): return editNew()
        case .text("N"): return push(.templates(row: 0)) + readWhatIsShown()
        case .text("z"): return takeBack()
        case .text("c"): return go(to: .calendar(CalendarPane(selectedDay))) + drawViews()
        case .text("m"): return go(to: .map(MapPane())) + drawViews()
        case .text("/"): dialog = .search(TypedLine())
        case .text("?"):
            dialog = .help(TextView(width: size.columns, height: size.bodyHeight))
            // A picture would stay in front of it.
            return [.clear]
        default: return nil
        }
        return []
    }

    /// The day on which the calendar opens: that of the entry that is seen or selected.
    private var selectedDay: LocalDay {
        switch page {
        case .list(let pane): pane.selected?.head.localDay ?? viewpoint.today
        case .entry(let entry): entry.summary.head.localDay
        case .files(let files): files.entry.head.localDay
        case .calendar(let pane): pane.selected
        case .map, .statistics, .tags, .editor, .settings, .templates: viewpoint.today
        }
    }

    /// In the trash the selected entry, elsewhere the one that went there last.
    private func takeBack() -> [Effect] {
        var id = lastDeleted
        if case .list(let pane) = page, pane.source == .trash { id = pane.selected?.id }
        return id.map { [.ask(Ask(.restore(id: $0)))] } ?? []
    }

    private mutating func pressOnPage(_ key: Key) -> [Effect] {
        switch page {
        case .list(let pane): return press(key, in: pane)
        case .calendar(let pane): return press(key, in: pane)
        case .map(let pane): return press(key, in: pane)
        case .tags(let row): return press(key, inTags: row)
        case .entry(let entry): return press(key, in: entry)
        case .files(let files): return press(key, in: files)
        case .settings(let row): return press(key, inSettings: row)
        case .templates(let row): return press(key, inTemplates: row)
        case .statistics, .editor: return key == .escape ? goBack() : []
        }
    }

    // MARK: Lists

    private mutating func press(_ key: Key, in pane: EntryPane) -> [Effect] {
        var pane = pane
        switch key {
        case .text("j"), .down: pane.move(by: 1)
        case .text("k"), .up: pane.move(by: -1)
        case .pageDown, .text(" "): pane.move(by: max(1, size.bodyHeight - 2))
        case .pageUp: pane.move(by: -max(1, size.bodyHeight - 2))
        case .home: pane.move(by: -1_000_000)
        case .text("G"), .end: pane.move(by: 1_000_000)
        case .text("["): pane.moveByDay(isLater: false)
        case .text("]"): pane.moveByDay(isLater: true)
        case .enter: return pane.selected.map { open($0) } ?? []
        case .text("e"): return pane.selected.map { edit($0) } ?? []
        case .text("d"):
            dialog = pane.selected.map { pane.source == .trash ? .removal(id: $0.id) : .deletion(id: $0.id) }
            return []
        case .escape: return goBack()
        default: return []
        }
        show(.list(pane))
        return pane.requestForMore(near: size.bodyHeight).map { [.ask(Ask($0))] } ?? []
    }

    private mutating func open(_ entry: EntrySummary) -> [Effect] {
        push(.entry(EntryPage(entry, size))) + [.ask(Ask(.show(id: entry.id)))]
    }

    /// One entry is opened, several are listed.
    private mutating func open(_ ids: [String], known: [EntrySummary] = []) -> [Effect] {
        if ids.count == 1, let entry = known.first(where: { $0.id == ids[0] }) { return open(entry) }
        return ids.isEmpty ? [] : push(.list(EntryPane(.chosen(ids))))
    }

    // MARK: An entry

    private mutating func press(_ key: Key, in entry: EntryPage) -> [Effect] {
        var entry = entry
        switch key {
        case .text("j"), .down: entry.scroll(by: 1)
        case .text("k"), .up: entry.scroll(by: -1)
        case .pageDown, .text(" "): entry.scroll(by: entry.view.height - 1)
        case .pageUp: entry.scroll(by: 1 - entry.view.height)
        case .text("["): return openNeighbour(by: 1)
        case .text("]"): return openNeighbour(by: -1)
        case .text("e"): return edit(entry.summary)
        case .text("f"): return openFiles(of: entry.summary)
        case .text("d"):
            dialog = .deletion(id: entry.summary.id)
            return []
        case .escape, .text("h"), .left: return goBack()
        default: return []
        }
        show(.entry(entry))
        return []
    }

    /// The next entry of the list below, which is the earlier one in the timeline.
    private mutating func openNeighbour(by step: Int) -> [Effect] {
        guard pages.count > 1, case .list(var pane) = pages[pages.count - 2] else { return [] }
        let former = pane.row
        pane.move(by: step)
        pages[pages.count - 2] = .list(pane)
        guard pane.row != former, let entry = pane.selected else { return [] }
        pages.removeLast()
        let more = pane.requestForMore(near: size.bodyHeight).map { [Effect.ask(Ask($0))] } ?? []
        return open(entry) + more
    }

    // MARK: Calendar, map, tags

    private mutating func press(_ key: Key, in pane: CalendarPane) -> [Effect] {
        var pane = pane
        switch key {
        case .text("h"), .left: pane.move(days: -1)
        case .text("l"), .right: pane.move(days: 1)
        case .text("k"), .up: pane.move(days: -7)
        case .text("j"), .down: pane.move(days: 7)
        case .text("["), .pageUp: pane.move(months: -1, onlyWritten: false, outline)
        case .text("]"), .pageDown: pane.move(months: 1, onlyWritten: false, outline)
        case .text("{"): pane.move(months: -1, onlyWritten: true, outline)
        case .text("}"): pane.move(months: 1, onlyWritten: true, outline)
        case .text("."), .home: pane.select(viewpoint.today)
        case .enter: return open(pane.ids, known: pane.entries)
        case .escape: return goBack()
        default: return []
        }
        let wanted = pane.draw(outline, language.usualWeekStart, today: viewpoint.today)
        show(.calendar(pane))
        return wanted.map { .ask(Ask($0)) }
    }

    private mutating func press(_ key: Key, in pane: MapPane) -> [Effect] {
        var pane = pane
        switch key {
        case .text("h"), .left: pane.move(right: -0.25, up: 0)
        case .text("l"), .right: pane.move(right: 0.25, up: 0)
        case .text("k"), .up: pane.move(right: 0, up: 0.25)
        case .text("j"), .down: pane.move(right: 0, up: -0.25)
        case .text("+"): pane.zoom(by: 1.5)
        case .text("-"): pane.zoom(by: 1 / 1.5)
        case .text("0"): pane.showAll()
        case .tab, .text("]"): pane.move(marker: 1)
        case .backTab, .text("["): pane.move(marker: -1)
        case .enter: return open(pane.selectedIDs)
        case .escape: return goBack()
        default: return []
        }
        pane.draw(outline, size)
        show(.map(pane))
        return []
    }

    private mutating func press(_ key: Key, inTags row: Int) -> [Effect] {
        let last = max(0, (tags?.count ?? 0) - 1)
        switch key {
        case .text("j"), .down: show(.tags(row: min(row + 1, last)))
        case .text("k"), .up: show(.tags(row: max(row - 1, 0)))
        case .home: show(.tags(row: 0))
        case .text("G"), .end: show(.tags(row: last))
        case .enter:
            guard let tags, tags.indices.contains(row) else { return [] }
            return push(.list(EntryPane(.tag(tags[row].tag))))
        case .escape: return goBack()
        default: break
        }
        return []
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in dialog: Dialog) -> [Effect] {
        switch dialog {
        case .help(let view): return press(key, inHelp: view)
        case .search(let field): return press(key, inSearch: field)
        case .deletion(let id):
            guard let isMeant = Self.answer(key, language) else { return [] }
            self.dialog = nil
            return isMeant ? [.ask(Ask(.delete(id: id, forever: false)))] : []
        case .removal(let id):
            guard let isMeant = Self.answer(key, language) else { return [] }
            self.dialog = nil
            return isMeant ? [.ask(Ask(.delete(id: id, forever: true)))] : []
        case .saving(let saving): return press(key, in: saving)
        case .discarding:
            guard let isMeant = Self.answer(key, language) else { return [] }
            self.dialog = nil
            return isMeant ? discard() : []
        }
    }

    /// Nil for a key that is no answer.
    private static func answer(_ key: Key, _ language: DiaryLanguage) -> Bool? {
        switch key {
        case .text(let text) where text.lowercased() == ScreenPhrase.yesKey.text(in: language): true
        case .text("n"), .text("N"), .escape, .control("c"): false
        default: nil
        }
    }

    private mutating func press(_ key: Key, inHelp view: TextView) -> [Effect] {
        var view = view
        let lines = Help.lines(language)
        switch key {
        case .text("j"), .down: view.scroll(by: 1, in: lines)
        case .text("k"), .up: view.scroll(by: -1, in: lines)
        case .pageDown, .text(" "): view.scroll(by: view.height - 1, in: lines)
        case .pageUp: view.scroll(by: 1 - view.height, in: lines)
        default:
            dialog = nil
            return [.clear]
        }
        dialog = .help(view)
        return []
    }

    private mutating func press(_ key: Key, inSearch field: TypedLine) -> [Effect] {
        var field = field
        switch key {
        case .escape, .control("c"): dialog = nil
        case .enter:
            dialog = nil
            return field.text.trimmed.isEmpty ? [] : go(to: .list(EntryPane(.search(field.text))))
        default:
            field.type(key)
            dialog = .search(field)
        }
        return []
    }
}
