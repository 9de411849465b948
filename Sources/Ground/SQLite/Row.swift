/// A row that a statement has found: its cells, in the order in which the statement names them.
///
/// Cells are taken as they are: one that holds something else than is asked for is nil, since a damaged or foreign
/// database may hold anything anywhere.
package struct Row: Equatable, Sendable {
    /// In the order of the columns.
    package let cells: [DatabaseValue]

    /// - Parameter cells: in the order of the columns.
    package init(_ cells: [DatabaseValue]) { self.cells = cells }

    /// How many columns there are.
    package var count: Int { cells.count }

    /// - Parameter column: from 0 on.
    package subscript(column: Int) -> DatabaseValue { cells[column] }

    /// Whether the cell is empty.
    package func isNull(_ column: Int) -> Bool { cells[column].isNull }

    /// The whole number in a cell; nil where it holds none.
    package func integer(_ column: Int) -> Int64? { cells[column].integer }

    /// The number in a cell; nil where it holds none.
    package func real(_ column: Int) -> Double? { cells[column].real }

    /// The text in a cell; nil where it holds none.
    package func text(_ column: Int) -> String? { cells[column].text }

    /// The bytes in a cell; nil where it holds none.
    package func bytes(_ column: Int) -> [UInt8]? { cells[column].bytes }
}
