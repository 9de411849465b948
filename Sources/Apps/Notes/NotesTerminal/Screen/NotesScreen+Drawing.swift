import Localization
import NotesClient
import TerminalScreen

/// What the screen looks like.
extension NotesScreen {
    func frame() -> Frame {
        let columns = layout.columns
        guard !layout.isTooSmall else {
            let line = StyledLine(localized("Window too small"), width: columns)
            return Frame(lines: [line] + layout.blank(layout.rows - 1), cursor: nil)
        }
        if isDeviceLocked { return lockFrame() }
        var frame = Frame(lines: [head()] + body(), cursor: nil)
        frame.lines += layout.blank(layout.rows - frame.lines.count)
        if dialog == nil, let editor { frame.cursor = caret(in: editor) }
        drawFoot(on: &frame)
        return frame
    }

    private func lockFrame() -> Frame {
        var texts = isDaemonGone ? ScreenWords.daemonGone : ScreenWords.deviceLocked
        texts += held.map { $0.lines + ["", ScreenWords.lockScreenKeys] } ?? [ScreenWords.lockScreenKeys]
        var frame = Frame(lines: layout.centered(texts), cursor: nil)
        if dialog != nil || isDaemonGone { drawFoot(on: &frame) }
        return frame
    }

    private func head() -> StyledLine {
        let chip = session.chip(at: now, isWide: layout.columns >= 60)
        var line = StyledLine()
        line.append(" " + localized("Tresor notes"), .bold, width: max(0, layout.columns - chip.width))
        line.append(chip)
        return line
    }

    // MARK: Body

    private func body() -> [StyledLine] {
        switch dialog {
        case .help(let view): return layout.draw(localized("Help"), view, Help.lines)
        case .picker(let picker): return picker.draw(layout, dates)
        case .page(let page): return page.draw(layout)
        default: break
        }
        if let editor {
            let title = NoteSummary.padlock(editor.isLocked, isOpen: true) + editor.title
            let state = editor.isChanged ? localized("not saved") : localized("saved")
            return layout.draw(title + " · " + state, editor.area.view, editor.buffer.lines)
        }
        return panes.draw(layout, dates)
    }

    private func caret(in editor: NoteEditor) -> (row: Int, column: Int)? {
        editor.area.caret.map { (row: 2 + $0.row, column: $0.column) }
    }

    // MARK: Foot

    /// The last row: what is being typed, a question, a message, or the keys there are.
    private func drawFoot(on frame: inout Frame) {
        if let dialog { return dialog.draw(on: &frame, message, length: secretLength, layout) }
        if !message.isEmpty { return frame.put(message, .bold, columns: layout.columns) }
        if isDeviceLocked { return }
        if let held { return frame.put(held.words, .warning, columns: layout.columns) }
        if session.isEnding(at: now), let countdown = session.countdown(at: now) {
            let words = localized("Notes: \(countdown). Press any key to keep them open.")
            return frame.put(words, .warning, columns: layout.columns)
        }
        let keys =
            editor != nil
            ? ScreenWords.editorKeys
            : panes.isAtLockedNote ? ScreenWords.lockedNoteKeys : ScreenWords.listKeys
        frame.lines[layout.rows - 1] = StyledLine(" " + keys, .faint, width: layout.columns)
    }
}
