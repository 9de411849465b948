import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// Items that go though nobody asked for them by a query: of destroyed class keys, and of a group whose app goes.
struct ItemPurge {
    private static let resetMark = "reset"

    private let table: ItemTable
    private let storage: ItemDatabase
    private let keys: StoreKeys
    private let seal: RowSeal

    init(table: ItemTable) {
        self.table = table
        storage = table.storage
        keys = table.keys
        seal = table.seal
    }

    /// Removes the rows whose class keys were destroyed on purpose, and gives what is left new tags where the index key
    /// went with them.
    ///
    /// Safe to repeat after a crash.
    ///
    /// - Parameter destroyed: class keys, by the enclave's word.
    func purge(destroyed: [Identifier]) throws {
        guard !destroyed.isEmpty else { return try finishRetagging() }
        keys.evictAll()
        let marks = destroyed.map { _ in "?" }.joined(separator: ",")
        let doomed = destroyed.map(\.bytes).databaseValues
        try keys.forgetSpareKeys(of: destroyed)
        try storage.transaction { database in
            try database.execute(
                "DELETE FROM tag WHERE item IN (SELECT id FROM item WHERE class_key IN (\(marks)))", doomed)
            try database.execute("DELETE FROM item WHERE class_key IN (\(marks))", doomed)
            try database.execute("DELETE FROM table_key WHERE class_key IN (\(marks))", doomed)
        }
        try storage.transaction { database in
            try database.execute("DELETE FROM index_key WHERE class_key IN (\(marks))", doomed)
            guard database.changesCount > 0 else { return }
            try Schema.setMeta(database, "retag", [1])
            // An index key goes with a reset or an erasure, and with nothing else: what is written goes with it.
            try Schema.setMeta(database, Self.resetMark, [1])
        }
        try finishRetagging()
        try storage.scrub()
    }

    /// Whether the device was reset or erased, and what follows from it for identifiers is not done yet.
    func wasReset() throws -> Bool { try storage.perform { try Schema.meta($0, Self.resetMark) } != nil }

    /// What follows from a reset is done.
    func forgetReset() throws {
        try storage.transaction { try $0.execute("DELETE FROM meta WHERE name = ?", [Self.resetMark]) }
    }

    /// Gives every row that can be read tags under the new index key; after a crash it begins again.
    private func finishRetagging() throws {
        guard try storage.isRetagging() else { return }
        // Made here, while the mark says that the old ones are gone on purpose: later, a missing key is damage.
        for protectionClass in [ProtectionClass.afterFirstUnlock, .always] { _ = try keys.indexKey(protectionClass) }
        var last: Int64 = 0
        while true {
            let rows = try table.nextRows(after: last)
            guard let end = rows.last?.id else { break }
            last = end
            let retagged = try rows.compactMap { row -> (id: Int64, new: NewRow)? in
                guard let kind = row.kind, let protectionClass = row.protectionClass,
                    let attributes = try table.attributesUnlessDamaged(row)
                else { return nil }
                let tags = try seal.tags(attributes, kind, protectionClass, isTrashed: row.identity.isTrashed)
                let new = NewRow(
                    identity: row.identity, classKey: row.classKey, metadataKey: row.metadataKey,
                    metadata: row.metadata, secret: row.secret, tags: tags)
                return (id: row.id, new: new)
            }
            try storage.transaction { database in
                for row in retagged { try row.new.replace(row.id, in: database) }
            }
        }
        try storage.transaction { database in
            // Those of items that a repair did not find.
            try database.execute("DELETE FROM tag WHERE item NOT IN (SELECT id FROM item)")
            try database.execute("DELETE FROM meta WHERE name = 'retag'")
        }
    }

    /// Removes every item of a group, and what of it lies in the trash.
    ///
    /// Tombstones stay, as they do when an item is removed: other devices have still to hear of them.
    ///
    /// - Returns: how many there were.
    /// - Throws: −25308 where the lock state hides whose an item is: then nothing is removed.
    func purge(group: String) throws -> Int {
        var purged: [Int64] = []
        try table.forEachRow(withTrash: true) { row in
            do {
                if try table.attributes(row).string(.accessGroup) == group { purged.append(row.id) }
            } catch let error as KeychainError where error.reason == .damagedItem {
                // Whose it was, nobody can tell.
                return
            }
        }
        guard !purged.isEmpty else { throw KeychainError(.itemNotFound) }
        try storage.transaction { database in
            for id in purged { try ItemTable.delete(id, in: database) }
        }
        storage.noteReplacement()
        return purged.count
    }
}
