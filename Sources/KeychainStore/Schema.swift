import DurableDatabase
import FoundationEssentials
import GRDB
import Secrets

/// The database's tables, and how one is opened.
///
/// See specs/keychain-item.md.
enum Schema {
    static let version = 2

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
                    PRAGMA cache_size = -4096;
                    """)
        }
        return configuration
    }

    /// The second copy of what all items hang on.
    static func spare(of path: String) -> SpareDatabase {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let file = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return SpareDatabase(folder: folder, file: file, configuration()) { database in
            let format = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard format <= version else { throw NewerStore(format: format) }
            if format == 0 { try database.execute(sql: tables) }
        }
    }

    static func create(in database: Database) throws {
        let present = try Int.fetchOne(database, sql: "PRAGMA user_version")
        if present == 1 { try addGroupTags(in: database) }
        guard present == 0 else { return }
        try database.execute(sql: tables)
        try setMeta(database, "keychain", Identifier.makeRandom().bytes)
    }

    private static let tables = """
        CREATE TABLE meta (name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE table_key (
            class INTEGER PRIMARY KEY NOT NULL, class_key BLOB NOT NULL, wrapped BLOB NOT NULL);
        CREATE TABLE index_key (
            class INTEGER PRIMARY KEY NOT NULL, class_key BLOB NOT NULL, wrapped BLOB NOT NULL);
        CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            kind INTEGER NOT NULL,
            class INTEGER NOT NULL,
            class_key BLOB NOT NULL,
            sync INTEGER NOT NULL,
            tombstone INTEGER NOT NULL,
            quarantined INTEGER NOT NULL DEFAULT 0,
            tamper BLOB NOT NULL,
            metadata_key BLOB NOT NULL,
            metadata BLOB NOT NULL,
            row_key BLOB,
            secret BLOB,
            primary_tag BLOB NOT NULL UNIQUE,
            always_tag BLOB UNIQUE);
        CREATE INDEX item_class ON item (class);
        CREATE TABLE tag (item INTEGER NOT NULL, tag BLOB NOT NULL, PRIMARY KEY (item, tag)) WITHOUT ROWID;
        CREATE INDEX tag_value ON tag (tag, item);
        PRAGMA user_version = 2;
        """

    /// Rows of the first version have no tag of their group: they get all tags anew at the next unlock.
    private static func addGroupTags(in database: Database) throws {
        try setMeta(database, "retag", [1])
        try database.execute(sql: "PRAGMA user_version = 2")
    }

    static func meta(_ database: Database, _ name: String) throws -> [UInt8]? {
        try Data.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name]).map(Array.init)
    }

    static func setMeta(_ database: Database, _ name: String, _ value: [UInt8]) throws {
        try database.execute(
            sql: "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, Data(value)])
    }
}
