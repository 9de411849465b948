import DurableDatabase
import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
import Wire

// The items of Tresor's own programs, under which notes, diary, widgets and further keychains lie, are kept once more
// in the folder `spare`; see specs/keychain-item.md, "The spare".
extension KeychainStore {
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
        guard let row = try? storage({ try $0.cells(Self.cells, of: "item", where: condition).first }) else { return }
        let tags = try? storage { try $0.cells("item, tag", of: "tag", where: "item = \(Self.id(row))") }
        spare.write { database in
            try Self.delete(item, in: database)
            try Self.delete(id: Self.id(row), in: database)
            try database.put([row], Self.cells, into: "item")
            try database.put(tags ?? [], "item, tag", into: "tag")
        }
    }

    /// Takes items from the spare, before they go from the store: what was removed does not come back after a crash.
    func forgetSpareItems(_ items: [Identifier]) {
        let known = spareItems()
        let doomed = items.filter { known.contains($0) }
        guard !doomed.isEmpty else { return }
        spare?.write { database in for item in doomed { try Self.delete(item, in: database) } }
    }

    private func spareItems() -> Set<Identifier> {
        let found = spare?.read { database in
            try Row.fetchAll(database, sql: "SELECT uuid FROM item").compactMap { $0.bytes(0).flatMap(Identifier.init) }
        }
        return Set(found ?? [])
    }

    private static func id(_ row: [DatabaseValue]) -> Int64 { row.first.flatMap(Int64.fromDatabaseValue) ?? 0 }

    private static func delete(_ item: Identifier, in database: Database) throws {
        let row = try database.cells("id", of: "item", where: "uuid = x'\(item)'").first
        if let row { try delete(id: id(row), in: database) }
    }

    private static func delete(id: Int64, in database: Database) throws {
        try database.execute(sql: "DELETE FROM tag WHERE item = ?", arguments: [id])
        try database.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
    }

    // MARK: at a reading

    /// The spare's row of an item of which one is damaged; nil where there is none, or none that differs.
    func spareRow(of row: ItemRow) -> ItemRow? {
        let condition = "uuid = x'\(row.identity.item)' OR id = \(row.id)"
        let id = keychain
        let found = spare?.read { database in
            try Row.fetchOne(database, sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE \(condition)")
        }
        guard let found, let copy = found.map({ ItemRow($0, keychain: id) }), copy.id == row.id else { return nil }
        return copy
    }

    /// Puts the spare's row, which was opened, into the place of a damaged one.
    func putBack(_ item: Identifier) {
        let found = spare?.read { try StoredItem(item, in: $0) } ?? nil
        guard let found else { return }
        let isWritten: Void? = try? transaction { database in
            try Self.delete(item, in: database)
            try Self.delete(id: Self.id(found.row), in: database)
            try database.put([found.row], Self.cells, into: "item")
            try database.put(found.tags, "item, tag", into: "tag")
        }
        let outcome = isWritten == nil ? "cannot be written; the spare counts" : "was written anew from the spare"
        tellMended("item \(item) of Tresor's own was damaged or missing, and \(outcome)")
    }

    // MARK: at an unlock

    /// Brings back items that are not there any more, or that nothing leads to, and takes copies of those that have
    /// none.
    package func settleSpareItems() {
        guard spare != nil, keystore.lockState != .beforeFirstUnlock, (try? isRetagging()) == false else { return }
        for item in spareItems() { settle(item) }
        for group in Self.keystoneGroups { copyItems(of: group) }
    }

    private static let keystoneGroups = HiddenItems.groups.union([
        AccessGroup.notes, AccessGroup.diary, AccessGroup.widgets,
    ])

    /// A row with its tags, as it lies in store or spare.
    private struct StoredItem: Equatable {
        let row: [DatabaseValue]
        let tags: [[DatabaseValue]]

        init?(_ item: Identifier, in database: Database) throws {
            guard let row = try database.cells(cells, of: "item", where: "uuid = x'\(item)'").first else { return nil }
            self.row = row
            let id = KeychainStore.id(row)
            tags = try database.cells("item, tag", of: "tag", where: "item = \(id) ORDER BY tag")
        }
    }

    private func settle(_ item: Identifier) {
        let own: StoredItem?
        // What cannot be looked at is not taken for missing.
        do { own = try storage { try StoredItem(item, in: $0) } } catch { return }
        let copy = spare?.read { try StoredItem(item, in: $0) } ?? nil
        guard let copy, own != copy else { return }
        // Of the same row the tags alone are others: it is not found by its name.
        guard own == nil || own?.row == copy.row || !opens(item, in: storage) else { return }
        if opens(item, in: { body in spare.flatMap { $0.read(body) } ?? nil }) { putBack(item) }
    }

    /// Whether the attributes of an item's row open now.
    private func opens(_ item: Identifier, in place: ((Database) throws -> Row?) throws -> Row?) -> Bool {
        let found = try? place { database in
            try Row.fetchOne(database, sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE uuid = x'\(item)'")
        }
        guard let found else { return false }
        let row = ItemRow(found, keychain: keychain)
        guard let protectionClass = row.protectionClass, keystore.lockState.permits(protectionClass) else {
            return false
        }
        do { _ = try readMetadata(row) } catch { return false }
        return true
    }

    private func copyItems(of group: String) {
        for kind in ItemKind.allCases {
            var query = KeychainQuery(kind: kind)
            query.attributes[.accessGroup] = .string(group)
            let caller = Caller(connection: 0, accessGroups: [group])
            guard let plan = try? QueryPlan(query, for: .find, caller: caller) else { continue }
            var last: Int64 = 0
            while let rows = try? candidates(plan, after: last, count: 128, withSecret: true), !rows.isEmpty {
                for row in rows {
                    last = row.id
                    if matches(row, plan) { copyUnlessDamaged(row.identity.item) }
                }
            }
        }
    }

    private func matches(_ row: ItemRow, _ plan: QueryPlan) -> Bool {
        do { return try openMatch(row, plan) != nil } catch { return false }
    }

    private func copyUnlessDamaged(_ item: Identifier) {
        let condition = "uuid = x'\(item)'"
        let find = { (database: Database) in try database.cells(Self.cells, of: "item", where: condition).first }
        guard let own = try? storage(find) else { return }
        let copy = spare?.read(find) ?? nil
        guard own != copy else { return }
        // Where the secret should be the same, one of both is damaged: a reading tells which.
        if let copy, copy[Self.tamper] == own[Self.tamper], copy[Self.secretCells] != own[Self.secretCells] { return }
        copyItem(item)
    }
}
