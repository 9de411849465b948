import Linux
import Localization
import NotesClient
import Resident
import ResidentClient
import Secrets
import Tresor
import Zones

// What becomes of a client's frames.
extension NotesService {
    /// A request's head, or a part of its body.
    func take(_ frame: consuming MessageFrame, from peer: NotesPeer) throws {
        let whole = try peer.assemble(frame) {
            try begin($0)
        } add: {
            try add($0, to: $1)
        } meaning: {
            NotesError($0)
        }
        if let whole { try answer(whole, to: peer) }
    }

    /// A file is sealed as it comes; a text is kept until it is whole.
    private func begin(_ request: NotesPeer.Request) throws {
        request.isAboutLockedNote = isLocked(request.request.note)
        switch request.request {
        case .attach(let id, let new):
            let notebook = try access.opened()
            request.incoming = try notebook.attachments.begin(to: notebook.find(id), new)
        case .importAttachment(_, let new): request.incoming = try access.opened().attachments.stage(new)
        default: break
        }
    }

    private func add(_ bytes: [UInt8], to request: NotesPeer.Request) throws {
        if let incoming = request.incoming { return try incoming.append(bytes) }
        guard request.body.count + bytes.count <= NotesRequest.textLimit else {
            throw NotesError(.tooLarge, NotesRequest.longText)
        }
        guard peers.reduce(bytes.count, { $0 + ($1.request?.body.count ?? 0) }) <= NotesPeer.textsLimit else {
            throw NotesError(.unavailable, marked("too many texts come at once; try again"))
        }
        request.body += bytes
    }

    private func answer(_ request: NotesPeer.Request, to peer: NotesPeer) throws {
        defer { Stack.wipeShallow() }
        if isEnding && !request.request.isHandIn {
            // It has handed in what it held.
            if case .lockNow = request.request { peer.hasHandedIn = true }
            return peer.postponed = request
        }
        if case .importNote = request.request, request.failure == nil { return try answerImport(request, to: peer) }
        try endImports()
        do {
            if let failure = request.failure { throw failure }
            let answer = try perform(request, peer)
            // Also a file whose first part does not open is an answer, and no end of the connection.
            try peer.send(answer, id: request.id, isSecret: isSecret(request.request))
        } catch { try peer.send(.reply(.error(meaning(of: error))), id: request.id) }
    }

    private func meaning(of error: any Error) -> NotesError {
        let meaning = NotesError(error)
        if meaning.code == .unavailable || meaning.code == .storage { Log.error("a request failed", error) }
        if case ZoneError.replaced = error { access.lockReplaced() }
        return meaning
    }

    // MARK: Imports

    /// Notes that come in one behind the other go to the disk together; each is answered when it is there.
    private func answerImport(_ request: NotesPeer.Request, to peer: NotesPeer) throws {
        if imports.endsBefore(peer) { try endImports() }
        imports.noteArrival()
        let reply: NotesReply
        do {
            // Where nothing may be asked now, nothing is begun.
            if access.deviceState == .unlocked { try access.opened().beginBatch() }
            imports.begin(for: peer)
            guard case .reply(let answer) = try perform(request, peer) else {
                throw NotesError(.invalid, marked("no answer"))
            }
            reply = answer
        } catch { reply = .error(meaning(of: error)) }
        if !imports.hold(reply, id: request.id) { try peer.send(.reply(reply), id: request.id) }
    }

    /// Waits until the notes that came in are on the disk, and says so.
    func endImports() throws { try imports.end(in: notebook, meaning: meaning) }

    /// Who has asked while a session ended hears what is so without it.
    func answerPostponed() {
        for peer in peers where !peer.isClosed {
            guard let request = peer.postponed.take() else { continue }
            do { try answer(request, to: peer) } catch {
                Log.error("closed a connection", error)
                peer.isClosed = true
            }
        }
    }

    /// Whether the answer may hold words of a locked note.
    private func isSecret(_ request: NotesRequest) -> Bool {
        if case .search = request { return notebook?.hasOpenSession == true }
        return isLocked(request.note)
    }

    private func isLocked(_ id: String?) -> Bool {
        guard let id, let notebook, let note = try? notebook.find(id) else { return false }
        return (try? notebook.summary(of: note).isLocked) ?? false
    }

    private func perform(_ request: NotesPeer.Request, _ peer: NotesPeer) throws -> NotesAnswer {
        if request.request.isInput(isInteractive: peer.isSubscribed || peer.isFollower) {
            touch(by: peer, isAboutLockedNote: isLocked(request.request.note))
        }
        // A passphrase opens nothing behind the lock screen, and checking a passcode there would unlock the device.
        guard access.deviceState == .unlocked || request.request.worksWhileLocked else {
            throw NotesError(.deviceLocked, marked("the device is locked"))
        }
        switch request.request {
        case .stop, .subscribe, .follow, .touch, .status, .lockNow, .handedIn:
            return try answerItself(request.request, peer)
        case .attach, .importAttachment, .importNote: return try takeIn(request, peer)
        case .resetPassphrase:
            _ = try access.opened()
            try access.verifyPasscode(request.secrets)
        case .changeSettings(let changes): return try changeSettings(changes)
        default: break
        }
        let notebook = try access.opened()
        let before = notebook.session
        if case .keepDraft = request.request { try admitWindow(peer) }
        switch request.request {
        // All replace the draft that the note has: what others are typing must not go with it.
        case .keepDraft(let id, _), .edit(let id, _, _), .revert(let id, _):
            try takeUpDraftOfOthers(notebook.find(id), peer, notebook)
        case .discardDraft(let id):
            let note = try notebook.find(id)
            guard peer.drafts.contains(note) || !peers.contains(where: { $0.drafts.contains(note) }) else {
                return .reply(.note(try notebook.summary(of: note)))
            }
        default: break
        }
        let hasOtherFiles = try peer.addFilesOfOthers(to: request, notebook)
        let erased = request.request.erased.flatMap { try? notebook.find($0) }
        defer { endLostSession() }
        var answer = try notebook.answer(request.request, secrets: request.secrets, body: request.body)
        if hasOtherFiles, case .reply(.note(var note)) = answer {
            note.isMerged = true
            answer = .reply(.note(note))
        }
        if let erased { tellErased(erased, except: peer) }
        if request.request.provesPassphrase { peer.hasProven = true }
        try follow(request.request, answer, peer, notebook)
        // It comes to stand in every window's list, and in widgets.
        if case .create = request.request, case .reply(.note(let note)) = answer {
            tell(.noteChanged(id: note.id), except: peer)
        }
        holdWantedKeys()
        if before.isOpen != notebook.session.isOpen { tell(.sessionChanged(notebook.session)) }
        return answer
    }

    /// What is asked of the program, and of no note.
    private func answerItself(_ request: NotesRequest, _ peer: NotesPeer) throws -> NotesAnswer {
        switch request {
        case .stop: stop()
        case .subscribe:
            try admitWindow(peer)
            peer.isSubscribed = true
            // A screen shows nothing while the device is locked, though the notes may be readable.
            if access.deviceState != .unlocked { try peer.send(.deviceLocked) }
        case .follow:
            try admitWindow(peer)
            peer.isFollower = true
        case .handedIn: peer.hasHandedIn = true
        case .status: return .reply(.status(try access.opened().status(process: CurrentProcess.id)))
        case .lockNow:
            _ = try access.opened()
            peer.isAskingToLock = true
            defer { peer.isAskingToLock = false }
            endSessions(.lockNow)
            return .reply(.session(try access.opened().session))
        default: return .reply(.session(try access.opened().session))
        }
        return .reply(.done)
    }

    /// What came in with the request: a file, or a note whose files wait.
    private func takeIn(_ request: NotesPeer.Request, _ peer: NotesPeer) throws -> NotesAnswer {
        let notebook = try access.opened()
        if case .importNote(let head) = request.request {
            defer { peer.staged = [] }
            let outcome = try notebook.imports.take(
                head, markdown: try Notebook.text(request.body), staged: peer.staged)
            if outcome.change != .unchanged { tell(.noteChanged(id: outcome.id), except: peer) }
            return .reply(.imported(outcome))
        }
        guard let incoming = request.incoming else {
            throw NotesError(.invalid, marked("the attachment's file is missing"))
        }
        if let note = incoming.note {
            let attachment = try notebook.attachments.finish(incoming)
            tell(.noteChanged(id: note.description), except: peer)
            return .reply(.attachment(attachment))
        }
        guard peer.staged.count < NotesPeer.mostStaged else {
            throw NotesError(.tooLarge, marked("a note has at most \(NotesPeer.mostStaged) attachments"))
        }
        peer.staged.append(try notebook.attachments.complete(incoming))
        return .reply(.done)
    }

    /// What a request that succeeded means for its client, and for the others.
    private func follow(
        _ request: NotesRequest, _ answer: NotesAnswer, _ peer: NotesPeer, _ notebook: Notebook
    ) throws {
        switch request {
        case .show(let id, nil):
            let note = try notebook.find(id)
            guard peer.isSubscribed else { break }
            peer.seenFiles[note] = try notebook.attachments.files(of: note)
            view(note, peer, notebook)
        case .keepDraft(let id, _): peer.drafts.insert(try notebook.find(id))
        case .discardDraft(let id): peer.drafts.remove(try notebook.find(id))
        case .edit(let id, _, _):
            let note = try notebook.find(id)
            peer.drafts.remove(note)
            if peer.isSubscribed { view(note, peer, notebook) }
            tell(.noteChanged(id: note.description), except: peer)
        case .restore:
            // It may have another name than was asked for.
            if case .reply(.note(let note)) = answer { tell(.noteChanged(id: note.id), except: peer) }
        case .move(let id, _), .tag(let id, _, _), .pin(let id, _), .lock(let id), .removeLock(let id),
            .detach(let id, _), .revert(let id, _), .resolve(let id), .delete(let id, false):
            tell(.noteChanged(id: try notebook.find(id).description), except: peer)
        default: break
        }
    }

    /// The key of a locked note that is on a screen is held: what is typed into it can be sealed when the session ends.
    private func view(_ note: Identifier, _ peer: NotesPeer, _ notebook: Notebook) {
        notebook.keys.holdKey(of: note)
        peer.viewed = note
    }

    /// Who is still writing in a note that is gone makes a new one of it.
    private func tellErased(_ note: Identifier, except peer: NotesPeer) {
        for other in peers { other.drafts.remove(note) }
        tell(.noteChanged(id: note.description), except: peer)
    }

    /// Two editors of one note: what the other has not saved becomes its text first, and this one is merged with it.
    private func takeUpDraftOfOthers(_ note: Identifier, _ peer: NotesPeer, _ notebook: Notebook) throws {
        for other in peers where other !== peer && other.drafts.contains(note) {
            try notebook.edits.recoverDraft(of: note)
            other.drafts.remove(note)
            try? other.send(.noteChanged(id: note.description))
        }
    }

    private func changeSettings(_ changes: NotesSettings) throws -> NotesAnswer {
        let notebook = try access.opened()
        defer { endLostSession() }
        try access.change(changes)
        // An open session may end earlier now, or later.
        if changes.sessionMinutes != nil { tell(.sessionChanged(notebook.session)) }
        return .reply(.session(notebook.session))
    }
}

extension NotesRequest {
    /// The one note that it brings a text or a file to, or takes one from.
    fileprivate var note: String? {
        switch self {
        case .show(let id, _), .edit(let id, _, _), .keepDraft(let id, _), .attach(let id, _),
            .attachment(let id, _, _):
            id
        default: nil
        }
    }

    /// The note that it removes for good.
    fileprivate var erased: String? {
        if case .delete(let id, true) = self { id } else { nil }
    }

    /// Whether what was typed may come with it, or after it; all else waits until a session has ended.
    fileprivate var isHandIn: Bool {
        switch self {
        case .keepDraft, .create, .edit, .discardDraft, .attach, .handedIn, .touch, .status, .subscribe, .follow, .stop:
            true
        default: false
        }
    }

    /// Whether it may be asked for behind the lock screen, where the class of the notes lets them be read there.
    fileprivate var worksWhileLocked: Bool {
        switch self {
        case .unlock, .lock, .removeLock, .setPassphrase, .changePassphrase, .resetPassphrase, .hint, .changeSettings:
            false
        default: true
        }
    }

    /// Whether it succeeds with the right passphrase alone.
    fileprivate var provesPassphrase: Bool {
        switch self {
        case .unlock, .setPassphrase, .changePassphrase, .resetPassphrase: true
        default: false
        }
    }

    /// Whether a person at work is behind it, so that a session goes on.
    ///
    /// - Parameter isInteractive: a client that tells of each key itself, and asks for notes on its own when they
    ///   change.
    fileprivate func isInput(isInteractive: Bool) -> Bool {
        switch self {
        case .show: !isInteractive
        case .status, .list, .listAll, .folders, .find, .hint, .versions, .attachments, .subscribe, .follow, .stop,
            .lockNow, .handedIn, .importNote, .importAttachment, .beginImport, .importSources, .look:
            false
        default: true
        }
    }
}
