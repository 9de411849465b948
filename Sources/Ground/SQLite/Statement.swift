import CSQLite

/// A statement that SQLite has read, to be run as often as one likes.
///
/// What it was run with is forgotten when it has ended: no word and no key stays in it.
///
///     let statement = try database.cachedStatement("SELECT title FROM book WHERE year = ?")
///     for row in try statement.rows([1851]) { print(row.text(0) ?? "") }
@safe package final class Statement {
    let handle: OpaquePointer
    private let database: DatabaseHandle
    /// Whether rows of it are being handed out.
    private(set) var isRunning = false

    /// - Parameter handle: which this one gives back.
    init(_ handle: OpaquePointer, of database: DatabaseHandle) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Runs it to its end, and passes over rows that it finds.
    ///
    /// - Parameter arguments: one for each `?`, in their order.
    /// - Throws: ``DatabaseError``; ``DatabaseError/Kind/misuse`` where there are more or fewer values than `?`.
    package func run(_ arguments: [any DatabaseValueConvertible] = []) throws {
        try begin(arguments)
        defer { end() }
        while try step() {}
    }

    /// The first row that it finds; nil where it finds none.
    ///
    /// - Parameter arguments: one for each `?`, in their order.
    /// - Throws: ``DatabaseError``.
    package func row(_ arguments: [any DatabaseValueConvertible] = []) throws -> Row? {
        try begin(arguments)
        defer { end() }
        return try step() ? try current() : nil
    }

    /// All rows that it finds.
    ///
    /// - Parameter arguments: one for each `?`, in their order.
    /// - Throws: ``DatabaseError``.
    package func rows(_ arguments: [any DatabaseValueConvertible] = []) throws -> [Row] {
        try begin(arguments)
        defer { end() }
        var rows: [Row] = []
        while try step() { rows.append(try current()) }
        return rows
    }

    /// Hands out rows as it finds them, until `body` wants no more.
    ///
    /// - Parameters:
    ///   - arguments: one for each `?`, in their order.
    ///   - body: returns whether to go on.
    /// - Throws: ``DatabaseError``, and what `body` throws.
    package func forEachRow(
        _ arguments: [any DatabaseValueConvertible] = [], _ body: (Row) throws -> Bool
    ) throws {
        try begin(arguments)
        defer { end() }
        while try step() {
            guard try body(current()) else { return }
        }
    }

    // MARK: its run

    private func begin(_ arguments: [any DatabaseValueConvertible]) throws(DatabaseError) {
        try database.admit()
        guard !isRunning else { throw DatabaseError(.misuse, message: "a statement is run inside itself") }
        guard arguments.count == Int(unsafe sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(.misuse, message: "a ? has no value, or a value no ?")
        }
        isRunning = true
        for (index, argument) in arguments.enumerated() {
            do { try bind(argument.databaseValue, Int32(index + 1)) } catch {
                end()
                throw error
            }
        }
    }

    private func end() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        isRunning = false
    }

    /// - Returns: whether a row was found.
    private func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.failure(code)
        }
    }

    private func bind(_ value: DatabaseValue, _ index: Int32) throws(DatabaseError) {
        let code: Int32
        switch value {
        case .null: code = unsafe sqlite3_bind_null(handle, index)
        case .integer(let value): code = unsafe sqlite3_bind_int64(handle, index, value)
        case .real(let value): code = unsafe sqlite3_bind_double(handle, index, value)
        case .text(var value):
            code = value.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) {
                    unsafe csqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        case .blob(let value):
            code = unsafe value.withUnsafeBytes {
                unsafe csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
        try database.check(code)
    }

    private func current() throws(DatabaseError) -> Row {
        let count = unsafe sqlite3_column_count(handle)
        var cells: [DatabaseValue] = []
        cells.reserveCapacity(Int(count))
        for column in 0..<count { cells.append(try cell(column)) }
        return Row(cells)
    }

    private func cell(_ column: Int32) throws(DatabaseError) -> DatabaseValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(unsafe sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(try text(column))
        case SQLITE_BLOB: .blob(try blob(column))
        default: .null
        }
    }

    /// As it is, NUL included; where it is no UTF-8, with U+FFFD.
    private func text(_ column: Int32) throws(DatabaseError) -> String {
        // The text first: to count the bytes of another form would be to turn it into that.
        guard let start = unsafe sqlite3_column_text(handle, column) else { throw DatabaseError(.outOfMemory) }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func blob(_ column: Int32) throws(DatabaseError) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        guard count > 0 else { return [] }
        guard let start = unsafe start else { throw DatabaseError(.outOfMemory) }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
