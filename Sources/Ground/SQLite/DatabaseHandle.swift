import CSQLite

/// SQLite's handle of an open file: what a ``Database`` and its statements have in common.
@safe final class DatabaseHandle {
    private let handle: OpaquePointer
    /// Whether it can be asked.
    private(set) var isOpen = true
    /// Whether a transaction was begun and not ended, whatever SQLite made of it.
    var hasBegun = false

    /// - Parameter path: of a file, which is made where none is; nil for a database in memory.
    init(_ path: String?) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path ?? ":memory:", &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            defer { unsafe sqlite3_close_v2(opened) }
            throw unsafe DatabaseError(code, of: opened)
        }
        unsafe self.handle = handle
        try check(unsafe csqlite_refuse_quoted_words(handle))
    }

    deinit { close() }

    /// The file is let go with the last statement.
    func close() {
        guard isOpen else { return }
        isOpen = false
        unsafe sqlite3_close_v2(handle)
    }

    func abandon() { isOpen = false }

    /// The next statement of several; nil behind the last.
    ///
    /// - Parameter sql: is left with what follows it.
    func prepare(_ sql: inout String) throws(DatabaseError) -> Statement? {
        guard isOpen else { throw Self.wasClosed }
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
            if let found = unsafe found { return unsafe Statement(found, of: self) }
        }
        return nil
    }

    /// Whether a statement may be run now.
    func admit() throws(DatabaseError) {
        guard isOpen else { throw Self.wasClosed }
        guard !hasBegun || isInsideTransaction else { throw DatabaseError(.aborted) }
    }

    private static let wasClosed = DatabaseError(.misuse, message: "the database was closed")

    func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code, of: handle) }
    }

    /// What SQLite said last.
    func failure(_ code: Int32) -> DatabaseError { unsafe DatabaseError(code, of: handle) }

    var lastInsertedRowID: Int64 { isOpen ? unsafe sqlite3_last_insert_rowid(handle) : 0 }

    var changesCount: Int { isOpen ? Int(unsafe sqlite3_changes(handle)) : 0 }

    var allChangesCount: Int64 { isOpen ? unsafe sqlite3_total_changes64(handle) : 0 }

    var isInsideTransaction: Bool { isOpen ? unsafe sqlite3_get_autocommit(handle) == 0 : false }
}
