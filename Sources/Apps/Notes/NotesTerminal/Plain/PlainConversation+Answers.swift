import Localization
import NotesClient
import TerminalScreen

/// Answers of tresor-notes, in words.
extension PlainConversation {
    mutating func accept(_ reply: NotesReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        if ask.isLastWords { return [.say(localized("What you wrote is kept as a sealed draft."))] }
        if ask.request != .handedIn { isForgotten = false }
        switch reply {
        case .status(let status):
            session.set(minutes: status.settings.sessionMinutes)
            _ = update(status.session)
            defer { isStatusQuiet = false }
            return isStatusQuiet ? [] : [.say(PlainNotesWords.status(status, session, at: now))]
        case .folders(let folders):
            let lines = folders.map { "\(SafeText.line($0.path)), \(PlainList.count($0.count))" }
            return [.say(lines.isEmpty ? localized("No folders.") : lines.joined(separator: "\n"))]
        case .list(let list): return accept(list, ask.request)
        case .note(let note): return accept(note, body, ask.request)
        case .session(let summary):
            if case .unlock = ask.request { return update(summary) + goOn() }
            return update(summary)
        case .done: return accept(ask.request)
        case .error(let error): return refuse(error, ask)
        case .versions, .attachments, .attachment, .hint, .imported, .importSources, .look: return []
        }
    }

    private mutating func accept(_ note: NoteSummary, _ body: [UInt8], _ request: NotesRequest) -> [Effect] {
        if case .create = request, var editor, editor.id == nil {
            editor.made(note)
            expectation = .text(editor)
            return []
        }
        guard case .show = request else { return accept(request) }
        if copying == note.id {
            copying = nil
            return [.copy(body)]
        }
        let text = String(decoding: body, as: UTF8.self)
        if case .text(let editor) = expectation, editor.id == note.id {
            let opened = PlainEditor(note, text)
            expectation = .text(opened)
            return [.say(opened.listing + "\n" + localized("Type .help for what you can do."))]
        }
        opened = note
        let facts = note.facts
        let head = note.titleWords + (facts.isEmpty ? "" : ". " + facts)
        return [.say(SafeText.line(head) + ".\n" + text + "\n" + localized("End of note."))]
    }

    private mutating func accept(_ request: NotesRequest) -> [Effect] {
        let words: String
        switch request {
        case .touch:
            session.touched(at: now)
            return []
        case .keepDraft:
            if var editor {
                editor.isKept = true
                expectation = .text(editor)
            }
            return []
        case .discardDraft, .subscribe, .handedIn: return []
        case .unlock, .lockNow: return [.ask(Ask(.status))]
        case .create, .edit: words = localized("Saved.")
        case .pin(let id, let isPinned):
            list.change(id) { $0.isPinned = isPinned }
            words = isPinned ? localized("Pinned.") : localized("No longer pinned.")
        case .lock(let id):
            list.change(id) { $0.isLocked = true }
            return [.say(localized("The note is locked.")), .ask(Ask(.status))]
        case .removeLock(let id):
            list.change(id) { $0.isLocked = false }
            words = localized("The lock is removed.")
        case .restore:
            lastDeleted = nil
            words = localized("The note is back.")
        case .delete(let id, let forever):
            lastDeleted = forever ? nil : id
            words =
                forever
                ? localized("Deleted for good.") : localized("The note is in the trash. Type undo to take it out.")
        default: words = localized("Done.")
        }
        return [.say(words)]
    }

    /// What was wanted of a note is done, now that it is open.
    mutating func goOn() -> [Effect] {
        guard let (deed, note) = awaited.take() else { return [] }
        list.change(note.id) { $0.isOpen = true }
        var open = note
        open.isOpen = true
        return perform(deed, on: open)
    }

    mutating func refuse(_ error: NotesError, _ ask: Ask) -> [Effect] {
        (pending, copying) = (nil, nil)
        if error.code == .deviceLocked { return isForgotten ? [] : forget(PlainSaying.deviceLocked) }
        if ask.request == .handedIn { return [] }
        var effects: [Effect] = [.say(error.sentence)]
        switch ask.request {
        case .edit, .create:
            // The text is still here, to be saved again.
            effects.append(.say(localized("Nothing was saved. Type a period to try again, or .cancel.")))
            expectation = .text(PlainEditor(unsaved: ask))
        case .show: if case .text = expectation { expectation = .command }
        default:
            guard ask.needsSecret, error.code == .wrongPassphrase else { break }
            expectation = .secret(ask)
            if error.olderNote == nil { effects.append(.say(PlainNotesWords.forgottenPassphrase)) }
        }
        return effects
    }

    private mutating func accept(_ read: NoteList, _ request: NotesRequest) -> [Effect] {
        guard request.offset > 0 else { return [.say(list.begin(read))] }
        list.append(read, isSought: pending != nil)
        guard let pending else { return [.say(list.nextPage())] }
        self.pending = nil
        return obey(pending.deed, on: pending.name, isAlone: pending.isAlone)
    }
}
