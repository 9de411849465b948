/// Rows in aligned columns, for people at a terminal.
///
///     var table = TextTable(["KIND", "NAME"], yielding: [.dropped(0)])
///     table.add(["password", "github"])
///     for line in table.lines(within: 80) { print(line) }
package struct TextTable {
    /// What a column does where the rows are wider than the terminal.
    package enum Yield {
        /// It becomes narrower, down to so many columns of the terminal; what is longer there ends in `…`.
        ///
        /// Never one whose cells a person types whole.
        case shortened(Int, to: Int)
        /// It is left out.
        case dropped(Int)
    }

    private let header: [String]
    private let yielding: [Yield]
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - header: what stands above each column; every row has as many cells.
    ///   - yielding: what gives way in a terminal that is too narrow, the least needed first. A column that is not
    ///     named stands whole in each row.
    package init(_ header: [String], yielding: [Yield] = []) {
        self.header = header.map { SafeText.line($0) }
        self.yielding = yielding
    }

    /// Adds a row; what a terminal would obey in it is spelled out.
    package mutating func add(_ row: [String]) { rows.append(row.map { SafeText.line($0) }) }

    /// The header, and a line for each row, as wide as they are.
    ///
    /// A column that no row has anything in is left out, and no line ends with blanks. Without rows there are no lines.
    package var lines: [String] { lines(within: nil) }

    /// The same for a terminal.
    ///
    /// A cell that is much longer than the others of its column moves what stands behind it, to a line of its own where
    /// that is beyond the terminal's edge: one long name takes nothing from the other rows.
    ///
    /// - Parameter limit: the terminal's columns; nil where there is none.
    package func lines(within limit: Int?) -> [String] {
        guard !rows.isEmpty else { return [] }
        let places = places(within: limit)
        return ([header] + rows).flatMap { Self.lines(of: $0, at: places, within: limit ?? .max) }
    }

    // MARK: columns

    /// Where a column stands.
    private struct Place {
        let column: Int
        let start: Int
        /// Cells that are longer are shortened; nil where none is.
        let room: Int?
    }

    private func places(within limit: Int?) -> [Place] {
        var widths: [Int: Int] = [:]
        for column in header.indices where rows.contains(where: { !$0[column].isEmpty }) {
            widths[column] = rows.reduce(CellWidth.of(header[column])) { max($0, CellWidth.of($1[column])) }
        }
        var shortened: [Int] = []
        if let limit, Self.width(widths) > limit { shortened = narrow(&widths, to: limit) }
        var start = 0
        return widths.keys.sorted().map { column in
            defer { start += (widths[column] ?? 0) + Self.gap }
            return Place(column: column, start: start, room: shortened.contains(column) ? widths[column] : nil)
        }
    }

    /// - Returns: the columns whose cells are to be shortened.
    private func narrow(_ widths: inout [Int: Int], to limit: Int) -> [Int] {
        let natural = widths
        var (shortened, dropped): ([Int], Set<Int>) = ([], [])
        for step in yielding {
            switch step {
            case .shortened(let column, _): if !shortened.contains(column) { shortened.append(column) }
            case .dropped(let column): dropped.insert(column)
            }
        }
        // A cell that is longer than most has its width at the cost of its own row, and not of all others.
        for (column, width) in natural where !shortened.contains(column) {
            let usual = usualWidth(of: column)
            let ample = dropped.contains(column) ? limit / 2 : min(usual + 12, limit / 3)
            widths[column] = min(width, max(CellWidth.of(header[column]), usual, ample))
        }
        for step in yielding {
            let missing = Self.width(widths) - limit
            guard missing > 0 else { break }
            switch step {
            case .shortened(let column, let least):
                if let width = widths[column] { widths[column] = max(min(width, least), width - missing) }
            case .dropped(let column): widths[column] = nil
            }
        }
        // What is left is for what became narrower: first where cells are shortened, then where the least is missing.
        let missing = natural.merging(widths) { $0 - $1 }
        let kept = widths.keys.filter { !shortened.contains($0) }.sorted {
            (missing[$0, default: 0], $0) < (missing[$1, default: 0], $1)
        }
        for column in shortened + kept where widths[column] != nil {
            widths[column, default: 0] += min(missing[column, default: 0], max(0, limit - Self.width(widths)))
        }
        return shortened
    }

    /// Which width three cells of four do not go beyond, of those with something in them.
    private func usualWidth(of column: Int) -> Int {
        let widths = rows.map { CellWidth.of($0[column]) }.filter { $0 > 0 }.sorted()
        return widths.isEmpty ? 0 : widths[(3 * widths.count + 3) / 4 - 1]
    }

    /// Between columns.
    private static let gap = 2

    private static func width(_ widths: [Int: Int]) -> Int {
        widths.values.reduce(0, +) + gap * max(0, widths.count - 1)
    }

    // MARK: rows

    private static func lines(of row: [String], at places: [Place], within limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var end = 0
        for place in places where !row[place.column].isEmpty {
            let cell = place.room.map { StyledLine(row[place.column], width: $0).text } ?? row[place.column]
            let width = CellWidth.of(cell)
            var start = line.isEmpty ? place.start : max(place.start, end + gap)
            if !line.isEmpty, start + width > limit {
                lines.append(line)
                (line, end) = ("", 0)
                // Below its column, or as far right as it fits, and always further in than the row's first cell.
                start = max(gap, min(place.start, limit - width))
            }
            line += String(repeating: " ", count: start - end) + cell
            end = start + width
        }
        return (lines + [line]).map { line in
            String(line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
        }
    }
}
