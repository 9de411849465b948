/// Rows in aligned columns, for people at a terminal.
///
///     var table = TextTable(["KIND", "NAME"])
///     table.add(["password", "github"])
///     for line in table.lines { print(line) }
package struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []

    /// - Parameter header: what stands above each column; every row has as many cells.
    package init(_ header: [String]) { self.header = header }

    /// Adds a row; what a terminal would obey in it is spelled out.
    package mutating func add(_ row: [String]) { rows.append(row.map { SafeText.line($0) }) }

    /// The header, and a line for each row.
    ///
    /// A column that no row has anything in is left out, and no line ends with blanks. Without rows there are no lines.
    package var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let columns = header.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let widths = columns.map { column in
            rows.reduce(CellWidth.of(header[column])) { max($0, CellWidth.of($1[column])) }
        }
        return ([header] + rows).map { row in
            let cells = zip(columns, widths).map { column, width in
                row[column] + String(repeating: " ", count: width - CellWidth.of(row[column]))
            }
            let line = cells.joined(separator: "  ")
            return String(line.prefix(upTo: line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex))
        }
    }
}
