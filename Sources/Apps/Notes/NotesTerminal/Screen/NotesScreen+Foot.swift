import TerminalScreen

/// The last row: what is being typed, a question, a message, or the keys there are.
extension NotesScreen {
    func drawFoot(on frame: inout Frame) {
        switch dialog {
        case .search(let field): frame.put("Search: ", field, columns: layout.columns)
        case .secret(let prompt):
            // A wrong try and its hint stand above the prompt.
            if !message.isEmpty { frame.put(message, .bold, rowsBelow: 1, columns: layout.columns) }
            frame.put(prompt.label, .bold, columns: layout.columns)
            frame.cursor = (layout.rows - 1, min(CellWidth.of(prompt.label), layout.columns - 1))
        case .question(let question): frame.put(words(of: question), .warning, columns: layout.columns)
        case .help: frame.put("j/k scroll  any other key closes", .faint, columns: layout.columns)
        case nil: drawNews(on: &frame)
        }
    }

    private func drawNews(on frame: inout Frame) {
        if !message.isEmpty { return frame.put(message, .bold, columns: layout.columns) }
        if let held {
            let words = "NOT kept: what you wrote; \(held.reason). ^D discards it."
            return frame.put(words, .warning, columns: layout.columns)
        }
        if session.isEnding(at: now), let countdown = session.countdown(at: now) {
            let words = "Notes: \(countdown). Press any key to keep them open."
            return frame.put(words, .warning, columns: layout.columns)
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
        case .discardHeld(quits: true): "What you wrote is not kept, and is lost if you quit. Quit? y/n"
        case .discardHeld(quits: false): "Discard what you wrote, which is not kept anywhere else? y/n"
        case .deleteForever: "Delete this note for good? It cannot be brought back. y/n"
        case .removeLock: "Remove the lock? The note can then be read without the passphrase. y/n"
        }
    }
}
