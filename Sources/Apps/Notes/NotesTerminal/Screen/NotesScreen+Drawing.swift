import NotesClient
import TerminalScreen

/// What the screen looks like.
extension NotesScreen {
    func frame() -> Frame {
        let columns = layout.columns
        guard !layout.isTooSmall else {
            let line = StyledLine("Window too small", width: columns)
            return Frame(lines: [line] + blank(layout.rows - 1), cursor: nil)
        }
        if isDeviceLocked { return lockFrame() }
        var frame = Frame(lines: [head()] + body(), cursor: nil)
        frame.lines += blank(layout.rows - frame.lines.count)
        if dialog == nil, let editor { frame.cursor = caret(in: editor) }
        drawFoot(on: &frame)
        return frame
    }

    private func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: layout.columns), count: max(0, count))
    }

    private func lockFrame() -> Frame {
        var texts = ["🔒 The device is locked.", "Unlock it with tresor unlock.", ""]
        texts += heldLines.isEmpty ? ["q quits."] : heldLines + ["", "^D discards it. q quits."]
        var lines = blank(max(0, (layout.rows - texts.count) / 2))
        for text in texts {
            var line = StyledLine()
            line.pad(to: max(0, (layout.columns - CellWidth.of(text)) / 2))
            line.append(text, text == texts[0] ? .bold : .plain, width: layout.columns - line.width)
            lines.append(line)
        }
        var frame = Frame(lines: Array((lines + blank(layout.rows - lines.count)).prefix(layout.rows)), cursor: nil)
        if dialog != nil { drawFoot(on: &frame) }
        return frame
    }

    // MARK: Head

    private func head() -> StyledLine {
        var chip = StyledLine()
        chip.append(" " + chipText + " ", session.isEnding(at: now) ? .warning : .bold)
        var line = StyledLine()
        line.append(" Tresor notes", .bold, width: max(0, layout.columns - chip.width))
        line.append(chip)
        return line
    }

    /// The padlock, how long it stays open, and how the device stands.
    private var chipText: String {
        let isWide = layout.columns >= 60
        guard session.isOpen else {
            let text = session.hasPassphrase ? "🔒 notes locked" : "no passphrase"
            return isWide ? text + " · device unlocked" : text
        }
        let text = "🔓 " + (session.countdown(at: now) ?? "notes open")
        return isWide ? text + " · device unlocked" : text
    }

    // MARK: Body

    private func body() -> [StyledLine] {
        if case .help(let view) = dialog { return fullPane("Help", view, Help.lines) }
        if let editor {
            let title = padlock(editor.isLocked, isOpen: true) + editor.title
            let state = editor.isChanged ? " · not saved" : " · saved"
            return fullPane(title + state, editor.area.view, editor.buffer.lines)
        }
        let panes = layout.panes(focus: pane)
        let columns = panes.map { draw($0.pane, width: $0.width) }
        return (0...layout.bodyHeight).map { row in
            var line = StyledLine()
            for (index, column) in columns.enumerated() {
                if index > 0 { line.append("│", .faint) }
                line.append(column[row])
            }
            return line
        }
    }

    private func fullPane(_ title: String, _ view: TextView, _ lines: [[Character]]) -> [StyledLine] {
        [StyledLine(" " + title, .inverse, width: layout.columns)]
            + view.rows(of: lines).map { view.draw($0, of: lines) }
    }

    /// A heading and as many rows as the body has.
    private func draw(_ pane: Pane, width: Int) -> [StyledLine] {
        var lines: [StyledLine]
        switch pane {
        case .folders: lines = drawFolders(width)
        case .list: lines = drawList(width)
        case .note: lines = drawNote(width)
        }
        while lines.count <= layout.bodyHeight { lines.append(StyledLine("", width: width)) }
        return lines
    }

    private func heading(_ title: String, _ pane: Pane, _ width: Int) -> StyledLine {
        let isFocused = self.pane == pane
        return StyledLine((isFocused ? ">" : " ") + title, isFocused ? .inverse : .bold, width: width)
    }

    private func drawFolders(_ width: Int) -> [StyledLine] {
        let names = places.map { folderName($0) }
        let selected = places.firstIndex(of: place)
        return [heading("Folders", .folders, width)]
            + visible(names.count, around: folderRow).map { row in
                StyledLine(mark(row == selected) + names[row], style(row == selected, .folders), width: width)
            }
    }

    /// A folder stands indented under its nearest ancestor, and is called by what its path has beyond that.
    private func folderName(_ place: Place) -> String {
        guard case .folder(let path) = place else { return place.title }
        let ancestors = folders.map { $0.path + "/" }.filter { path.hasPrefix($0) }
        let nearest = ancestors.max { $0.count < $1.count } ?? ""
        return String(repeating: "  ", count: min(ancestors.count, 8)) + path.dropFirst(nearest.count)
    }

    private func drawList(_ width: Int) -> [StyledLine] {
        var lines = [heading("\(place.title) (\(total))", .list, width)]
        if notes.isEmpty {
            let words = place.isSearch ? " Nothing found." : place == .trash ? " Empty." : " Press n for a note."
            return lines + [StyledLine(words, width: width)]
        }
        for index in visible(notes.count, around: row, height: place.isSearch ? 2 : 1) {
            let note = notes[index]
            let marks = marks(of: note)
            let style = style(index == row, .list)
            var line = StyledLine()
            line.append(mark(index == row) + Self.title(of: note), style, width: width - CellWidth.of(marks))
            line.append(marks, style)
            lines.append(line)
            if place.isSearch {
                let excerpt = note.isLocked ? "" : note.excerpt ?? ""
                lines.append(StyledLine("   " + excerpt, .faint, width: width))
            }
        }
        return Array(lines.prefix(layout.bodyHeight + 1))
    }

    private func drawNote(_ width: Int) -> [StyledLine] {
        guard let open else {
            var lines = [heading(selected.map { Self.title(of: $0) } ?? "", .note, width)]
            if let selected, !selected.isOpen {
                lines.append(StyledLine("", width: width))
                lines.append(StyledLine(" 🔒 This note is locked.", .bold, width: width))
                lines.append(StyledLine(" Press u and type the passphrase.", width: width))
            }
            return lines
        }
        let note = open.summary
        let title = padlock(note.isLocked, isOpen: note.isOpen) + Self.title(of: note)
        let rows = open.view.rows(of: open.lines)
        return [heading(title, .note, width), StyledLine(" " + Self.facts(of: note), .faint, width: width)]
            + rows.map { open.view.draw($0, of: open.lines) }
    }

    // MARK: Words and marks

    static func title(of note: NoteSummary) -> String {
        if note.damage?.contains(.head) == true { return "Damaged: its head cannot be read" }
        return note.title.isEmpty ? (note.isLocked ? "Locked note" : "Untitled") : note.title
    }

    /// What there is to say of a note besides its text.
    static func facts(of note: NoteSummary) -> String {
        var facts: [String] = []
        if note.hasConflict { facts.append("two edits met, both are kept") }
        if note.hasDraft { facts.append("an unsaved draft is kept") }
        if !note.folder.isEmpty { facts.append(note.folder) }
        if note.attachmentCount == 1 { facts.append("1 attachment") }
        if note.attachmentCount > 1 { facts.append("\(note.attachmentCount) attachments") }
        return (facts + note.tags.map { "#" + $0 }).joined(separator: " · ")
    }

    private func marks(of note: NoteSummary) -> String {
        var marks = note.hasConflict ? " !" : ""
        if note.hasDraft { marks += " ✎" }
        if note.isPinned { marks += " 📌" }
        if note.isLocked { marks += note.isOpen ? " 🔓" : " 🔒" }
        return marks
    }

    private func padlock(_ isLocked: Bool, isOpen: Bool) -> String { isLocked ? (isOpen ? "🔓 " : "🔒 ") : "" }

    private func mark(_ isSelected: Bool) -> String { isSelected ? ">" : " " }

    private func style(_ isSelected: Bool, _ pane: Pane) -> Style {
        isSelected ? (self.pane == pane ? .inverse : .bold) : .plain
    }

    /// The rows of a list that fit, with the selected one in the middle where that is possible.
    private func visible(_ count: Int, around row: Int, height: Int = 1) -> Range<Int> {
        let fitting = max(1, layout.bodyHeight / height)
        let first = max(0, min(row - fitting / 2, count - fitting))
        return first..<min(count, first + fitting)
    }

    private func caret(in editor: NoteEditor) -> (row: Int, column: Int)? {
        editor.area.caret.map { (row: 2 + $0.row, column: $0.column) }
    }
}
