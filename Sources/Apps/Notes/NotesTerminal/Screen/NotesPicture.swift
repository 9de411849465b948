import Localization
import NotesClient
import TerminalScreen

/// What a screen looks like.
struct NotesPicture {
    let screen: NotesScreen

    private var desk: NotesDesk { screen.desk }
    private var layout: ScreenLayout { desk.layout }

    func frame() -> Frame {
        let columns = layout.columns
        guard !layout.isTooSmall else {
            let line = StyledLine(localized("Window too small"), width: columns)
            return Frame(lines: [line] + layout.blank(layout.rows - 1), cursor: nil)
        }
        if screen.isDeviceLocked { return lockFrame() }
        var frame = Frame(lines: [head()] + body(), cursor: nil)
        frame.lines += layout.blank(layout.rows - frame.lines.count)
        if desk.dialog == nil, let editor = desk.editor { frame.cursor = caret(in: editor) }
        drawFoot(on: &frame)
        return frame
    }

    private func lockFrame() -> Frame {
        var texts = screen.isDaemonGone ? ScreenWords.daemonGone : ScreenWords.deviceLocked
        texts += screen.held.map { $0.lines + ["", ScreenWords.lockScreenKeys] } ?? [ScreenWords.lockScreenKeys]
        var frame = Frame(lines: layout.centered(texts), cursor: nil)
        let hasFoot = desk.dialog != nil || screen.isDaemonGone && !desk.foot.message.isEmpty
        if hasFoot { desk.foot.draw(on: &frame, layout) }
        return frame
    }

    private func head() -> StyledLine {
        let chip = desk.session.chip(at: desk.now, isWide: layout.columns >= 60)
        var line = StyledLine()
        line.append(" " + localized("Tresor notes"), .bold, width: max(0, layout.columns - chip.width))
        line.append(chip)
        return line
    }

    // MARK: Body

    private func body() -> [StyledLine] {
        switch desk.dialog {
        case .help(let view, _): return layout.draw(localized("Help"), view, Help.lines)
        case .picker(let picker): return picker.draw(layout, desk.dates)
        case .page(let page): return page.draw(layout)
        default: break
        }
        if let editor = desk.editor {
            let title = NoteSummary.padlock(editor.isLocked, isOpen: true) + editor.title
            let state = editor.isChanged ? localized("not saved") : localized("saved")
            return layout.draw(title + " · " + state, editor.area.view, editor.buffer.lines)
        }
        return desk.panes.draw(layout, desk.dates)
    }

    private func caret(in editor: NoteEditor) -> (row: Int, column: Int)? {
        editor.area.caret.map { (row: 2 + $0.row, column: $0.column) }
    }

    // MARK: Foot

    /// The last row: what is being typed, a question, a message, or the keys there are.
    private func drawFoot(on frame: inout Frame) {
        if desk.dialog != nil || !desk.foot.message.isEmpty { return desk.foot.draw(on: &frame, layout) }
        if let held = screen.held { return frame.put(held.words, .warning, columns: layout.columns) }
        if desk.session.isEnding(at: desk.now), let countdown = desk.session.countdown(at: desk.now) {
            let words = localized("Notes: \(countdown). Press any key to keep them open.")
            return frame.put(words, .warning, columns: layout.columns)
        }
        let keys =
            desk.editor != nil
            ? ScreenWords.editorKeys
            : desk.panes.isAtLockedNote ? ScreenWords.lockedNoteKeys : ScreenWords.listKeys
        frame.lines[layout.rows - 1] = StyledLine(" " + keys, .faint, width: layout.columns)
    }
}
