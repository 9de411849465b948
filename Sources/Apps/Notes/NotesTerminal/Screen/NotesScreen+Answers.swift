import NotesClient
import TerminalScreen

/// Answers of tresor-notes.
extension NotesScreen {
    mutating func accept(_ reply: NotesReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        if ask.isLastWords { return [] }
        // A lock may have come between the question and its answer.
        if isDeviceLocked, ask.request != .status { return [] }
        switch reply {
        case .status(let status): return accept(status)
        case .folders(let folders):
            self.folders = folders
            return []
        case .list(let list): return accept(list, ask.request)
        case .note(let note): return accept(note, body, ask.request)
        case .session(let session): return accept(session, ask.request)
        case .done: return accept(ask.request)
        case .error(let error): return refuse(error, ask)
        case .versions, .attachments, .attachment, .hint, .imported, .importSources, .look: return []
        }
    }

    private mutating func accept(_ status: NotesStatus) -> [Effect] {
        session.set(minutes: status.settings.sessionMinutes)
        if isDeviceLocked {
            isDeviceLocked = false
            session.set(status.session, at: now)
            return [.clear] + reload()
        }
        if isDisconnected {
            isDisconnected = false
            message = ""
            return update(status.session) + reload()
        }
        if !status.damaged.isEmpty && message.isEmpty && editor == nil {
            message = "\(status.damaged.count) damaged records are kept; tresor notes status names them."
        }
        return update(status.session)
    }

    private mutating func accept(_ list: NoteList, _ request: NotesRequest) -> [Effect] {
        if case .list(let filter) = request, filter.offset > 0 {
            guard request == place.request(offset: filter.offset), filter.offset == notes.count else { return [] }
            notes += list.notes
            total = list.total
            return []
        }
        guard request == place.request() else { return [] }
        let wanted = former?.note ?? selected?.id
        (notes, total) = (list.notes, list.total)
        // What has just been done is told first; the list was read anew for it.
        let lacks = list.lacks
        if !lacks.isEmpty, list.isPartial || message.isEmpty { message = lacks }
        row = wanted.flatMap { id in notes.firstIndex { $0.id == id } } ?? min(row, max(0, notes.count - 1))
        if let folderRow = former?.folderRow, folderRow > 0, place == .all {
            former?.folderRow = 0
            return enterFolder(row: folderRow)
        }
        former = nil
        return editor == nil ? showSelected() : []
    }

    private mutating func accept(_ note: NoteSummary, _ body: [UInt8], _ request: NotesRequest) -> [Effect] {
        switch request {
        case .show(let id, _): show(note, body, id)
        case .create, .edit: return saved(note)
        case .delete, .restore, .lock, .removeLock, .pin: return accept(request)
        default: break
        }
        return []
    }

    private mutating func show(_ note: NoteSummary, _ body: [UInt8], _ id: String) {
        if let editor, editor.id == note.id {
            self.editor?.take(String(decoding: body, as: UTF8.self), base: note.revision)
            self.editor?.title = note.title
        } else if wantedEdit == id {
            openEditor(note, String(decoding: body, as: UTF8.self))
        } else if selected?.id == note.id, editor == nil {
            let lines = TextBuffer(String(decoding: body, as: UTF8.self)).lines
            let view = open?.summary.id == note.id ? open?.view : nil
            open = OpenNote(summary: note, lines: lines, view: view ?? layout.note)
            // An edit may have made it shorter.
            open?.view.scroll(by: 0, in: lines)
        }
    }

    private mutating func accept(_ session: SessionSummary, _ request: NotesRequest) -> [Effect] {
        switch request {
        case .unlock: return update(session) + accept(request)
        case .lockNow: return accept(request)
        default: return update(session)
        }
    }

    /// It was done; what there is to know besides is asked for.
    private mutating func accept(_ request: NotesRequest) -> [Effect] {
        switch request {
        case .touch:
            session.touched(at: now)
            return []
        case .edit: return saved(nil)
        case .create: return closeEditor()
        case .keepDraft:
            editor?.sendingSucceeded()
            return []
        case .discardDraft, .subscribe, .handedIn: return []
        case .unlock:
            message = "Locked notes are open."
            return (held == nil ? [] : [.handInHeld]) + load()
        case .lockNow:
            session.close()
            let effects = hideLockedNotes()
            if message.isEmpty { message = "Locked notes are closed." }
            return effects + reload()
        case .delete(let id, let forever):
            lastDeleted = forever ? nil : id
            message = forever ? "Deleted for good." : "The note is in the trash. Press z to take it out."
        case .restore(let id):
            lastDeleted = nil
            // The next key is meant for the note that has come back.
            if place != .trash { former = FormerPlace(folderRow: 0, note: id) }
            message = "The note is back."
        case .lock: message = "The note is locked."
        case .removeLock: message = "The lock is removed."
        default: break
        }
        // A lock with a passphrase also opens the session.
        return [.ask(Ask(.status))] + reload()
    }

    // MARK: Refusals

    mutating func refuse(_ error: NotesError, _ ask: Ask) -> [Effect] {
        // What was sent is here alone again, whatever follows.
        if ask.keepsWords { editor?.sendingFailed(at: now) }
        if error.code == .deviceLocked { return lockScreen() }
        if isDeviceLocked || ask.request == .handedIn { return [] }
        message = error.sentence
        switch ask.request {
        case .edit, .create, .keepDraft:
            // The session has ended, and what is locked may not stay on the screen.
            return error.code == .noteLocked ? [.ask(Ask(.status))] : []
        case .show(let id, _): return cannotShow(id, error)
        case .touch: return [.ask(Ask(.status))]
        default: break
        }
        if ask.needsSecret && error.code == .wrongPassphrase {
            dialog = .secret(SecretPrompt(ask: ask, label: "Passphrase for notes: "))
        } else if error.code == .noteLocked && !ask.needsSecret, isPassphraseWelcome(ask.request) {
            askForSecret(ask.request)
        }
        return []
    }

    private func isPassphraseWelcome(_ request: NotesRequest) -> Bool {
        switch request {
        case .lock, .removeLock: true
        default: false
        }
    }

    private mutating func cannotShow(_ id: String, _ error: NotesError) -> [Effect] {
        if open?.summary.id == id { open = nil }
        if onlyNote != nil {
            if error.code == .noteLocked {
                askForSecret(.unlock(id: id))
                return []
            }
            failure = error
            return editor == nil ? [.quit] : []
        }
        if error.code == .noteLocked, let index = notes.firstIndex(where: { $0.id == id }) {
            notes[index].isOpen = false
        }
        if wantedEdit == id { wantedEdit = nil }
        return []
    }
}
