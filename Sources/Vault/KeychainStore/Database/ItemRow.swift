import Envelopes
import Protection
import SQLite
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

    /// What stands in the column `tombstone` beside 0, an item's, and 1, a tombstone's.
    enum Mark {
        static let trashed: Int64 = 2
    }

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
        id = row.integer(0) ?? 0
        identity = ItemIdentity(
            keychain: storeID, item: Self.identifier(row, 1), kind: UInt8(clamping: row.integer(2) ?? 0),
            protectionClass: UInt8(clamping: row.integer(3) ?? 0), isSynchronizable: row.integer(5) != 0,
            isTombstone: ![0, Mark.trashed].contains(row.integer(6)), isTrashed: row.integer(6) == Mark.trashed,
            tamperCheck: Self.identifier(row, 8))
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
    var isOfPage: Bool { kind == .corrupt || kind == .inputOutput }
}

extension [[UInt8]] {
    /// Each for a `?` of its own.
    var databaseValues: [any DatabaseValueConvertible] { map { $0 as any DatabaseValueConvertible } }
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
            """
            INSERT INTO item (uuid, kind, class, class_key, sync, tombstone, tamper, metadata_key, metadata,
                row_key, secret, primary_tag, always_tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try statement.run(cells)
        try insertTags(item: database.lastInsertedRowID, in: database)
    }

    /// Replaces row `id`, whose persistent reference may stay the same.
    func replace(_ id: Int64, in database: Database) throws {
        let statement = try database.cachedStatement(
            """
            UPDATE item SET uuid = ?, kind = ?, class = ?, class_key = ?, sync = ?, tombstone = ?, tamper = ?,
                metadata_key = ?, metadata = ?, row_key = ?, secret = ?, primary_tag = ?, always_tag = ?
            WHERE id = ?
            """)
        try statement.run(cells + [id])
        try database.cachedStatement("DELETE FROM tag WHERE item = ?").run([id])
        try insertTags(item: id, in: database)
    }

    private var cells: [any DatabaseValueConvertible] {
        [
            identity.item.bytes, Int(identity.kind), Int(identity.protectionClass), classKey.bytes,
            identity.isSynchronizable, Int(identity.mark), identity.tamperCheck.bytes, metadataKey, metadata,
            secret?.rowKey, secret?.sealed, tags.primary, tags.alwaysPrimary,
        ]
    }

    private func insertTags(item: Int64, in database: Database) throws {
        // One statement for all of them, which come as one value.
        let length = BlindIndex.tagByteCount
        let rows = tags.attributes.indices.map { "(?1, substr(?2, \($0 * length + 1), \(length)))" }
        let statement = try database.cachedStatement(
            "INSERT OR IGNORE INTO tag (item, tag) VALUES \(rows.joined(separator: ", "))")
        try statement.run([item, [UInt8](tags.attributes.joined())])
    }
}
