import Foundation
import GRDB

/// The baseline: plain SQLite with FTS5, WAL, a commit for each change, nothing sealed.
final class NaiveNotes {
    private let database: DatabaseQueue

    init(folder: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        database = try DatabaseQueue(path: folder + "/naive.sqlite", configuration: configuration)
        try database.inDatabase { database in
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            try database.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT, modified INTEGER);
                    CREATE INDEX modified ON note (modified);
                    CREATE VIRTUAL TABLE search USING fts5(
                        text, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
                    """)
        }
    }

    func add(_ number: Int, _ text: String) throws {
        try database.write { database in
            try database.execute(
                sql: "INSERT INTO note VALUES (?, ?, ?, ?)",
                arguments: [number, String(text.prefix(20)), text, number])
            try database.execute(sql: "INSERT INTO search (rowid, text) VALUES (?, ?)", arguments: [number, text])
        }
    }

    func edit(_ number: Int, _ text: String) throws {
        try database.write { database in
            let old = try String.fetchOne(database, sql: "SELECT text FROM note WHERE id = ?", arguments: [number])
            try database.execute(
                sql: "UPDATE note SET text = ?, modified = modified + 1000000 WHERE id = ?", arguments: [text, number])
            try database.execute(
                sql: "INSERT INTO search (search, rowid, text) VALUES ('delete', ?, ?)", arguments: [number, old])
            try database.execute(sql: "INSERT INTO search (rowid, text) VALUES (?, ?)", arguments: [number, text])
        }
    }

    func list(_ limit: Int) throws -> Int {
        try database.read { database in
            let sql = "SELECT id, title, modified FROM note ORDER BY modified DESC LIMIT ?"
            return try Row.fetchAll(database, sql: sql, arguments: [limit]).count
        }
    }

    func search(_ word: String) throws -> Int {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT note.id, note.title, note.text FROM search JOIN note ON note.id = search.rowid
                    WHERE search MATCH ? ORDER BY rank LIMIT 50
                    """, arguments: ["\"\(word)\"*"]
            ).count
        }
    }

    func open(_ number: Int) throws -> String? {
        try database.read { database in
            try String.fetchOne(database, sql: "SELECT text FROM note WHERE id = ?", arguments: [number])
        }
    }
}
