import Localization
import NotesClient
import TerminalScreen

/// Answers of tresor-notes.
extension NotesDesk {
    mutating func accept(_ reply: NotesReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        switch reply {
        case .status(let status): return accept(status)
        case .folders(let folders): panes.accept(folders)
        case .list(let list): return accept(list, ask.request)
        case .note(let note): return accept(note, body, ask.request)
        case .session(let session): return accept(session, ask.request)
        case .done: return accept(ask.request)
        case .versions(let versions):
            if case .versions(let id) = ask.request { pick(id, .versions(versions)) }
        case .attachments(let files):
            if case .attachments(let id) = ask.request { pick(id, .files(files)) }
        case .attachment(let file):
            if case .attach(let id, _) = ask.request { return attached(file, to: id) }
        case .error, .hint, .imported, .importSources, .look: break
        }
        return []
    }

    /// The device is unlocked: everything is read anew.
    mutating func begin(_ status: NotesStatus) -> [Effect] {
        session.set(minutes: status.settings.sessionMinutes)
        lockedCount = status.locked
        (dialog, message) = (nil, "")
        session.set(status.session, at: now)
        return [.clear] + reload()
    }

    private mutating func accept(_ status: NotesStatus) -> [Effect] {
        session.set(minutes: status.settings.sessionMinutes)
        lockedCount = status.locked
        if isDisconnected {
            isDisconnected = false
            message = ""
            return update(status.session) + reload()
        }
        if !status.damaged.isEmpty && message.isEmpty && editor == nil {
            message = localized("\(status.damaged.count) damaged records are kept; tresor notes status names them.")
        }
        return update(status.session)
    }

    private mutating func accept(_ list: NoteList, _ request: NotesRequest) -> [Effect] {
        if emptying != nil, request == Place.trash.request() { return goOnEmptying(list) }
        guard let requests = panes.accept(list, request, showsNote: editor == nil) else { return [] }
        // What has just been done is told first; the list was read anew for it.
        let lacks = list.lacks
        if !lacks.isEmpty, list.isPartial || message.isEmpty { message = lacks }
        return Self.ask(requests)
    }

    private mutating func accept(_ note: NoteSummary, _ body: [UInt8], _ request: NotesRequest) -> [Effect] {
        switch request {
        case .find: return Self.ask(panes.go(toTitle: note.title))
        case .show(_, let version?):
            foot.show(note, version: version, String(decoding: body, as: UTF8.self), in: layout.editor)
        case .show(let id, nil): show(note, body, id)
        case .create, .edit: return saved(note)
        case .delete(_, true) where emptying != nil: return []
        case .delete, .restore, .lock, .removeLock, .pin, .tag, .move, .revert, .detach: return accept(request)
        default: break
        }
        return []
    }

    private mutating func show(_ note: NoteSummary, _ body: [UInt8], _ id: String) {
        let text = String(decoding: body, as: UTF8.self)
        if writing.take(note, text) { return }
        if writing.begin(note, text, asked: id, layout.editor) {
            panes.closeNote()
        } else if editor == nil {
            panes.show(note, text, in: layout.note)
        }
    }

    private mutating func accept(_ session: SessionSummary, _ request: NotesRequest) -> [Effect] {
        switch request {
        case .unlock: return update(session) + accept(request)
        case .lockNow: return accept(request)
        case .setPassphrase, .changePassphrase, .resetPassphrase:
            let effects = update(session)
            message = ScreenWords.passphraseDone(request)
            return [.passphraseIsNew] + effects
        default: return update(session)
        }
    }

    /// It was done; what there is to know besides is asked for.
    private mutating func accept(_ request: NotesRequest) -> [Effect] {
        switch request {
        case .touch:
            session.touched(at: now)
            return []
        case .delete(_, true) where emptying != nil: return []
        case .edit: return saved(nil)
        case .create: return closeEditor()
        case .keepDraft:
            writing.draftKept()
            return []
        case .discardDraft, .subscribe, .handedIn: return []
        case .unlock:
            message = localized("Locked notes are open.")
            return [.handInHeld] + load()
        case .lockNow:
            session.close()
            let effects = hideLockedNotes()
            if message.isEmpty { message = localized("Locked notes are closed.") }
            return effects + reload()
        default: if let words = panes.done(request) { message = words }
        }
        // A lock with a passphrase also opens the session.
        return [.ask(Ask(.status))] + reload()
    }

    // MARK: Refusals

    /// What was sent is here alone again, whatever follows.
    mutating func sendingFailed(_ ask: Ask) {
        if ask.keepsWords { writing.sendingFailed(at: now) }
        if ask.request == Place.trash.request() { emptying = nil }
    }

    mutating func refuse(_ error: NotesError, _ ask: Ask) -> [Effect] {
        message = error.sentence
        switch ask.request {
        case .edit, .create, .keepDraft:
            // The session has ended, and what is locked may not stay on the screen.
            return error.code == .noteLocked ? [.ask(Ask(.status))] : []
        case .show(let id, nil): return cannotShow(id, error)
        case .setPassphrase, .changePassphrase, .resetPassphrase:
            foot.refuseForm(error, ask.request)
            return []
        case .touch: return [.ask(Ask(.status))]
        default: break
        }
        if ask.needsSecret && error.code == .wrongPassphrase {
            askForSecret(ask)
            // Where it is an older one, a reset opens nothing.
            if error.olderNote == nil { message += "\n" + ScreenWords.wayOut }
        } else if error.code == .noteLocked && !ask.needsSecret {
            switch ask.request {
            case .lock, .removeLock: askForSecret(Ask(ask.request, needsSecret: true))
            default: break
            }
        }
        return []
    }

    private mutating func cannotShow(_ id: String, _ error: NotesError) -> [Effect] {
        panes.closeNote(id, isLocked: error.code == .noteLocked)
        if onlyNote != nil {
            if error.code == .noteLocked {
                askForSecret(Ask(.unlock(id: id), needsSecret: true))
                return []
            }
            failure = error
            return editor == nil ? [.quit] : []
        }
        writing.miss(id)
        return []
    }
}
