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
        try storage { database in
            let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            if let row, row.integer(0) != 0 { throw KeychainError(.notAvailable, .storage) }
        }
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
        try transaction { database in
            try database.execute(
                sql: "DELETE FROM tag WHERE item IN (SELECT id FROM item WHERE class_key IN (\(marks)))",
                arguments: keys)
            try database.execute(sql: "DELETE FROM item WHERE class_key IN (\(marks))", arguments: keys)
            try database.execute(sql: "DELETE FROM table_key WHERE class_key IN (\(marks))", arguments: keys)
        }
        try transaction { database in
            try database.execute(sql: "DELETE FROM index_key WHERE class_key IN (\(marks))", arguments: keys)
            if database.changesCount > 0 { try Schema.setMeta(database, "retag", [1]) }
        }
        try finishRetagging()
        try scrub()
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
        try transaction { try $0.execute(sql: "DELETE FROM meta WHERE name = 'retag'") }
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

    /// How many items each class has; tombstones are not items.
    package func itemsPerClass() throws -> [ProtectionClass: UInt64] {
        try storage { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT class, count(*) FROM item WHERE tombstone = 0 GROUP BY class")
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

    /// How the store stands to the enclave's keybag.
    package enum Lineage: Equatable, Sendable {
        case together
        /// The enclave's state is older than the store.
        case enclaveRolledBack
        /// The store is older than the enclave's state.
        case storeRolledBack
        /// Another device's enclave: nothing in here would open.
        case foreign
    }

    /// Whether the store knows of this generation already.
    package func hasRecorded(generation: UInt64) throws -> Bool {
        try storage { try Schema.meta($0, "generation") }?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == generation
    }

    /// Compares with what was recorded; ``record(keybag:generation:)`` brings the record up to date.
    package func checkLineage(keybag: Identifier, generation: UInt64) throws -> Lineage {
        let recordedKeybag = try storage { try Schema.meta($0, "keybag") }
        let recorded = try storage { try Schema.meta($0, "generation") }?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if let recordedKeybag, recordedKeybag != keybag.bytes { return .foreign }
        if let recorded {
            if generation < recorded { return .enclaveRolledBack }
            if generation > recorded + 1 { return .storeRolledBack }
        }
        return .together
    }

    package func record(keybag: Identifier, generation: UInt64) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: generation >> UInt64(56 - 8 * $0)) }
        try transaction { database in
            try Schema.setMeta(database, "keybag", keybag.bytes)
            try Schema.setMeta(database, "generation", bytes)
        }
    }
}
