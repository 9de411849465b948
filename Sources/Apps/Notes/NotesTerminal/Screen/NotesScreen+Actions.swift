import NotesClient
import TerminalScreen

/// What keys do outside of an editor.
extension NotesScreen {
    mutating func act(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"): return quit()
        case .control("z"): return cover()
        case .control("d") where held != nil: dialog = .question(.discardHeld(quits: false))
        case .control("l"): return [.ask(Ask(.lockNow))]
        case .control("r"): return load()
        case .text("?"): dialog = .help(layout.editor)
        case .text("/"), .control("f"): dialog = .search(TypedLine())
        case .text("n"), .control("n"): writeNew()
        // Beside a locked note letters may be those of a passphrase.
        case .text("P"), .control("p"): askAboutPassphrase()
        case .text("o"):
            let requests = panes.turnOrder()
            message = ScreenWords.ordered(panes.shelf.order)
            return Self.ask(requests)
        default: return panes.shelf.action(key, session).map { perform($0) } ?? []
        }
        return []
    }

    private mutating func perform(_ action: NoteAction) -> [Effect] {
        switch action {
        case .say(let words): message = words
        case .ask(let request): return [.ask(Ask(request))]
        case .question(let question): dialog = .question(question)
        case .line(let purpose, let text): dialog = .line(LinePrompt(purpose, text))
        case .withSession(let request): return askInSession(request)
        case .withPassphrase(let request): askForSecret(request)
        case .edit(let id):
            // Read anew, so that the text and the revision belong together.
            writing.want(id)
            return [.ask(Ask(.show(id: id)))]
        }
        return []
    }
}
