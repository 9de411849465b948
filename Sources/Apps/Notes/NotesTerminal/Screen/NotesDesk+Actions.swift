import NotesClient
import TerminalScreen

/// What keys do outside of an editor.
extension NotesDesk {
    mutating func act(_ key: Key) -> [Effect] {
        switch key {
        case .text("q"), .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.ask(Ask(.lockNow))]
        case .control("r"): return load()
        case .text("/"), .control("f"): dialog = .search(TypedLine())
        case .text("n"), .control("n"): writeNew()
        // Beside a locked note letters may be those of a passphrase.
        case .text("P"), .control("p"): foot.askAboutPassphrase(isSet: session.hasPassphrase)
        case .text("o"):
            let requests = panes.turnOrder()
            message = ScreenWords.ordered(panes.shelf.order)
            return Self.ask(requests)
        default: return panes.shelf.action(key, session).map { perform($0) } ?? HelpKey.tellDead(key, in: &self)
        }
        return []
    }

    mutating func perform(_ action: NoteAction) -> [Effect] {
        switch action {
        case .nothing: break
        case .say(let words): message = words
        case .ask(let request): return [.ask(Ask(request))]
        case .send(let ask): return [.ask(ask)]
        case .question(let question): dialog = .question(question)
        case .line(let purpose, let text): dialog = .line(LinePrompt(purpose, text))
        case .withSession(let request): return askInSession(request)
        case .withPassphrase(let request): askForSecret(Ask(request, needsSecret: true))
        case .edit(let id):
            // Read anew, so that the text and the revision belong together.
            writing.want(id)
            return [.ask(Ask(.show(id: id)))]
        case .pick(let note, let rows): dialog = .picker(NotePicker(note, rows))
        case .open(let wish): return foot.open(wish)
        case .follow(let link):
            dialog = nil
            return follow(link)
        case .restore(let note, let version):
            // What it replaces is a version too, so that nothing is lost.
            dialog = nil
            return [.ask(Ask(.revert(id: note, version: version)))]
        case .effects(let effects): return effects
        }
        return []
    }

    /// To the note that it names; what leads out of the notes is asked about.
    private mutating func follow(_ link: NoteLink) -> [Effect] {
        guard let note = link.note else {
            guard link.target.hasPrefix("https://") || link.target.hasPrefix("http://") else { return [] }
            dialog = .question(.openAddress(link.target))
            return []
        }
        if link.target.hasPrefix("note:") { return [.ask(Ask(.find(id: note)))] }
        return Self.ask(panes.go(toTitle: note))
    }
}
