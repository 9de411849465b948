import DiaryClient
import DiaryViews
import TerminalScreen

/// The entry that is being written, where that is what is seen.
extension OpenDiary {
    var editor: EntryEditor? {
        if case .editor(let writing) = page { writing.editor } else { nil }
    }

    /// Whether keys go to an entry now.
    var isTyping: Bool { editor != nil && dialog == nil }

    /// A new entry; from the calendar, of the day that is selected there.
    mutating func writeNew() -> [Effect] {
        var day = ""
        if case .calendar(let pane) = page, pane.selected != here.viewpoint.today { day = "\(pane.selected)" }
        return push(.editor(WritingPage(day: day, here.size)))
    }

    /// A new entry that begins with a template.
    mutating func begin(with template: DiaryTemplate, _ text: String) -> [Effect] {
        guard case .templates = page else { return [] }
        pages.top = .editor(WritingPage(template, text, here))
        return [.clear]
    }

    /// Does something in the editor; nothing where that is not what is seen.
    private mutating func change(
        _ change: (inout WritingPage, Surroundings, _ known: (String) -> DiaryPlace?) -> [PageWish]
    ) -> [Effect] {
        guard case .editor(var writing) = page else { return [] }
        let wishes = change(&writing, here, pages.place(named:))
        pages.top = .editor(writing)
        return fulfil(wishes)
    }

    /// Does what somebody says in place of pressing keys.
    mutating func write(_ step: WritingStep) -> [Effect] {
        message = ""
        return change { $0.obey(step, $1, known: $2) }
    }

    mutating func completeInEditor(_ completion: TypedPath.Completion, of typed: String) -> Bool {
        guard case .editor(var writing) = page, writing.complete(completion, of: typed) else { return false }
        pages.top = .editor(writing)
        return true
    }

    /// An entry has come as a whole: into its editor, or to be read.
    mutating func show(_ entry: EntrySummary, _ text: String) -> [Effect] {
        if editor != nil { return change { writing, here, _ in writing.accept(entry, text, here.size) } }
        if beside.accept(text, of: entry.id) { return [] }
        guard case .entry(var shown) = page, shown.summary.id == entry.id else { return [] }
        shown.accept(entry, text)
        pages.top = .entry(shown)
        pages.accept(entry, here)
        return here.drawsPictures ? Self.ask(shown.wantedPictures) : []
    }

    /// An entry cannot be had: its editor closes, or goes on without a draft of it.
    mutating func miss(_ id: String) {
        guard case .editor(var writing) = page else { return }
        if writing.editor.isWaiting(for: id) {
            pages.pop()
        } else {
            writing.miss(id)
            pages.top = .editor(writing)
        }
    }

    // MARK: Saving

    mutating func staged(_ file: MediaSummary) -> [Effect] {
        message = ""
        return change { $0.staged(file, $1, known: $2) }
    }

    /// tresor-diary has it.
    mutating func saved(_ entry: EntrySummary, _ ask: Ask) -> [Effect] {
        guard let editor, editor.awaitedCopy == nil else {
            // A draft that was handed in as the editor closed.
            return reload()
        }
        return change { $0.kept(entry, ask, $1, known: $2) }
    }

    mutating func notSaved(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        message = error.sentence(in: language)
        return change { writing, here, _ in writing.notSaved(error, ask, here) }
    }

    /// A file of this computer could be neither read nor written.
    mutating func fail(_ failure: FileFailure, _ ask: Ask) -> [Effect] {
        message = ScreenPhrase.failure(failure).text(in: language)
        guard ask.file != nil else { return [] }
        return change { writing, here, _ in writing.notRead(failure, here) }
    }

    // MARK: Before a lock, and after it

    /// What is not saved goes to tresor-diary as a draft.
    mutating func handInDraft() -> [Effect] { change { $0.handInDraft($1, known: $2) } }

    /// Keys that were pressed before the entry was covered.
    mutating func take(late keys: [Key]) {
        guard isTyping, case .editor(var writing) = page else { return }
        writing.take(late: keys, at: here.now.uptime)
        pages.top = .editor(writing)
    }

    /// What the editor holds and tresor-diary has not said to have.
    func lastWords() -> [Effect] {
        guard case .editor(let writing) = page else { return [] }
        return writing.lastWords(here, known: pages.place(named:)).map { [.ask($0)] } ?? []
    }

    /// What a lock leaves to be gone on with; nil where nothing would be lost.
    var unfinished: Unfinished? {
        guard case .editor(let writing) = page else { return nil }
        return writing.unfinished(here, known: pages.place(named:))
    }

    /// Goes on where a lock came between: what was written lies in a draft.
    mutating func resume(_ unfinished: Unfinished) -> [Effect] {
        let unkept = unfinished.unkeptWords(in: language)
        guard let draft = unfinished.draft else {
            if let unkept { message = unkept }
            return []
        }
        let entry = unfinished.entry ?? draft
        message = (unfinished.losesFiles ? ScreenPhrase.resumedWithoutFiles : .resumed).text(in: language)
        if let unkept { message += " " + unkept }
        let copy = unfinished.entry == nil ? nil : draft
        pages.push(.editor(WritingPage(waitingFor: entry, copy: copy, here.size)))
        return Self.ask([.show(id: entry)])
    }

    // MARK: Closing

    mutating func closeEditor(isSaved: Bool) -> [Effect] {
        guard case .editor(let writing) = page else { return [] }
        var effects = goBack()
        if !isSaved { effects += writing.undoing }
        guard let draft = writing.uselessDraft(isSaved: isSaved) else { return effects }
        removals.drop(draft: draft.id)
        // What somebody has written in it meanwhile, or made an entry of, is theirs.
        effects += [false, true].map {
            .ask(Ask(.delete(id: draft.id, forever: $0, base: draft.revision)))
        }
        return effects
    }

    /// The editor closes, and what is below shows the entry as it is now.
    mutating func finish(_ entry: EntrySummary, _ text: String) -> [Effect] {
        let effects = closeEditor(isSaved: true)
        if case .entry(var shown) = page, shown.summary.id == entry.id {
            shown.accept(entry, text)
            pages.top = .entry(shown)
        } else if case .list(var pane) = page {
            pane.select(entry.id)
            pages.top = .list(pane)
        }
        return effects + reload()
    }
}
