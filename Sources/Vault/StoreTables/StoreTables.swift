/// The tables of a store, as this version makes them.
///
/// Whoever opens a store and whoever puts a damaged one together again have them from here.
package struct StoreTables: Sendable {
    /// What `user_version` says.
    package let format: Int
    /// Makes them in an empty database.
    package let sql: String
    /// What is to be said to a database whose rows were taken from a damaged one.
    package let afterRecovery: String

    /// The keychain's; see specs/keychain-item.md.
    package static let keychain = StoreTables(
        format: 3,
        sql: """
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
            PRAGMA user_version = 3;
            """,
        // Tags may be lost of items that are not: all are made anew at the next unlock.
        afterRecovery: "INSERT OR REPLACE INTO meta (name, value) VALUES ('retag', x'01');")

    /// Those of notes and diary; see specs/zone-store.md.
    package static let zones = StoreTables(
        format: 2,
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
            PRAGMA user_version = 2;
            """,
        // A number that was given is not given again.
        afterRecovery: """
            UPDATE zone SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM record WHERE zone = zone.id));
            """)
}
