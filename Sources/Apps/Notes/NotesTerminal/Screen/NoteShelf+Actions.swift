import Localization
import NotesClient
import TerminalScreen

/// What is to be done about a note; ``NotesDesk`` does it.
enum NoteAction: Equatable, Sendable {
    case nothing
    /// Nothing, and that is told.
    case say(String)
    case ask(NotesRequest)
    /// Asks with a text.
    case send(Ask)
    case question(NotesDialog.Question)
    case line(LinePrompt.Purpose, String)
    /// Asked at once while a session is open, else after the passphrase.
    case withSession(NotesRequest)
    /// Asked after the passphrase.
    case withPassphrase(NotesRequest)
    case edit(id: String)
    /// Lists something of it over the panes.
    case pick(NoteSummary, NotePicker.Rows)
    case open(FileWish)
    case follow(NoteLink)
    /// Makes a former text the note's.
    case restore(note: String, version: Int)
    /// For the driver.
    case effects([Effect])
}

extension NotesDialog.Question {
    /// What a yes does; nothing where the editor or the trash as a whole is meant.
    var action: NoteAction {
        switch self {
        case .discardEdit, .emptyTrash: .nothing
        case .discardHeld(let quits): .effects([.forgetHeld] + (quits ? [.quit] : []))
        case .deleteForever(let id): .ask(.delete(id: id, forever: true))
        case .removeLock(let id): .withSession(.removeLock(id: id))
        case .detach(let note, let attachment, _):
            .effects(NotesDesk.ask([.detach(id: note, attachment: attachment), .attachments(id: note)]))
        case .replace(let wish): .effects([.save(wish.replacing)])
        case .openLocked(let wish): .open(wish)
        case .openAddress(let address): .effects([.openAddress(address)])
        }
    }
}

/// What keys do with notes.
extension NoteShelf {
    /// Nil for keys that do nothing with a note.
    func action(_ key: Key, _ session: SessionClock) -> NoteAction? {
        switch key {
        case .text("u"): unlock(session)
        // Beside a locked note no letter is a key, and what was just deleted has to come back there too.
        case .text("z"), .control("u"): restore()
        case .text("D"): emptyTrash()
        case .text, .delete: Self.keys.contains(key) ? act(key, session) : nil
        default: nil
        }
    }

    private func act(_ key: Key, _ session: SessionClock) -> NoteAction {
        guard let note = selected else { return .say(localized("No note is selected.")) }
        // Its letters may be those of a passphrase, wherever the keys go.
        if note.isShut, key != .delete { return .say(ScreenWords.lettersAtLockedNote) }
        if place == .trash && key != .text("d") && key != .delete {
            return .say(localized("This note is in the trash. Press z to take it out first."))
        }
        if let action = actBeside(key, note) { return action }
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

    private static let keys: [Key] =
        (["e", "p", "L", "d", "a", "A", "t", "m", "v", "x"] as [String]).map { .text($0) } + [.delete]

    /// What there is besides: files, filing, former texts.
    private func actBeside(_ key: Key, _ note: NoteSummary) -> NoteAction? {
        switch key {
        case .text("a"): .line(.attach(note: note.id), "~/")
        case .text("A"): .ask(.attachments(id: note.id))
        case .text("t"): .line(.tags(note: note.id, before: note.tags), note.tags.joined(separator: " "))
        case .text("m"): .line(.move(note: note.id), note.folder)
        case .text("v"): .ask(.versions(id: note.id))
        case .text("x"): export(note)
        default: nil
        }
    }

    private func export(_ note: NoteSummary) -> NoteAction {
        let name = TypedPath.fileName(note.titleWords, otherwise: "note") + ".md"
        let wish = FileWish(note: note.id, attachment: nil, name: name, isLocked: note.isLocked)
        return .line(.save(wish), "~/" + name)
    }

    private func emptyTrash() -> NoteAction {
        guard place == .trash else { return .say(ScreenWords.trashIsElsewhere) }
        return total > 0 ? .question(.emptyTrash(count: total)) : .say(ScreenWords.trashIsEmpty)
    }

    private static let noPassphrase = NoteAction.say(ScreenWords.noPassphrase)

    private func toggleLock(_ note: NoteSummary, _ session: SessionClock) -> NoteAction {
        if note.isLocked { return .question(.removeLock(id: note.id)) }
        return session.hasPassphrase ? .withSession(.lock(id: note.id)) : Self.noPassphrase
    }

    private func restore() -> NoteAction {
        let id = place == .trash ? selected?.id : lastDeleted
        return id.map { NoteAction.ask(.restore(id: $0)) } ?? .say(localized("Nothing to take back."))
    }

    private func unlock(_ session: SessionClock) -> NoteAction {
        guard session.hasPassphrase else { return Self.noPassphrase }
        // A note may still be under a former passphrase; then that one opens it.
        let note = selected.flatMap { $0.isLocked && !$0.isOpen ? $0.id : nil }
        return session.isOpen && note == nil
            ? .say(localized("Locked notes are open already.")) : .withPassphrase(.unlock(id: note))
    }
}
