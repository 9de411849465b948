import TerminalScreen

/// Lines in the middle of the screen.
///
/// Where they do not all fit, each is wrapped, and what matters least is left out. A field moves to the left edge where
/// there is no room behind it for what is typed.
struct CenteredLines: Sendable {
    struct Line: Sendable {
        var text: String
        var style = Style.plain
        /// Whether the caret stands behind it.
        var isField = false
        /// How much it matters in a small window.
        var rank = Rank.gap
        /// Columns that something else fills there, which is in no frame.
        var reserved = 0

        fileprivate var width: Int { max(reserved, CellWidth.of(text)) }
    }

    /// What is left out first stands last.
    enum Rank: Int, Comparable, Sendable {
        /// Never left out.
        case needed
        /// Shortened before it is left out.
        case news
        case title, advice, keys, remark, gap

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    private let lines: [Line]

    init(_ lines: [Line]) { self.lines = lines }

    /// Whether all of it can be seen, each line in one row.
    func fit(columns: Int, rows: Int) -> Bool { lines.count <= rows && lines.allSatisfy { $0.width <= columns } }

    func frame(columns: Int, rows: Int) -> Frame {
        let lines = fit(columns: columns, rows: rows) ? lines : fitted(columns: columns, rows: rows)
        let top = max(0, (rows - lines.count) / 2)
        var frame = Frame(lines: Array(repeating: StyledLine("", width: columns), count: top), cursor: nil)
        for words in lines {
            let width = CellWidth.of(words.text)
            let middle = max(0, (columns - width) / 2)
            let start = words.isField && columns - middle - width < Self.typedColumns ? 0 : middle
            var line = StyledLine()
            line.pad(to: start)
            line.append(words.text, words.style, width: columns - line.width)
            if words.isField { frame.cursor = (frame.lines.count, min(start + width, columns - 1)) }
            frame.lines.append(line)
        }
        let rest = rows - frame.lines.count
        frame.lines += Array(repeating: StyledLine("", width: columns), count: max(0, rest))
        return frame
    }

    /// The row that has room for something else; nil where none has.
    func reservedRow(columns: Int, rows: Int) -> Int? {
        let lines = fit(columns: columns, rows: rows) ? lines : fitted(columns: columns, rows: rows)
        return lines.firstIndex { $0.reserved > 0 }.map { $0 + max(0, (rows - lines.count) / 2) }
    }

    // MARK: A small window

    /// Columns that stay free behind a field, for what is typed.
    private static let typedColumns = 6

    private func fitted(columns: Int, rows: Int) -> [Line] {
        var parts = lines.map { Self.wrapped($0, columns: columns) }
        while true {
            let excess = parts.reduce(0) { $0 + $1.count } - rows
            guard excess > 0, let last = parts.indices.filter({ !parts[$0].isEmpty }).max(by: isSooner) else { break }
            if lines[last].rank == .news, parts[last].count > excess {
                parts[last].removeLast(excess)
                Self.markCut(&parts[last][parts[last].count - 1], columns: columns)
            } else if lines[last].rank == .needed {
                break
            } else {
                parts[last] = []
            }
        }
        // The end of what is needed is where one types.
        return Array(parts.joined().suffix(rows))
    }

    /// Whether the second of two lines is left out before the first.
    private func isSooner(_ first: Int, _ second: Int) -> Bool {
        (lines[first].rank, first) < (lines[second].rank, second)
    }

    private static func wrapped(_ line: Line, columns: Int) -> [Line] {
        guard line.reserved == 0, CellWidth.of(line.text) > columns || line.isField else { return [line] }
        let texts = TextBuffer(SafeText.line(line.text)).lines
        // A view keeps a column free for a cursor, which stands in the field alone.
        let view = TextView(width: columns + (line.isField ? 0 : 1), height: 20)
        var rows = view.rows(of: texts).map { row in
            Line(text: String(texts[row.line][row.range]).trimmed, style: line.style, rank: line.rank)
        }
        guard line.isField, let last = rows.last else { return rows }
        if CellWidth.of(last.text) + 1 + typedColumns <= columns {
            rows[rows.count - 1].text += " "
        } else {
            rows.append(Line(text: "", style: line.style, rank: line.rank))
        }
        rows[rows.count - 1].isField = true
        return rows
    }

    private static func markCut(_ line: inout Line, columns: Int) {
        var text = line.text[...]
        while CellWidth.of(String(text)) > columns - 1 { text.removeLast() }
        line.text = text + "…"
    }
}
