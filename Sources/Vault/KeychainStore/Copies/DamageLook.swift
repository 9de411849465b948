import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// A look at everything: each row is opened, and what is in it thrown away.
///
/// What is damaged is taken from an earlier copy, where one lies beside; and so is what is missing, where rows are
/// known to be lost.
final class DamageLook {
    private let storage: ItemDatabase
    private let seal: RowSeal
    private let table: ItemTable
    private let path: String?
    /// An earlier copy of this keychain, if one lies there to take from.
    private lazy var earlier = path.flatMap { EarlierCopy(beside: $0) }
    /// How many rows a look at everything has, once it has begun.
    private var total: UInt64?

    /// - Parameter path: the database's file; nil in memory.
    init(table: ItemTable, path: String?) {
        self.table = table
        self.path = path
        storage = table.storage
        seal = table.seal
    }

    /// Looks at the rows behind one until others have waited long enough.
    ///
    /// - Parameters:
    ///   - row: ``ItemLook/next`` of the part before; 0 at first.
    ///   - isDue: whether they have.
    func look(after row: UInt64, until isDue: () -> Bool) throws -> ItemLook {
        var look = ItemLook()
        look.total = try countForLook(isFirst: row == 0)
        var last = Int64(bitPattern: row)
        let first = last
        // Behind the last row a number below zero says how far the copy is that is taken from.
        guard last >= 0 else { return try takeMissing(-last - 1, look) }
        repeat {
            guard let row = try nextRow(after: &last, &look) else {
                look.next = earlier?.hasMissing == true ? UInt64(bitPattern: -1) : 0
                readTags(of: first, through: .max, &look)
                return look
            }
            try examine(row, &look)
            look.rows += 1
        } while !isDue() && look.damaged.count + look.taken.count < ItemLook.mostDamaged
        look.next = UInt64(bitPattern: last)
        readTags(of: first, through: last, &look)
        return look
    }

    /// Reads what the rows are found by: a page of it that cannot be read is one.
    private func readTags(of first: Int64, through last: Int64, _ look: inout ItemLook) {
        do {
            try storage.perform { database in
                let sql = "SELECT sum(length(tag)) FROM tag WHERE item > ? AND item <= ?"
                try database.cachedStatement(sql).run([first, last])
            }
        } catch { look.hasLostPage = true }
    }

    /// How many rows a look has before it, counted at its beginning: each part of it takes no longer than the others.
    private func countForLook(isFirst: Bool) throws -> UInt64 {
        if !isFirst, let total { return total }
        // The index can be read where a page of the table cannot; it counts tombstones, too.
        let counted = try storage.perform {
            try UInt64(clamping: $0.integer("SELECT count(class) FROM item INDEXED BY item_class") ?? 0)
        }
        total = counted
        return counted
    }

    private func examine(_ row: ItemRow, _ look: inout ItemLook) throws {
        do {
            let metadata = try table.openMetadata(row)
            let group = try metadata.withBytes { try Attributes.encodedText($0, of: .accessGroup) }
            let caller = Caller(connection: 0, accessGroups: group.map { [$0] } ?? [])
            _ = try table.openSecret(row, attributes: metadata, for: .read, caller: caller)
        } catch is DecodingError {
            if try takeFromCopy(row) { return look.taken.append(Self.reference(row)) }
            _ = seal.quarantine(row)
            look.damaged.append(Self.reference(row))
        } catch let error as KeychainError {
            switch error.reason {
            case .damagedItem:
                if try takeFromCopy(row) { return look.taken.append(Self.reference(row)) }
                look.damaged.append(Self.reference(row))
            case .locked, .keychainLocked, .noPasscodeSet: look.shut += 1
            case .presenceRequired, .itemPasswordRequired, .enrolmentChanged: look.guarded += 1
            default: throw error
            }
        }
    }

    private func takeMissing(_ row: Int64, _ look: ItemLook) throws -> ItemLook {
        var look = look
        let next = try takeMissing(after: row) { look.taken.append($0) }
        look.next = next.map { UInt64(bitPattern: -$0 - 1) } ?? 0
        return look
    }

    private static func reference(_ row: ItemRow) -> PersistentReference {
        PersistentReference(kind: row.kind ?? .password, item: row.identity.item)
    }

    /// Rows on a page that cannot be read are passed over.
    private func nextRow(after last: inout Int64, _ look: inout ItemLook) throws -> ItemRow? {
        while true {
            do {
                let found = try row(
                    "item NOT INDEXED WHERE item.id >= ? AND tombstone = 0 ORDER BY item.id LIMIT 1", last + 1)
                if try hasTags(between: last, and: found?.id ?? .max) { look.hasLostPage = true }
                last = found?.id ?? last
                return found
            } catch let error as KeychainError where [.damagedStore, .storage].contains(error.reason) {
                look.hasLostPage = true
                // The index has the ids of those on the page, too.
                let next = try storage.perform { database in
                    try database.integer("SELECT min(id) FROM item INDEXED BY item_class WHERE id > ?", [last])
                }
                guard let next else { return nil }
                last = next
            }
        }
    }

    /// Whether there are tags of an item whose row has gone: a deletion takes them along.
    private func hasTags(between first: Int64, and last: Int64) throws -> Bool {
        // Most rows follow each other.
        guard last > first + 1 else { return false }
        return try storage.perform { database in
            let statement = try database.cachedStatement(
                """
                SELECT EXISTS (SELECT 1 FROM tag WHERE item > ? AND item < ? AND NOT EXISTS (
                    SELECT 1 FROM item WHERE item.id = tag.item))
                """)
            return try statement.row([first, last])?.integer(0) == 1
        }
    }

    private func row(_ source: String, _ id: Int64) throws -> ItemRow? {
        try storage.perform { database in
            let statement = try database.cachedStatement("SELECT \(ItemRow.secretColumns) FROM \(source)")
            return try statement.row([id]).map { ItemRow($0, storeID: storage.storeID) }
        }
    }

    // MARK: taking from the copy

    /// Puts the copy's row into the place of a damaged one.
    ///
    /// - Returns: whether the copy has one that opens.
    private func takeFromCopy(_ row: ItemRow) throws -> Bool {
        guard let new = try rowOfCopy(row.identity.item) else { return false }
        try storage.transaction { try new.replace(row.id, in: $0) }
        if new.isKeystone { table.copies.copyItem(row.identity.item) }
        return true
    }

    /// Takes items that are in the copy and not in the keychain, where rows are known to be lost.
    ///
    /// - Parameter row: behind which of the copy's it goes on.
    /// - Returns: where the next part begins; nil at the end.
    private func takeMissing(after row: Int64, _ taken: (PersistentReference) -> Void) throws -> Int64? {
        guard let earlier, earlier.hasMissing, let (items, last) = try earlier.items(after: row) else { return nil }
        for item in items where try !isKnown(item) {
            guard let new = try rowOfCopy(item) else { continue }
            // One of its name that was added since stays.
            do { try storage.transaction { try new.insert(in: $0) } } catch let error as KeychainError
                where error.status == .duplicateItem
            { continue }
            if new.isKeystone { table.copies.copyItem(item) }
            taken(PersistentReference(kind: ItemKind(rawValue: new.identity.kind) ?? .password, item: item))
        }
        return last
    }

    private func isKnown(_ item: Identifier) throws -> Bool {
        try storage.perform { database in
            try database.integer("SELECT EXISTS (SELECT 1 FROM item WHERE uuid = ?)", [item.bytes]) != 0
        }
    }

    /// The copy's row with tags of today; nil where it does not open as far as the lock state lets it.
    private func rowOfCopy(_ item: Identifier) throws -> NewRow? {
        guard let row = try earlier?.row(of: item, in: storage.storeID), let kind = row.kind,
            let protectionClass = row.protectionClass, let metadata = try? seal.readMetadata(row),
            let attributes = try? table.attributes(row)
        else { return nil }
        let group = attributes.string(.accessGroup)
        let caller = Caller(connection: 0, accessGroups: group.map { [$0] } ?? [])
        do { _ = try seal.readSecret(row, attributes: metadata, for: .read, caller: caller) } catch let error
            as KeychainError
        {
            // What asks for its owner cannot be opened by anybody here, in neither place.
            guard [.presenceRequired, .itemPasswordRequired, .enrolmentChanged].contains(error.reason) else {
                return nil
            }
        } catch is DecodingError { return nil }
        return NewRow(
            identity: row.identity, classKey: row.classKey, metadataKey: row.metadataKey, metadata: row.metadata,
            secret: row.secret, tags: try seal.tags(attributes, kind, protectionClass),
            isKeystone: SecondCopies.isKeystone(attributes))
    }
}
