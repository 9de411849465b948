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
            return (editor?.isLocked == true ? coverLockedNotes() : handInDraft()) + [Self.handedIn]
        case .sessionChanged(let summary):
            return isDeviceLocked ? [] : update(summary)
        case .noteChanged(let id):
            if editor?.id == id { editor?.noteChanged() }
            if !isDeviceLocked { reloadDue = reloadDue ?? now + Self.reloadDelay }
            return []
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
        let former = FormerPlace(folderRow: folderRow, note: editor?.id ?? selected?.id)
        let time = now
        self = NotesScreen(columns: layout.columns, rows: layout.rows, onlyNote: onlyNote)
        (self.former, self.held, now) = (former, held, time)
        isDeviceLocked = true
        return [.clear, .show] + words
    }

    /// Gives the terminal away for a while: a stopped program can hand in nothing, so it holds nothing.
    mutating func cover() -> [Effect] {
        let words = savedWords()
        return lockScreen().filter { if case .ask = $0 { false } else { true } } + words + [.suspend]
    }

    /// What is typed becomes the note's text, as it does when a client goes away.
    private func savedWords() -> [Effect] {
        guard let editor, editor.isChanged, !editor.isUnmade else { return [] }
        guard let id = editor.id else { return lastWords() }
        return [.ask(Ask(.edit(id: id, base: editor.base), body: editor.bytes, isLastWords: true))]
    }

    /// What is known of the session is new.
    mutating func update(_ summary: SessionSummary) -> [Effect] {
        let wasOpen = session.isOpen
        session.set(summary, at: now)
        if summary.isOpen { return wasOpen ? [] : reload() }
        guard wasOpen || showsLockedText else { return [] }
        return hideLockedNotes() + reload()
    }

    private var showsLockedText: Bool { open?.summary.isLocked == true || editor?.isLocked == true }

    /// The text of a locked note vanishes, and what was typed into it is handed in while its key is there.
    mutating func coverLockedNotes() -> [Effect] {
        let effects: [Effect] = showsLockedText ? [.clear, .show] : []
        if open?.summary.isLocked == true { open = nil }
        guard let editor, editor.isLocked else { return effects }
        let words = lastWords()
        (self.editor, dialog, wantedEdit) = (nil, nil, onlyNote)
        message =
            editor.hasWords
            ? "The session has ended. What you wrote is kept as a sealed draft." : "The session has ended."
        return effects + words
    }

    /// The session is over: what came out of locked notes vanishes.
    mutating func hideLockedNotes() -> [Effect] {
        let effects = coverLockedNotes()
        for index in notes.indices where notes[index].isLocked {
            notes[index].isOpen = false
            notes[index].excerpt = nil
            // The list that is read next brings it back where titles may be seen.
            notes[index].title = ""
        }
        return effects
    }

    /// tresor-notes does not answer, so its word that a session is open counts no more.
    mutating func loseConnection() -> [Effect] {
        session.close()
        isDisconnected = true
        let effects = hideLockedNotes()
        message = "tresor-notes does not answer. Trying again."
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
        if session.secondsLeft(at: now) == 0, now >= lastStatus + Self.statusInterval {
            lastStatus = now
            effects.append(.ask(Ask(.status)))
        }
        return effects
    }

    /// How often the session is asked about when it should be over, in milliseconds.
    static let statusInterval: UInt64 = 2000
}
