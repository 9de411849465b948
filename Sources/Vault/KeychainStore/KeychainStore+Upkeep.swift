import Envelopes
import FoundationEssentials
import GRDB
package import Protection
package import Secrets
package import Wire

// What the daemon does between requests.
extension KeychainStore {
    /// Overwrites what deleted and replaced rows left in the write-ahead log.
    package func scrub() throws {
        try truncateLog()
        needsScrub = false
    }

    /// Removes the rows whose class keys were destroyed on purpose, and gives what is left new tags where the index key
    /// went with them.
    ///
    /// Safe to repeat after a crash.
    ///
    /// - Parameter destroyed: class keys, by the enclave's word.
    package func purge(destroyed: [Identifier]) throws {
        guard !destroyed.isEmpty else { return try finishRetagging() }
        evictAllKeys()
        let marks = destroyed.map { _ in "?" }.joined(separator: ",")
        let keys = StatementArguments(destroyed.map { Data($0.bytes) })
        try forgetSpareKeys(of: destroyed)
        try transaction { database in
            try database.execute(
                sql: "DELETE FROM tag WHERE item IN (SELECT id FROM item WHERE class_key IN (\(marks)))",
                arguments: keys)
            try database.execute(sql: "DELETE FROM item WHERE class_key IN (\(marks))", arguments: keys)
            try database.execute(sql: "DELETE FROM table_key WHERE class_key IN (\(marks))", arguments: keys)
        }
        try transaction { database in
            try database.execute(sql: "DELETE FROM index_key WHERE class_key IN (\(marks))", arguments: keys)
            guard database.changesCount > 0 else { return }
            try Schema.setMeta(database, "retag", [1])
            // An index key goes with a reset or an erasure, and with nothing else: what is written goes with it.
            try Schema.setMeta(database, Self.resetMark, [1])
        }
        try finishRetagging()
        try scrub()
    }

    private static let resetMark = "reset"

    /// Whether the device was reset or erased, and what follows from it for identifiers is not done yet.
    package func wasReset() throws -> Bool { try storage { try Schema.meta($0, Self.resetMark) } != nil }

    /// What follows from a reset is done.
    func forgetReset() throws {
        try transaction { try $0.execute(sql: "DELETE FROM meta WHERE name = ?", arguments: [Self.resetMark]) }
    }

    /// Whether rows still wait for tags under a new index key.
    package func isRetagging() throws -> Bool { try storage { try Schema.meta($0, "retag") } != nil }

    /// Gives every row that can be read tags under the new index key; after a crash it begins again.
    private func finishRetagging() throws {
        guard try isRetagging() else { return }
        // Made here, while the mark says that the old ones are gone on purpose: later, a missing key is damage.
        for protectionClass in [ProtectionClass.afterFirstUnlock, .always] { _ = try indexKey(protectionClass) }
        var last: Int64 = 0
        while true {
            let rows = try nextRows(after: last)
            guard let end = rows.last?.id else { break }
            last = end
            let retagged = try rows.compactMap { row -> (id: Int64, new: NewRow)? in
                guard let kind = row.kind, let protectionClass = row.protectionClass,
                    let attributes = try attributesUnlessDamaged(row)
                else { return nil }
                let tags = try tags(attributes, kind, protectionClass)
                let new = NewRow(
                    identity: row.identity, classKey: row.classKey, metadataKey: row.metadataKey,
                    metadata: row.metadata, secret: row.secret, tags: tags)
                return (id: row.id, new: new)
            }
            try transaction { database in
                for row in retagged { try row.new.replace(row.id, in: database) }
            }
        }
        try transaction { database in
            // Those of items that a repair did not find.
            try database.execute(sql: "DELETE FROM tag WHERE item NOT IN (SELECT id FROM item)")
            try database.execute(sql: "DELETE FROM meta WHERE name = 'retag'")
        }
    }

    /// Every row but tombstones, in the order in which they were added.
    func forEachRow(_ body: (ItemRow) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let rows = try nextRows(after: last)
            guard let end = rows.last?.id else { return }
            last = end
            for row in rows where !row.identity.isTombstone { try body(row) }
        }
    }

    private func nextRows(after id: Int64) throws -> [ItemRow] {
        try storage { database in
            try Row.fetchAll(
                database,
                sql: "SELECT \(ItemRow.secretColumns) FROM item WHERE item.id > ? ORDER BY item.id LIMIT 128",
                arguments: [id]
            ).map { ItemRow($0, keychain: keychain) }
        }
    }

    /// How many of the owner's items each class has; tombstones are not items.
    ///
    /// While the index is shut, or damaged, those of our own programs are counted as well.
    package func itemsPerClass() throws -> [ProtectionClass: UInt64] {
        let own = (try? tagsOfOurOwn()) ?? []
        return try storage { database in
            let marks = own.map { _ in "?" }.joined(separator: ", ")
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT class, count(*) FROM item
                    WHERE tombstone = 0 AND id NOT IN (SELECT item FROM tag WHERE tag IN (\(marks))) GROUP BY class
                    """, arguments: StatementArguments(own.map { Data($0) }))
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
        guard keystore.lockState != .beforeFirstUnlock,
            // No key is made for a look.
            try storage({ try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM index_key)") }) == true
        else { return [] }
        let index = try searchIndex()
        return ItemKind.allCases.flatMap { kind in Self.keystoneGroups.map { index.groupTag(kind, $0) } }
    }

    /// The items that did not decode when they were last looked at.
    package func quarantined() throws -> [PersistentReference] {
        try storage { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT uuid, kind FROM item WHERE quarantined = 1 ORDER BY id LIMIT ?",
                arguments: [DaemonStatus.quarantineLimit])
            return rows.compactMap { row in
                guard let item = row.bytes(0).flatMap(Identifier.init), let raw = row.integer(1),
                    let kind = ItemKind(rawValue: UInt8(clamping: raw))
                else { return nil }
                return PersistentReference(kind: kind, item: item)
            }
        }
    }
}
