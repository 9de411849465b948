/// An open SQLite database (sqlite.org/cintro.html), with as much of SQLite as our stores use.
///
/// Not thread-safe, on purpose: one thread owns it.
///
///     let database = try Database("books.sqlite", settingUp: "PRAGMA synchronous = FULL")
///     try database.transaction {
///         try database.execute("INSERT INTO book (title, year) VALUES (?, ?)", ["Moby-Dick", 1851])
///     }
///     let year = try database.integer("SELECT max(year) FROM book")
package final class Database {
    private let handle: DatabaseHandle
    private var statements: [String: Statement] = [:]

    /// Opens a database, or makes an empty one where none is.
    ///
    /// - Parameters:
    ///   - path: of its file; nil for one in memory.
    ///   - sql: statements that say how it is to be used, which are run first.
    /// - Throws: ``DatabaseError``: ``DatabaseError/Kind/notADatabase`` where the file is something else.
    package init(_ path: String? = nil, settingUp sql: String = "") throws {
        handle = try DatabaseHandle(path)
        try execute(sql)
        // The file is looked at for the first time here.
        _ = try row("SELECT count(*) FROM sqlite_master")
    }

    deinit { close() }

    /// Closes the file, and gives its locks back as soon as nobody holds a statement of it any more.
    ///
    /// Whatever is asked of it afterwards is refused.
    package func close() {
        statements = [:]
        handle.close()
    }

    /// Leaves the file open, and its log as it is, until the process ends.
    ///
    /// To close it would be to write. Whatever is asked of it afterwards is refused.
    package func abandon() {
        statements = [:]
        handle.abandon()
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
        while let statement = try handle.prepare(&rest) { try statement.run(arguments) }
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
        guard let statement = try handle.prepare(&rest) else {
            throw DatabaseError(.misuse, message: "no statement")
        }
        return statement
    }

    /// Of the last row that was put in.
    package var lastInsertedRowID: Int64 { handle.lastInsertedRowID }

    /// How many rows the last statement changed.
    package var changesCount: Int { handle.changesCount }

    /// How many rows statements have changed since the file was opened, also where that was taken back.
    package var allChangesCount: Int64 { handle.allChangesCount }

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
    ///
    /// Where SQLite takes one back by itself, as it does on a full disk, every statement until its end is refused as
    /// ``DatabaseError/Kind/aborted``: else what follows would be kept without what was before.
    package func beginTransaction() throws {
        try cachedStatement("BEGIN IMMEDIATE").run()
        handle.hasBegun = true
    }

    /// Keeps what was written since ``beginTransaction()``; where that fails, the transaction may go on.
    package func commit() throws {
        try cachedStatement("COMMIT").run()
        handle.hasBegun = false
    }

    /// Takes back what was written since ``beginTransaction()``; no error where SQLite has done so by itself.
    package func rollback() {
        // Where even that fails, the connection's end takes it back.
        if isInsideTransaction { try? cachedStatement("ROLLBACK").run() }
        handle.hasBegun = false
    }

    /// Whether a transaction goes on.
    package var isInsideTransaction: Bool { handle.isInsideTransaction }
}
