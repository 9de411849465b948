import Localization
import NotesClient
import TerminalScreen

/// What happens without a key, and what must vanish then.
extension NotesScreen {
    mutating func react(to event: NotesEvent) -> [Effect] {
        switch event {
        case .deviceLocked: return lockScreen()
        case .deviceLocking: return lockScreen() + [Self.handedIn]
        case .deviceUnlocked: return (isDeviceLocked ? load() : []) + (held == nil ? [] : [.handInHeld])
        case .handInDrafts:
            if isDeviceLocked { return [] }
            return (writing.isLocked ? coverLockedNotes() : handInDraft()) + [Self.handedIn]
        case .sessionChanged(let summary):
            return isDeviceLocked ? [] : update(summary)
        case .noteChanged(let id):
            writing.noteChanged(id)
            guard !isDeviceLocked else { return [] }
            reloadDue = reloadDue ?? now + Self.reloadDelay
            // What nobody is writing in shows at once what others wrote; else the next saving is merged with it.
            return editor?.id == id && editor?.isChanged == false ? [.ask(Ask(.show(id: id)))] : []
        }
    }

    /// Milliseconds in which several changes are waited for.
    static let reloadDelay: UInt64 = 200

    /// The device is locked: nothing of any note remains, in the state or on the terminal.
    ///
    /// First it is covered, then what was typed is handed in: that may take a moment.
    mutating func lockScreen() -> [Effect] {
        guard !isDeviceLocked else { return [] }
        let (words, held) = (lastWords(), held)
        let former = panes.formerPlace(editor?.id)
        let time = now
        self = NotesScreen(columns: layout.columns, rows: layout.rows, onlyNote: onlyNote, dates: dates)
        (panes, self.held, now) = (NotePanes(NoteShelf(goingBackTo: former)), held, time)
        isDeviceLocked = true
        askForPasscode()
        return [.clear, .show] + words
    }

    /// The device is locked, and tresord has to be started before it can be unlocked.
    mutating func loseDaemon() -> [Effect] {
        let effects = lockScreen()
        isDaemonGone = true
        message = ""
        // What was typed at the prompt goes with it: there is nobody to give it to.
        if case .secret = dialog { dialog = nil }
        return effects
    }

    /// It runs again; how the device stands is asked for.
    mutating func findDaemon() -> [Effect] {
        guard isDaemonGone else { return [] }
        isDaemonGone = false
        message = ""
        askForPasscode()
        return []
    }

    /// Gives the terminal away for a while: a stopped program can hand in nothing, so it holds nothing.
    ///
    /// What is typed becomes the note's text, as it does when a client goes away.
    mutating func cover() -> [Effect] {
        let words = writing.savedWords.map { [Effect.ask($0)] } ?? []
        return lockScreen().filter { if case .ask = $0 { false } else { true } } + words + [.suspend]
    }

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

    /// tresor-notes does not answer, so its word that a session is open counts no more.
    mutating func loseConnection() -> [Effect] {
        session.close()
        isDisconnected = true
        let effects = hideLockedNotes()
        // Without tresord it cannot, and that is told.
        if !isDaemonGone { message = localized("tresor-notes does not answer. Trying again.") }
        return effects
    }

    /// Does what is due.
    mutating func passTime() -> [Effect] {
        var effects = retryHeld()
        if isDeviceLocked { return effects }
        if let due = editor?.draftDue, due <= now { effects += handInDraft() }
        if let due = reloadDue, due <= now {
            reloadDue = nil
            effects += reload()
        }
        if session.takesQuestion(at: now) { effects.append(.ask(Ask(.status))) }
        return effects
    }
}
