import Localization
import SQLite

/// The copied database: the table of objects and the table of bodies.
///
/// The file may be anybody's. SQLite is told to trust nothing in its schema, and reads only.
final class NoteDatabase {
    /// A body as it lies there.
    struct Body {
        var data: [UInt8]
        var iv: [UInt8]?
        var tag: [UInt8]?
    }

    /// The numbers by which the table tells its kinds of rows apart.
    struct Entities {
        let note: Int64
        let folder: Int64
        let account: Int64
        /// Attachments, and those inside a line.
        let attachments: [Int64]
        /// The files of attachments.
        let media: [Int64]
    }

    static let objects = "ZICCLOUDSYNCINGOBJECT"
    private static let bodies = "ZICNOTEDATA"

    let columns: StoreColumns
    let entities: Entities
    private let database: Database
    private let objectSQL: String
    private let bodySQL: String

    init(path: String) throws(AppleImportError) {
        do {
            database = try Database(path, settingUp: Self.pragmas)
            let names = try Self.columnNames(Self.objects, database)
            let bodies = try Self.columnNames(Self.bodies, database)
            guard names.contains("Z_PK"), names.contains("Z_ENT"), names.contains("ZIDENTIFIER"),
                bodies.contains("Z_PK"), bodies.contains("ZDATA"), bodies.contains("ZNOTE")
            else { throw Self.notNotes }
            columns = StoreColumns(names: names)
            entities = try Self.entities(database)
            bodySQL = Self.bodySQL(bodies)
        } catch { throw Self.failure(error) }
        let list = StoreColumns.Column.allCases.map(columns.expression).joined(separator: ", ")
        objectSQL = "SELECT \(list) FROM \(Self.objects) WHERE Z_PK = ?"
    }

    /// The row with primary key `key`, nil when there is none.
    func object(_ key: Int64) throws(AppleImportError) -> StoredRow? {
        try read { database in
            try database.cachedStatement(objectSQL).row([key]).map(StoredRow.init)
        }
    }

    /// Body number `key`, nil when it is empty, or too long to be one.
    func body(_ key: Int64) throws(AppleImportError) -> Body? {
        try read { database in
            guard let row = try database.cachedStatement(bodySQL).row([key]), let data = row.bytes(0) else {
                return nil
            }
            return Body(data: data, iv: row.bytes(1), tag: row.bytes(2))
        }
    }

    /// Calls `body` with each row of the large table that belongs to `entities`, in a fixed order.
    func forEach(
        _ entities: [Int64], _ columns: [StoreColumns.Column], _ body: (Int64, [DatabaseValue]) -> Void
    ) throws(AppleImportError) {
        let list = columns.map(self.columns.expression).joined(separator: ", ")
        let numbers = entities.map(String.init).joined(separator: ", ")
        try read { database in
            let sql = "SELECT Z_PK, \(list) FROM \(Self.objects) WHERE Z_ENT IN (\(numbers)) ORDER BY Z_PK"
            try database.cachedStatement(sql).forEachRow { row in
                if let key = row.integer(0) { body(key, Array(row.cells.dropFirst())) }
                return true
            }
        }
    }

    /// Which body belongs to which note.
    func bodyKeys() throws(AppleImportError) -> [Int64: Int64] {
        try read { database in
            var keys: [Int64: Int64] = [:]
            let sql = "SELECT Z_PK, ZNOTE FROM \(Self.bodies) ORDER BY Z_PK"
            try database.cachedStatement(sql).forEachRow { row in
                if let key = row.integer(0), let note = row.integer(1) { keys[note] = key }
                return true
            }
            return keys
        }
    }

    func close() { database.close() }

    private func read<Value>(_ body: (Database) throws -> Value) throws(AppleImportError) -> Value {
        do { return try body(database) } catch { throw Self.failure(error) }
    }
}

extension NoteDatabase {
    /// Opened for writing, which only the copy's log and its index need; `query_only` refuses all other writes.
    private static let pragmas = """
        PRAGMA trusted_schema = OFF;
        PRAGMA cell_size_check = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA mmap_size = 0;
        PRAGMA query_only = ON;
        """

    private static var notNotes: AppleImportError {
        AppleImportError(
            .notNotes,
            localized(
                """
                This database is not one of Apple Notes, or older than iOS 9. Its name is NoteStore.sqlite, in the \
                folder group.com.apple.notes.
                """))
    }

    /// None for what is not a table of its own: a view or a virtual table could make reading endless.
    private static func columnNames(_ table: String, _ database: Database) throws -> [String] {
        let sql = try database.text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [table])
        guard sql?.uppercased().hasPrefix("CREATE TABLE") == true else { return [] }
        // The second column is the name.
        return try database.rows("PRAGMA table_info(\(table))").compactMap { $0.text(1) }
    }

    private static func entities(_ database: Database) throws -> Entities {
        guard try columnNames("Z_PRIMARYKEY", database).contains("Z_NAME") else { throw notNotes }
        var numbers: [String: Int64] = [:]
        for row in try database.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY LIMIT 1000") {
            if let name = row.text(0), let number = row.integer(1) { numbers[name] = number }
        }
        guard let note = numbers["ICNote"], let folder = numbers["ICFolder"], let account = numbers["ICAccount"] else {
            throw notNotes
        }
        return Entities(
            note: note, folder: folder, account: account,
            attachments: [numbers["ICAttachment"], numbers["ICInlineAttachment"]].compactMap(\.self),
            media: [numbers["ICMedia"]].compactMap(\.self))
    }

    private static func bodySQL(_ columns: [String]) -> String {
        let values = ["ZDATA", "ZCRYPTOINITIALIZATIONVECTOR", "ZCRYPTOTAG"].map {
            columns.contains($0) ? StoreColumns.bounded($0) : "NULL"
        }
        return "SELECT \(values.joined(separator: ", ")) FROM \(bodies) WHERE Z_PK = ?"
    }

    private static func failure(_ error: any Error) -> AppleImportError {
        if let error = error as? AppleImportError { return error }
        guard let error = error as? DatabaseError else {
            return AppleImportError(.unreadable, localized("The database cannot be read."))
        }
        switch error.kind {
        case .notADatabase?:
            return AppleImportError(.notADatabase, localized("This is not an SQLite database, or it is encrypted."))
        case .full?, .cannotOpen?, .readOnly?:
            return AppleImportError(
                .cannotCopy,
                localized("The private copy cannot be opened. Make room where it is, or choose another place."))
        default:
            return AppleImportError(
                .damaged,
                localized(
                    """
                    The database is damaged or was copied only in part. Quit Notes on the Mac, then copy \
                    NoteStore.sqlite together with NoteStore.sqlite-wal.
                    """))
        }
    }
}
