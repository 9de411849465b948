import NotesClient
import TerminalScreen

/// Keys.
extension NotesScreen {
    mutating func press(_ key: Key) -> [Effect] {
        message = ""
        if let dialog { return press(key, in: dialog) }
        if isDeviceLocked { return [] }
        if editor != nil { return pressInEditor(key) }
        if onlyNote != nil { return pressWithoutNote(key) }
        if panes.isAtLockedNote, let effects = pressAtLockedNote(key) { return effects }
        return panes.press(key, height: layout.bodyHeight).map { Self.ask($0) } ?? act(key)
    }

    /// A passphrase is expected there: what may be a part of one is no command, and Enter asks for it.
    ///
    /// - Returns: nil for keys that mean there what they mean elsewhere.
    private mutating func pressAtLockedNote(_ key: Key) -> [Effect]? {
        switch key {
        case .enter:
            guard session.hasPassphrase, let note = panes.shelf.selected else {
                message = ScreenWords.noPassphrase
                return []
            }
            panes.showNote()
            askForSecret(.unlock(id: note.id))
            return []
        case .text, .paste:
            message = ScreenWords.lettersAtLockedNote
            return []
        default: return nil
        }
    }

    /// The one note to edit could not be opened yet.
    private mutating func pressWithoutNote(_ key: Key) -> [Effect] {
        switch key {
        case .control("c"), .escape: return quit()
        case .enter: return load()
        default: return []
        }
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in asked: NotesDialog) -> [Effect] {
        var asked = asked
        let answer = asked.press(key)
        dialog = answer == .stays ? asked : nil
        // A question at the lock screen goes, and the prompt comes back.
        defer { askForPasscode() }
        switch answer {
        case .stays, .closed: return []
        case .search(let text): return Self.ask(panes.search(text))
        case .yes(.discardEdit): return discardEdit()
        case .yes(.discardHeld(let quits)): return discardHeld(quits: quits)
        case .yes(.deleteForever(let id)): return [.ask(Ask(.delete(id: id, forever: true)))]
        case .yes(.removeLock(let id)): return askInSession(.removeLock(id: id))
        }
    }
}
