import NotesClient
import TerminalScreen

/// Keys.
extension NotesScreen {
    mutating func press(_ key: Key) -> [Effect] {
        message = ""
        if let dialog { return press(key, in: dialog) }
        if isDeviceLocked { return pressOnLockScreen(key) }
        if editor != nil { return pressInEditor(key) }
        if onlyNote != nil { return pressWithoutNote(key) }
        return panes.press(key, height: layout.bodyHeight).map { Self.ask($0) } ?? act(key)
    }

    private mutating func pressOnLockScreen(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"): return quit()
        case .control("d") where held != nil:
            dialog = .question(.discardHeld(quits: false))
            return []
        case .control("z"): return [.suspend]
        default: return load()
        }
    }

    /// The one note to edit could not be opened yet.
    private mutating func pressWithoutNote(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"), .escape: return quit()
        default: return load()
        }
    }

    // MARK: Dialogs

    private mutating func press(_ key: Key, in asked: NotesDialog) -> [Effect] {
        var asked = asked
        let answer = asked.press(key)
        dialog = answer == .stays ? asked : nil
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
