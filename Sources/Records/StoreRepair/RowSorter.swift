import SQLite

/// Gives rows that were found on their own to the tables that they have the form of.
struct RowSorter {
    let forms: [TableForm]
    let indexes: [IndexForm]
    private(set) var strange = 0
    /// By table, the numbers of rows that an index names.
    private var known: [String: Set<Int64>] = [:]

    init(forms: [TableForm], _ indexes: [IndexForm]) {
        self.forms = forms
        // An entry that could be one of two tables' says nothing.
        self.indexes = indexes.filter { one in
            !indexes.contains { $0.table != one.table && $0.storages == one.storages }
        }
    }

    mutating func take(_ row: DatabasePages.FoundRow, into database: Database) throws {
        let fitting = forms.filter { $0.fits(row) }
        if fitting.isEmpty {
            if let index = indexes.first(where: { $0.fits(row) }), let number = index.number(in: row) {
                known[index.table, default: []].insert(number)
            } else if row.number != nil, row.page != 1 {
                // On the first page stand the names of the tables.
                strange += 1
            }
            return
        }
        // Two tables of one form are told apart by their page. Where it is neither's both take the row: in the wrong
        // one it does not open, and the spare counts.
        let own = fitting.filter { $0.rootPage == row.page }
        for form in own.isEmpty ? fitting : own { try form.insert(row, into: database) }
    }

    /// How many rows came over.
    func rows(in database: Database) throws -> Int { try forms.reduce(0) { try $0 + $1.count(in: database) } }

    /// How many rows an index knows that did not come over.
    func lost(in database: Database) throws -> Int {
        try known.reduce(0) { sum, entry in
            let form = forms.first { $0.name == entry.key }
            guard let number = form?.columns.first(where: \.isRowNumber) else { return sum }
            let there = try database.rows("SELECT \(number.name) FROM \(entry.key)").compactMap { $0.integer(0) }
            return sum + entry.value.subtracting(there).count
        }
    }
}

/// How the entries of an index look that leads to a table's rows by their numbers.
struct IndexForm: Equatable {
    let table: String
    /// Of the indexed cells, and of the number behind them.
    let storages: [TableForm.Storage]

    static func all(of database: Database) throws -> [IndexForm] {
        try TableForm.all(of: database).filter { $0.isNumbered }.flatMap { form in
            let names = try database.rows("SELECT name FROM pragma_index_list(?)", [form.name])
            return try names.compactMap { $0.text(0) }.map { name in
                let columns = try database.rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [name])
                let storages = columns.compactMap { column in
                    form.columns.first { $0.name == column.text(0) }?.storage
                }
                return IndexForm(table: form.name, storages: storages + [.integer])
            }
        }
    }

    func fits(_ row: DatabasePages.FoundRow) -> Bool {
        row.number == nil && row.cells.count == storages.count
            && zip(storages, row.cells).allSatisfy { $0.has($1) }
    }

    func number(in row: DatabasePages.FoundRow) -> Int64? {
        row.cells.last?.integer
    }
}
