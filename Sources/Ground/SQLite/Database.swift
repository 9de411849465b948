import CSQLite

/// An open SQLite database (sqlite.org/cintro.html), with as much of SQLite as our stores use.
///
/// Not thread-safe, on purpose: one thread owns it.
///
///     let database = try Database("books.sqlite", settingUp: "PRAGMA synchronous = FULL")
///     try database.transaction {
///         try database.execute("INSERT INTO book (title, year) VALUES (?, ?)", ["Moby-Dick", 1851])
///     }
///     let year = try database.integer("SELECT max(year) FROM book")
@safe package final class Database {
    private let handle: OpaquePointer
    private var isOpen = true
    private var statements: [String: Statement] = [:]

    /// Opens a database, or makes an empty one where none is.
    ///
    /// - Parameters:
    ///   - path: of its file; nil for one in memory.
    ///   - sql: statements that say how it is to be used, which are run first.
    /// - Throws: ``DatabaseError``: ``DatabaseError/Kind/notADatabase`` where the file is something else.
    package init(_ path: String? = nil, settingUp sql: String = "") throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe DatabaseError(code, of: opened)
        }
        unsafe self.handle = handle
        try check(unsafe csqlite_refuse_quoted_words(handle))
        try execute(sql)
        // The file is looked at for the first time here.
        _ = try row("SELECT count(*) FROM sqlite_master")
    }

    deinit { close() }

    /// Closes the file, and gives its locks back as soon as nobody holds a statement of it any more.
    ///
    /// Whatever is asked of it afterwards is refused.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    /// Leaves the file open, and its log as it is, until the process ends.
    ///
    /// To close it would be to write. Whatever is asked of it afterwards is refused.
    package func abandon() {
        isOpen = false
        statements = [:]
    }

    // MARK: statements

    /// Runs one statement, or several that take no values.
    ///
    /// - Parameters:
    ///   - sql: with a `?` where a value is to stand.
    ///   - arguments: one for each `?`, in their order.
    /// - Throws: ``DatabaseError``.
    package func execute(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws {
        var rest = sql
        while let statement = try prepare(&rest) { try statement.run(arguments) }
    }

    /// The first row that a statement finds; nil where it finds none.
    ///
    /// - Throws: ``DatabaseError``.
    package func row(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
    ) throws -> Row? {
        try statement(sql).row(arguments)
    }

    /// All rows that a statement finds.
    ///
    /// - Throws: ``DatabaseError``.
    package func rows(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
    ) throws -> [Row] {
        try statement(sql).rows(arguments)
    }

    /// The whole number in the first cell of the first row; nil where there is none.
    ///
    /// - Throws: ``DatabaseError``.
    package func integer(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
    ) throws -> Int64? {
        try row(sql, arguments)?.integer(0)
    }

    /// The text in the first cell of the first row; nil where there is none.
    ///
    /// - Throws: ``DatabaseError``.
    package func text(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = []
    ) throws -> String? {
        try row(sql, arguments)?.text(0)
    }

    /// A statement that SQLite reads once, and keeps: for one that is run often, of which there are few.
    ///
    /// - Throws: ``DatabaseError``.
    package func cachedStatement(_ sql: String) throws -> Statement {
        if let known = statements[sql], !known.isRunning { return known }
        let statement = try statement(sql)
        statements[sql] = statement
        return statement
    }

    private func statement(_ sql: String) throws(DatabaseError) -> Statement {
        var rest = sql
        guard let statement = try prepare(&rest) else { throw DatabaseError(.misuse, message: "no statement") }
        return statement
    }

    /// The next statement of several; nil behind the last.
    ///
    /// - Parameter sql: is left with what follows it.
    private func prepare(_ sql: inout String) throws(DatabaseError) -> Statement? {
        guard isOpen else { throw DatabaseError(.misuse, message: "the database was closed") }
        while !sql.isEmpty {
            var (found, code): (OpaquePointer?, Int32) = (nil, SQLITE_OK)
            var text = sql
            let read = text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    var tail: UnsafePointer<CChar>?
                    code = unsafe sqlite3_prepare_v2(handle, bytes.baseAddress, Int32(bytes.count), &found, &tail)
                    return unsafe tail.map { unsafe $0 - (bytes.baseAddress ?? $0) } ?? bytes.count
                }
            }
            try check(code)
            sql = String(decoding: sql.utf8.dropFirst(read), as: UTF8.self)
            // Between two statements may stand a comment.
            if let found = unsafe found { return unsafe Statement(found) }
        }
        return nil
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code, of: handle) }
    }

    /// Of the last row that was put in.
    package var lastInsertedRowID: Int64 { isOpen ? unsafe sqlite3_last_insert_rowid(handle) : 0 }

    /// How many rows the last statement changed.
    package var changesCount: Int { isOpen ? Int(unsafe sqlite3_changes(handle)) : 0 }

    // MARK: transactions

    /// Runs `body` in one transaction: all of what it writes is kept, or, where something is thrown, none.
    ///
    /// - Throws: what `body` throws, and ``DatabaseError``.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try beginTransaction()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Begins one that ``commit()`` or ``rollback()`` ends; nobody else writes until then.
    package func beginTransaction() throws { try cachedStatement("BEGIN IMMEDIATE").run() }

    /// Keeps what was written since ``beginTransaction()``; where that fails, the transaction may go on.
    package func commit() throws { try cachedStatement("COMMIT").run() }

    /// Takes back what was written since ``beginTransaction()``; no error where SQLite has done so by itself.
    package func rollback() {
        // Where even that fails, the connection's end takes it back.
        if isInsideTransaction { try? cachedStatement("ROLLBACK").run() }
    }

    /// Whether a transaction goes on.
    package var isInsideTransaction: Bool { isOpen ? unsafe sqlite3_get_autocommit(handle) == 0 : false }
}
