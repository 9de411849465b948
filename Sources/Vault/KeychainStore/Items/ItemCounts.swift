import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// How many items there are, by class, group and keychain, and which of them are damaged.
struct ItemCounts {
    private let table: ItemTable
    private let rules: ItemRules
    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let keys: StoreKeys

    init(table: ItemTable, rules: ItemRules) {
        self.table = table
        self.rules = rules
        storage = table.storage
        classes = table.classes
        keys = table.keys
    }

    /// How many of the owner's items each class has; tombstones are not items.
    ///
    /// While the index is shut, or damaged, those of our own programs are counted as well.
    func itemsPerClass() throws -> [ProtectionClass: UInt64] {
        let own = (try? tagsOfOurOwn()) ?? []
        return try storage.perform { database in
            let marks = own.map { _ in "?" }.joined(separator: ", ")
            let rows = try database.rows(
                """
                SELECT class, count(*) FROM item
                WHERE tombstone = 0 AND id NOT IN (SELECT item FROM tag WHERE tag IN (\(marks))) GROUP BY class
                """,
                own.databaseValues)
            var counts: [ProtectionClass: UInt64] = [:]
            for row in rows {
                guard let raw = row.integer(0), let known = ProtectionClass(rawValue: UInt8(clamping: raw)) else {
                    continue
                }
                counts[known] = UInt64(clamping: row.integer(1) ?? 0)
            }
            return counts
        }
    }

    /// Of the groups of Tresor's own items; none before first unlock, when the index is shut.
    private func tagsOfOurOwn() throws -> [[UInt8]] {
        guard classes.lockState != .beforeFirstUnlock,
            // No key is made for a look.
            try storage.perform({ try $0.integer("SELECT EXISTS (SELECT 1 FROM index_key)") }) == 1
        else { return [] }
        let index = try keys.searchIndex()
        return ItemKind.allCases.flatMap { kind in SecondCopies.keystoneGroups.map { index.groupTag(kind, $0) } }
    }

    /// The items that did not decode when they were last looked at.
    func quarantined() throws -> [PersistentReference] {
        try storage.perform { database in
            let rows = try database.rows(
                "SELECT uuid, kind FROM item WHERE quarantined = 1 ORDER BY id LIMIT ?",
                [DaemonStatus.quarantineLimit])
            return rows.compactMap { row in
                guard let item = row.bytes(0).flatMap(Identifier.init), let raw = row.integer(1),
                    let kind = ItemKind(rawValue: UInt8(clamping: raw))
                else { return nil }
                return PersistentReference(kind: kind, item: item)
            }
        }
    }

    /// How many items each access group has, as far as the lock state shows.
    ///
    /// - Returns: the groups' items, and how many items are shut or do not decode.
    func itemsPerGroup() throws -> (items: [String: UInt32], hidden: UInt32) {
        var items: [String: UInt32] = [:]
        var hidden: UInt32 = 0
        try table.forEachRow { row in
            do {
                guard let group = try table.attributes(row).string(.accessGroup) else { return }
                items[group, default: 0] += 1
            } catch let error as KeychainError where error.reason == .locked || error.reason == .damagedItem {
                hidden += 1
            }
        }
        return (items: items, hidden: hidden)
    }

    /// How many items lie in a keychain, by the index; nil before first unlock, when that is shut.
    func items(in name: String) throws -> UInt32? { try rows(in: name).map { UInt32(clamping: $0.count) } }

    /// How many of the owner's items lie in the keychain that is always there.
    func itemsInLogin() throws -> UInt32? {
        guard classes.lockState != .beforeFirstUnlock else { return nil }
        let total = try itemsPerClass().values.reduce(0, +)
        let elsewhere = try rules.directory.names.reduce(0) { try $0 + Int(items(in: $1) ?? 0) }
        return UInt32(clamping: max(0, Int(clamping: total) - elsewhere))
    }

    /// The rows of every item of a keychain that is to be removed, whatever group they are of, and of what lay in it
    /// and lies in the trash.
    ///
    /// - Throws: −25308 where the lock state hides which they are.
    func rowsGoing(with name: String) throws -> [Int64] {
        guard classes.lockState == .unlocked, let rows = try rows(in: name, withTrash: true) else {
            throw classes.lockedError(nil)
        }
        return rows
    }

    private func rows(in name: String, withTrash: Bool = false) throws -> [Int64]? {
        guard classes.lockState != .beforeFirstUnlock else { return nil }
        let index = try keys.searchIndex()
        return try ItemKind.allCases.flatMap { kind -> [Int64] in
            guard let entry = ItemSchema.entries(of: kind)[.keychain] else { return [] }
            return try rows(kind, tags: [index.attributeTag(kind, entry, .string(name))], withTrash: withTrash)
        }
    }

    private func rows(_ kind: ItemKind, tags: [[UInt8]], withTrash: Bool) throws -> [Int64] {
        let searches = tags.map { _ in "SELECT item FROM tag WHERE tag = ?" }.joined(separator: " INTERSECT ")
        let arguments = [Int(kind.rawValue)] as [any DatabaseValueConvertible] + tags.databaseValues
        let marks = withTrash ? "tombstone IN (0, 2)" : "tombstone = 0"
        return try storage.perform { database in
            let rows = try database.rows(
                "SELECT id FROM item WHERE kind = ? AND \(marks) AND id IN (\(searches))", arguments)
            return rows.compactMap { $0.integer(0) }
        }
    }
}
