import SQLite
package import Secrets

/// A text for the index.
package struct IndexedText {
    /// Names it, as the store does.
    package let id: Identifier
    /// Counts four times as much as the text where hits are ranked.
    package let title: String
    /// What is looked through; it is not kept.
    package let text: String
    /// Whether its title is all that may be found of it.
    package let isTitleOnly: Bool

    /// - Parameter isTitleOnly: whether its title is all that may be found of it.
    package init(id: Identifier, title: String, text: String, isTitleOnly: Bool = false) {
        self.id = id
        self.title = title
        self.text = text
        self.isTitleOnly = isTitleOnly
    }

    fileprivate var byteCount: Int { title.utf8.count + text.utf8.count }
}

/// A text that a search has found.
package struct SearchHit {
    /// Of the text that was found.
    package let id: Identifier
    /// The smaller, the better.
    package let rank: Double
}

/// One FTS5 table (sqlite.org/fts5.html) in memory: words, and where they stand, without the texts themselves.
///
/// Who knows to the letter what was added has it taken out again. Where nobody does, the text is found no more, but its
/// words stay until the table is closed; ``isStale`` says when so many have stayed that another table is worth its
/// time.
package final class SearchTable {
    private struct Place {
        let row: Int64
        let byteCount: Int
    }

    /// Texts whose words may stay, however few others there are.
    private static let staleLimit = 256
    private let staleByteLimit: Int
    private let database: Database
    private var places: [Identifier: Place] = [:]
    private var ids: [Int64: Identifier] = [:]
    /// Texts of which the title alone is here.
    private var titles: Set<Identifier> = []
    private var nextRow: Int64 = 1
    private var byteCount = 0
    private var (staleCount, staleByteCount) = (0, 0)

    /// - Parameter staleByteLimit: of texts whose words may stay, however few others there are.
    package init(staleByteLimit: Int = 4 << 20) throws {
        self.staleByteLimit = staleByteLimit
        // What is deleted is overwritten, in memory too.
        database = try Database(settingUp: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        // Of 50,000 notes with 60,000 words the texts would take 35 MB, and an index of beginnings of two letters 15;
        // without it they are found as fast, among the words themselves.
        try database.execute(
            """
            CREATE VIRTUAL TABLE note USING fts5(
                title, text, tokenize = 'unicode61 remove_diacritics 2', content = '');
            """)
    }

    /// Texts of which more than the title is here.
    package var count: Int { places.count - titles.count }

    /// Whether more has stayed of texts that are found no more than there is of all others: they take memory, and count
    /// where hits are ranked by how many texts have a word.
    package var isStale: Bool {
        staleByteCount > byteCount + staleByteLimit || staleCount > places.count + Self.staleLimit
    }

    /// Whether a text of this name is found now.
    package func contains(_ id: Identifier) -> Bool { places[id] != nil }

    /// Adds texts, or puts them in place of those that were there: all of them, or none.
    ///
    /// - Parameters:
    ///   - texts: each of another `id`.
    ///   - former: what was added for those that are replaced, to the letter, as far as it is known.
    package func replace(_ texts: [IndexedText], former: [IndexedText] = []) throws {
        guard !texts.isEmpty else { return }
        try database.transaction {
            for (row, text) in zip(nextRow..., texts) {
                if let former = former.first(where: { $0.id == text.id }) { try takeOut(former) }
                let statement = try database.cachedStatement("INSERT INTO note (rowid, title, text) VALUES (?, ?, ?)")
                try statement.run([row, text.title, text.text])
            }
        }
        for (row, text) in zip(nextRow..., texts) {
            forget(text.id, isTakenOut: former.contains { $0.id == text.id })
            places[text.id] = Place(row: row, byteCount: text.byteCount)
            ids[row] = text.id
            byteCount += text.byteCount
            if text.isTitleOnly { titles.insert(text.id) }
        }
        nextRow += Int64(texts.count)
    }

    /// - Parameter former: as above.
    package func remove(_ id: Identifier, former: IndexedText? = nil) throws {
        guard places[id] != nil else { return }
        if let former { try takeOut(former) }
        forget(id, isTakenOut: former != nil)
    }

    private func forget(_ id: Identifier, isTakenOut: Bool) {
        guard let place = places.removeValue(forKey: id) else { return }
        ids[place.row] = nil
        titles.remove(id)
        byteCount -= place.byteCount
        guard !isTakenOut else { return }
        staleByteCount += place.byteCount
        staleCount += 1
    }

    private func takeOut(_ text: IndexedText) throws {
        guard let place = places[text.id] else { return }
        let statement = try database.cachedStatement(
            "INSERT INTO note (note, rowid, title, text) VALUES ('delete', ?, ?, ?)")
        try statement.run([place.row, text.title, text.text])
    }

    /// The texts that match, best first.
    ///
    /// - Throws: `DatabaseError`.
    package func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        guard limit > 0, let match = query.match else { return [] }
        let statement = try database.cachedStatement(
            "SELECT rowid, rank FROM note WHERE note MATCH ? AND rank MATCH 'bm25(4.0, 1.0)' ORDER BY rank")
        var hits: [SearchHit] = []
        try statement.forEachRow([match]) { found in
            // One that was replaced or removed has no name any more.
            guard let row = found.integer(0), let id = ids[row] else { return true }
            hits.append(SearchHit(id: id, rank: found.real(1) ?? 0))
            return hits.count < limit
        }
        return hits
    }

    /// Gives all words back; nothing can be asked afterwards.
    package func close() { database.close() }
}
