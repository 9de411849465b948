import NotesClient
import TerminalScreen

/// What is known of words that could not be handed in: why, and when that is tried again; the words are the driver's.
struct HeldWords: Equatable, Sendable {
    let reason: String
    var count: Int
    var nextTry: UInt64

    /// Milliseconds between two attempts.
    static let interval: UInt64 = 2000
}

/// The last words of an editor that closes without being asked: at a lock, and at the end of a session.
///
/// They are handed in. Where that fails they are not kept, and the screen says so: the driver holds them in locked
/// memory, and hands them in at the first chance.
extension NotesScreen {
    /// Whether keys go to a text now.
    var isTyping: Bool { editor != nil && dialog == nil }

    /// Whether a text that is being typed vanishes with this event.
    func covers(_ event: NotesEvent) -> Bool {
        guard let editor else { return false }
        switch event {
        case .deviceLocked, .deviceLocking: return true
        case .handInDrafts: return editor.isLocked
        case .sessionChanged(let session): return editor.isLocked && !session.isOpen
        case .deviceUnlocked, .noteChanged: return false
        }
    }

    /// Keys that were pressed before the text went: they belong to it, up to the first that does something else.
    mutating func take(late keys: [Key]) -> [Effect] {
        guard isTyping else { return [] }
        for key in keys { guard editor?.handle(key, at: now) == true else { break } }
        return []
    }

    /// What the editor holds and tresor-notes has not said to have.
    func lastWords() -> [Effect] {
        guard let editor, editor.hasUnkeptWords else { return [] }
        let request: NotesRequest =
            if let id = editor.id {
                .keepDraft(id: id, base: editor.base)
            } else {
                .create(NewNote(folder: editor.folder))
            }
        return [.ask(Ask(request, body: editor.bytes, isLastWords: true))]
    }

    /// Nothing is held back here any more.
    static let handedIn = Effect.ask(Ask(.handedIn))

    // MARK: What could not be handed in

    mutating func hold(_ error: NotesError, _ count: Int) -> [Effect] {
        // The first reason is the one that counts: afterwards the device is locked as well.
        held = HeldWords(
            reason: held?.reason ?? error.reason, count: count, nextTry: now + HeldWords.interval)
        message = ""
        return []
    }

    mutating func forgetHeld() -> [Effect] {
        guard held != nil else { return [] }
        held = nil
        if isDeviceLocked { return [] }
        message = "What you wrote has been handed in, and is kept."
        return reload()
    }

    /// Tries again when it is time.
    mutating func retryHeld() -> [Effect] {
        guard let due = held?.nextTry, due <= now else { return [] }
        held?.nextTry = now + HeldWords.interval
        return [.handInHeld]
    }

    /// For the foot of the screen, and for the lock screen.
    var heldLines: [String] {
        guard let held else { return [] }
        return [
            "What you wrote is NOT kept: \(held.reason).",
            "It waits in this program alone, and is handed in when that can be done.",
        ]
    }

    /// Leaves, unless words would go with it.
    mutating func quit() -> [Effect] {
        guard held != nil else { return [.quit] }
        dialog = .question(.discardHeld(quits: true))
        return []
    }

    mutating func discardHeld(quits: Bool) -> [Effect] {
        held = nil
        message = "Discarded."
        return [.forgetHeld] + (quits ? [.quit] : [])
    }
}

extension NotesError {
    /// Why, in a few words that stand behind a colon.
    var reason: String {
        switch code {
        case .deviceLocked: "the device was locked before it could be handed in"
        case .noteLocked: "its session is over; it can be handed in when the note is opened again"
        default: String(message.prefix { $0 != ";" })
        }
    }
}
