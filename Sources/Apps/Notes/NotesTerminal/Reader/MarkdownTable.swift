import TerminalScreen

/// A table of a text: a row of heads, a row of dashes, and what follows (GitHub Flavored Markdown, section 4.10).
struct MarkdownTable {
    private let cells: [[String]]
    /// How many lines of the source it takes.
    let lineCount: Int

    /// Nil where no table begins.
    init?(_ lines: ArraySlice<String>) {
        guard let head = lines.first, head.contains("|"), lines.count > 1 else { return nil }
        let dashes = Self.cells(lines[lines.startIndex + 1])
        let heads = Self.cells(head)
        guard dashes.count == heads.count, dashes.allSatisfy(Self.isDashes) else { return nil }
        var rows = [heads]
        for line in lines.dropFirst(2) {
            guard line.contains("|"), line.contains(where: { $0 != " " }) else { break }
            let row = Self.cells(line)
            rows.append(heads.indices.map { $0 < row.count ? row[$0] : "" })
        }
        cells = rows.map { $0.map { MarkdownRuns.plain($0) } }
        lineCount = rows.count + 1
    }

    private static func isDashes(_ cell: String) -> Bool {
        var cell = cell[...]
        if cell.first == ":" { cell = cell.dropFirst() }
        if cell.last == ":" { cell = cell.dropLast() }
        return !cell.isEmpty && cell.allSatisfy { $0 == "-" }
    }

    private static func cells(_ line: String) -> [String] {
        var cells: [String] = []
        var cell = ""
        var isEscaped = false
        for character in line.drop(while: { $0 == " " }) {
            if character == "|" && !isEscaped {
                cells.append(cell)
                cell = ""
            } else {
                if isEscaped && character != "|" { cell.append("\\") }
                if character != "\\" || isEscaped { cell.append(character) }
            }
            isEscaped = character == "\\" && !isEscaped
        }
        cells.append(cell)
        // The signs at both ends are no cells.
        if cells.first?.allSatisfy({ $0 == " " }) == true { cells.removeFirst() }
        if cells.count > 1, cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
        return cells.map { cell in
            var cell = cell.drop { $0 == " " }
            while cell.last == " " { cell.removeLast() }
            return String(cell)
        }
    }

    /// The heads, a line, and the rest; what has no room ends in a sign that there is more.
    func rows(width: Int) -> [StyledLine] {
        let widths = fitted(width)
        var lines: [StyledLine] = []
        for (index, row) in cells.enumerated() {
            lines.append(line(row, widths, index == 0 ? .bold : .plain, width: width))
            if index == 0 {
                let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─")
                lines.append(StyledLine(rule, .faint, width: width))
            }
        }
        return lines
    }

    private func line(_ row: [String], _ widths: [Int], _ style: Style, width: Int) -> StyledLine {
        var line = StyledLine()
        for (column, text) in row.enumerated() {
            if column > 0 { line.append(" │ ", .faint) }
            line.append(text, style, width: widths[column])
        }
        if line.width > width { return StyledLine(line.text, style, width: width) }
        line.pad(to: width)
        return line
    }

    /// As wide as each column needs; where that is too much, the widest give way.
    private func fitted(_ width: Int) -> [Int] {
        var widths = (cells.first ?? []).indices.map { column in
            cells.reduce(1) { max($0, CellWidth.of($1[column])) }
        }
        let room = width - 3 * (widths.count - 1)
        while widths.reduce(0, +) > room, let widest = widths.max(), widest > 1,
            let column = widths.firstIndex(of: widest)
        {
            // All at once as far as the next one, so that a cell of a megabyte takes no million steps.
            let second = widths.filter { $0 < widest }.max() ?? 1
            let excess = widths.reduce(0, +) - room
            widths[column] = max(second, widest - excess, 1)
            if widths[column] == widest { widths[column] -= 1 }
        }
        return widths
    }
}
