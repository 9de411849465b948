import DiaryClient
import DiaryViews
import TerminalScreen

/// Writing entries.
extension OpenDiary {
    /// A new entry; from the calendar, of the day that is selected there.
    mutating func editNew() -> [Effect] {
        var day = ""
        if case .calendar(let pane) = page, pane.selected != viewpoint.today { day = "\(pane.selected)" }
        return push(.editor(EntryEditor(day: day, size)))
    }

    /// Read anew, so that text and revision belong together.
    mutating func edit(_ entry: EntrySummary) -> [Effect] {
        push(.editor(EntryEditor(waitingFor: entry.id, size))) + [.ask(Ask(.show(id: entry.id)))]
    }

    mutating func press(_ key: Key, in editor: EntryEditor) -> [Effect] {
        var editor = editor
        switch key {
        case .control("s"), .escape: return save(editor, isDraft: false)
        case .control("d"): return save(editor, isDraft: true)
        case .control("c"):
            guard editor.isChanged else { return close(editor) }
            dialog = .discarding
        case .control("p"): editor.takeOffer(zone, at: now.uptime)
        case .tab where editor.field == .files && !editor.path.isEmpty: return [.completePath(editor.path.text)]
        case .tab: editor.move(field: 1)
        case .backTab: editor.move(field: -1)
        default:
            let revision = editor.buffer.revision
            editor.type(key, at: now.uptime)
            // The text is not seen while the keys are with the files.
            if editor.field == .files, editor.buffer.revision != revision, key == .enter {
                message = ScreenPhrase.referred.text(in: language)
            }
        }
        show(.editor(editor))
        return stageNext()
    }

    /// Does what somebody says in place of pressing keys.
    mutating func write(_ step: WritingStep) -> [Effect] {
        message = ""
        guard case .editor(var editor) = page else { return [] }
        let isDone = editor.obey(step, zone, language, at: now.uptime)
        show(.editor(editor))
        if !isDone { message = ScreenPhrase.notUnderstood.text(in: language) }
        return stageNext()
    }

    /// What Tab makes of a path, where that still stands there.
    mutating func complete(_ completion: PathCompletion, of typed: String) -> [Effect] {
        if case .saving(var saving) = dialog, saving.path.text == typed {
            saving.path = TypedLine(completion.path)
            dialog = .saving(saving)
        } else if case .editor(var editor) = page, editor.path.text == typed {
            editor.path = TypedLine(completion.path)
            show(.editor(editor))
        } else {
            return []
        }
        message = completion.choices.joined(separator: "  ")
        return []
    }

    // MARK: Saving

    /// Files first, one after the other, then the entry; it closes when tresor-diary has it.
    private mutating func save(_ editor: EntryEditor, isDraft: Bool) -> [Effect] {
        var editor = editor
        guard editor.saving == .none else { return [] }
        editor.takePath(at: now.uptime)
        let becomesPublished = editor.original?.isDraft == true && !isDraft
        guard editor.isChanged || becomesPublished, !editor.isEmpty || editor.id != nil else { return close(editor) }
        editor.keepsDraft = isDraft
        do {
            let fit = try editor.head(now: now.date, zone: zone, known: place(named:)).fit
            clockRemark = ScreenPhrase.remark(on: fit)?.text(in: language)
        } catch {
            show(.editor(editor))
            return point(at: error)
        }
        editor.saving = .staging
        show(.editor(editor))
        return stageNext()
    }

    /// Says what is wrong with a field, and goes there.
    private mutating func point(at problem: EntryEditor.Problem) -> [Effect] {
        guard case .editor(var editor) = page else { return [] }
        switch problem {
        case .date(let error): (editor.field, message) = (.date, error.text(in: language))
        case .place(let error): (editor.field, message) = (.place, ScreenPhrase.problem(error).text(in: language))
        }
        show(.editor(editor))
        return []
    }

    /// The place of that name in an entry that has been read.
    func place(named name: String) -> DiaryPlace? {
        for case .list(let pane) in pages {
            let places = pane.entries.lazy.compactMap(\.head.place)
            if let found = places.first(where: { $0.name == name || $0.locality == name }) { return found }
        }
        return nil
    }

    /// Sends the next file; when all are there, what is to be saved.
    private mutating func stageNext() -> [Effect] {
        guard case .editor(var editor) = page else { return [] }
        if let path = editor.files.nextUnsent {
            message = ScreenPhrase.sending(NewMedia(path: path).name, in: language)
            return [.show, .ask(Ask(.stage(NewMedia(path: path)), file: path))]
        }
        guard editor.saving == .staging else { return [] }
        editor.saving = .writing
        editor.draftSent()
        show(.editor(editor))
        return [.ask(write(editor, isDraft: editor.keepsDraft))]
    }

    /// The entry as it stands.
    ///
    /// - Parameters:
    ///   - isAside: whether the files that wait are for another save.
    ///   - keepsAll: whether files that were taken out stay for now, as they do until the person saves.
    private func write(_ editor: EntryEditor, isDraft: Bool, isAside: Bool = false, keepsAll: Bool = false) -> Ask {
        let head = editor.draftHead(now: now.date, zone: zone, known: place(named:))
        let isCopy = isDraft && editor.isPublished
        if let goal = isCopy ? editor.copy : editor.goal {
            var media = isCopy ? [] : editor.files.kept
            if keepsAll && !isCopy { media += editor.originalFiles.filter { !media.contains($0) } }
            return Ask(
                .edit(id: goal.id, base: goal.revision, head: head, media: media, isDraft: isDraft),
                body: editor.bytes, isAside: isAside)
        }
        let files = isAside ? 0 : editor.files.stagedCount
        return Ask(
            .create(NewEntry(head: head, isDraft: isDraft, mediaCount: files)), body: editor.bytes, isAside: isAside)
    }

    mutating func staged(_ file: MediaSummary) -> [Effect] {
        message = ""
        guard case .editor(var editor) = page else { return [] }
        editor.files.staged(file)
        show(.editor(editor))
        if let problem = file.problem {
            message = ScreenPhrase.withoutPicture(file.name, problem, in: language)
        } else if editor.saving == .none, let offer = PhotoOffer(file.facts, zone: zone) {
            message = ScreenPhrase.offered(file.name, offer.words, isSpoken ? ".photo" : "^P", in: language)
        }
        let news = message
        let effects = stageNext()
        if message.isEmpty { message = news }
        return effects
    }

    /// What is not saved goes to tresor-diary as a draft: before a lock, and when nothing has been typed for a while.
    mutating func handInDraft() -> [Effect] {
        guard case .editor(var editor) = page, editor.draftDue != nil else { return [] }
        editor.draftSent()
        show(.editor(editor))
        return [.ask(draft(of: editor))]
    }

    private func draft(of editor: EntryEditor) -> Ask {
        write(editor, isDraft: true, isAside: editor.isPublished && editor.files.stagedCount > 0, keepsAll: true)
    }

    // MARK: Last words

    /// Whether keys go to an entry now.
    var isTyping: Bool { editor != nil && dialog == nil }

    /// Keys that were pressed before the entry was covered: they belong to it, up to the first that does something
    /// else.
    mutating func take(late keys: [Key]) {
        guard isTyping, case .editor(var editor) = page else { return }
        for key in keys {
            switch key {
            case .control("s"), .control("d"), .control("c"), .control("p"), .escape: return show(.editor(editor))
            case .tab: editor.move(field: 1)
            case .backTab: editor.move(field: -1)
            default: editor.type(key, at: now.uptime)
            }
        }
        show(.editor(editor))
    }

    /// What the editor holds and tresor-diary has not said to have.
    func lastWords() -> [Effect] {
        guard let editor, editor.hasUnkeptWords else { return [] }
        var ask = draft(of: editor)
        ask.isLastWords = true
        return [.ask(ask)]
    }

    /// tresor-diary has it.
    mutating func saved(_ entry: EntrySummary, _ ask: Ask) -> [Effect] {
        guard case .editor(var editor) = page, editor.awaitedCopy == nil else {
            // A draft that was handed in as the editor closed.
            return reload()
        }
        let isCopy = ask.keepsDraft && editor.isPublished
        editor.kept(entry, isCopy: isCopy)
        if !ask.isAside { editor.files.taken() }
        show(.editor(editor))
        // The entry has new files at its end, and those that were taken out before they came.
        if !isCopy, editor.saving == .writing, entry.media.map(\.id) != editor.files.kept,
            !ask.media(is: editor.files.kept)
        {
            return [.ask(write(editor, isDraft: ask.keepsDraft))]
        }
        guard editor.saving == .writing else { return [] }
        let words = (editor.keepsDraft ? ScreenPhrase.draftKept : .saved).text(in: language)
        message = [words, clockRemark].compactMap(\.self).joined(separator: " ")
        let effects = close(editor, isSaved: true)
        if case .entry(var shown) = page, shown.summary.id == entry.id {
            shown.accept(entry, String(decoding: editor.bytes, as: UTF8.self))
            show(.entry(shown))
        } else if case .list(var pane) = page {
            pane.select(entry.id)
            show(.list(pane))
        }
        return effects + reload()
    }

    mutating func notSaved(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        message = error.sentence
        guard case .editor(var editor) = page else { return [] }
        let wasSaving = editor.saving == .writing
        if case .stage = ask.request {
            editor.returnPath(isTyped: !isSpoken)
            editor.saveFailed(at: now.uptime)
        } else {
            if !ask.isAside { editor.files.lost() }
            if error.code == .conflict || error.code == .notFound { findAnotherGoal(&editor, error, ask) }
            if wasSaving { editor.saveFailed(at: now.uptime) } else { editor.draftFailed(at: now.uptime) }
        }
        show(.editor(editor))
        return []
    }

    /// What was written to is gone, or another by now: a draft is made anew, and the person decides about an entry.
    private mutating func findAnotherGoal(_ editor: inout EntryEditor, _ error: DiaryError, _ ask: Ask) {
        if editor.id == nil || ask.keepsDraft && editor.isPublished {
            editor.forgetDraft()
        } else if error.code == .notFound {
            editor.forgetEntry()
            message = ScreenPhrase.entryGone(isSpoken ? "." : "^S", in: language)
        } else {
            message = ScreenPhrase.conflict(isSpoken ? ".draft" : "^D", in: language)
        }
    }

    mutating func notRead(_ failure: FileFailure) -> [Effect] {
        message = ScreenPhrase.failure(failure).text(in: language)
        guard case .editor(var editor) = page else { return [] }
        editor.returnPath(isTyped: !isSpoken)
        editor.saveFailed(at: now.uptime)
        // Where half of it was sent, the connection is good for nothing more, and what waited on it is gone.
        if failure == .unreadable { editor.files.lost() }
        show(.editor(editor))
        return failure == .unreadable ? [.reconnect] : []
    }

    // MARK: Closing

    mutating func discard() -> [Effect] {
        guard case .editor(let editor) = page else { return [] }
        return close(editor)
    }

    private mutating func close(_ editor: EntryEditor, isSaved: Bool = false) -> [Effect] {
        var effects = goBack()
        if !isSaved {
            // What was staged must not slip into the next entry.
            if editor.files.stagedCount > 0 { effects.append(.reconnect) }
            if let former = editor.former, let goal = editor.goal {
                let request = DiaryRequest.edit(
                    id: goal.id, base: goal.revision, head: former.head, media: editor.originalFiles, isDraft: true)
                effects.append(.ask(Ask(request, body: Array(former.text.utf8))))
            }
        }
        let isWorthless = !(isSaved && editor.keepsDraft)
        let draft = editor.isPublished ? editor.copy : editor.id == nil && !isSaved ? editor.goal : nil
        if isWorthless, let draft {
            droppedDrafts.insert(draft.id)
            // What somebody has written in it meanwhile, or made an entry of, is theirs.
            effects += [false, true].map {
                .ask(Ask(.delete(id: draft.id, forever: $0, base: draft.revision)))
            }
        }
        return effects
    }

    // MARK: After a lock

    /// Goes on where a lock came between: what was written lies in a draft.
    mutating func resume(_ unfinished: Unfinished) -> [Effect] {
        guard let draft = unfinished.draft else {
            if !unfinished.unkeptFields.isEmpty { message = unkept(unfinished.unkeptFields) }
            return []
        }
        let entry = unfinished.entry ?? draft
        message = (unfinished.losesFiles ? ScreenPhrase.resumedWithoutFiles : .resumed).text(in: language)
        if !unfinished.unkeptFields.isEmpty { message += " " + unkept(unfinished.unkeptFields) }
        pages.append(.editor(EntryEditor(waitingFor: entry, copy: unfinished.entry == nil ? nil : draft, size)))
        return [.ask(Ask(.show(id: entry)))]
    }

    private func unkept(_ fields: [EntryEditor.Field]) -> String {
        ScreenPhrase.fieldsNotKept(fields.map { name(of: $0) }.joined(separator: ", "), in: language)
    }

    /// What a lock leaves to be gone on with; nil where nothing would be lost.
    var unfinished: Unfinished? {
        guard let editor, editor.isChanged || !editor.path.isEmpty else { return nil }
        let fields = editor.unkeptFields(now: now.date, zone: zone, known: place(named:))
        guard editor.isPublished else {
            // Files that are still to be sent, or whose words cannot be handed in now, are not in the draft.
            let losesFiles = editor.files.all.contains { $0.state == .unsent }
            return Unfinished(
                entry: nil, draft: editor.goal?.id, losesFiles: losesFiles,
                hasStagedFiles: editor.files.stagedCount > 0, unkeptFields: fields)
        }
        return Unfinished(
            entry: editor.id, draft: editor.copy?.id, losesFiles: editor.files.all.contains { $0.state != .kept },
            unkeptFields: fields)
    }
}

/// What was being written when the diary was locked: random numbers, and nothing that was written.
struct Unfinished: Equatable, Sendable {
    /// The published entry that was changed; nil for one that is only a draft.
    let entry: String?
    /// The sealed draft with what was not saved; nil until it is known.
    var draft: String?
    /// Whether files were to be added, which a draft beside a published entry does not keep.
    var losesFiles: Bool
    /// Whether files waited on the connection for the draft: where that is handed in later, they are gone.
    var hasStagedFiles = false
    /// Fields whose words no draft can keep.
    var unkeptFields: [EntryEditor.Field] = []
}

extension Ask {
    /// Whether it says itself which files the entry is to have.
    fileprivate func media(is ids: [String]) -> Bool {
        if case .edit(_, _, _, let media, _) = request { media == ids } else { false }
    }
}

extension NewMedia {
    /// - Parameter path: of a file of this computer; its last part becomes the name.
    init(path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let kind = FileKind.of(name)
        self.init(kind: kind.kind, name: name, mediaType: kind.mediaType, awaitsLook: kind.kind == .photo)
    }
}
