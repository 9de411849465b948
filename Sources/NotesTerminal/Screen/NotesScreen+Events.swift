import NotesClient
import TerminalScreen

/// What happens without a key, and what must vanish then.
extension NotesScreen {
    mutating func react(to event: NotesEvent) -> [Effect] {
        switch event {
        case .deviceLocked: return lockScreen()
        case .deviceUnlocked: return isDeviceLocked ? load() : []
        case .handInDrafts: return handInDraft()
        case .sessionChanged(let summary):
            return isDeviceLocked ? [] : update(summary)
        case .noteChanged:
            if !isDeviceLocked { reloadDue = reloadDue ?? now + Self.reloadDelay }
            return []
        }
    }

    /// Milliseconds in which several changes are waited for.
    static let reloadDelay: UInt64 = 200

    /// The device is locked: nothing of any note remains, in the state or on the terminal.
    mutating func lockScreen() -> [Effect] {
        guard !isDeviceLocked else { return [] }
        let former = FormerPlace(folderRow: folderRow, note: editor?.id ?? selected?.id)
        self = NotesScreen(columns: layout.columns, rows: layout.rows, onlyNote: onlyNote)
        self.former = former
        isDeviceLocked = true
        return [.clear]
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

    /// The session is over: what came out of locked notes vanishes.
    mutating func hideLockedNotes() -> [Effect] {
        let effects: [Effect] = showsLockedText ? [.clear] : []
        if open?.summary.isLocked == true { open = nil }
        if editor?.isLocked == true {
            (editor, dialog, wantedEdit) = (nil, nil, onlyNote)
            message = "The session has ended. What you wrote is kept as a sealed draft."
        }
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
        if isDeviceLocked { return [] }
        var effects: [Effect] = []
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
