import Localization
import NotesClient
import TerminalScreen

/// The last words of an editor that closed without being asked: at a lock, and at the end of a session.
///
/// They are handed in. Where that fails they are not kept, and the screen says so: the driver holds them in locked
/// memory, and hands them in at the first chance.
extension NotesScreen {
    /// Nothing is held back here any more.
    static let handedIn = Effect.ask(Ask(.handedIn))

    mutating func hold(_ error: NotesError) -> [Effect] {
        held = HeldWords(error, after: held, at: now)
        message = ""
        return []
    }

    mutating func forgetHeld() -> [Effect] {
        guard held != nil else { return [] }
        held = nil
        if isDeviceLocked { return [] }
        message = localized("What you wrote has been handed in, and is kept.")
        return reload()
    }

    /// Tries again when it is time.
    mutating func retryHeld() -> [Effect] { held?.isDue(now) == true ? [.handInHeld] : [] }

    /// Leaves, unless words would go with it.
    mutating func quit() -> [Effect] {
        guard held != nil else { return [.quit] }
        dialog = .question(.discardHeld(quits: true))
        return []
    }

    mutating func discardHeld(quits: Bool) -> [Effect] {
        held = nil
        message = localized("Discarded.")
        return [.forgetHeld] + (quits ? [.quit] : [])
    }
}
