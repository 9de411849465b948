/// The part of a text that a pane shows: lines folded at its width, from a first row on.
package struct TextView: Equatable, Sendable {
    /// A row of a folded line.
    package struct Row: Equatable {
        /// Which line of the text, from 0 on.
        package let line: Int
        /// Which of the line's characters stand in this row.
        package let range: Range<Int>

        /// - Parameter range: of characters in the line.
        package init(line: Int, range: Range<Int>) {
            self.line = line
            self.range = range
        }
    }

    /// Columns, at least 2, so that a wide character fits.
    package var width: Int
    /// Rows, at least 1.
    package var height: Int
    /// The first row shown: a line, and which of its rows.
    package private(set) var topLine = 0
    /// Which row of the top line is the first that is seen.
    package private(set) var topRow = 0

    /// A pane at the begin of its text; what is smaller than 2 by 1 is made that large.
    package init(width: Int, height: Int) {
        self.width = max(width, 2)
        self.height = max(height, 1)
    }

    /// Takes another size; the top line stays at the top.
    package mutating func resize(width: Int, height: Int) {
        self.width = max(width, 2)
        self.height = max(height, 1)
        topRow = 0
    }

    /// The rows to draw.
    ///
    /// Only these are folded, however long the text is.
    package func rows(of lines: [[Character]]) -> [Row] {
        var rows: [Row] = []
        var skipped = topRow
        for index in lines.indices.dropFirst(topLine) {
            for range in fold(lines[index]).dropFirst(skipped) {
                rows.append(Row(line: index, range: range))
                if rows.count == height { return rows }
            }
            skipped = 0
        }
        return rows
    }

    /// Scrolls as little as is needed to show the cursor.
    package mutating func show(_ cursor: TextPosition, in lines: [[Character]]) {
        let row = place(of: cursor, in: lines).row
        if (cursor.line, row) < (topLine, topRow) { (topLine, topRow) = (cursor.line, row) }
        let first = walk(from: (cursor.line, row), by: 1 - height, in: lines)
        if (topLine, topRow) < first { (topLine, topRow) = first }
    }

    /// Scrolls by so many rows; the last row stays in sight.
    package mutating func scroll(by rows: Int, in lines: [[Character]]) {
        (topLine, topRow) = walk(from: (topLine, topRow), by: rows, in: lines)
        let last = (lines.count - 1, max(0, fold(lines[lines.count - 1]).count - 1))
        let bottom = walk(from: last, by: 1 - height, in: lines)
        if bottom < (topLine, topRow) { (topLine, topRow) = bottom }
    }

    /// In which of its line's rows a position lies, and at which column of the pane.
    package func place(of position: TextPosition, in lines: [[Character]]) -> (row: Int, column: Int) {
        let line = lines[position.line]
        let folds = fold(line)
        let row = folds.lastIndex { $0.lowerBound <= position.column } ?? 0
        return (row, column(of: position.column, from: folds[row].lowerBound, in: line))
    }

    /// The position that lies so many rows below or above, as near to `column` as can be.
    package func position(
        _ rows: Int, below position: TextPosition, nearColumn column: Int, in lines: [[Character]]
    ) -> TextPosition {
        let start = (position.line, place(of: position, in: lines).row)
        let (line, row) = walk(from: start, by: rows, in: lines)
        let folds = fold(lines[line])
        let range = folds[min(row, folds.count - 1)]
        // The end of a folded row is the start of the next one.
        let isLast = row >= folds.count - 1
        var best = range.lowerBound
        while best < range.upperBound - (isLast ? 0 : 1),
            self.column(of: best + 1, from: range.lowerBound, in: lines[line]) <= column
        { best += 1 }
        return TextPosition(line: line, column: best)
    }

    private func column(of index: Int, from start: Int, in line: [Character]) -> Int {
        (start..<index).reduce(0) { $0 + Cell(line, $1, at: $0).width }
    }

    /// The row so many rows away, or the first or last one.
    private func walk(from start: (Int, Int), by rows: Int, in lines: [[Character]]) -> (Int, Int) {
        var line = min(start.0, lines.count - 1)
        var row = start.1 + rows
        while row < 0 && line > 0 {
            line -= 1
            row += fold(lines[line]).count
        }
        if rows <= 0 { return (line, max(row, 0)) }
        while true {
            let count = fold(lines[line]).count
            if row < count { return (line, row) }
            guard line + 1 < lines.count else { return (line, count - 1) }
            row -= count
            line += 1
        }
    }

    /// Where a line is folded: at the last space that fits, else inside a word; always at least one row.
    package func fold(_ line: [Character]) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var start = 0
        var column = 0
        var afterSpace = 0
        var index = 0
        while index < line.count {
            let width = Cell(line, index, at: column).width
            // One column stays free for the cursor behind the last character.
            if column + width > self.width - 1 && index > start {
                let end = afterSpace > start ? afterSpace : index
                rows.append(start..<end)
                (start, index, column, afterSpace) = (end, end, 0, end)
                continue
            }
            column += width
            index += 1
            if line[index - 1] == " " { afterSpace = index }
        }
        rows.append(start..<line.count)
        return rows
    }

    /// A row as it is drawn; headings of Markdown are bold.
    package func draw(_ row: Row, of lines: [[Character]]) -> StyledLine {
        let line = lines[row.line]
        var text = ""
        var column = 0
        for index in row.range {
            let cell = Cell(line, index, at: column)
            text += cell.text
            column += cell.width
        }
        return StyledLine(text, line.first == "#" ? .bold : .plain, width: width)
    }
}
