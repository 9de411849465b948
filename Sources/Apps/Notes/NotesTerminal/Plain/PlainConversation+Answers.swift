import NotesClient
import TerminalScreen

/// Answers of tresor-notes, in words.
extension PlainConversation {
    mutating func accept(_ reply: NotesReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        if ask.isLastWords { return [.say("What you wrote is kept as a sealed draft.")] }
        if ask.request != .handedIn { isForgotten = false }
        switch reply {
        case .status(let status):
            session.set(minutes: status.settings.sessionMinutes)
            _ = update(status.session)
            defer { isStatusQuiet = false }
            return isStatusQuiet ? [] : [.say(words(of: status))]
        case .folders(let folders):
            let lines = folders.map { "\(SafeText.line($0.path)), \(Self.count($0.count, "note"))" }
            return [.say(lines.isEmpty ? "No folders." : lines.joined(separator: "\n"))]
        case .list(let list):
            return accept(list, ask.request)
        case .note(let note): return accept(note, body, ask.request)
        case .session(let summary): return update(summary)
        case .done: return accept(ask.request)
        case .error(let error): return refuse(error, ask)
        case .versions, .attachments, .attachment, .hint, .imported, .importSources, .look: return []
        }
    }

    private mutating func accept(_ note: NoteSummary, _ body: [UInt8], _ request: NotesRequest) -> [Effect] {
        if case .create = request, var editor, editor.id == nil {
            (editor.id, editor.base, editor.isMade, editor.isKept) = (note.id, note.revision, true, true)
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
            return [.say(opened.listing + "\nType .help for what you can do.")]
        }
        opened = note
        let facts = note.facts
        let head = note.titleWords + (facts.isEmpty ? "" : ". " + facts)
        return [.say(SafeText.line(head) + ".\n" + text + "\nEnd of note.")]
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
        case .create, .edit: words = "Saved."
        case .pin(let id, let isPinned):
            change(id) { $0.isPinned = isPinned }
            words = isPinned ? "Pinned." : "No longer pinned."
        case .lock(let id):
            change(id) { $0.isLocked = true }
            return [.say("The note is locked."), .ask(Ask(.status))]
        case .removeLock(let id):
            change(id) { $0.isLocked = false }
            words = "The lock is removed."
        case .restore:
            lastDeleted = nil
            words = "The note is back."
        case .delete(let id, let forever):
            lastDeleted = forever ? nil : id
            words = forever ? "Deleted for good." : "The note is in the trash. Type undo to take it out."
        default: words = "Done."
        }
        return [.say(words)]
    }

    private mutating func change(_ id: String, _ change: (inout NoteSummary) -> Void) {
        for index in notes.indices where notes[index].id == id { change(&notes[index]) }
    }

    mutating func refuse(_ error: NotesError, _ ask: Ask) -> [Effect] {
        (pending, copying) = (nil, nil)
        if error.code == .deviceLocked { return isForgotten ? [] : forget(PlainSaying.deviceLocked) }
        if ask.request == .handedIn { return [] }
        var effects: [Effect] = [.say(error.sentence)]
        switch ask.request {
        case .edit, .create:
            // The text is still here, to be saved again.
            effects.append(.say("Nothing was saved. Type a period to try again, or .cancel."))
            expectation = .text(PlainEditor(unsaved: ask))
        case .show: if case .text = expectation { expectation = .command }
        default: if ask.needsSecret && error.code == .wrongPassphrase { expectation = .secret(ask) }
        }
        return effects
    }

    private func words(of status: NotesStatus) -> String {
        var words = "\(status.account): \(Self.count(status.notes, "note")), \(status.locked) of them locked"
        words += ", \(status.trashed) in the trash. "
        if !status.damaged.isEmpty {
            let count = status.damaged.count
            words += "Damaged records, which are kept: \(count); tresor notes status names them. "
        }
        guard session.hasPassphrase else { return words + "There is no passphrase for notes." }
        guard session.isOpen else { return words + "Locked notes are closed." }
        return words + "Locked notes are open; the session \(session.countdown(at: now) ?? "has no end")."
    }

    /// So many notes are read at once.
    static let pageSize = 20

    private mutating func accept(_ list: NoteList, _ request: NotesRequest) -> [Effect] {
        if case .list(let filter) = request, filter.offset > 0 {
            notes += list.notes
            guard let pending else { return [.say(nextPage())] }
            if list.notes.isEmpty { total = notes.count }
            self.pending = nil
            return obey(pending.deed, on: pending.name, isAlone: pending.isAlone)
        }
        (notes, readCount, total) = (list.notes, 0, list.total)
        let page = nextPage()
        let head = ["\(SafeText.line(place.title)): \(Self.count(total, "note"))."] + list.lackLines
        return [.say((head + (total > 0 ? [page] : [])).joined(separator: "\n"))]
    }

    /// The next notes of the list, with their numbers.
    mutating func nextPage() -> String {
        let page = notes[readCount..<min(readCount + Self.pageSize, notes.count)]
        guard !page.isEmpty else { return PlainSaying.noMore }
        var lines = page.enumerated().map { words(of: $0.element, number: readCount + $0.offset + 1) }
        readCount += page.count
        if readCount < total { lines.append("There are \(total - readCount) more; type more.") }
        return lines.joined(separator: "\n")
    }

    func words(of note: NoteSummary, number: Int) -> String {
        var words = "\(number). " + SafeText.line(note.titleWords)
        if note.isLocked { words += note.isOpen ? ", locked, open now" : ", locked" }
        if note.isPinned { words += ", pinned" }
        if note.hasDraft { words += ", with an unsaved draft" }
        if note.hasConflict { words += ", with a conflict" }
        if let excerpt = note.excerpt, !note.isLocked { words += ": " + SafeText.line(excerpt) }
        return words
    }

    private static func count(_ number: Int, _ word: String) -> String {
        number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
