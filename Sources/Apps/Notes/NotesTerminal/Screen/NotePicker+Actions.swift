import NotesClient
import TerminalScreen

/// What keys do with what is chosen from a list over the panes.
extension NotePicker {
    /// Nil for keys that do nothing there.
    func action(_ key: Key) -> NoteAction? {
        switch rows {
        case .files: actionAmongFiles(key)
        case .versions: actionAmongVersions(key)
        case .links: key == .enter ? link.map { .follow($0) } : nil
        }
    }

    private func actionAmongFiles(_ key: Key) -> NoteAction? {
        if key == .text("a") { return .line(.attach(note: note.id), "~/") }
        guard let file, file.isDamaged != true else { return nil }
        let wish = FileWish(
            note: note.id, attachment: file.id, name: TypedPath.fileName(file.name, otherwise: "attachment"),
            isLocked: note.isLocked)
        switch key {
        case .enter, .text("o"): return wish.isLocked ? .question(.openLocked(wish)) : .open(wish)
        case .text("s"): return .line(.save(wish), "~/" + wish.name)
        case .text("d"), .delete:
            return .question(.detach(note: note.id, attachment: file.id, name: file.name))
        default: return nil
        }
    }

    private func actionAmongVersions(_ key: Key) -> NoteAction? {
        guard let version, version.isDamaged != true, version.number > 0 else { return nil }
        switch key {
        case .enter: return .ask(.show(id: note.id, version: version.number))
        case .text("r"): return .restore(note: note.id, version: version.number)
        default: return nil
        }
    }
}

/// What keys do in a note that is read: boxes are ticked, links followed.
extension OpenNote {
    /// Nil for keys that mean there what they mean elsewhere.
    ///
    /// - Parameter isInTrash: whether it is only looked at.
    func action(_ key: Key, isInTrash: Bool) -> NoteAction? {
        switch key {
        case .text(" ") where isAtBox:
            guard !isInTrash, let text = ticked() else { return nil }
            return .send(Ask(.edit(id: summary.id, base: summary.revision), body: text))
        case .enter where links.count > 1: return .pick(summary, .links(links))
        case .enter: return links.first.map { .follow($0) } ?? .nothing
        default: return nil
        }
    }
}
