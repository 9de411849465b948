import NotesClient
import TerminalScreen

/// Files in and out, what is listed over the panes, and the trash.
extension NotesDesk {
    /// What Tab finds: paths are the driver's, folders of notes are known here.
    mutating func complete(_ prompt: LinePrompt) -> [Effect] {
        if prompt.isPath { return [.completePath(prompt.text)] }
        guard case .move = prompt.purpose else { return [] }
        let names = panes.shelf.folders.map { (text: $0.path, isFolder: false) }
        foot.completed(prompt.text, TypedPath.Completion(folders: names, typed: prompt.text))
        return []
    }

    mutating func pick(_ id: String, _ rows: NotePicker.Rows) {
        guard editor == nil, let note = panes.summary(of: id) else { return }
        foot.pick(note, rows)
    }

    /// A file is the note's.
    mutating func attached(_ file: AttachmentSummary, to note: String) -> [Effect] {
        message = ScreenWords.attached(file)
        var effects = reload()
        if case .picker(let picker) = dialog, picker.note.id == note {
            effects.append(.ask(Ask(.attachments(id: note))))
        }
        return effects
    }

    // MARK: The trash

    /// Everything that is in it now goes for good; it was asked about.
    mutating func emptyTrash() -> [Effect] {
        emptying = TrashEmptying()
        return [.ask(Ask(Place.trash.request()))]
    }

    /// A page of the trash at a time.
    mutating func goOnEmptying(_ list: NoteList) -> [Effect] {
        let rest = emptying?.take(list) ?? []
        guard !rest.isEmpty else {
            let count = emptying?.count ?? 0
            emptying = nil
            message = list.total == 0 ? ScreenWords.emptied(count) : ScreenWords.notEmptied(list.total)
            return [.ask(Ask(.status))] + reload()
        }
        return rest.map { .ask(Ask(.delete(id: $0, forever: true))) } + [.ask(Ask(Place.trash.request()))]
    }
}

extension TypedPath.Completion {
    /// Folders of notes, which are paths as a whole.
    init(folders: [(text: String, isFolder: Bool)], typed: String) {
        let fitting = folders.map(\.text).filter { $0.hasPrefix(typed) }.sorted()
        let common = fitting.dropFirst().reduce((fitting.first ?? typed)[...]) { common, name in
            common.prefix(zip(common, name).prefix { $0 == $1 }.count)
        }
        self.init(path: String(common), choices: fitting.count > 1 ? fitting : [])
    }
}
