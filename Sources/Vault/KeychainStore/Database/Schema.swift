import DurableDatabase
import SQLite
import Secrets
import StoreTables

/// The database's tables, and how one is opened.
///
/// See specs/keychain-item.md.
enum Schema {
    static let version = StoreTables.keychain.format

    /// Deleted bytes are overwritten; a commit is on the disk before it is acknowledged; no other process reads.
    ///
    /// Tags lie at random places of their index: at 50,000 items its pages fit the cache, and each goes into the log
    /// many times before it is moved into the database once, which is ours to do; see DurableDatabase.
    static let pragmas = """
        PRAGMA secure_delete = ON;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -16384;
        PRAGMA wal_autocheckpoint = 0;
        """

    /// The second copy of what all items hang on.
    static func spare(of path: String) -> SpareDatabase {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return SpareDatabase(folder: folder, file: file, pragmas) { database in
            let present = try format(of: database)
            guard present <= version else { throw NewerStore(format: present) }
            if present == 0 { try database.execute(StoreTables.keychain.sql) }
            try step(database, from: present)
        }
    }

    /// The format that a database says it has; 0 of an empty one.
    static func format(of database: Database) throws -> Int {
        try Int(clamping: database.integer("PRAGMA user_version") ?? 0)
    }

    /// Makes the tables where there are none, and brings an earlier format to this one.
    static func create(in database: Database) throws {
        let present = try format(of: database)
        guard present == 0 else { return try step(database, from: present) }
        try database.execute(StoreTables.keychain.sql)
        try setMeta(database, "keychain", Identifier.makeRandom().bytes)
    }

    /// The rows of each format, from the first on; later ones are left as they are.
    private static func step(_ database: Database, from format: Int) throws {
        // Rows of the first have no tag of their group: they get all tags anew at the next unlock.
        if format == 1 { try setMeta(database, "retag", [1]) }
        // 2 to 3: rows stay. What has come since lies beside them, or in rows that programs of 0.1 take for damaged.
        if (1..<version).contains(format) { try database.execute("PRAGMA user_version = \(version)") }
    }

    static func meta(_ database: Database, _ name: String) throws -> [UInt8]? {
        try database.row("SELECT value FROM meta WHERE name = ?", [name])?.bytes(0)
    }

    static func setMeta(_ database: Database, _ name: String, _ value: [UInt8]) throws {
        try database.execute(
            "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [name, value])
    }
}
