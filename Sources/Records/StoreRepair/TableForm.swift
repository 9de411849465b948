import SQLite

/// How the rows of a table look, by which each is known without its table.
struct TableForm: Equatable {
    struct Column: Equatable {
        let name: String
        let storage: Storage
        let isOptional: Bool
        /// Whether it is another name of the row's number: such a cell is empty on the disk.
        let isRowNumber: Bool
    }

    enum Storage: String {
        case integer, text, blob

        func has(_ value: DatabaseValue) -> Bool {
            switch (self, value) {
            case (.integer, .integer), (.text, .text), (.blob, .blob): true
            default: false
            }
        }
    }

    let name: String
    let columns: [Column]
    /// Whether its rows have a number.
    let isNumbered: Bool
    /// Its only page as long as it is small, in a database that was made with it.
    let rootPage: Int

    static func all(of database: Database) throws -> [TableForm] {
        let rows = try database.rows(
            """
            SELECT list.name, list.wr, master.rootpage FROM pragma_table_list AS list
            JOIN sqlite_schema AS master ON master.name = list.name
            WHERE list.schema = 'main' AND list.type = 'table' AND list.name NOT LIKE 'sqlite_%'
            ORDER BY master.rootpage
            """)
        return try rows.compactMap { row in
            guard let name = row.text(0), let rootPage = row.integer(2) else { return nil }
            let isNumbered = row.integer(1) == 0
            return TableForm(
                name: name, columns: try columns(of: name, isNumbered: isNumbered, in: database),
                isNumbered: isNumbered, rootPage: Int(rootPage))
        }
    }

    private static func columns(
        of table: String, isNumbered: Bool, in database: Database
    ) throws -> [Column] {
        let rows = try database.rows(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid", [table])
        let keys = rows.count { ($0.integer(3) ?? 0) > 0 }
        return rows.compactMap { row in
            guard let name = row.text(0), let type = row.text(1), let storage = Storage(rawValue: type.lowercased())
            else { return nil }
            let isRowNumber = isNumbered && storage == .integer && keys == 1 && row.integer(3) == 1
            return Column(name: name, storage: storage, isOptional: row.integer(2) == 0, isRowNumber: isRowNumber)
        }
    }

    static func columnNames(of table: String, in database: Database) throws -> [String] {
        try database.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [table]).compactMap { $0.text(0) }
    }

    /// Whether a row could be one of this table's.
    func fits(_ row: DatabasePages.FoundRow) -> Bool {
        (row.number != nil) == isNumbered && row.cells.count == columns.count
            && zip(columns, row.cells).allSatisfy { column, cell in
                guard !column.isRowNumber else { return cell.isNull }
                return column.storage.has(cell) || (column.isOptional && cell.isNull)
            }
    }

    /// Whether each row of the one could be one of the other.
    func looksLike(_ other: TableForm) -> Bool {
        name != other.name && isNumbered == other.isNumbered
            && columns.map(\.storage) == other.columns.map(\.storage)
            && columns.map(\.isRowNumber) == other.columns.map(\.isRowNumber)
    }

    /// Puts a row that fits into the table of this name; of two with one key the first stays.
    func insert(_ row: DatabasePages.FoundRow, into database: Database) throws {
        let values = zip(columns, row.cells).map { column, cell in
            column.isRowNumber ? DatabaseValue.integer(row.number ?? 0) : cell
        }
        let names = columns.map(\.name).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let statement = try database.cachedStatement("INSERT OR IGNORE INTO \(name) (\(names)) VALUES (\(marks))")
        try statement.run(values)
    }

    func count(in database: Database) throws -> Int {
        Int(try database.integer("SELECT count(*) FROM \(name)") ?? 0)
    }
}
