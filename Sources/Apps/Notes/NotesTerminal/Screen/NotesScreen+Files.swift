import NotesClient
import TerminalScreen

/// Files in and out, and what is chosen from lists over the panes.
extension NotesScreen {
    /// A line was typed to its end.
    mutating func enter(_ prompt: LinePrompt) -> [Effect] {
        let text = prompt.text
        switch prompt.purpose {
        case .attach(let note):
            guard !text.isEmpty else { return [] }
            message = ScreenWords.attaching
            return [.show, .attach(note: note, path: text)]
        case .save(var wish):
            guard !text.isEmpty else { return [] }
            wish.path = text
            message = ScreenWords.saving
            return [.show, .save(wish)]
        case .tags(let note, let before):
            let tags = ScreenWords.tags(in: text)
            let (add, remove) = (tags.filter { !before.contains($0) }, before.filter { !tags.contains($0) })
            return add.isEmpty && remove.isEmpty ? [] : [.ask(Ask(.tag(id: note, add: add, remove: remove)))]
        case .move(let note): return [.ask(Ask(.move(id: note, folder: text)))]
        }
    }

    /// What Tab finds: paths are the driver's, folders of notes are known here.
    mutating func complete(_ prompt: LinePrompt) -> [Effect] {
        if prompt.isPath { return [.completePath(prompt.text)] }
        guard case .move = prompt.purpose else { return [] }
        let names = panes.shelf.folders.map { (text: $0.path, isFolder: false) }
        return completed(prompt.text, TypedPath.Completion(folders: names, typed: prompt.text))
    }

    mutating func completed(_ typed: String, _ completion: TypedPath.Completion) -> [Effect] {
        guard case .line(var prompt) = dialog else { return [] }
        prompt.complete(typed, completion)
        dialog = .line(prompt)
        return []
    }

    // MARK: Lists over the panes

    mutating func accept(_ files: [AttachmentSummary], of id: String) {
        pick(id, .files(files))
    }

    mutating func accept(_ versions: [VersionSummary], of id: String) { pick(id, .versions(versions)) }

    private mutating func pick(_ id: String, _ rows: NotePicker.Rows) {
        guard editor == nil, let note = panes.summary(of: id) else { return }
        switch dialog {
        case nil: dialog = .picker(NotePicker(note, rows))
        case .picker(let former) where former.note.id == id:
            dialog = .picker(NotePicker(note, rows, at: former.row))
        default: break
        }
    }

    mutating func press(_ key: Key, in picker: NotePicker) -> [Effect] {
        switch picker.rows {
        case .files: return press(key, amongFiles: picker)
        case .versions: return press(key, amongVersions: picker)
        case .links:
            guard key == .enter, let link = picker.link else { return [] }
            dialog = nil
            return follow(link)
        }
    }

    private mutating func press(_ key: Key, amongFiles picker: NotePicker) -> [Effect] {
        if key == .text("a") {
            dialog = .line(LinePrompt(.attach(note: picker.note.id), "~/"))
            return []
        }
        guard let file = picker.file, file.isDamaged != true else { return [] }
        let wish = FileWish(
            note: picker.note.id, attachment: file.id,
            name: TypedPath.fileName(file.name, otherwise: "attachment"), isLocked: picker.note.isLocked)
        switch key {
        case .enter, .text("o"):
            guard !wish.isLocked else {
                dialog = .question(.openLocked(wish))
                return []
            }
            return open(wish)
        case .text("s"): dialog = .line(LinePrompt(.save(wish), "~/" + wish.name))
        case .text("d"), .delete:
            dialog = .question(.detach(note: picker.note.id, attachment: file.id, name: file.name))
        default: break
        }
        return []
    }

    mutating func open(_ wish: FileWish) -> [Effect] {
        message = ScreenWords.opening
        return [.show, .open(wish)]
    }

    private mutating func press(_ key: Key, amongVersions picker: NotePicker) -> [Effect] {
        guard let version = picker.version, version.isDamaged != true, version.number > 0 else { return [] }
        switch key {
        case .enter: return [.ask(Ask(.show(id: picker.note.id, version: version.number)))]
        case .text("r"): return restore(picker.note.id, version.number)
        default: return []
        }
    }

    /// What it replaces is a version too, so that nothing is lost.
    mutating func restore(_ note: String, _ version: Int) -> [Effect] {
        dialog = nil
        return [.ask(Ask(.revert(id: note, version: version)))]
    }

    mutating func show(_ note: NoteSummary, version: Int, _ text: String) {
        guard case .picker(let picker) = dialog, picker.note.id == note.id else { return }
        dialog = .page(TextPage(note, version: version, text, in: layout.editor))
    }

    // MARK: Answers of the driver

    mutating func saved(_ wish: FileWish) -> [Effect] {
        message = ScreenWords.saved(wish)
        return []
    }

    mutating func failed(_ failure: PersonsFileFailure, _ wish: FileWish?) -> [Effect] {
        message = ScreenWords.failure(failure)
        if failure == .exists, let wish {
            message = ""
            dialog = .question(.replace(wish))
        }
        return []
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
        emptied = []
        return [.ask(Ask(Place.trash.request()))]
    }

    /// A page of the trash at a time, until nothing comes that was not tried.
    mutating func goOnEmptying(_ list: NoteList) -> [Effect] {
        let tried = emptied ?? []
        let rest = list.notes.map(\.id).filter { !tried.contains($0) }
        guard !rest.isEmpty else {
            emptied = nil
            message = list.total == 0 ? ScreenWords.emptied(tried.count) : ScreenWords.notEmptied(list.total)
            return [.ask(Ask(.status))] + reload()
        }
        emptied = tried.union(rest)
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
