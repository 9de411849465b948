import SQLite

/// The baseline: plain SQLite with FTS5, WAL, a commit for each change, nothing sealed.
final class NaiveNotes {
    private let database: Database

    init(folder: String) throws {
        database = try Database(folder + "/naive.sqlite", settingUp: "PRAGMA synchronous = FULL")
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, text TEXT, modified INTEGER);
            CREATE INDEX modified ON note (modified);
            CREATE VIRTUAL TABLE search USING fts5(
                text, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
            """)
    }

    func add(_ number: Int, _ text: String) throws {
        try database.transaction {
            try database.execute(
                "INSERT INTO note VALUES (?, ?, ?, ?)", [number, String(text.prefix(20)), text, number])
            try database.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", [number, text])
        }
    }

    func edit(_ number: Int, _ text: String) throws {
        try database.transaction {
            let old = try database.text("SELECT text FROM note WHERE id = ?", [number])
            try database.execute(
                "UPDATE note SET text = ?, modified = modified + 1000000 WHERE id = ?", [text, number])
            try database.execute("INSERT INTO search (search, rowid, text) VALUES ('delete', ?, ?)", [number, old])
            try database.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", [number, text])
        }
    }

    func list(_ limit: Int) throws -> Int {
        try database.rows("SELECT id, title, modified FROM note ORDER BY modified DESC LIMIT ?", [limit]).count
    }

    func search(_ word: String) throws -> Int {
        try database.rows(
            """
            SELECT note.id, note.title, note.text FROM search JOIN note ON note.id = search.rowid
            WHERE search MATCH ? ORDER BY rank LIMIT 50
            """, ["\"\(word)\"*"]
        ).count
    }

    func open(_ number: Int) throws -> String? {
        try database.text("SELECT text FROM note WHERE id = ?", [number])
    }
}
