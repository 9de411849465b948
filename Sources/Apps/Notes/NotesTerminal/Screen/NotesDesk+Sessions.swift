import Localization
import NotesClient
import TerminalScreen

/// What a session opens, and what must vanish with it.
extension NotesDesk {
    /// What is known of the session is new.
    mutating func update(_ summary: SessionSummary) -> [Effect] {
        let wasOpen = session.isOpen
        session.set(summary, at: now)
        if summary.isOpen { return wasOpen ? [] : reload() }
        guard wasOpen || showsLockedText else { return [] }
        return hideLockedNotes() + reload()
    }

    private var showsLockedText: Bool {
        panes.showsLockedText || writing.isLocked || dialog?.isAboutLockedNote == true
    }

    /// The text of a locked note vanishes, and what was typed into it is handed in while its key is there.
    mutating func coverLockedNotes() -> [Effect] {
        let effects: [Effect] = showsLockedText ? [.clear, .show] : []
        panes.coverLockedText()
        if dialog?.isAboutLockedNote == true { dialog = nil }
        guard let editor, editor.isLocked else { return effects }
        let words = lastWords()
        writing.cover()
        dialog = nil
        message =
            editor.hasWords
            ? localized("The session has ended. What you wrote is kept as a sealed draft.")
            : localized("The session has ended.")
        return effects + words
    }

    /// The session is over: what came out of locked notes vanishes.
    mutating func hideLockedNotes() -> [Effect] {
        let effects = coverLockedNotes()
        panes.hideLocked()
        return effects
    }

    // MARK: Asking

    /// Asks at once while a session is open, else after the passphrase.
    mutating func askInSession(_ request: NotesRequest) -> [Effect] {
        if session.isOpen { return [.ask(Ask(request))] }
        askForSecret(Ask(request, needsSecret: true))
        return []
    }

    /// - Parameter ask: goes with the passphrase.
    mutating func askForSecret(_ ask: Ask) {
        foot.prompt(.passphrase(ask), isOlder: panes.wantsOlderPassphrase(ask.request))
    }
}
