import GRDB
package import Secrets

/// A text for the index.
package struct IndexedText {
    package let id: Identifier
    package let title: String
    package let text: String
    /// Whether its title is all that may be found of it.
    package let isTitleOnly: Bool

    package init(id: Identifier, title: String, text: String, isTitleOnly: Bool = false) {
        self.id = id
        self.title = title
        self.text = text
        self.isTitleOnly = isTitleOnly
    }
}

/// A text that a search has found.
package struct SearchHit {
    package let id: Identifier
    /// The smaller, the better.
    package let rank: Double
    package let excerpt: String
}

/// One FTS5 table (sqlite.org/fts5.html) in memory.
package final class SearchTable {
    private let database: DatabaseQueue
    private var rows: [Identifier: Int64] = [:]
    private var ids: [Int64: Identifier] = [:]
    /// Texts of which the title alone is here.
    private var titles: Set<Identifier> = []
    private var nextRow: Int64 = 1

    package init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // What is deleted is overwritten, in memory too.
            try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        }
        database = try DatabaseQueue(configuration: configuration)
        try database.inDatabase { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE note USING fts5(
                        title, text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
                    """)
        }
    }

    /// Texts of which more than the title is here.
    package var count: Int { rows.count - titles.count }

    package func replace(_ texts: [IndexedText]) throws {
        guard !texts.isEmpty else { return }
        try database.inDatabase { database in
            try database.inTransaction {
                for text in texts {
                    try delete(text.id, database)
                    let statement = try database.cachedStatement(
                        sql: "INSERT INTO note (rowid, title, text) VALUES (?, ?, ?)")
                    try statement.execute(arguments: [nextRow, text.title, text.text])
                    // The statement must not keep the words.
                    statement.arguments = [0, "", ""]
                    rows[text.id] = nextRow
                    ids[nextRow] = text.id
                    if text.isTitleOnly { titles.insert(text.id) }
                    nextRow += 1
                }
                return .commit
            }
        }
    }

    package func remove(_ id: Identifier) throws {
        guard rows[id] != nil else { return }
        try database.inDatabase { try delete(id, $0) }
    }

    private func delete(_ id: Identifier, _ database: Database) throws {
        guard let row = rows.removeValue(forKey: id) else { return }
        ids[row] = nil
        titles.remove(id)
        try database.cachedStatement(sql: "DELETE FROM note WHERE rowid = ?").execute(arguments: [row])
    }

    package func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        guard let match = query.match else { return [] }
        return try database.inDatabase { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, bm25(note, 4.0, 1.0) AS place, substr(text, 1, 65536)
                    FROM note WHERE note MATCH ? ORDER BY place LIMIT ?
                    """)
            defer { statement.arguments = ["\"\"", 0] }
            return try Row.fetchAll(statement, arguments: [match, limit]).compactMap { found in
                guard let row = Int64.fromDatabaseValue(found[0]), let id = ids[row] else { return nil }
                let text = String.fromDatabaseValue(found[2]) ?? ""
                return SearchHit(
                    id: id, rank: Double.fromDatabaseValue(found[1]) ?? 0,
                    excerpt: Excerpt.make(text, around: query.words))
            }
        }
    }

    package func close() { try? database.close() }
}
