import DiaryClient
import DiaryViews
import TerminalScreen

/// Keys, and what pages want.
extension OpenDiary {
    mutating func press(_ key: Key) -> [Effect] {
        switch key {
        case .wheel(let notches):
            // As many lines as editors and browsers scroll by.
            var effects: [Effect] = []
            for _ in 0..<min(abs(notches), 10) * 3 { effects += press(notches > 0 ? .down : .up) }
            return effects
        case .click(let row, let column): return dialog == nil && editor == nil ? click(row, column) : []
        default: break
        }
        message = ""
        if HelpKey.opens(key, in: &self, here) { return [.clear] }
        if var asked = dialog {
            let step = asked.press(key, language)
            dialog = step.isOver ? nil : asked
            return fulfil(step.wishes)
        }
        if editor == nil, let effects = choose(key) { return effects }
        return fulfil(pages.press(key, overview, standing, here))
    }

    /// The menu; nil for keys that are not of it.
    private mutating func choose(_ key: Key) -> [Effect]? {
        switch key {
        case .text("q"), .control("c"): return [.quit]
        case .control("r"): return reload()
        case .text("t"): return go(to: .list(EntryPane(.timeline)))
        case .text("D"): return go(to: .list(EntryPane(.drafts)))
        case .text("o"): return go(to: .list(EntryPane(.onThisDay(here.viewpoint.today))))
        case .text("s"): return go(to: .statistics)
        case .text("g"): return go(to: .tags(TagsPane()))
        case .text("*"): return go(to: .list(EntryPane(.starred)))
        case .text("T"): return go(to: .list(EntryPane(.trash)))
        case .text("S"): return go(to: .settings(SettingsPane()))
        case .text("n"): return writeNew()
        case .text("N"): return push(.templates(TemplatesPane())) + readWhatIsShown()
        case .text("z"): return takeBack()
        case .text("c"): return go(to: .calendar(CalendarPane(page.day ?? here.viewpoint.today))) + drawViews()
        case .text("m"): return go(to: .map(MapPane())) + drawViews()
        case .text("/"): dialog = .search(TypedLine())
        default: return nil
        }
        return []
    }

    /// On the menu a click is its key; on a list it selects, and opens what is selected.
    private mutating func click(_ row: Int, _ column: Int) -> [Effect] {
        if row == 1 { return pages.menuKey(at: column, here).map { press($0) } ?? [] }
        guard row >= ScreenSize.topRows, row < ScreenSize.topRows + here.size.bodyHeight else { return [] }
        let line = row - ScreenSize.topRows
        switch page {
        case .list where BesideRoom(here).map { column >= $0.listColumns } == true && beside.entry != nil:
            return press(.enter)
        case .list(var pane):
            guard let entry = pane.entry(at: line, here) else { return [] }
            guard entry != pane.row else { return press(.enter) }
            pane.row = entry
            pages.top = .list(pane)
            return []
        case .files(var files):
            guard let file = files.file(at: line, here) else { return [] }
            guard file != files.row else { return press(.enter) }
            files.select(file)
            pages.top = .files(files)
            return fulfil(files.want(here))
        case .picture: return goBack()
        default: return []
        }
    }

    /// In the trash the selected entry, or the one that is read, elsewhere the one that went there last.
    private mutating func takeBack() -> [Effect] {
        var id = removals.last
        if case .list(let pane) = page, pane.source == .trash { id = pane.selected?.id }
        var effects: [Effect] = []
        if case .entry(let entry) = page, entry.isInTrash {
            id = entry.summary.id
            effects = goBack()
        }
        return effects + (id.map { Self.ask([.restore(id: $0)]) } ?? [])
    }

    /// Opens, or only selects, what is called by this number where it is said.
    mutating func choose(_ number: Int, isOnlySelected: Bool) -> [Effect] {
        guard let requests = pages.choose(number, overview, here) else { return [] }
        let effects = Self.ask(requests)
        return isOnlySelected ? effects : effects + press(.enter)
    }

    /// Asks for more of the list where what follows has not been loaded.
    func more(from first: Int) -> [Effect] {
        guard case .list(var pane) = page else { return [] }
        pane.row = first
        return pane.requestForMore(near: PlainReader.pageSize).map { Self.ask([$0]) } ?? []
    }

    /// Does what somebody says in place of typing into a dialog.
    mutating func act(_ act: SpokenAct) -> [Effect] {
        message = ""
        switch act {
        case .save(let file, let path, let keepsAll):
            guard case .files(let pane) = page else { return [] }
            return fulfil(pane.save(file, to: path, keepsAll: keepsAll, language))
        case .set(let setting, let words):
            guard case .settings = page else { return [] }
            guard let changes = SettingsPane.changes(setting, words, language) else {
                message = ScreenPhrase.settingsHelp.text(in: language)
                return []
            }
            return Self.ask([.changeSettings(changes)])
        }
    }

    /// What Tab makes of a path, where that still stands there.
    mutating func complete(_ completion: TypedPath.Completion, of typed: String) -> [Effect] {
        let isTaken = dialog?.complete(completion, of: typed) == true || completeInEditor(completion, of: typed)
        if isTaken { message = completion.choices.joined(separator: "  ") }
        return []
    }

    // MARK: What pages want

    mutating func fulfil(_ wishes: [PageWish]) -> [Effect] {
        var effects: [Effect] = []
        for wish in wishes { effects += fulfil(wish) }
        return effects
    }

    private mutating func fulfil(_ wish: PageWish) -> [Effect] {
        switch wish {
        case .want(let effect): return [effect]
        case .say(let words): message = words
        case .dead(let key): message = HelpKey.words(dead: key, in: self)
        case .question(let asked): dialog = asked
        case .read(let entry): return read(entry)
        // Read anew, so that text and revision belong together.
        case .edit(let entry):
            return push(.editor(WritingPage(waitingFor: entry.id, here.size))) + Self.ask([.show(id: entry.id)])
        case .files(let entry):
            let pane = FilesPane(entry, here.size)
            return push(.files(pane)) + fulfil(pane.want(here))
        case .picture(let entry, let row):
            let page = PicturePage(entry, row: row, here.size)
            return push(.picture(page)) + fulfil(page.want(here))
        case .neighbour(let step): return readNeighbour(by: step)
        case .list(let source): return push(.list(EntryPane(source)))
        case .onlyList(let source): return go(to: .list(EntryPane(source)))
        case .back: return goBack()
        case .leaveEditor: return closeEditor(isSaved: false)
        case .finish(let entry, let text): return finish(entry, text)
        }
        return []
    }

    private mutating func read(_ entry: EntrySummary) -> [Effect] {
        var shown = EntryPage(entry, here.size)
        if case .list(let pane) = page { shown.isInTrash = pane.source == .trash }
        return push(.entry(shown)) + Self.ask([.show(id: entry.id)])
    }

    /// The next entry of the list below, which is the earlier one in the timeline.
    private mutating func readNeighbour(by step: Int) -> [Effect] {
        guard let pane = pages.moveBelow(by: step), let entry = pane.selected else { return [] }
        pages.pop()
        let more = pane.requestForMore(near: here.size.bodyHeight).map { Self.ask([$0]) } ?? []
        return read(entry) + more
    }
}
