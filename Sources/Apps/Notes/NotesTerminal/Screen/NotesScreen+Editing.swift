import NotesClient
import TerminalScreen

/// The editor's part.
extension NotesScreen {
    mutating func editNew() {
        let folder: String? = if case .folder(let path) = place { path } else { nil }
        editor = NoteEditor(folder: folder, view: layout.editor)
    }

    mutating func edit(_ note: NoteSummary) -> [Effect] {
        guard note.isOpen else {
            message = "This note is locked. Press u to unlock it first."
            return []
        }
        // Read anew, so that the text and the revision belong together.
        wantedEdit = note.id
        return [.ask(Ask(.show(id: note.id)))]
    }

    mutating func openEditor(_ note: NoteSummary, _ text: String) {
        wantedEdit = nil
        open = nil
        editor = NoteEditor(
            id: note.id, base: note.revision, title: note.title, isLocked: note.isLocked, text: text,
            view: layout.editor)
    }

    mutating func pressInEditor(_ key: Key) -> [Effect] {
        switch key {
        case .control("s"): return save()
        case .escape: return leaveEditor()
        case .control("d") where held != nil: dialog = .question(.discardHeld(quits: false))
        case .control("l"):
            let isLocked = editor?.isLocked == true
            return (isLocked ? coverLockedNotes() : handInDraft()) + [.ask(Ask(.lockNow))]
        case .control("c"):
            guard let editor, editor.isDiscardable else { return closeEditor() }
            dialog = .question(.discardEdit)
        default: _ = editor?.handle(key, at: now)
        }
        return []
    }

    private mutating func leaveEditor() -> [Effect] {
        guard let editor, editor.isChanged, !editor.isUnmade else { return closeEditor() }
        self.editor?.isLeaving = true
        return save()
    }

    private mutating func save() -> [Effect] {
        guard let editor, !editor.isUnmade else { return [] }
        self.editor?.saveSent()
        if let id = editor.id { return [.ask(Ask(.edit(id: id, base: editor.base), body: editor.bytes))] }
        return [.ask(Ask(.create(NewNote(folder: editor.folder)), body: editor.bytes))]
    }

    /// What is not saved goes to tresor-notes, which seals it.
    ///
    /// A new note is made with it instead: there is nothing yet that it could be a draft of.
    mutating func handInDraft() -> [Effect] {
        guard let editor, editor.draftDue != nil else { return [] }
        guard let id = editor.id else { return save() }
        self.editor?.draftSent()
        return [.ask(Ask(.keepDraft(id: id, base: editor.base), body: editor.bytes))]
    }

    mutating func discardEdit() -> [Effect] {
        guard let editor else { return [] }
        var effects: [Effect] = []
        if let id = editor.id {
            // What was made for this edit alone goes to the trash with it.
            effects = [.ask(Ask(editor.isNew ? .delete(id: id, forever: false) : .discardDraft(id: id)))]
        }
        return effects + closeEditor()
    }

    mutating func closeEditor() -> [Effect] {
        let id = editor?.id
        editor = nil
        if onlyNote != nil { return quit() }
        former = FormerPlace(folderRow: folderRow, note: id ?? selected?.id)
        return [.clear] + reload()
    }

    /// tresor-notes has the text.
    mutating func saved(_ note: NoteSummary?) -> [Effect] {
        self.editor?.sendingSucceeded()
        guard let editor else { return reload() }
        // Another one's text came between: this one was merged with it, and is not what stands here.
        let isMerged = editor.id != nil && note?.isMerged ?? (note == nil)
        if let note {
            self.editor?.id = note.id
            if !isMerged { self.editor?.base = note.revision }
            self.editor?.title = note.title
        }
        if editor.isLeaving { return closeEditor() }
        message = note?.deleted == nil ? "Saved." : "Saved; the note is in the trash."
        guard isMerged, let id = editor.id else { return [] }
        return [.ask(Ask(.show(id: id)))]
    }
}
