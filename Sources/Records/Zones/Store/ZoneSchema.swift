import SQLite
import StoreTables

/// The database's tables, and how one is opened; see specs/zone-store.md.
enum ZoneSchema {
    static let version = StoreTables.zones.format

    /// Deleted bytes are overwritten; a commit is on the disk before it is acknowledged; no other process reads.
    ///
    /// DurableDatabase moves the log into the database.
    static let pragmas = """
        PRAGMA secure_delete = ON;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA synchronous = FULL;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -32768;
        PRAGMA wal_autocheckpoint = 0;
        """

    /// Makes the tables where there are none, and brings an earlier format to this one.
    ///
    /// - Throws: `ZoneError.newerStore` where a later version has made them, `ZoneError.damagedStore`.
    static func open(_ database: Database) throws {
        try create(in: database)
        let format = Int(try database.integer("PRAGMA user_version") ?? 0)
        guard format == version else {
            throw format > version ? ZoneError.newerStore(format: format) : ZoneError.damagedStore
        }
    }

    private static func create(in database: Database) throws {
        switch try database.integer("PRAGMA user_version") {
        case 0: try database.execute(StoreTables.zones.sql)
        // Rows stay: what has come since are records that programs of 0.1 take for damaged.
        case 1: try database.execute("PRAGMA user_version = \(version)")
        default: break
        }
    }
}
