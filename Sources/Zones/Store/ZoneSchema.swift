import FoundationEssentials
import GRDB

/// The database's tables, and how one is opened; see specs/zone-store.md.
enum ZoneSchema {
    static let version = 1

    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // Deleted bytes are overwritten; a commit is on the disk before it is acknowledged; no other process reads.
            try database.execute(
                sql: """
                    PRAGMA secure_delete = ON;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA synchronous = FULL;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -32768;
                    """)
        }
        return configuration
    }

    /// Makes the tables where there are none.
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
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 else { return }
        try database.execute(
            sql: """
                CREATE TABLE account (
                    account BLOB PRIMARY KEY NOT NULL,
                    signing_public BLOB NOT NULL, background_public BLOB NOT NULL, agreement_public BLOB NOT NULL,
                    signing BLOB NOT NULL, background BLOB NOT NULL, agreement BLOB NOT NULL);
                CREATE TABLE zone (
                    id INTEGER PRIMARY KEY,
                    zone BLOB NOT NULL UNIQUE,
                    account BLOB NOT NULL,
                    scope TEXT NOT NULL,
                    seq INTEGER NOT NULL);
                CREATE TABLE log (
                    zone INTEGER NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, sig BLOB NOT NULL,
                    PRIMARY KEY (zone, n));
                CREATE TABLE keyring (
                    zone INTEGER NOT NULL, generation INTEGER NOT NULL, member BLOB NOT NULL,
                    head INTEGER NOT NULL, wrap BLOB NOT NULL,
                    PRIMARY KEY (zone, generation, member));
                CREATE TABLE record (
                    id INTEGER PRIMARY KEY,
                    zone INTEGER NOT NULL,
                    name BLOB NOT NULL,
                    type INTEGER NOT NULL,
                    generation INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    writer BLOB NOT NULL,
                    head INTEGER NOT NULL,
                    wrapped_key BLOB NOT NULL,
                    seq INTEGER NOT NULL,
                    tombstone INTEGER NOT NULL,
                    sealed BLOB NOT NULL);
                CREATE UNIQUE INDEX record_name ON record (zone, name);
                CREATE INDEX record_type ON record (zone, type, tombstone);
                CREATE INDEX record_seq ON record (zone, seq);
                PRAGMA user_version = 1;
                """)
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
