import Localization
import NotesClient
import TerminalScreen

/// The editor's part.
extension NotesDesk {
    mutating func writeNew() {
        let folder: String? = if case .folder(let path) = panes.shelf.place { path } else { nil }
        writing.begin(in: folder, layout.editor)
    }

    mutating func pressInEditor(_ key: Key) -> [Effect] {
        switch key {
        case .control("s"): return writing.save().map { [.ask($0)] } ?? []
        case .escape: return writing.saveAndLeave().map { [.ask($0)] } ?? closeEditor()
        case .control("l"):
            return (writing.isLocked ? coverLockedNotes() : handInDraft()) + [.ask(Ask(.lockNow))]
        case .control("c"):
            guard let editor, editor.isDiscardable else { return closeEditor() }
            dialog = .question(.discardEdit)
        default: return writing.type(key, at: now) ? [] : HelpKey.tellDead(key, in: &self)
        }
        return []
    }

    /// What is not saved goes to tresor-notes, which seals it.
    mutating func handInDraft() -> [Effect] { writing.handInDraft().map { [.ask($0)] } ?? [] }

    mutating func discardEdit() -> [Effect] {
        guard editor != nil else { return [] }
        let discarding = writing.discarding.map { [Effect.ask($0)] } ?? []
        return discarding + closeEditor()
    }

    mutating func closeEditor() -> [Effect] {
        let id = writing.close()
        if onlyNote != nil { return [.quit] }
        panes.awaitNote(id)
        return [.clear] + reload()
    }

    /// tresor-notes has the text.
    mutating func saved(_ note: NoteSummary?) -> [Effect] {
        let saved = writing.saved(note)
        if saved == .closed { return reload() }
        if saved == .leaves { return closeEditor() }
        message = note?.deleted == nil ? localized("Saved.") : localized("Saved; the note is in the trash.")
        if case .merged(let id) = saved { return [.ask(Ask(.show(id: id)))] }
        return []
    }

    // MARK: Last words

    /// Whether keys go to a text now.
    var isTyping: Bool { editor != nil && dialog == nil }

    /// Keys that were pressed before the text went.
    mutating func take(late keys: [Key]) { if isTyping { writing.take(late: keys, at: now) } }

    /// What the editor holds and tresor-notes has not said to have.
    func lastWords() -> [Effect] { writing.lastWords.map { [.ask($0)] } ?? [] }
}
