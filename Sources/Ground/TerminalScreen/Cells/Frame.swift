/// What is drawn.
package struct Frame: Equatable, Sendable {
    /// From the top, each as wide as the screen.
    package var lines: [StyledLine]
    /// Where the caret stands; hidden where nil.
    package var cursor: (row: Int, column: Int)?

    /// - Parameter cursor: counted from 0; nil hides it.
    package init(lines: [StyledLine], cursor: (row: Int, column: Int)?) {
        self.lines = lines
        self.cursor = cursor
    }

    /// Whether both show the same, the caret among it.
    package static func == (left: Frame, right: Frame) -> Bool {
        left.lines == right.lines && left.cursor?.row == right.cursor?.row
            && left.cursor?.column == right.cursor?.column
    }

    /// The same with a dot for each character of a secret that is being typed, from where the caret stands; as many as
    /// the row has room for, and the caret behind them.
    ///
    /// Every screen has them by this: what is typed is in no frame, only how long it is.
    package func withDots(_ count: Int, columns: Int) -> Frame {
        guard count > 0, let cursor, lines.indices.contains(cursor.row) else { return self }
        let shown = min(count, columns - 1 - cursor.column)
        guard shown > 0 else { return self }
        var frame = self
        var line = lines[cursor.row].prefix(columns: cursor.column)
        line.pad(to: cursor.column)
        line.append(String(repeating: "•", count: shown))
        line.pad(to: columns)
        frame.lines[cursor.row] = line
        frame.cursor = (cursor.row, cursor.column + shown)
        return frame
    }

    /// What a reader sees, for tests.
    package var text: String { lines.map { $0.text + "\n" }.joined() }

    /// Puts words into as many rows as they need, the last of them so far above the last of the frame.
    ///
    /// - Parameters:
    ///   - most: rows that they may take, of those there are.
    ///   - columns: the frame's width.
    package mutating func put(_ words: String, _ style: Style, rowsBelow: Int = 0, most: Int = 3, columns: Int) {
        let texts = TextBuffer(words).lines
        let rows = TextView(width: columns, height: min(most, lines.count - rowsBelow)).rows(of: texts)
        for (index, row) in rows.enumerated() {
            let place = lines.count - rowsBelow - rows.count + index
            lines[place] = StyledLine(String(texts[row.line][row.range]), style, width: columns)
        }
    }

    /// Puts a line that is being typed into the last row, and the caret where its cursor is; where the line is too
    /// long, the part around its cursor is seen.
    ///
    /// - Parameter columns: the frame's width.
    package mutating func put(_ label: String, _ field: TypedLine, columns: Int) {
        let texts = field.buffer.lines
        let width = max(2, columns - CellWidth.of(label))
        let view = TextView(width: width, height: 1)
        let place = view.place(of: field.buffer.cursor, in: texts)
        let row = TextView.Row(line: 0, range: view.fold(texts[0])[place.row])
        var line = StyledLine()
        line.append(label, .bold)
        line.append(view.draw(row, of: texts))
        lines[lines.count - 1] = line
        cursor = (lines.count - 1, min(line.width - 1, CellWidth.of(label) + place.column))
    }
}
