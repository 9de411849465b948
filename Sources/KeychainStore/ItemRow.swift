import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
import Wire

/// One row, sealed as it lies in the database.
struct ItemRow {
    var id: Int64
    var identity: ItemIdentity
    var classKey: Identifier
    var isQuarantined: Bool
    var metadataKey: [UInt8]
    var metadata: [UInt8]
    /// Nil for an item without data.
    var secret: SealedSecret?

    struct SealedSecret: Equatable {
        var rowKey: [UInt8]
        var sealed: [UInt8]
    }

    /// Nil for numbers that no release of ours writes: such a row is damaged.
    var kind: ItemKind? { ItemKind(rawValue: identity.kind) }
    var protectionClass: ProtectionClass? { ProtectionClass(rawValue: identity.protectionClass) }

    static let columns =
        "item.id, uuid, kind, class, class_key, sync, tombstone, quarantined, tamper, metadata_key, metadata"
    static let secretColumns = columns + ", row_key, secret"

    /// - Parameter row: of ``columns`` or ``secretColumns``.
    init(_ row: Row, keychain: Identifier) {
        id = row[0]
        identity = ItemIdentity(
            keychain: keychain, item: Self.identifier(row, 1), kind: UInt8(clamping: row[2] as Int),
            protectionClass: UInt8(clamping: row[3] as Int), isSynchronizable: row[5], isTombstone: row[6],
            tamperCheck: Self.identifier(row, 8))
        classKey = Self.identifier(row, 4)
        isQuarantined = row[7]
        metadataKey = Self.bytes(row, 9)
        metadata = Self.bytes(row, 10)
        guard row.count > 11, row[11] as Data? != nil || row[12] as Data? != nil else { return }
        // One without the other is damage, and opens as such.
        secret = SealedSecret(rowKey: Self.bytes(row, 11), sealed: Self.bytes(row, 12))
    }

    private static func bytes(_ row: Row, _ column: Int) -> [UInt8] {
        (row[column] as Data?).map(Array.init) ?? []
    }

    /// A damaged identifier becomes one under which nothing opens.
    private static func identifier(_ row: Row, _ column: Int) -> Identifier {
        Identifier(bytes(row, column)) ?? Identifier(high: 0, low: 0)
    }
}

/// A row ready to be written, with its tags.
struct NewRow {
    var identity: ItemIdentity
    var classKey: Identifier
    var metadataKey: [UInt8]
    var metadata: [UInt8]
    var secret: ItemRow.SealedSecret?
    var tags: RowTags

    func insert(in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO item (uuid, kind, class, class_key, sync, tombstone, tamper, metadata_key, metadata,
                    row_key, secret, primary_tag, always_tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [Data(identity.item.bytes)] + arguments)
        try insertTags(item: database.lastInsertedRowID, in: database)
    }

    /// Replaces row `id`, whose persistent reference may stay the same.
    func replace(_ id: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE item SET uuid = ?, kind = ?, class = ?, class_key = ?, sync = ?, tombstone = ?, tamper = ?,
                    metadata_key = ?, metadata = ?, row_key = ?, secret = ?, primary_tag = ?, always_tag = ?
                WHERE id = ?
                """)
        try statement.execute(arguments: [Data(identity.item.bytes)] + arguments + [id])
        try database.cachedStatement(sql: "DELETE FROM tag WHERE item = ?").execute(arguments: [id])
        try insertTags(item: id, in: database)
    }

    private var arguments: StatementArguments {
        [
            Int(identity.kind), Int(identity.protectionClass), Data(classKey.bytes), identity.isSynchronizable,
            identity.isTombstone, Data(identity.tamperCheck.bytes), Data(metadataKey), Data(metadata),
            secret.map { Data($0.rowKey) }, secret.map { Data($0.sealed) }, Data(tags.primary),
            tags.alwaysPrimary.map { Data($0) },
        ]
    }

    private func insertTags(item: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag (item, tag) VALUES (?, ?)")
        for tag in tags.attributes { try statement.execute(arguments: [item, Data(tag)]) }
    }
}
