import NotesClient
import TerminalScreen

/// What keys do in a note that is read: boxes are ticked, links followed.
extension NotesScreen {
    /// - Returns: nil for keys that mean there what they mean elsewhere.
    mutating func pressInReader(_ key: Key) -> [Effect]? {
        guard let open = panes.open else { return nil }
        switch key {
        case .text(" ") where open.isAtBox:
            guard panes.shelf.place != .trash, let text = open.ticked() else { return nil }
            return [.ask(Ask(.edit(id: open.summary.id, base: open.summary.revision), body: text))]
        case .enter:
            let links = open.links
            if links.count > 1 { dialog = .picker(NotePicker(open.summary, .links(links))) }
            return links.count == 1 ? follow(links[0]) : []
        default: return nil
        }
    }

    /// To the note that it names; what leads out of the notes is asked about.
    mutating func follow(_ link: NoteLink) -> [Effect] {
        guard let note = link.note else {
            guard link.target.hasPrefix("https://") || link.target.hasPrefix("http://") else { return [] }
            dialog = .question(.openAddress(link.target))
            return []
        }
        if link.target.hasPrefix("note:") { return [.ask(Ask(.find(id: note)))] }
        return Self.ask(panes.go(toTitle: note))
    }
}
