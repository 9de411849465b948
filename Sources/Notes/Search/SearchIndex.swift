import FoundationEssentials
import GRDB
import NotesClient
import Secrets

/// The words of one note, for the index.
struct SearchText {
    let note: Identifier
    /// Whether the words may be in memory only as long as a session is open.
    let isLocked: Bool
    let isTitleOnly: Bool
    let title: String
    let text: String

    /// What may be found of a locked note without a session: its title, where that is shown.
    init(titleOf note: Identifier, _ header: NoteHeader) {
        self.note = note
        isLocked = false
        isTitleOnly = true
        title = header.title
        text = ""
    }

    init(_ note: Identifier, _ header: NoteHeader, _ body: NoteBody) {
        self.note = note
        isLocked = header.isLocked
        isTitleOnly = false
        title = header.isLocked ? body.title : header.title
        let tags = header.isLocked ? body.tags : header.tags
        text = ([Markdown.plainText(body.blocks)] + tags.map { "#\($0)" }).joined(separator: "\n")
    }
}

/// Full text in memory: one database for open notes, one for locked ones, which goes away with their sessions.
///
/// What is deleted from a database lives on in its buffers. Where that must not be, because a note has been locked, a
/// fresh database is filled beside the old one and takes its place, and the old one's memory is given back and wiped.
final class SearchIndex {
    private var open: SearchTable
    private var fresh: SearchTable?
    private var locked: SearchTable?
    /// Whether words of removed texts may still be in memory.
    private(set) var isStale = false

    init() throws { open = try SearchTable() }

    /// Notes that can be found by their text.
    var count: Int { open.count + (locked?.count ?? 0) }

    /// Adds notes, or replaces what was known of them.
    func add(_ texts: [SearchText]) throws {
        let shown = texts.filter { !$0.isLocked }
        try open.replace(shown)
        try fresh?.replace(shown)
        let secret = texts.filter(\.isLocked)
        guard !secret.isEmpty else { return }
        let table = try locked ?? SearchTable()
        locked = table
        try table.replace(secret)
    }

    func remove(_ note: Identifier) throws {
        for table in [open, fresh, locked] { try table?.remove(note) }
    }

    /// A session has ended: nothing of any locked note stays in memory.
    func forgetLocked() {
        locked?.close()
        locked = nil
    }

    // MARK: A fresh database

    /// What is left in memory of removed texts is to go as well: one of them belongs to a note that has been locked.
    func forgetRemoved() { isStale = true }

    var isRenewing: Bool { fresh != nil }

    /// Begins a fresh database; all open notes are to be added to it with ``renew(_:)``.
    func beginRenewal() throws {
        fresh?.close()
        fresh = try SearchTable()
        isStale = false
    }

    func renew(_ texts: [SearchText]) throws { try fresh?.replace(texts.filter { !$0.isLocked }) }

    /// The fresh database has all there is: the old one goes.
    func endRenewal() {
        guard let fresh = fresh.take() else { return }
        open.close()
        open = fresh
    }

    func close() {
        forgetLocked()
        fresh?.close()
        open.close()
    }

    /// Notes that contain all of a query's words, best first, each with the words around a hit.
    func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        let sealed = try locked?.find(query, limit: limit) ?? []
        let known = Set(sealed.map(\.note))
        let found = try open.find(query, limit: limit).filter { !known.contains($0.note) } + sealed
        return Array(found.sorted { $0.rank < $1.rank }.prefix(limit))
    }
}

/// A note that a search has found.
struct SearchHit {
    let note: Identifier
    /// The smaller, the better.
    let rank: Double
    let excerpt: String
}

/// One FTS5 table (sqlite.org/fts5.html) in memory.
final class SearchTable {
    private let database: DatabaseQueue
    private var rows: [Identifier: Int64] = [:]
    private var notes: [Int64: Identifier] = [:]
    /// Locked notes of which the title alone is here.
    private var titles: Set<Identifier> = []
    private var nextRow: Int64 = 1

    init() throws {
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

    /// Notes whose text is here.
    var count: Int { rows.count - titles.count }

    func replace(_ texts: [SearchText]) throws {
        guard !texts.isEmpty else { return }
        try database.inDatabase { database in
            try database.inTransaction {
                for text in texts {
                    try delete(text.note, database)
                    let statement = try database.cachedStatement(
                        sql: "INSERT INTO note (rowid, title, text) VALUES (?, ?, ?)")
                    try statement.execute(arguments: [nextRow, text.title, text.text])
                    // The statement must not keep the words.
                    statement.arguments = [0, "", ""]
                    rows[text.note] = nextRow
                    notes[nextRow] = text.note
                    if text.isTitleOnly { titles.insert(text.note) }
                    nextRow += 1
                }
                return .commit
            }
        }
    }

    func remove(_ note: Identifier) throws {
        guard rows[note] != nil else { return }
        try database.inDatabase { try delete(note, $0) }
    }

    private func delete(_ note: Identifier, _ database: Database) throws {
        guard let row = rows.removeValue(forKey: note) else { return }
        notes[row] = nil
        titles.remove(note)
        try database.cachedStatement(sql: "DELETE FROM note WHERE rowid = ?").execute(arguments: [row])
    }

    func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        guard let match = query.match else { return [] }
        return try database.inDatabase { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, bm25(note, 4.0, 1.0) AS place, substr(text, 1, 65536)
                    FROM note WHERE note MATCH ? ORDER BY place LIMIT ?
                    """)
            defer { statement.arguments = ["\"\"", 0] }
            return try Row.fetchAll(statement, arguments: [match, limit]).compactMap { row in
                guard let id = Int64.fromDatabaseValue(row[0]), let note = notes[id] else { return nil }
                let text = String.fromDatabaseValue(row[2]) ?? ""
                return SearchHit(
                    note: note, rank: Double.fromDatabaseValue(row[1]) ?? 0,
                    excerpt: Excerpt.make(text, around: query.words))
            }
        }
    }

    func close() { try? database.close() }
}

/// What a person typed into the search: words, of which the last may be unfinished, and "phrases".
struct SearchQuery {
    /// Characters, and terms, that are looked at: the time of a query rises faster than their number.
    private static let longest = 1000
    private static let mostTerms = 32

    /// FTS5's own query; nil where there is nothing to look for.
    let match: String?
    /// The words, for excerpts.
    let words: [String]

    init(_ text: String) {
        let text = String(text.prefix(Self.longest))
        var terms: [String] = []
        var words: [String] = []
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isPhrase = number % 2 == 1
            let found = part.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map(String.init)
            words += found
            if isPhrase {
                if !found.isEmpty { terms.append("\"" + found.joined(separator: " ") + "\"") }
            } else {
                terms += found.map { "\"\($0)\"*" }
            }
        }
        self.words = words
        var known: Set<String> = []
        let distinct = terms.filter { known.insert($0).inserted }.prefix(Self.mostTerms)
        match = distinct.isEmpty ? nil : distinct.joined(separator: " AND ")
    }
}
