import DurableDatabase
import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// The items of Tresor's own programs, under which notes, diary, widgets and further keychains lie, are kept once more
/// in the folder `spare`; see specs/keychain-item.md, "The spare".
struct SecondCopies {
    /// The keys under which all items lie, and these items, once more; nil for a store in memory.
    let spare: SpareDatabase?
    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let keys: StoreKeys
    private let seal: RowSeal
    private let tellMended: (String) -> Void

    /// - Parameter tellMended: gets what was damaged or missing and has been made good, in words for a log.
    init(
        spare: SpareDatabase?, storage: ItemDatabase, classes: ClassAccess, keys: StoreKeys, seal: RowSeal,
        tellMended: @escaping (String) -> Void
    ) {
        self.spare = spare
        self.storage = storage
        self.classes = classes
        self.keys = keys
        self.seal = seal
        self.tellMended = tellMended
    }

    /// Everything of an item's row but whether it was found damaged.
    private static let cells = """
        id, uuid, kind, class, class_key, sync, tombstone, tamper, metadata_key, metadata, row_key, secret, \
        primary_tag, always_tag
        """
    /// Where the secret's cells stand in them.
    private static let tamper = 7
    private static let secretCells = 10..<12

    /// Whether an item is one on which others hang.
    static func isKeystone(_ attributes: Attributes) -> Bool {
        attributes.string(.accessGroup)?.hasPrefix(AccessGroup.ourPrefix) == true
    }

    // MARK: after a change

    /// Brings an item that was just written to the spare.
    func copyItem(_ item: Identifier) {
        guard let spare else { return }
        let condition = "uuid = x'\(item)'"
        guard let row = try? storage.perform({ try $0.cells(Self.cells, of: "item", where: condition).first }) else {
            return
        }
        // Without its tags it would be found by nobody.
        guard let tags = try? storage.perform({ try $0.cells("item, tag", of: "tag", where: "item = \(Self.id(row))") })
        else {
            return
        }
        spare.write { database in
            try Self.delete(item, in: database)
            // A number is given again where the last item goes: a copy of another one, which is lost, gives way.
            try Self.makeRoom(at: Self.id(row), in: database)
            try database.put([row], Self.cells, into: "item")
            try database.put(tags, "item, tag", into: "tag")
        }
    }

    /// Takes items from the spare, before they go from the store: what was removed does not come back after a crash.
    ///
    /// - Throws: `KeychainError` where the spare can be neither written nor removed: then nothing goes.
    func forgetSpareItems(_ items: [Identifier]) throws {
        guard let spare else { return }
        // One that cannot be read may have them, and is removed.
        let known = spareItems() ?? Set(items)
        let doomed = items.filter { known.contains($0) }
        guard !doomed.isEmpty else { return }
        let isDone = spare.write { database in for item in doomed { try Self.delete(item, in: database) } }
        guard isDone else { throw KeychainError(.notAvailable, .storage) }
    }

    /// Nil where the spare cannot be read.
    private func spareItems() -> Set<Identifier>? {
        spare?.read { database in
            Set(
                try database.rows("SELECT uuid FROM item").compactMap {
                    $0.bytes(0).flatMap(Identifier.init)
                })
        }
    }

    private static func id(_ row: [DatabaseValue]) -> Int64 { row.first?.integer ?? 0 }

    private static func delete(_ item: Identifier, in database: Database) throws {
        let row = try database.cells("id", of: "item", where: "uuid = x'\(item)'").first
        if let row { try delete(id: id(row), in: database) }
    }

    private static func makeRoom(at id: Int64, in database: Database) throws {
        guard let last = try database.integer("SELECT max(id) FROM item"), last >= id else { return }
        for (table, column) in [("tag", "item"), ("item", "id")] {
            try database.execute("UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", [last + 1, id])
        }
    }

    private static func delete(id: Int64, in database: Database) throws {
        try database.execute("DELETE FROM tag WHERE item = ?", [id])
        try database.execute("DELETE FROM item WHERE id = ?", [id])
    }

    // MARK: at a reading

    /// The spare's row of an item of which one is damaged; nil where there is none, or none that differs.
    func spareRow(of row: ItemRow) -> ItemRow? {
        let condition = "uuid = x'\(row.identity.item)' OR id = \(row.id)"
        let id = storage.storeID
        let found = spare?.read { database in
            try database.row("SELECT \(ItemRow.secretColumns) FROM item WHERE \(condition)")
        }
        guard let found, let copy = found.map({ ItemRow($0, storeID: id) }), copy.id == row.id else { return nil }
        return copy
    }

    /// Puts the spare's row, which was opened, into the place of a damaged one.
    func putBack(_ item: Identifier) {
        let found = spare?.read { try StoredItem(item, in: $0) } ?? nil
        guard let found else { return }
        let id = Self.id(found.row)
        // Another item may have the number by now: only one that does not open is this one, damaged.
        let isOthers = isOfAnother(id, than: item)
        let isWritten: Void? = try? storage.transaction { database in
            try Self.delete(item, in: database)
            if !isOthers { try Self.delete(id: id, in: database) }
            let last = try database.integer("SELECT max(id) FROM item") ?? 0
            let free = (isOthers ? last + 1 : id).databaseValue
            try database.put([[free] + found.row.dropFirst()], Self.cells, into: "item")
            try database.put(found.tags.map { [free] + $0.dropFirst() }, "item, tag", into: "tag")
        }
        if isOthers { copyItem(item) }
        let outcome = isWritten == nil ? "cannot be written; the spare counts" : "was written anew from the spare"
        tellMended("item \(item) of Tresor's own was damaged or missing, and \(outcome)")
    }

    // MARK: at an unlock

    /// Brings back items that are not there any more, or that nothing leads to, and takes copies of those that have
    /// none.
    func settle() {
        guard spare != nil, classes.lockState != .beforeFirstUnlock, (try? storage.isRetagging()) == false else {
            return
        }
        if spare?.tryAgain() == true { keys.evictAll() }
        for item in spareItems() ?? [] { settle(item) }
        for group in Self.keystoneGroups { copyItems(of: group) }
        if spare?.hasFailed == true { tellMended("no second copy of the keychain's keys can be kept now") }
    }

    static let keystoneGroups = HiddenItems.groups.union([
        AccessGroup.notes, AccessGroup.diary, AccessGroup.widgets,
    ])

    /// Whether the row of a number is a whole item, or one that is shut, of another identifier.
    private func isOfAnother(_ id: Int64, than item: Identifier) -> Bool {
        let found = try? storage.perform { database in
            try database.row("SELECT \(ItemRow.secretColumns) FROM item WHERE id = ?", [id])
        }
        guard let found else { return false }
        let row = ItemRow(found, storeID: storage.storeID)
        guard row.identity.item != item else { return false }
        do { _ = try seal.readMetadata(row) } catch { return (error as? KeychainError)?.reason != .damagedItem }
        return true
    }

    /// A row with its tags, as it lies in store or spare.
    private struct StoredItem: Equatable {
        let row: [DatabaseValue]
        let tags: [[DatabaseValue]]

        init?(_ item: Identifier, in database: Database) throws {
            guard let row = try database.cells(cells, of: "item", where: "uuid = x'\(item)'").first else { return nil }
            self.row = row
            let id = SecondCopies.id(row)
            tags = try database.cells("item, tag", of: "tag", where: "item = \(id) ORDER BY tag")
        }
    }

    private func settle(_ item: Identifier) {
        let own: StoredItem?
        // What cannot be looked at is not taken for missing.
        do { own = try storage.perform { try StoredItem(item, in: $0) } } catch { return }
        let copy = spare?.read { try StoredItem(item, in: $0) } ?? nil
        guard let copy, own != copy else { return }
        // Of the same row the tags alone are others: it is not found by its name.
        guard !copy.tags.isEmpty, own == nil || own?.row == copy.row || !opens(item, in: storage.perform) else {
            return
        }
        if opens(item, in: { body in spare.flatMap { $0.read(body) } ?? nil }) { putBack(item) }
    }

    /// Whether the attributes of an item's row open now.
    private func opens(_ item: Identifier, in place: ((Database) throws -> Row?) throws -> Row?) -> Bool {
        let found = try? place { database in
            try database.row("SELECT \(ItemRow.secretColumns) FROM item WHERE uuid = x'\(item)'")
        }
        guard let found else { return false }
        return opensNow(ItemRow(found, storeID: storage.storeID))
    }

    private func opensNow(_ row: ItemRow) -> Bool {
        guard let protectionClass = row.protectionClass, classes.lockState.permits(protectionClass) else {
            return false
        }
        do { _ = try seal.readMetadata(row) } catch { return false }
        return true
    }

    /// By the group's tag, which few rows have: a walk would open every item at each unlock.
    private func copyItems(of group: String) {
        guard let index = try? keys.addIndex() else { return }
        for kind in ItemKind.allCases {
            let found = try? storage.perform { database in
                try database.rows(
                    """
                    SELECT \(ItemRow.secretColumns) FROM item
                    WHERE item.id IN (SELECT item FROM tag WHERE tag = ?) AND tombstone = 0
                    """,
                    [index.groupTag(kind, group)])
            }
            for row in (found ?? []).map({ ItemRow($0, storeID: storage.storeID) }) where opensNow(row) {
                copyUnlessDamaged(row.identity.item)
            }
        }
    }

    private func copyUnlessDamaged(_ item: Identifier) {
        let condition = "uuid = x'\(item)'"
        let find = { (database: Database) in try database.cells(Self.cells, of: "item", where: condition).first }
        guard let own = try? storage.perform(find) else { return }
        let copy = spare?.read(find) ?? nil
        guard own != copy else { return }
        // Where the secret should be the same, one of both is damaged: a reading tells which.
        if let copy, copy[Self.tamper] == own[Self.tamper], copy[Self.secretCells] != own[Self.secretCells] { return }
        copyItem(item)
    }
}
