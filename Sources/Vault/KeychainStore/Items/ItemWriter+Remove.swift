import Envelopes
import Protection
import Secrets
import Wire

extension ItemWriter {
    /// Removes every match; synchronizable ones leave a tombstone unless the query says otherwise.
    ///
    /// Local items can be removed while they are locked, where the index alone tells that they match. Damaged ones
    /// stay, unless they are named by their reference.
    ///
    /// - Parameter others: numbers of rows that go with the matches, or stay with them.
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25308 where the lock state hides whether something
    ///   does.
    func remove(_ query: KeychainQuery, caller: Caller, withRows others: [Int64]) throws {
        let plan = try QueryPlan(query, for: .remove, caller: caller)
        var removed: [ItemRow] = []
        var buried: [(row: ItemRow, tombstone: NewRow)] = []
        var last: Int64 = 0
        var damage: KeychainError?
        while true {
            let rows = try table.candidates(plan, after: last, count: 128, withSecret: false)
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
                    let old = try table.attributesUnlessDamaged(row)
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
            guard classes.lockState != .beforeFirstUnlock else { throw classes.lockedError(nil) }
            throw rules.directory.nothingFound(in: plan.keychain)
        }
        try copies.forgetSpareItems((removed + buried.map(\.row)).map(\.identity.item))
        try storage.transaction { database in
            for id in others { try ItemTable.delete(id, in: database) }
            for row in removed { try ItemTable.delete(row.id, in: database) }
            for entry in buried { try entry.tombstone.replace(entry.row.id, in: database) }
        }
        storage.noteReplacement()
    }

    private func isRemovable(_ row: ItemRow, _ plan: QueryPlan) throws -> Bool {
        do {
            return try table.openMatch(row, plan) != nil
        } catch let error as KeychainError {
            switch error.reason {
            // The index knows that it matches, and nothing has to be read to forget it.
            case .locked where plan.isDecidedByTags && classes.lockState != .beforeFirstUnlock:
                guard try !storage.isRetagging() else { throw error }
                return true
            // Whoever names a damaged row by its reference wants it gone.
            case .damagedItem where plan.reference != nil: return true
            default: throw error
            }
        }
    }
}
