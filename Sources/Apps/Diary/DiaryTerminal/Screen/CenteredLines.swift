import TerminalScreen

/// Lines in the middle of the screen.
struct CenteredLines: Sendable {
    struct Line: Sendable {
        var text: String
        var style = Style.plain
        /// Whether the caret stands behind it.
        var isField = false
    }

    private let lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// The row of the first of them.
    ///
    /// - Parameter rows: of the screen.
    func top(in rows: Int) -> Int { max(0, (rows - lines.count) / 2) }

    func frame(columns: Int, rows: Int) -> Frame {
        func blank(_ count: Int) -> [StyledLine] {
            Array(repeating: StyledLine("", width: columns), count: max(0, count))
        }
        var frame = Frame(lines: blank(top(in: rows)), cursor: nil)
        // What does not fit is left out from the end; the field comes early.
        for words in lines.prefix(rows) {
            var line = StyledLine()
            let start = (columns - CellWidth.of(words.text)) / 2
            line.pad(to: max(0, start))
            line.append(words.text, words.style, width: columns - line.width)
            if words.isField {
                frame.cursor = (frame.lines.count, min(max(start + CellWidth.of(words.text), 0), columns - 1))
            }
            frame.lines.append(line)
        }
        frame.lines += blank(rows - frame.lines.count)
        return frame
    }
}
