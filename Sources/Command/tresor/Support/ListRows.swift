import Linux
import TerminalScreen

/// Rows of a list: aligned columns with a header at a terminal, and elsewhere the lines that scripts know.
struct ListRows {
    private var table: TextTable
    private let isTable = Terminal.isTerminal(1)

    /// - Parameters:
    ///   - header: of each column.
    ///   - yielding: what gives way in a terminal that is too narrow, the least needed first.
    init(_ header: [String], yielding: [TextTable.Yield] = []) { table = TextTable(header, yielding: yielding) }

    /// - Parameters:
    ///   - cells: one for each column.
    ///   - line: what stands in their place where no terminal is.
    mutating func add(_ cells: [String], elsewhere line: @autoclosure () -> String) throws {
        // How wide the columns are is known at their end.
        if isTable { table.add(cells) } else { try Output.line(line()) }
    }

    /// The same for cells that stand elsewhere with tabs between them.
    mutating func add(_ cells: [String]) throws {
        try add(cells, elsewhere: cells.map { SafeText.line($0) }.joined(separator: "\t"))
    }

    func finish() throws {
        guard isTable else { return }
        try Output.table(table)
    }
}
