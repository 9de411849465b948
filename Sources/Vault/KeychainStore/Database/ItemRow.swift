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
    /// Whether it stands on a page that cannot be read: what it has is not known.
    private(set) var isLost = false

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
    ///
    /// A cell of a type that no release writes becomes a value under which nothing opens: the row is damaged, and the
    /// daemon goes on.
    init(_ row: Row, storeID: Identifier) {
        id = Int64(row.integer(0) ?? 0)
        identity = ItemIdentity(
            keychain: storeID, item: Self.identifier(row, 1), kind: UInt8(clamping: row.integer(2) ?? 0),
            protectionClass: UInt8(clamping: row.integer(3) ?? 0), isSynchronizable: row.integer(5) != 0,
            isTombstone: row.integer(6) != 0, tamperCheck: Self.identifier(row, 8))
        classKey = Self.identifier(row, 4)
        isQuarantined = row.integer(7) != 0
        metadataKey = row.bytes(9) ?? []
        metadata = row.bytes(10) ?? []
        guard row.count > 11, !row.isNull(11) || !row.isNull(12) else { return }
        // One without the other is damage, and opens as such.
        secret = SealedSecret(rowKey: row.bytes(11) ?? [], sealed: row.bytes(12) ?? [])
    }

    /// One on a page that cannot be read: nothing under it opens.
    init(lost id: Int64, kind: ItemKind?, storeID: Identifier) {
        self.id = id
        let none = Identifier(high: 0, low: 0)
        identity = ItemIdentity(
            keychain: storeID, item: none, kind: kind?.rawValue ?? 0, protectionClass: 0, isSynchronizable: false,
            isTombstone: false, tamperCheck: none)
        classKey = none
        // Nothing is to be noted in it.
        isQuarantined = true
        isLost = true
        (metadataKey, metadata) = ([], [])
    }

    private static func identifier(_ row: Row, _ column: Int) -> Identifier {
        row.bytes(column).flatMap(Identifier.init) ?? Identifier(high: 0, low: 0)
    }
}

extension DatabaseError {
    /// Whether a page of the database is no page any more, or its sectors cannot be read.
    var isOfPage: Bool { [.SQLITE_CORRUPT, .SQLITE_IOERR].contains(resultCode) }
}

// Cells as they are, or nil: the library's own conversions end the process over a cell of another type.
extension Row {
    func integer(_ column: Int) -> Int? { Int.fromDatabaseValue(self[column] as DatabaseValue) }
    func bytes(_ column: Int) -> [UInt8]? { Data.fromDatabaseValue(self[column] as DatabaseValue).map(Array.init) }
    func isNull(_ column: Int) -> Bool { (self[column] as DatabaseValue).isNull }
}

/// A row ready to be written, with its tags.
struct NewRow {
    var identity: ItemIdentity
    var classKey: Identifier
    var metadataKey: [UInt8]
    var metadata: [UInt8]
    var secret: ItemRow.SealedSecret?
    var tags: RowTags
    /// Whether others hang on it, so that it is kept twice.
    var isKeystone = false

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
        // One statement for all of them, which come as one value.
        let length = BlindIndex.tagByteCount
        let rows = tags.attributes.indices.map { "(?1, substr(?2, \($0 * length + 1), \(length)))" }
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO tag (item, tag) VALUES \(rows.joined(separator: ", "))")
        try statement.execute(arguments: [item, Data(tags.attributes.joined())])
    }
}
