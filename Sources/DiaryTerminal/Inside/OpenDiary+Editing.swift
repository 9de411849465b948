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
        case .tab: editor.move(field: 1)
        case .backTab: editor.move(field: -1)
        default: editor.type(key, at: now.uptime)
        }
        show(.editor(editor))
        return []
    }

    /// Files first, one after the other, then the entry; it closes when tresor-diary has it.
    private mutating func save(_ editor: EntryEditor, isDraft: Bool) -> [Effect] {
        var editor = editor
        editor.takePath()
        guard editor.saving == .none else { return [] }
        let isPublished = editor.original?.isDraft == true && !isDraft
        guard editor.isChanged || isPublished, !editor.isEmpty else { return close(editor) }
        editor.keepsDraft = isDraft
        do { _ = try editor.head(now: now.date, zone: zone) } catch {
            editor.field = .date
            show(.editor(editor))
            message = error.text(in: language)
            return []
        }
        editor.saving = editor.paths.isEmpty ? .writing : .staging(done: 0)
        show(.editor(editor))
        return [.ask(editor.paths.first.map { stage($0) } ?? write(editor, isDraft: isDraft, files: 0))]
    }

    private func stage(_ path: String) -> Ask { Ask(.stage(NewMedia(path: path)), file: path) }

    /// The entry as it stands.
    ///
    /// - Parameter files: how many were staged, and go with it.
    private func write(_ editor: EntryEditor, isDraft: Bool, files: Int) -> Ask {
        let fallback = editor.original?.head ?? EntryHead(date: now.date, timeZone: zone.identifier)
        let head = (try? editor.head(now: now.date, zone: zone)) ?? fallback
        if let id = editor.id, let original = editor.original, !isDraft || original.isDraft {
            let base = editor.draft.map { $0.id == id ? $0.revision : original.revision } ?? original.revision
            return Ask(
                .edit(id: id, base: base, head: head, media: editor.media, isDraft: isDraft), body: editor.bytes)
        }
        // What is not saved yet lies in a draft of its own.
        if let draft = editor.draft, isDraft || editor.id == nil {
            return Ask(
                .edit(id: draft.id, base: draft.revision, head: head, media: [], isDraft: isDraft),
                body: editor.bytes)
        }
        return Ask(.create(NewEntry(head: head, isDraft: isDraft, mediaCount: files)), body: editor.bytes)
    }

    mutating func staged(_ file: MediaSummary) -> [Effect] {
        guard case .editor(var editor) = page, case .staging(let done) = editor.saving else { return [] }
        if let problem = file.problem { message = file.name + ": " + problem }
        let next = done + 1
        editor.saving = next < editor.paths.count ? .staging(done: next) : .writing
        show(.editor(editor))
        guard next == editor.paths.count else { return [.ask(stage(editor.paths[next]))] }
        return [.ask(write(editor, isDraft: editor.keepsDraft, files: next))]
    }

    /// What is not saved goes to tresor-diary as a draft: before a lock, and when nothing has been typed for a while.
    mutating func handInDraft() -> [Effect] {
        guard case .editor(var editor) = page, editor.draftDue != nil else { return [] }
        editor.draftSent()
        show(.editor(editor))
        return [.ask(write(editor, isDraft: true, files: 0))]
    }

    /// tresor-diary has it.
    mutating func saved(_ entry: EntrySummary, _ request: DiaryRequest) -> [Effect] {
        guard case .editor(var editor) = page else {
            // A draft that was handed in as the editor closed.
            return reload()
        }
        guard editor.saving == .writing else {
            editor.draftKept(entry)
            show(.editor(editor))
            return []
        }
        message = (editor.keepsDraft ? ScreenPhrase.draftKept : .saved).text(in: language)
        // A new entry has become of its draft.
        let effects = close(editor, dropsDraft: editor.id != nil && !editor.keepsDraft)
        if case .entry(var shown) = page, shown.summary.id == entry.id {
            shown.accept(entry, String(decoding: editor.bytes, as: UTF8.self))
            show(.entry(shown))
        }
        return effects + reload()
    }

    mutating func notSaved(_ error: DiaryError, _ request: DiaryRequest) -> [Effect] {
        message = error.sentence
        guard case .editor(var editor) = page else { return [] }
        let wasStaging = if case .staging = editor.saving { true } else { false }
        editor.sendingFailed()
        show(.editor(editor))
        // What was staged before the one that failed must not slip into the next entry.
        return wasStaging ? [.reconnect] : []
    }

    mutating func discard() -> [Effect] {
        guard case .editor(let editor) = page else { return [] }
        return close(editor)
    }

    /// - Parameter dropsDraft: whether the draft that kept what was typed is worth nothing now.
    private mutating func close(_ editor: EntryEditor, dropsDraft: Bool = true) -> [Effect] {
        var effects = goBack()
        if dropsDraft, let draft = editor.draft, draft.id != editor.id {
            droppedDrafts.insert(draft.id)
            effects += [
                .ask(Ask(.delete(id: draft.id, forever: false))), .ask(Ask(.delete(id: draft.id, forever: true))),
            ]
        }
        return effects
    }
}
