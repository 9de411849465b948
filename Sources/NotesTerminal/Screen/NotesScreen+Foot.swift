/// The last row: what is being typed, a question, a message, or the keys there are.
extension NotesScreen {
    func drawFoot(on frame: inout Frame) {
        switch dialog {
        case .search(let field): drawField("Search: ", field, on: &frame)
        case .secret(let prompt):
            // A wrong try and its hint stand above the prompt.
            if !message.isEmpty { drawWords(message, .bold, rowsBelow: 1, on: &frame) }
            drawWords(prompt.label, .bold, rowsBelow: 0, on: &frame)
            frame.cursor = (layout.rows - 1, min(CellWidth.of(prompt.label), layout.columns - 1))
        case .question(let question): drawWords(words(of: question), .warning, rowsBelow: 0, on: &frame)
        case .help: drawWords("j/k scroll  any other key closes", .faint, rowsBelow: 0, on: &frame)
        case nil: drawNews(on: &frame)
        }
    }

    private func drawNews(on frame: inout Frame) {
        if !message.isEmpty { return drawWords(message, .bold, rowsBelow: 0, on: &frame) }
        if session.isEnding(at: now), let countdown = session.countdown(at: now) {
            let words = "Notes: \(countdown). Press any key to keep them open."
            return drawWords(words, .warning, rowsBelow: 0, on: &frame)
        }
        let keys =
            editor == nil
            ? "? help  / search  n new  e edit  d delete  p pin  L lock  u unlock  q quit"
            : "Esc save and close  ^S save  ^C discard  ^Z undo  ^Y redo  ^L lock now"
        frame.lines[layout.rows - 1] = StyledLine(" " + keys, .faint, width: layout.columns)
    }

    private func words(of question: Question) -> String {
        switch question {
        case .discardEdit: "Discard what you wrote? y/n"
        case .deleteForever: "Delete this note for good? It cannot be brought back. y/n"
        case .removeLock: "Remove the lock? The note can then be read without the passphrase. y/n"
        }
    }

    /// Text in as many rows as it needs, at most three, the last of them so far above the last of the screen.
    private func drawWords(_ words: String, _ style: Style, rowsBelow: Int, on frame: inout Frame) {
        let lines = TextBuffer(words).lines
        let rows = TextView(width: layout.columns, height: 3).rows(of: lines)
        for (index, row) in rows.enumerated() {
            let place = layout.rows - rowsBelow - rows.count + index
            frame.lines[place] = StyledLine(String(lines[row.line][row.range]), style, width: layout.columns)
        }
    }

    /// A line that is being typed; where it is too long, the part around its cursor is seen.
    private func drawField(_ label: String, _ field: TextBuffer, on frame: inout Frame) {
        let lines = field.lines
        let width = max(2, layout.columns - CellWidth.of(label))
        let view = TextView(width: width, height: 1)
        let place = view.place(of: field.cursor, in: lines)
        let row = TextView.Row(line: 0, range: view.fold(lines[0])[place.row])
        var line = StyledLine()
        line.append(label, .bold)
        line.append(view.draw(row, of: lines))
        frame.lines[layout.rows - 1] = line
        frame.cursor = (layout.rows - 1, min(line.width - 1, CellWidth.of(label) + place.column))
    }
}
