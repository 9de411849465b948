import NotesClient
import TerminalScreen

/// What is to be done about a note; ``NotesScreen`` does it.
enum NoteAction: Equatable, Sendable {
    /// Nothing, and that is told.
    case say(String)
    case ask(NotesRequest)
    case question(NotesDialog.Question)
    /// Asked at once while a session is open, else after the passphrase.
    case withSession(NotesRequest)
    /// Asked after the passphrase.
    case withPassphrase(NotesRequest)
    case edit(id: String)
}

/// What keys do with notes.
extension NoteShelf {
    /// Nil for keys that do nothing with a note.
    func action(_ key: Key, _ session: SessionClock) -> NoteAction? {
        switch key {
        case .text("u"): unlock(session)
        case .text("z"): restore()
        case .text, .delete: Self.keys.contains(key) ? act(key, session) : nil
        default: nil
        }
    }

    private func act(_ key: Key, _ session: SessionClock) -> NoteAction {
        guard let note = selected else { return .say("No note is selected.") }
        // Its letters may be those of a passphrase, wherever the keys go.
        if note.isShut, key != .delete { return .say(ScreenWords.lettersAtLockedNote) }
        if place == .trash && key != .text("d") && key != .delete {
            return .say("This note is in the trash. Press z to take it out first.")
        }
        switch key {
        case .text("e"):
            return .edit(id: note.id)
        case .text("p"): return .ask(.pin(id: note.id, isPinned: !note.isPinned))
        case .text("L"): return toggleLock(note, session)
        default:
            if place == .trash { return .question(.deleteForever(id: note.id)) }
            return .ask(.delete(id: note.id, forever: false))
        }
    }

    private static let keys: [Key] = [.text("e"), .text("p"), .text("L"), .text("d"), .delete]

    private static let noPassphrase = NoteAction.say(ScreenWords.noPassphrase)

    private func toggleLock(_ note: NoteSummary, _ session: SessionClock) -> NoteAction {
        if note.isLocked { return .question(.removeLock(id: note.id)) }
        return session.hasPassphrase ? .withSession(.lock(id: note.id)) : Self.noPassphrase
    }

    private func restore() -> NoteAction {
        let id = place == .trash ? selected?.id : lastDeleted
        return id.map { NoteAction.ask(.restore(id: $0)) } ?? .say("Nothing to take back.")
    }

    private func unlock(_ session: SessionClock) -> NoteAction {
        guard session.hasPassphrase else { return Self.noPassphrase }
        // A note may still be under a former passphrase; then that one opens it.
        let note = selected.flatMap { $0.isLocked && !$0.isOpen ? $0.id : nil }
        return session.isOpen && note == nil
            ? .say("Locked notes are open already.") : .withPassphrase(.unlock(id: note))
    }
}
