import CSQLite
import Linux
import Testing

@testable import SQLite

/// A database, its statements and its transactions.
@Suite struct DatabaseTests {
    private static func books() throws -> Database {
        let database = try Database(settingUp: "PRAGMA secure_delete = ON")
        try database.execute(
            "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT UNIQUE NOT NULL, year, cover BLOB); -- a comment")
        return database
    }

    // MARK: cells

    @Test(arguments: [
        DatabaseValue.null, .integer(.min), .integer(.max), .integer(0), .real(-0.5), .real(1e300), .text(""),
        .text("a\0b"), .text("Grüße, 世界 👩‍👩‍👧"), .blob([]), .blob([0]), .blob(Array(repeating: 0xa5, count: 70_000)),
    ])
    func `a cell comes back as it was put in`(_ value: DatabaseValue) throws {
        let database = try Self.books()
        try database.execute("INSERT INTO book (title, year) VALUES ('x', ?)", [value])
        #expect(try database.row("SELECT year, title FROM book") == Row([value, .text("x")]))
    }

    @Test func `values of Swift become cells`() throws {
        let none: [UInt8]? = nil
        let row = try Database().row(
            "SELECT ?, ?, ?, ?, ?, ?, ?", [1 as Int, -2 as Int64, true, 0.5, "a", [7] as [UInt8], none])
        let cells: [DatabaseValue] = [
            .integer(1), .integer(-2), .integer(1), .real(0.5), .text("a"), .blob([7]), .null,
        ]
        #expect(row?.cells == cells)
    }

    @Test func `a cell of another kind is nil`() throws {
        let row = try #require(try Database().row("SELECT 'a', x'00', 2.0, 2.5, NULL, 3"))
        #expect((0..<6).map { row.integer($0) } == [nil, nil, 2, nil, nil, 3])
        #expect((0..<6).map { row.text($0) } == ["a", nil, nil, nil, nil, nil])
        #expect((0..<6).map { row.bytes($0) } == [nil, [0], nil, nil, nil, nil])
        #expect((0..<6).map { row.real($0) } == [nil, nil, 2, 2.5, nil, 3])
        #expect((0..<6).map { row.isNull($0) } == [false, false, false, false, true, false])
    }

    @Test func `a text that is no UTF-8 is read with signs in the place of what is none`() throws {
        #expect(try Database().text("SELECT CAST(x'61ff62' AS TEXT)") == "a\u{FFFD}b")
    }

    // MARK: statements

    @Test func `a statement finds its rows each time, and forgets what it was asked with`() throws {
        let database = try Self.books()
        let insert = try database.cachedStatement("INSERT INTO book (title, year) VALUES (?, ?)")
        for (title, year) in [("a", 1), ("b", 2), ("c", 2)] { try insert.run([title, year]) }
        let find = try database.cachedStatement("SELECT title FROM book WHERE year = ? ORDER BY id")
        #expect(try find.rows([2]).map { $0.text(0) } == ["b", "c"])
        #expect(try find.row([1])?.text(0) == "a" && find.row([3]) == nil)
        #expect(try database.cachedStatement("SELECT title FROM book WHERE year = ? ORDER BY id") === find)
        #expect(database.lastInsertedRowID == 3)
        let kept = try #require(sqlite3_expanded_sql(insert.handle))
        defer { sqlite3_free(kept) }
        #expect(String(cString: kept) == "INSERT INTO book (title, year) VALUES (NULL, NULL)")
        try database.execute("DELETE FROM book WHERE year = ?", [2])
        #expect(database.changesCount == 2)
    }

    @Test func `rows are handed out until no more are wanted, and one loop may stand inside another`() throws {
        let database = try Self.books()
        for title in ["a", "b", "c"] { try database.execute("INSERT INTO book (title) VALUES (?)", [title]) }
        let sql = "SELECT title FROM book ORDER BY id"
        var seen: [String] = []
        try database.cachedStatement(sql).forEachRow { outer in
            try database.cachedStatement(sql).forEachRow { inner in
                seen.append((outer.text(0) ?? "") + (inner.text(0) ?? ""))
                return inner.text(0) != "b"
            }
            return outer.text(0) != "b"
        }
        #expect(seen == ["aa", "ab", "ba", "bb"])
        // Nothing is left running: else its lock would stay.
        try database.transaction { try database.execute("DELETE FROM book") }
    }

    @Test func `what throws in a loop ends the statement`() throws {
        struct Enough: Error {}
        let database = try Self.books()
        try database.execute("INSERT INTO book (title) VALUES ('a'), ('b')")
        let statement = try database.cachedStatement("SELECT title FROM book")
        #expect(throws: Enough.self) { try statement.forEachRow { _ in throw Enough() } }
        #expect(!statement.isRunning)
        #expect(try statement.rows().count == 2)
    }

    @Test func `a statement inside itself, and one with too few or too many values, are refused`() throws {
        let database = try Self.books()
        let statement = try database.cachedStatement("SELECT 1")
        try statement.forEachRow { _ in
            #expect(throws: DatabaseError.self) { try statement.run() }
            return true
        }
        for arguments in [[], [1, 2]] {
            let error = #expect(throws: DatabaseError.self) {
                try database.execute("INSERT INTO book (title) VALUES (?)", arguments)
            }
            #expect(error?.kind == .misuse)
        }
        #expect(try database.integer("SELECT count(*) FROM book") == 0)
        #expect(throws: DatabaseError.self) { try database.row("-- nothing") }
    }

    @Test func `several statements are run one after the other`() throws {
        let database = try Self.books()
        try database.execute("INSERT INTO book (title) VALUES ('é;'); /* ; */ INSERT INTO book (title) VALUES ('b');\n")
        #expect(try database.rows("SELECT title FROM book ORDER BY id").map { $0.text(0) } == ["é;", "b"])
    }

    @Test func `a word in double quotes that is no column is no text`() throws {
        #expect(throws: DatabaseError.self) { try Self.books().row("SELECT \"nothing\" FROM book") }
    }

    // MARK: failures

    @Test func `a failure says its kind, and nothing of what was to be written`() throws {
        let database = try Self.books()
        try database.execute("INSERT INTO book (title) VALUES ('secret')")
        let error = #expect(throws: DatabaseError.self) {
            try database.cachedStatement("INSERT INTO book (title) VALUES (?)").run(["secret"])
        }
        #expect(error?.kind == .constraint)
        #expect(error?.description.contains("book.title") == true && error?.description.contains("secret") == false)
        let syntax = #expect(throws: DatabaseError.self) { try database.execute("SELEC") }
        #expect(syntax?.kind == nil && syntax?.code == 1)
        #expect(DatabaseError(.full).message == "database or disk is full")
        #expect(DatabaseError(code: 1034, message: nil).isOfSync && !DatabaseError(.inputOutput).isOfSync)
    }

    @Test func `what is no database, and no place for one, is refused when it is opened`() throws {
        let folder = try TestFolder()
        let path = folder.path + "/text"
        try FileDescriptor.open(path, FileFlags.create, mode: 0o600).write(Array(repeating: 0x61, count: 5000), at: 0)
        #expect(throws: DatabaseError(.notADatabase, message: "file is not a database")) { try Database(path) }
        let error = #expect(throws: DatabaseError.self) { try Database(folder.path + "/none/database") }
        #expect(error?.kind == .cannotOpen)
    }

    @Test func `a database that another one holds is busy`() throws {
        let folder = try TestFolder()
        let path = folder.path + "/database"
        let first = try Database(path, settingUp: "PRAGMA locking_mode = EXCLUSIVE")
        try first.execute("CREATE TABLE one (id)")
        let error = #expect(throws: DatabaseError.self) { try Database(path) }
        #expect(error?.kind == .busy)
        // A statement that it keeps does not hold the file.
        try first.cachedStatement("SELECT * FROM one").run()
        first.close()
        first.close()
        #expect(throws: DatabaseError(.misuse, message: "the database was closed")) { try first.row("SELECT 1") }
        #expect(!first.isInsideTransaction)
        #expect(try Database(path).rows("SELECT name FROM sqlite_master").count == 1)
    }

    @Test func `a database that is abandoned writes nothing any more`() throws {
        let folder = try TestFolder()
        let path = folder.path + "/database"
        do {
            let database = try Database(path, settingUp: "PRAGMA wal_autocheckpoint = 0")
            _ = try database.text("PRAGMA journal_mode = WAL")
            try database.execute("CREATE TABLE one (id)")
            database.abandon()
            #expect(throws: DatabaseError.self) { try database.execute("DROP TABLE one") }
        }
        // SQLite would have moved the log into the database, and removed it.
        #expect(try FileSystem.status(path + "-wal")?.byteCount ?? 0 > 0)
    }

    // MARK: transactions

    @Test func `a transaction is done as a whole, or not at all`() throws {
        struct Refusal: Error {}
        let database = try Self.books()
        let title = try database.transaction {
            try database.execute("INSERT INTO book (title) VALUES ('a')")
            #expect(database.isInsideTransaction)
            return "a"
        }
        #expect(title == "a" && !database.isInsideTransaction)
        #expect(throws: Refusal.self) {
            try database.transaction {
                try database.execute("INSERT INTO book (title) VALUES ('b')")
                throw Refusal()
            }
        }
        #expect(try database.integer("SELECT count(*) FROM book") == 1 && !database.isInsideTransaction)
    }

    @Test func `what follows a transaction that SQLite took back is not kept without it`() throws {
        let database = try Self.books()
        try database.execute("PRAGMA max_page_count = 40; INSERT INTO book (title) VALUES ('before')")
        let count = try database.cachedStatement("SELECT count(*) FROM book")
        // Somebody goes on all the same: with kept statements, with new ones, with reading.
        var refusals: [DatabaseError.Kind?] = []
        func go(_ body: () throws -> Void) {
            do { try body() } catch { refusals.append((error as? DatabaseError)?.kind) }
        }
        go {
            try database.transaction {
                try database.execute("INSERT INTO book (title) VALUES ('first')")
                go { try database.execute("INSERT INTO book (title, cover) VALUES ('large', zeroblob(1 << 20))") }
                go { try database.execute("INSERT INTO book (title) VALUES ('second')") }
                go { try database.execute("SELECT 1") }
                go { _ = try count.row() }
            }
        }
        #expect(refusals == [.full, .aborted, .aborted, .aborted, .aborted] && !database.isInsideTransaction)
        #expect(try database.rows("SELECT title FROM book") == [Row([.text("before")])])
        try database.transaction { try database.execute("INSERT INTO book (title) VALUES ('after')") }
        #expect(try count.row()?.integer(0) == 2)
    }

    @Test func `a commit that fails is taken back`() throws {
        let database = try Self.books()
        try database.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE page (book INTEGER REFERENCES book (id) DEFERRABLE INITIALLY DEFERRED)
            """)
        let error = #expect(throws: DatabaseError.self) {
            try database.transaction { try database.execute("INSERT INTO page VALUES (7)") }
        }
        #expect(error?.kind == .constraint && !database.isInsideTransaction)
        #expect(try database.integer("SELECT count(*) FROM page") == 0)
        database.rollback()
    }
}
