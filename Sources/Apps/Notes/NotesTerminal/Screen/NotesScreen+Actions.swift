import NotesClient
import TerminalScreen

/// What keys do with notes.
extension NotesScreen {
    mutating func act(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"): return quit()
        case .control("z"): return cover()
        case .control("d") where held != nil: dialog = .question(.discardHeld(quits: false))
        case .control("l"): return [.ask(Ask(.lockNow))]
        case .control("r"): return load()
        case .text("?"): dialog = .help(layout.editor)
        case .text("/"): dialog = .search(TypedLine())
        case .text("n"): editNew()
        case .text("u"): unlock()
        case .text("z"): return restore()
        case .text("e"), .text("p"), .text("L"), .text("d"): return actOnNote(key)
        default: break
        }
        return []
    }

    private mutating func actOnNote(_ key: Key) -> [Effect] {
        guard let note = selected else {
            message = "No note is selected."
            return []
        }
        if place == .trash && key != .text("d") {
            message = "This note is in the trash. Press z to take it out first."
            return []
        }
        switch key {
        case .text("e"): return edit(note)
        case .text("p"): return [.ask(Ask(.pin(id: note.id, isPinned: !note.isPinned)))]
        case .text("L"): return toggleLock(note)
        default: return delete(note)
        }
    }

    private mutating func toggleLock(_ note: NoteSummary) -> [Effect] {
        if note.isLocked {
            dialog = .question(.removeLock(id: note.id))
            return []
        }
        guard session.hasPassphrase else {
            message = "There is no passphrase for notes yet. Set one first; tresor notes --help tells how."
            return []
        }
        return withPassphrase(.lock(id: note.id))
    }

    private mutating func delete(_ note: NoteSummary) -> [Effect] {
        if place == .trash {
            dialog = .question(.deleteForever(id: note.id))
            return []
        }
        return [.ask(Ask(.delete(id: note.id, forever: false)))]
    }

    private mutating func restore() -> [Effect] {
        let id = place == .trash ? selected?.id : lastDeleted
        guard let id else {
            message = "Nothing to take back."
            return []
        }
        return [.ask(Ask(.restore(id: id)))]
    }

    // MARK: Passphrases

    private mutating func unlock() {
        guard session.hasPassphrase else {
            message = "There is no passphrase for notes yet. Set one first; tresor notes --help tells how."
            return
        }
        // A note may still be under a former passphrase; then that one opens it.
        let note = selected.flatMap { $0.isLocked && !$0.isOpen ? $0.id : nil }
        if session.isOpen && note == nil {
            message = "Locked notes are open already."
            return
        }
        askForSecret(.unlock(id: note))
    }

    /// Asks at once while a session is open, else after the passphrase.
    mutating func withPassphrase(_ request: NotesRequest) -> [Effect] {
        if session.isOpen { return [.ask(Ask(request))] }
        askForSecret(request)
        return []
    }

    mutating func askForSecret(_ request: NotesRequest) {
        dialog = .secret(SecretPrompt(ask: Ask(request, needsSecret: true), label: "Passphrase for notes: "))
    }

    mutating func sendSecret() -> [Effect] {
        guard case .secret(let prompt) = dialog else { return [] }
        dialog = nil
        message = ""
        return [.ask(prompt.ask)]
    }

    mutating func cancelSecret() -> [Effect] {
        guard wantsSecret else { return [] }
        dialog = nil
        message = "Cancelled."
        return onlyNote != nil && editor == nil ? quit() : []
    }

    // MARK: Showing

    /// Brings the selected note to the pane on the right, or empties it.
    mutating func showSelected() -> [Effect] {
        guard let note = selected, note.isOpen else {
            open = nil
            return []
        }
        if let open, open.summary.id == note.id, open.summary.revision == note.revision {
            self.open?.summary = note
            return []
        }
        if open?.summary.id != note.id { open = nil }
        return [.ask(Ask(.show(id: note.id)))]
    }
}
