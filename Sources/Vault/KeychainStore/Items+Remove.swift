import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
package import Wire

extension KeychainStore {
    /// Removes every match; synchronizable ones leave a tombstone unless the query says otherwise.
    ///
    /// Local items can be removed while they are locked, where the index alone tells that they match. Damaged ones
    /// stay, unless they are named by their reference.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 where the lock state hides whether something
    /// does.
    package func remove(_ query: KeychainQuery, caller: Caller) throws {
        try remove(query, caller: caller, withRows: [])
    }

    /// The same, and with the matches all of `others`, or nothing at all.
    func remove(_ query: KeychainQuery, caller: Caller, withRows others: [Int64]) throws {
        let plan = try QueryPlan(query, for: .remove, caller: caller)
        var removed: [ItemRow] = []
        var buried: [(row: ItemRow, tombstone: NewRow)] = []
        var last: Int64 = 0
        var damage: KeychainError?
        while true {
            let rows = try candidates(plan, after: last, count: 128, withSecret: false)
            guard !rows.isEmpty else { break }
            for row in rows {
                last = row.id
                do { guard try isRemovable(row, plan) else { continue } } catch let error as KeychainError
                    where error.reason == .damagedItem
                {
                    damage = damage ?? error
                    continue
                }
                if query.usesTombstones ?? row.identity.isSynchronizable, let kind = row.kind,
                    let old = try attributesUnlessDamaged(row)
                {
                    let tombstone = try tombstone(of: old, kind, item: row.identity.item)
                    buried.append((row: row, tombstone: tombstone))
                } else {
                    removed.append(row)
                }
            }
        }
        guard !removed.isEmpty || !buried.isEmpty else {
            if let damage { throw damage }
            throw keystore.lockState == .beforeFirstUnlock ? lockedError(nil) : nothingFound(in: plan.keychain)
        }
        try forgetSpareItems((removed + buried.map(\.row)).map(\.identity.item))
        try transaction { database in
            for id in others { try Self.delete(id, in: database) }
            for row in removed { try Self.delete(row.id, in: database) }
            for entry in buried { try entry.tombstone.replace(entry.row.id, in: database) }
        }
        needsScrub = true
    }

    /// A damaged row has nothing to put on a tombstone.
    func attributesUnlessDamaged(_ row: ItemRow) throws -> Attributes? {
        do { return try attributes(row) } catch let error as KeychainError where error.reason == .damagedItem {
            return nil
        }
    }

    private func isRemovable(_ row: ItemRow, _ plan: QueryPlan) throws -> Bool {
        do {
            return try openMatch(row, plan) != nil
        } catch let error as KeychainError {
            switch error.reason {
            // The index knows that it matches, and nothing has to be read to forget it.
            case .locked where plan.isDecidedByTags && keystore.lockState != .beforeFirstUnlock:
                guard try !isRetagging() else { throw error }
                return true
            // Who names a damaged row by its reference wants it gone.
            case .damagedItem where plan.reference != nil: return true
            default: throw error
            }
        }
    }

    static func delete(_ id: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM tag WHERE item = ?").execute(arguments: [id])
        try database.cachedStatement(sql: "DELETE FROM item WHERE id = ?").execute(arguments: [id])
    }
}
