import DiaryClient
import DiaryViews
import TerminalScreen

/// An entry that is being written: its editor under keys and words, and how far tresor-diary has it.
///
/// Where a parameter is called `known`, it finds a place by its name.
struct WritingPage: Sendable {
    private(set) var editor: EntryEditor
    /// What changed clocks did to the date that is being saved.
    private var clockRemark: String?

    /// A new entry.
    ///
    /// - Parameter day: what stands in the field of the date; now where it is empty.
    init(day: String, _ size: ScreenSize) { editor = EntryEditor(day: day, size) }

    /// A new entry that begins with a template; nothing is lost where it is closed as it is.
    init(_ template: DiaryTemplate, _ text: String, _ here: Surroundings) {
        let time = LocalTime(microseconds: here.now.date, zone: here.zone)
        let words = TemplateText.text(text, at: time, in: here.language)
        editor = EntryEditor(beginning: words, tags: template.tags, here.size)
    }

    /// An entry that has been asked for, and perhaps a draft of it, which is asked for then.
    init(waitingFor id: String, copy: String? = nil, _ size: ScreenSize) {
        editor = EntryEditor(waitingFor: id, copy: copy, size)
    }

    mutating func resize(_ size: ScreenSize) { editor.resize(size) }

    // MARK: Keys and words

    mutating func press(_ key: Key, _ here: Surroundings, known: (String) -> DiaryPlace?) -> [PageWish] {
        let now = here.now.uptime
        var wishes: [PageWish] = []
        switch key {
        case .control("s"), .escape: return save(isDraft: false, here, known: known)
        case .control("d"): return save(isDraft: true, here, known: known)
        case .control("c"):
            guard editor.isChanged else { return [.leaveEditor] }
            wishes.append(.question(.discarding))
        case .control("p"): editor.takeOffer(here.zone, at: now)
        case .tab where editor.field == .files && !editor.path.isEmpty:
            return [.want(.completePath(editor.path.text))]
        case .tab: editor.move(field: 1)
        case .backTab: editor.move(field: -1)
        default:
            let revision = editor.buffer.revision
            if editor.isDead(key) { wishes.append(.dead(key)) }
            editor.type(key, at: now)
            // The text is not seen while the keys are with the files.
            if editor.field == .files, editor.buffer.revision != revision, key == .enter {
                wishes.append(.say(ScreenPhrase.referred.text(in: here.language)))
            }
        }
        return wishes + sendNext(here, known: known)
    }

    /// Does what somebody says in place of pressing keys.
    mutating func obey(_ step: WritingStep, _ here: Surroundings, known: (String) -> DiaryPlace?) -> [PageWish] {
        let isDone = editor.obey(step, here.zone, here.language, at: here.now.uptime)
        let wishes: [PageWish] = isDone ? [] : [.say(ScreenPhrase.notUnderstood.text(in: here.language))]
        return wishes + sendNext(here, known: known)
    }

    /// Takes what Tab makes of a path.
    ///
    /// - Returns: false where no such path stands here.
    mutating func complete(_ completion: TypedPath.Completion, of typed: String) -> Bool {
        guard editor.path.text == typed else { return false }
        editor.path = TypedLine(completion.path)
        return true
    }

    /// Keys that were pressed before the entry was covered: they belong to it, up to the first that does something
    /// else.
    ///
    /// - Parameter now: in milliseconds of uptime.
    mutating func take(late keys: [Key], at now: UInt64) {
        for key in keys {
            switch key {
            case .control("s"), .control("d"), .control("c"), .control("p"), .escape: return
            case .tab: editor.move(field: 1)
            case .backTab: editor.move(field: -1)
            default: editor.type(key, at: now)
            }
        }
    }

    // MARK: Reading

    /// The entry that was asked for has come, or the draft of it.
    mutating func accept(_ entry: EntrySummary, _ text: String, _ size: ScreenSize) -> [PageWish] {
        if editor.isWaiting(for: entry.id) {
            let copy = editor.awaitedCopy
            editor = EntryEditor(entry, text, size)
            editor.awaitedCopy = copy
            return [.want(.clear)] + (copy.map { [PageWish.ask(.show(id: $0))] } ?? [])
        }
        if editor.awaitedCopy == entry.id { editor.resume(entry, text) }
        return []
    }

    /// The draft that was asked for cannot be had.
    mutating func miss(_ id: String) { if editor.awaitedCopy == id { editor.awaitedCopy = nil } }

    // MARK: Saving

    /// Files first, one after the other, then the entry; it closes when tresor-diary has it.
    private mutating func save(
        isDraft: Bool, _ here: Surroundings, known: (String) -> DiaryPlace?
    ) -> [PageWish] {
        guard editor.saving == .none else { return [] }
        editor.takePath(at: here.now.uptime)
        let becomesPublished = editor.original?.isDraft == true && !isDraft
        guard editor.isChanged || becomesPublished, !editor.isEmpty || editor.id != nil else { return [.leaveEditor] }
        editor.keepsDraft = isDraft
        do {
            let fit = try editor.head(now: here.now.date, zone: here.zone, known: known).fit
            clockRemark = ScreenPhrase.remark(on: fit)?.text(in: here.language)
        } catch {
            return [.say(point(at: error, here.language))]
        }
        editor.saving = .staging
        return sendNext(here, known: known)
    }

    /// Goes to the field that is wrong.
    ///
    /// - Returns: what is wrong with it.
    private mutating func point(at problem: EntryEditor.Problem, _ language: DiaryLanguage) -> String {
        switch problem {
        case .date(let error):
            editor.field = .date
            return error.text(in: language)
        case .place(let error):
            editor.field = .place
            return ScreenPhrase.problem(error).text(in: language)
        }
    }

    /// Sends the next file; when all are there, what is to be saved.
    private mutating func sendNext(_ here: Surroundings, known: (String) -> DiaryPlace?) -> [PageWish] {
        if let path = editor.files.nextUnsent {
            let new = NewMedia(path: path)
            return [
                .say(ScreenPhrase.sending(new.name, in: here.language)), .want(.show),
                .want(.ask(Ask(.stage(new), file: path))),
            ]
        }
        guard editor.saving == .staging else { return [] }
        editor.saving = .writing
        editor.draftSent()
        return [.want(.ask(entry(isDraft: editor.keepsDraft, here, known: known)))]
    }

    /// The entry as it stands.
    ///
    /// - Parameters:
    ///   - isAside: whether the files that wait are for another save.
    ///   - keepsAll: whether files that were taken out stay for now, as they do until the person saves.
    private func entry(
        isDraft: Bool, isAside: Bool = false, keepsAll: Bool = false, _ here: Surroundings,
        known: (String) -> DiaryPlace?
    ) -> Ask {
        let head = editor.draftHead(now: here.now.date, zone: here.zone, known: known)
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

    /// tresor-diary has the first file that was to be sent.
    mutating func staged(
        _ file: MediaSummary, _ here: Surroundings, known: (String) -> DiaryPlace?
    ) -> [PageWish] {
        editor.files.staged(file)
        var news: [PageWish] = []
        if let problem = file.problem {
            let reason = here.language.text(saidInEnglish: problem)
            news = [.say(ScreenPhrase.withoutPicture(file.name, reason, in: here.language))]
        } else if editor.saving == .none, let offer = PhotoOffer(file.facts, zone: here.zone) {
            let key = here.isSpoken ? ".photo" : "^P"
            news = [.say(ScreenPhrase.offered(file.name, offer.words, key, in: here.language))]
        }
        return news + sendNext(here, known: known)
    }

    /// tresor-diary has what was to be saved or kept.
    mutating func kept(
        _ entry: EntrySummary, _ ask: Ask, _ here: Surroundings, known: (String) -> DiaryPlace?
    ) -> [PageWish] {
        let isCopy = ask.keepsDraft && editor.isPublished
        editor.kept(entry, isCopy: isCopy)
        if !ask.isAside { editor.files.taken() }
        // The entry has new files at its end, and those that were taken out before they came.
        if !isCopy, editor.saving == .writing, entry.media.map(\.id) != editor.files.kept,
            !ask.media(is: editor.files.kept)
        {
            return [.want(.ask(self.entry(isDraft: ask.keepsDraft, here, known: known)))]
        }
        guard editor.saving == .writing else { return [] }
        let words = (editor.keepsDraft ? ScreenPhrase.draftKept : .saved).text(in: here.language)
        return [
            .say([words, clockRemark].compactMap(\.self).joined(separator: " ")),
            .finish(entry, text: String(decoding: editor.bytes, as: UTF8.self)),
        ]
    }

    /// Something was not taken; why is told already.
    mutating func notSaved(_ error: DiaryError, _ ask: Ask, _ here: Surroundings) -> [PageWish] {
        let now = here.now.uptime
        if case .stage = ask.request {
            editor.returnPath(isTyped: !here.isSpoken)
            editor.saveFailed(at: now)
            return []
        }
        let wasSaving = editor.saving == .writing
        if !ask.isAside { editor.files.lost() }
        var wishes: [PageWish] = []
        if error.code == .conflict || error.code == .notFound { wishes = findAnotherGoal(error, ask, here) }
        if wasSaving { editor.saveFailed(at: now) } else { editor.draftFailed(at: now) }
        return wishes
    }

    /// What was written to is gone, or another by now: a draft is made anew, and the person decides about an entry.
    private mutating func findAnotherGoal(_ error: DiaryError, _ ask: Ask, _ here: Surroundings) -> [PageWish] {
        if editor.id == nil || ask.keepsDraft && editor.isPublished {
            editor.forgetDraft()
            return []
        }
        if error.code == .notFound {
            editor.forgetEntry()
            return [.say(ScreenPhrase.entryGone(here.isSpoken ? "." : "^S", in: here.language))]
        }
        return [.say(ScreenPhrase.conflict(here.isSpoken ? ".draft" : "^D", in: here.language))]
    }

    /// A file of this computer could not be sent.
    mutating func notRead(_ failure: FileFailure, _ here: Surroundings) -> [PageWish] {
        editor.returnPath(isTyped: !here.isSpoken)
        editor.saveFailed(at: here.now.uptime)
        guard failure == .unreadable else { return [] }
        // Where half of it was sent, the connection is good for nothing more, and what waited on it is gone.
        editor.files.lost()
        return [.want(.reconnect)]
    }

    // MARK: Drafts

    /// What is not saved goes to tresor-diary as a draft, when nothing has been typed for a while.
    mutating func handInDraft(_ here: Surroundings, known: (String) -> DiaryPlace?) -> [PageWish] {
        guard editor.draftDue != nil else { return [] }
        editor.draftSent()
        return [.want(.ask(draft(here, known: known)))]
    }

    private func draft(_ here: Surroundings, known: (String) -> DiaryPlace?) -> Ask {
        let isAside = editor.isPublished && editor.files.stagedCount > 0
        return entry(isDraft: true, isAside: isAside, keepsAll: true, here, known: known)
    }

    /// What the editor holds and tresor-diary has not said to have: it is handed in before a lock.
    func lastWords(_ here: Surroundings, known: (String) -> DiaryPlace?) -> Ask? {
        guard editor.hasUnkeptWords else { return nil }
        var ask = draft(here, known: known)
        ask.isLastWords = true
        return ask
    }

    /// What a lock leaves to be gone on with; nil where nothing would be lost.
    func unfinished(_ here: Surroundings, known: (String) -> DiaryPlace?) -> Unfinished? {
        guard editor.isChanged || !editor.path.isEmpty else { return nil }
        let fields = editor.unkeptFields(now: here.now.date, zone: here.zone, known: known)
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

    // MARK: Closing

    /// What is to be done where it closes and nothing of it is saved.
    var undoing: [Effect] {
        // What was staged must not slip into the next entry.
        var effects: [Effect] = editor.files.stagedCount > 0 ? [.reconnect] : []
        if let former = editor.former, let goal = editor.goal {
            let request = DiaryRequest.edit(
                id: goal.id, base: goal.revision, head: former.head, media: editor.originalFiles, isDraft: true)
            effects.append(.ask(Ask(request, body: Array(former.text.utf8))))
        }
        return effects
    }

    /// The draft that keeps nothing any more where it closes; nil where there is none.
    func uselessDraft(isSaved: Bool) -> EntryEditor.Goal? {
        if isSaved && editor.keepsDraft { return nil }
        return editor.isPublished ? editor.copy : editor.id == nil && !isSaved ? editor.goal : nil
    }
}

extension Ask {
    /// Whether it says itself which files the entry is to have.
    fileprivate func media(is ids: [String]) -> Bool {
        if case .edit(_, _, _, let media, _) = request { media == ids } else { false }
    }
}
