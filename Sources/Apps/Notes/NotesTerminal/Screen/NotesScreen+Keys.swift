import NotesClient
import TerminalScreen

/// Keys.
extension NotesScreen {
    mutating func press(_ key: Key) -> [Effect] {
        switch key {
        case .wheel(let notches):
            // As many lines as editors and browsers scroll by.
            var effects: [Effect] = []
            for _ in 0..<min(abs(notches), 10) * 3 { effects += press(notches > 0 ? .down : .up) }
            return effects
        case .click(let line, let column): return click(line, column)
        default: break
        }
        message = ""
        if let dialog { return press(key, in: dialog) }
        if isDeviceLocked { return isDaemonGone && key.leaves ? leaveLockScreen() : [] }
        if editor != nil { return pressInEditor(key) }
        if onlyNote != nil { return pressWithoutNote(key) }
        if panes.isAtLockedNote, let effects = pressAtLockedNote(key) { return effects }
        if panes.isReading, let effects = pressInReader(key) { return effects }
        return panes.press(key, height: layout.bodyHeight).map { Self.ask($0) } ?? act(key)
    }

    /// Where something lies over the panes, a click does nothing.
    private mutating func click(_ line: Int, _ column: Int) -> [Effect] {
        guard dialog == nil, !isDeviceLocked, editor == nil, onlyNote == nil else { return [] }
        message = ""
        return panes.click(line, column, layout).map { Self.ask($0) } ?? press(.enter)
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
        case .text("P"):
            message = ScreenWords.passphraseKey
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
        let answer = asked.press(key, height: layout.bodyHeight)
        dialog = answer.keepsDialog ? asked : nil
        // A question at the lock screen goes, and the prompt comes back.
        defer { askForPasscode() }
        switch answer {
        case .stays, .closed: return []
        case .search(let text): return Self.ask(panes.search(text))
        case .yes(.discardEdit): return discardEdit()
        case .yes(.discardHeld(let quits)): return discardHeld(quits: quits)
        case .yes(.deleteForever(let id)): return [.ask(Ask(.delete(id: id, forever: true)))]
        case .yes(.removeLock(let id)): return askInSession(.removeLock(id: id))
        case .yes(.emptyTrash): return emptyTrash()
        case .yes(.detach(let note, let attachment, _)):
            return Self.ask([.detach(id: note, attachment: attachment), .attachments(id: note)])
        case .yes(.replace(var wish)):
            wish.replaces = true
            return [.save(wish)]
        case .yes(.openLocked(let wish)): return open(wish)
        case .yes(.openAddress(let address)): return [.openAddress(address)]
        default: return press(answer, key)
        }
    }

    private mutating func press(_ answer: NotesDialog.Answer, _ key: Key) -> [Effect] {
        switch (answer, dialog) {
        case (.tab, .line(let prompt)): return complete(prompt)
        case (.key, .picker(let picker)): return press(key, in: picker)
        case (.key, .page(let page)): return key == .text("r") ? restore(page.note.id, page.version) : []
        case (.passphrase(let kind), _): begin(PassphraseForm(kind))
        case (.line(let purpose, let text), _): return enter(LinePrompt(purpose, text))
        case (.hint(let kind, let hint), _):
            message = ScreenWords.sealing
            return [.show, .ask(PassphraseForm(kind).ask(hint: hint))]
        default: break
        }
        return []
    }
}

extension Key {
    /// Whether it takes back what a prompt asks for, or leaves.
    fileprivate var leaves: Bool { self == .escape || self == .control("c") }
}
