import CSQLite

/// What SQLite says where something could not be done (sqlite.org/rescode.html).
package struct DatabaseError: Error, Equatable, Sendable {
    /// SQLite's number for it, with what it says beside the kind: extended result codes.
    package let code: Int32
    /// In SQLite's words, which name tables and columns and never what is in them.
    package let message: String

    /// - Parameters:
    ///   - kind: of the failure.
    ///   - message: of SQLite's own words for the kind, where it is nil.
    package init(_ kind: Kind, message: String? = nil) {
        self.init(code: kind.rawValue, message: message)
    }

    init(code: Int32, message: String?) {
        self.code = code
        self.message = message ?? Self.words(code)
    }

    /// The last failure of a connection.
    init(_ code: Int32, of connection: OpaquePointer?) {
        let words = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }.map { unsafe String(cString: $0) }
        self.init(code: code, message: words)
    }

    private static func words(_ code: Int32) -> String {
        unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? "error"
    }

    /// What kind of failure it is; nil for one that we do not tell apart.
    package var kind: Kind? { Kind(rawValue: code & 0xff) }

    /// Kinds of failures that somebody tells apart: SQLite's primary result codes.
    package enum Kind: Int32, Sendable {
        /// `SQLITE_ABORT`: SQLite has taken the transaction back by itself.
        case aborted = 4
        /// `SQLITE_BUSY`: another connection holds a lock.
        case busy = 5
        /// `SQLITE_NOMEM`.
        case outOfMemory = 7
        /// `SQLITE_READONLY`: the file or its disk cannot be written.
        case readOnly = 8
        /// `SQLITE_INTERRUPT`.
        case interrupted = 9
        /// `SQLITE_IOERR`: the system refused to read or write.
        case inputOutput = 10
        /// `SQLITE_CORRUPT`: a page is none, or not where it belongs.
        case corrupt = 11
        /// `SQLITE_FULL`: the disk is full.
        case full = 13
        /// `SQLITE_CANTOPEN`.
        case cannotOpen = 14
        /// `SQLITE_CONSTRAINT`: a row with this key is there, or a cell is missing.
        case constraint = 19
        /// `SQLITE_MISUSE`.
        case misuse = 21
        /// `SQLITE_NOTADB`: the file is no database.
        case notADatabase = 26
    }

    /// Whether a file was written and not brought to the disk (`SQLITE_IOERR_FSYNC`, `SQLITE_IOERR_DIR_FSYNC`).
    package var isOfSync: Bool { code == SQLITE_IOERR | (4 << 8) || code == SQLITE_IOERR | (5 << 8) }
}

extension DatabaseError: CustomStringConvertible {
    package var description: String { "SQLite says \(code): \(message)" }
}
