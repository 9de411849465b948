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
    /// Empty where the table keeps no texts.
    package let excerpt: String
}

/// One FTS5 table (sqlite.org/fts5.html) in memory.
package final class SearchTable {
    private let database: DatabaseQueue
    private let keepsTexts: Bool
    private var rows: [Identifier: Int64] = [:]
    private var ids: [Int64: Identifier] = [:]
    /// Texts of which the title alone is here.
    private var titles: Set<Identifier> = []
    private var nextRow: Int64 = 1

    /// - Parameter keepsTexts: whether it has the texts themselves, for excerpts; without them it takes less than half
    ///   the memory, and whoever changes or removes a text has to say what it was.
    package init(keepsTexts: Bool = true) throws {
        self.keepsTexts = keepsTexts
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // What is deleted is overwritten, in memory too.
            try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        }
        database = try DatabaseQueue(configuration: configuration)
        // Beginnings are found among the words themselves: an index of those of two letters took 15 MB at 50,000 notes
        // with 60,000 words, and found them no faster.
        let options = keepsTexts ? "" : ", content = ''"
        try database.inDatabase { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE note USING fts5(
                        title, text, tokenize = 'unicode61 remove_diacritics 2'\(options));
                    """)
        }
    }

    /// Texts of which more than the title is here.
    package var count: Int { rows.count - titles.count }

    package func contains(_ id: Identifier) -> Bool { rows[id] != nil }

    /// Adds texts, or puts them in place of those that were there: all of them, or none.
    ///
    /// - Parameters:
    ///   - texts: each of another `id`.
    ///   - former: in a table without texts, what was added for those that are replaced, to the letter.
    package func replace(_ texts: [IndexedText], former: [IndexedText] = []) throws {
        guard !texts.isEmpty else { return }
        try database.inDatabase { database in
            try database.inTransaction {
                for (row, text) in zip(nextRow..., texts) {
                    try delete(text.id, former.first { $0.id == text.id }, database)
                    let statement = try database.cachedStatement(
                        sql: "INSERT INTO note (rowid, title, text) VALUES (?, ?, ?)")
                    // The statement must not keep the words.
                    defer { statement.arguments = [0, "", ""] }
                    try statement.execute(arguments: [row, text.title, text.text])
                }
                return .commit
            }
        }
        for (row, text) in zip(nextRow..., texts) {
            forget(text.id)
            rows[text.id] = row
            ids[row] = text.id
            if text.isTitleOnly { titles.insert(text.id) }
        }
        nextRow += Int64(texts.count)
    }

    /// - Parameter former: as above.
    package func remove(_ id: Identifier, former: IndexedText? = nil) throws {
        guard rows[id] != nil else { return }
        try database.inDatabase { try delete(id, former, $0) }
        forget(id)
    }

    private func forget(_ id: Identifier) {
        guard let row = rows.removeValue(forKey: id) else { return }
        ids[row] = nil
        titles.remove(id)
    }

    private func delete(_ id: Identifier, _ former: IndexedText?, _ database: Database) throws {
        guard let row = rows[id] else { return }
        guard !keepsTexts else {
            return try database.cachedStatement(sql: "DELETE FROM note WHERE rowid = ?").execute(arguments: [row])
        }
        guard let former else { throw SearchTableError.missingText }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO note (note, rowid, title, text) VALUES ('delete', ?, ?, ?)")
        defer { statement.arguments = [0, "", ""] }
        try statement.execute(arguments: [row, former.title, former.text])
    }

    package func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        guard let match = query.match else { return [] }
        return try database.inDatabase { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, rank FROM note
                    WHERE note MATCH ? AND rank MATCH 'bm25(4.0, 1.0)' ORDER BY rank LIMIT ?
                    """)
            defer { statement.arguments = ["\"\"", 0] }
            return try Row.fetchAll(statement, arguments: [match, limit]).compactMap { found in
                guard let row = Int64.fromDatabaseValue(found[0]), let id = ids[row] else { return nil }
                return SearchHit(
                    id: id, rank: Double.fromDatabaseValue(found[1]) ?? 0,
                    excerpt: try text(in: row, database).map { Excerpt.make($0, around: query.words) } ?? "")
            }
        }
    }

    /// The beginning of a text, read for those alone that are shown: a word may be in ten thousand.
    private func text(in row: Int64, _ database: Database) throws -> String? {
        guard keepsTexts else { return nil }
        let statement = try database.cachedStatement(sql: "SELECT substr(text, 1, 65536) FROM note WHERE rowid = ?")
        return try String.fetchOne(statement, arguments: [row])
    }

    package func close() { try? database.close() }
}

enum SearchTableError: Error {
    /// A text is to be removed from a table without texts, and nobody says what it was.
    case missingText
}
