import FoundationEssentials
import GRDB
import StoreTables

/// The database's tables, and how one is opened; see specs/zone-store.md.
enum ZoneSchema {
    static let version = StoreTables.zones.format

    static func configuration() -> Configuration {
        var configuration = Configuration()
        // Several changes may be acknowledged together: their transaction goes on between them.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Deleted bytes are overwritten; a commit is on the disk before it is acknowledged; no other process reads.
            // DurableDatabase moves the log into the database.
            try database.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA synchronous = FULL;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -32768;
                    PRAGMA wal_autocheckpoint = 0;
                    """)
        }
        return configuration
    }

    /// Makes the tables where there are none, and brings an earlier format to this one.
    ///
    /// - Throws: `ZoneError.newerStore` where a later version has made them, `ZoneError.damagedStore`.
    static func open(_ database: Database) throws {
        try create(in: database)
        let format = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard format == version else {
            throw format > version ? ZoneError.newerStore(format: format) : ZoneError.damagedStore
        }
    }

    private static func create(in database: Database) throws {
        switch try Int.fetchOne(database, sql: "PRAGMA user_version") {
        case 0: try database.execute(sql: StoreTables.zones.sql)
        // Rows stay: what has come since are records that programs of 0.1 take for damaged.
        case 1: try database.execute(sql: "PRAGMA user_version = \(version)")
        default: break
        }
    }
}

extension Row {
    /// A cell's integer; nil for any other type, which a damaged or altered row may hold.
    func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

    /// A cell's bytes; nil for any other type.
    func bytes(_ index: Int) -> [UInt8]? {
        if case .blob(let data) = (self[index] as DatabaseValue).storage { return Array(data) }
        return nil
    }
}
