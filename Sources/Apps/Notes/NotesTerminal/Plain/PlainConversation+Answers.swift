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
            return isStatusQuiet ? [] : [.say(words(of: status))]
        case .folders(let folders):
            let lines = folders.map { "\(SafeText.line($0.path)), \(Self.count($0.count))" }
            return [.say(lines.isEmpty ? localized("No folders.") : lines.joined(separator: "\n"))]
        case .list(let list):
            return accept(list, ask.request)
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
            change(id) { $0.isPinned = isPinned }
            words = isPinned ? localized("Pinned.") : localized("No longer pinned.")
        case .lock(let id):
            change(id) { $0.isLocked = true }
            return [.say(localized("The note is locked.")), .ask(Ask(.status))]
        case .removeLock(let id):
            change(id) { $0.isLocked = false }
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
        change(note.id) { $0.isOpen = true }
        var open = note
        open.isOpen = true
        return perform(deed, on: open)
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
            effects.append(.say(localized("Nothing was saved. Type a period to try again, or .cancel.")))
            expectation = .text(PlainEditor(unsaved: ask))
        case .show: if case .text = expectation { expectation = .command }
        default:
            guard ask.needsSecret, error.code == .wrongPassphrase else { break }
            expectation = .secret(ask)
            if error.olderNote == nil { effects.append(.say(Self.forgottenPassphrase)) }
        }
        return effects
    }

    private func words(of status: NotesStatus) -> String {
        var words = [
            localized(
                status.notes,
                one: "\(status.account): 1 note, \(status.locked) of them locked, \(status.trashed) in the trash.",
                many: """
                    \(status.account): \(status.notes) notes, \(status.locked) of them locked, \(status.trashed) \
                    in the trash.
                    """)
        ]
        if !status.damaged.isEmpty {
            let count = status.damaged.count
            words.append(localized("Damaged records, which are kept: \(count); tresor notes status names them."))
        }
        if !session.hasPassphrase {
            words.append(localized("There is no passphrase for notes."))
        } else if !session.isOpen {
            words.append(localized("Locked notes are closed."))
        } else if let countdown = session.countdown(at: now) {
            words.append(localized("Locked notes are open; the session \(countdown)."))
        } else {
            words.append(localized("Locked notes are open; the session has no end."))
        }
        return words.joined(separator: " ")
    }

    /// Behind a wrong passphrase; nothing in lines sets another.
    private static var forgottenPassphrase: String {
        localized("If it is forgotten, tresor notes passphrase reset sets another, for notes locked from then on.")
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
        let head = ["\(SafeText.line(place.title)): \(Self.count(total))."] + list.lackLines
        return [.say((head + (total > 0 ? [page] : [])).joined(separator: "\n"))]
    }

    /// The next notes of the list, with their numbers.
    mutating func nextPage() -> String {
        let page = notes[readCount..<min(readCount + Self.pageSize, notes.count)]
        guard !page.isEmpty else { return PlainSaying.noMore }
        var lines = page.enumerated().map { words(of: $0.element, number: readCount + $0.offset + 1) }
        readCount += page.count
        let left = total - readCount
        if left > 0 { lines.append(localized("There are \(left) more; type more.")) }
        return lines.joined(separator: "\n")
    }

    func words(of note: NoteSummary, number: Int) -> String {
        var facts = [SafeText.line(note.titleWords)]
        if note.isLocked { facts.append(note.isOpen ? localized("locked, open now") : localized("locked")) }
        if note.isPinned { facts.append(localized("pinned")) }
        if note.hasDraft { facts.append(localized("with an unsaved draft")) }
        if note.hasConflict { facts.append(localized("with a conflict")) }
        var words = "\(number). " + facts.joined(separator: ", ")
        if let excerpt = note.excerpt, !note.isLocked { words += ": " + SafeText.line(excerpt) }
        return words
    }

    private static func count(_ number: Int) -> String { localized(number, one: "1 note", many: "\(number) notes") }
}
