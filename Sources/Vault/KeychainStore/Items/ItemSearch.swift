import Envelopes
import Protection
import SQLite
import Secrets
import Wire

/// The call that finds items: from a query to a page of what matches.
struct ItemSearch {
    /// How much a page holds before it ends, so that no read keeps the store for long.
    enum PageLimit {
        static let rows = 512
        static let bytes = 256 * 1024
    }

    private let table: ItemTable
    /// Asked for the owner's keychains, and for nothing else.
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

    /// Finds items and writes a page of them.
    ///
    /// - Returns: where to go on, and what was left out.
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 when the lock state shuts a match, −26275
    ///   when the one match does not decode, −50, −25303, −25306, −34018 as documented.
    func find(
        _ query: KeychainQuery, caller: Caller, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> PageEnd {
        let plan = try QueryPlan(query, for: .find, caller: caller)
        var end = PageEnd()
        if query.limit == 1, query.cursor == 0 {
            if try appendExact(plan, query, caller, into: &page, &buffer) { return PageEnd() }
        }
        var damage: KeychainError?
        let isEarly = classes.lockState == .beforeFirstUnlock
        if isEarly && query.limit != 1 && !query.skipsLocked { throw classes.lockedError(nil) }
        end.next = query.cursor
        while let rows = try nextCandidates(plan, after: end.next, query) {
            for row in rows {
                do {
                    if try append(row, plan, query, caller, &end, into: &page, &buffer) == .full { return end }
                } catch let error as KeychainError where error.reason == .damagedItem {
                    // Another one may match, and be whole.
                    damage = damage ?? error
                }
                end.next = UInt64(bitPattern: row.id)
                if let limit = query.limit, page.count >= limit { return end.finished }
                if page.count >= PageLimit.rows { return end }
            }
        }
        if let damage { throw damage }
        if query.limit == nil && !isEarly { end.damaged += try countGone(plan) }
        if isEarly && query.skipsLocked { end.locked += try countEarlyLocked(plan) }
        if page.count == 0 && query.cursor == 0 && end.locked == 0 && end.damaged == 0 {
            guard isEarly && !query.skipsLocked else { throw rules.directory.nothingFound(in: plan.keychain) }
            throw classes.lockedError(nil)
        }
        return end.finished
    }

    /// How many rows a search by kind or class alone leaves out before first unlock.
    ///
    /// A search by attributes cannot know, since those rows' tags are shut too; it counts none.
    private func countEarlyLocked(_ plan: QueryPlan) throws -> UInt32 {
        guard let kind = plan.kind, plan.attributes.isEmpty else { return 0 }
        var sql = "SELECT count(*) FROM item WHERE kind = ? AND tombstone = 0 AND always_tag IS NULL"
        var arguments: [any DatabaseValueConvertible] = [Int(kind.rawValue)]
        if let protectionClass = plan.protectionClass {
            sql += " AND class = ?"
            arguments.append(Int(protectionClass.rawValue))
        }
        if let synchronizable = plan.synchronizable {
            sql += " AND sync = ?"
            arguments.append(synchronizable)
        }
        return try storage.perform { try UInt32(clamping: $0.integer(sql, arguments) ?? 0) }
    }

    /// How many items of the plan's groups have left their tags alone: their rows have gone.
    ///
    /// Of a search by attributes nobody can tell whether it meant them.
    private func countGone(_ plan: QueryPlan) throws -> UInt32 {
        guard let kind = plan.kind, plan.attributes.isEmpty, !plan.wantsTombstones, plan.reference == nil else {
            return 0
        }
        let tags = try keys.groupTags(of: kind, in: plan.groups)
        let marks = tags.map { _ in "?" }.joined(separator: ",")
        do {
            return try storage.perform { database in
                let count = try database.integer(
                    """
                    SELECT count(DISTINCT item) FROM tag
                    WHERE tag IN (\(marks)) AND NOT EXISTS (SELECT 1 FROM item WHERE id = tag.item)
                    """,
                    tags.databaseValues)
                return UInt32(clamping: count ?? 0)
            }
        } catch let error as KeychainError where [.damagedStore, .storage].contains(error.reason) {
            // What stood on a page that cannot be read was counted on the way.
            return 0
        }
    }

    private func nextCandidates(_ plan: QueryPlan, after: UInt64, _ query: KeychainQuery) throws -> [ItemRow]? {
        let rows = try table.candidates(
            plan, after: Int64(bitPattern: after), count: query.limit == 1 ? 16 : 128,
            withSecret: query.returns.contains(.data))
        return rows.isEmpty ? nil : rows
    }

    /// Writes the row of the whole primary key; where several keychains have one, the first that is open.
    private func appendExact(
        _ plan: QueryPlan, _ query: KeychainQuery, _ caller: Caller, into page: inout PageWriter,
        _ buffer: inout SecretBuffer
    ) throws -> Bool {
        var shut: KeychainError?
        for row in try exactRows(plan) {
            // What is left out comes again in the search, and is counted there.
            var end = PageEnd()
            do {
                if try append(row, plan, query, caller, &end, into: &page, &buffer) == .appended { return true }
            } catch let error as KeychainError where error.reason == .keychainLocked { shut = shut ?? error }
        }
        if let shut { throw shut }
        return false
    }

    private func exactRows(_ plan: QueryPlan) throws -> [ItemRow] {
        let keychains = rules.directory.names(in: plan.keychain)
        guard let kind = plan.kind, !plan.wantsTombstones, plan.groups.count * keychains.count <= Self.exactKeys
        else { return [] }
        let index = try keys.searchIndex()
        let tags = keychains.flatMap { keychain in
            plan.groups.map { index.primaryTag(kind, plan.primaryKey(in: $0, of: keychain)) }
        }
        return try storage.perform { database in
            try plan.exactRows(in: database, tags: tags, isAlways: index.isForAlwaysRows, storeID: storage.storeID)
        }
    }

    /// In how many groups, of how many keychains, an item is looked for by its whole key: each costs a tag of several
    /// microseconds, and with more a search by attributes is cheaper.
    private static let exactKeys = 4

    private static func byteCount(_ secret: borrowing SecretBytes?) -> Int {
        switch secret {
        case .some(let secret): secret.count
        case .none: 0
        }
    }

    private enum Outcome {
        case appended
        /// Not a match, or one that the query leaves out.
        case passed
        /// A match that opens the next page.
        case full
    }

    private func append(
        _ row: ItemRow, _ plan: QueryPlan, _ query: KeychainQuery, _ caller: Caller, _ end: inout PageEnd,
        into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> Outcome {
        do {
            guard let kind = row.kind, let metadata = try table.openMatch(row, plan) else { return .passed }
            let wantsData = query.returns.contains(.data)
            let secret =
                wantsData ? try table.openSecret(row, attributes: metadata, for: .read, caller: caller) : nil
            let returnsAttributes = query.returns.contains(.attributes)
            let added = PageWriter.itemOverhead + (returnsAttributes ? metadata.count : 0) + Self.byteCount(secret)
            if page.count > 0 && buffer.count + added > PageLimit.bytes { return .full }
            let reference = PersistentReference(kind: kind, item: row.identity.item)
            guard returnsAttributes else {
                try page.append(reference, attributes: nil, secret: secret, into: &buffer)
                return .appended
            }
            try metadata.withBytes { span in
                try page.append(reference, attributes: span, secret: secret, into: &buffer)
            }
            return .appended
        } catch let error as KeychainError {
            switch error.reason {
            case .locked where query.skipsLocked, .keychainLocked where query.skipsLocked: end.locked += 1
            case .presenceRequired where query.skipsAccessControlled,
                .itemPasswordRequired where query.skipsAccessControlled,
                .wrongItemPassword where query.skipsAccessControlled:
                break
            case .damagedItem where query.limit != 1: end.damaged += 1
            default: throw error
            }
            return .passed
        }
    }
}

extension PageEnd {
    /// The same, as the last page says it.
    fileprivate var finished: PageEnd {
        var end = self
        end.next = 0
        return end
    }
}
