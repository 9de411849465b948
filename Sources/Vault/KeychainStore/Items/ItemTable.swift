import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// The table of items: its rows by their tags, by a query and in their order, and what is in them.
///
/// What opens here is read from its second copy where it is damaged, and made good.
struct ItemTable {
    let storage: ItemDatabase
    let classes: ClassAccess
    let keys: StoreKeys
    let seal: RowSeal
    let copies: SecondCopies

    // MARK: rows

    func row(primaryTag: [UInt8]) throws -> ItemRow? {
        try storage.perform { database in
            let statement = try database.cachedStatement(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE primary_tag = ?")
            return try statement.row([primaryTag]).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    func rows(primaryTags: [[UInt8]]) throws -> [ItemRow] {
        let marks = primaryTags.map { _ in "?" }.joined(separator: ",")
        return try storage.perform { database in
            try database.rows(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE primary_tag IN (\(marks))",
                primaryTags.databaseValues
            ).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    /// The rows that `plan` may mean, from the index that the lock state opens.
    func candidates(
        _ plan: QueryPlan, after: Int64, count: Int, withSecret: Bool
    ) throws -> [ItemRow] {
        let index = plan.reference == nil ? try keys.searchIndex() : nil
        return try storage.perform { database in
            try plan.candidates(
                in: database, index: index, after: after, count: count, withSecret: withSecret,
                storeID: storage.storeID)
        }
    }

    /// The row of an item by its number; nil where there is none, and where it stands on a page that cannot be read.
    func row(id: Int64) throws -> ItemRow? {
        try storage.perform { database in
            let statement = try database.cachedStatement(
                "SELECT \(ItemRow.columns) FROM item WHERE item.id = ? AND tombstone = 0")
            do { return try statement.row([id]).map { ItemRow($0, storeID: storage.storeID) } } catch let error
                as DatabaseError where error.isOfPage
            {
                return nil
            }
        }
    }

    /// The next rows in the order in which they were added, tombstones among them.
    func nextRows(after id: Int64) throws -> [ItemRow] {
        try storage.perform { database in
            try database.rows(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE item.id > ? ORDER BY item.id LIMIT 128", [id]
            ).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    /// Every row but tombstones and what lies in the trash, in the order in which they were added.
    ///
    /// - Parameter withTrash: whether what lies in the trash is among them.
    func forEachRow(withTrash: Bool = false, _ body: (ItemRow) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let rows = try nextRows(after: last)
            guard let end = rows.last?.id else { return }
            last = end
            for row in rows where !row.identity.isTombstone && (withTrash || !row.identity.isTrashed) {
                try body(row)
            }
        }
    }

    /// The next rows that lie in the trash, in the order in which the items were added.
    func trashedRows(after id: Int64, count: Int) throws -> [ItemRow] {
        try storage.perform { database in
            try database.rows(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE id > ? AND tombstone = 2 ORDER BY id LIMIT ?",
                [id, count]
            ).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    /// The row of an item that lies in the trash; nil where it does not.
    func trashedRow(_ reference: PersistentReference) throws -> ItemRow? {
        try storage.perform { database in
            try database.row(
                "SELECT \(ItemRow.secretColumns) FROM item WHERE uuid = ? AND kind = ? AND tombstone = 2",
                [reference.item.bytes, Int(reference.kind.rawValue)]
            ).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    static func delete(_ id: Int64, in database: Database) throws {
        try database.cachedStatement("DELETE FROM tag WHERE item = ?").run([id])
        try database.cachedStatement("DELETE FROM item WHERE id = ?").run([id])
    }

    // MARK: what is in a row

    /// The row's attributes, still encoded, in locked memory: from the second copy where this row is damaged.
    ///
    /// - Throws: −25308 where the lock state shuts the row's class; −26275 where it does not decode, after noting it.
    func openMetadata(_ row: ItemRow) throws -> SecretBytes {
        do { return try seal.readMetadata(row) } catch let error as KeychainError where error.reason == .damagedItem {
            guard let copy = copies.spareRow(of: row), let metadata = try? seal.readMetadata(copy) else { throw error }
            copies.putBack(copy.identity.item)
            return metadata
        }
    }

    func attributes(_ row: ItemRow) throws -> Attributes {
        let metadata = try openMetadata(row)
        do {
            return try metadata.withBytes { (span) throws(DecodingError) in
                var reader = ByteReader(span)
                let attributes = try Attributes(from: &reader)
                try reader.end()
                return attributes
            }
        } catch { throw seal.quarantine(row) }
    }

    /// The same; nil for a damaged row, which has nothing to put on a tombstone.
    func attributesUnlessDamaged(_ row: ItemRow) throws -> Attributes? {
        do { return try attributes(row) } catch let error as KeychainError where error.reason == .damagedItem {
            return nil
        }
    }

    /// The row's secret, from the second copy where this row is damaged; nil for an item without data.
    ///
    /// The row key makes its round trip through the enclave.
    func openSecret(
        _ row: ItemRow, attributes metadata: borrowing SecretBytes, for operation: ProtectedOperation, caller: Caller
    ) throws -> SecretBytes? {
        do { return try seal.readSecret(row, attributes: metadata, for: operation, caller: caller) } catch let error
            as KeychainError where error.reason == .damagedItem
        {
            guard let copy = copies.spareRow(of: row), let own = try? seal.readMetadata(copy) else { throw error }
            let secret: SecretBytes?
            do { secret = try seal.readSecret(copy, attributes: own, for: operation, caller: caller) } catch {
                throw error
            }
            copies.putBack(copy.identity.item)
            return secret
        }
    }

    // MARK: whether a row is meant

    /// Whether the row matches, with its attributes in locked memory; nil when it does not.
    ///
    /// - Throws: −25308 for a row that is shut and matches as far as the index can tell; −26275 for a damaged one.
    func openMatch(_ row: ItemRow, _ plan: QueryPlan) throws -> SecretBytes? {
        let metadata: SecretBytes
        do { metadata = try openMetadata(row) } catch let error as KeychainError {
            // Whoever does not reach a row does not learn either that it is there.
            guard try isReached(row, plan, isShut: error.reason == .locked) else { return nil }
            throw error
        }
        do {
            let matches = try metadata.withBytes { (span) throws(DecodingError) in
                guard try Attributes.matches(span, plan.expectations),
                    let group = try Attributes.encodedText(span, of: .accessGroup)
                else { return false }
                let keychain = try Attributes.encodedText(span, of: .keychain)
                return plan.groups.contains(group) && plan.keychain.contains(keychain)
            }
            if matches { return metadata }
            return nil
        } catch { throw seal.quarantine(row) }
    }

    /// Whether a row that cannot be opened is in a group of the plan's, by its tags.
    ///
    /// - Parameter isShut: by the lock state; else it is damaged.
    private func isReached(_ row: ItemRow, _ plan: QueryPlan, isShut: Bool) throws -> Bool {
        guard let kind = row.kind else { return false }
        // Then nothing but a reference, which is not guessed, leads to such a row, and its tags are shut as well.
        if isShut && classes.lockState == .beforeFirstUnlock { return true }
        // A lock must not look like absence while rows wait for their tags; nothing is removed by it.
        if isShut, try storage.isRetagging() { return true }
        if try isTagged(row, kind, with: plan.groups) { return true }
        // Rows that do not decode get no tags when the index is made anew: whose they are nobody can tell, and the
        // owner, who is told their references, has to be able to see and remove them.
        return !isShut && plan.reference != nil && plan.groups.contains(AccessGroup.owner)
    }

    /// Whether a row has the tag of one of these groups.
    func isTagged(_ row: ItemRow, _ kind: ItemKind, with groups: [String]) throws -> Bool {
        let tags = try keys.groupTags(of: kind, in: groups)
        let marks = tags.map { _ in "?" }.joined(separator: ",")
        let arguments = [row.id] as [any DatabaseValueConvertible] + tags.databaseValues
        return try storage.perform { database in
            try database.integer(
                "SELECT EXISTS (SELECT 1 FROM tag WHERE item = ? AND tag IN (\(marks)))", arguments) == 1
        }
    }

    /// A taken key is a duplicate, whether or not its row can be read; a damaged row is never replaced.
    func refuseUnlessTombstone(_ row: ItemRow) throws {
        if row.identity.isTombstone {
            // Opening it proves the mark: a tampered row must not be replaced.
            _ = try openMetadata(row)
            return
        }
        if let protectionClass = row.protectionClass, classes.lockState.permits(protectionClass) {
            _ = try openMetadata(row)
        }
        throw KeychainError(.duplicateItem, protectionClass: row.protectionClass, lockState: classes.lockState)
    }

    /// Lists an item as damaged that can be read, and says what it must not.
    func quarantine(_ item: Identifier) throws {
        try storage.perform { database in
            try database.execute("UPDATE item SET quarantined = 1 WHERE uuid = ?", [item.bytes])
        }
    }
}
