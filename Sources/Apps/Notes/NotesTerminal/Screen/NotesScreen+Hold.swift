import Localization
import NotesClient
import TerminalScreen

/// The last words of an editor that closed without being asked: at a lock, and at the end of a session.
///
/// They are handed in. Where that fails they are not kept, and the screen says so: the driver holds them in locked
/// memory, and hands them in at the first chance.
extension NotesScreen {
    mutating func hold(_ error: NotesError) {
        held = HeldWords(error, after: held, at: desk.now)
        desk.message = ""
    }

    mutating func forgetHeld() -> [Effect] {
        guard held != nil else { return [] }
        held = nil
        if isDeviceLocked { return [] }
        desk.message = localized("What you wrote has been handed in, and is kept.")
        return desk.reload()
    }

    /// Tries again when it is time.
    mutating func retryHeld() -> [Effect] { held?.isDue(desk.now) == true ? [.handInHeld] : [] }
}
