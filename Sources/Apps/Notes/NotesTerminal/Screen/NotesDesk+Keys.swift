import NotesClient
import TerminalScreen

/// Keys.
extension NotesDesk {
    /// Whether a key goes to what lies here, and to no dialog over it.
    var takesKeys: Bool { dialog == nil && (editor != nil || onlyNote == nil) }

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
        if HelpKey.opens(key, in: &self) { return [] }
        if let dialog { return press(key, in: dialog) }
        if editor != nil { return pressInEditor(key) }
        if onlyNote != nil { return pressWithoutNote(key) }
        if panes.isAtLockedNote, let effects = pressAtLockedNote(key) { return effects }
        let isInTrash = panes.shelf.place == .trash
        if panes.isReading, let action = panes.open?.action(key, isInTrash: isInTrash) { return perform(action) }
        return panes.press(key, height: layout.bodyHeight).map { Self.ask($0) } ?? act(key)
    }

    /// Where something lies over the panes, a click does nothing.
    private mutating func click(_ line: Int, _ column: Int) -> [Effect] {
        guard dialog == nil, editor == nil, onlyNote == nil else { return [] }
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
            askForSecret(Ask(.unlock(id: note.id), needsSecret: true))
            return []
        case .text, .paste:
            message = ScreenWords.atLockedNote(key)
            return []
        default: return nil
        }
    }

    /// The one note to edit could not be opened yet.
    private mutating func pressWithoutNote(_ key: Key) -> [Effect] {
        switch key {
        case .control("c"), .escape: return [.quit]
        case .enter: return load()
        default: return HelpKey.tellDead(key, in: &self)
        }
    }

    // MARK: Dialogs

    /// - Parameter asked: the dialog that is there.
    mutating func press(_ key: Key, in asked: NotesDialog) -> [Effect] {
        var asked = asked
        let answer = asked.press(key, height: layout.bodyHeight)
        dialog = answer.keepsDialog ? asked : nil
        switch (answer, dialog) {
        case (.stays, _), (.closed, _): return []
        case (.search(let text), _): return Self.ask(panes.search(text))
        case (.yes(let question), _): return agree(to: question)
        case (.tab, .line(let prompt)): return complete(prompt)
        case (.key, .picker(let picker)):
            return picker.action(key).map { perform($0) } ?? HelpKey.tellDead(key, in: &self)
        case (.key, .page(let page)):
            guard key == .text("r") else { return HelpKey.tellDead(key, in: &self) }
            return perform(.restore(note: page.note.id, version: page.version))
        case (.passphrase(let kind), _): foot.begin(PassphraseForm(kind), lockedCount: lockedCount)
        case (.line(let purpose, let text), _): return foot.enter(LinePrompt(purpose, text))
        case (.hint(let kind, let hint), _):
            message = ScreenWords.sealing
            return [.show, .ask(PassphraseForm(kind).ask(hint: hint))]
        default: break
        }
        return []
    }

    private mutating func agree(to question: NotesDialog.Question) -> [Effect] {
        switch question {
        case .discardEdit: return discardEdit()
        case .discardHeld: message = ScreenWords.discarded
        case .emptyTrash: return emptyTrash()
        default: break
        }
        return perform(question.action)
    }
}
