import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
package import Wire

extension KeychainStore {
    /// Changes every match, or, if one cannot be changed, none.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −25299 when a changed primary key is taken, −25308 while a
    ///   match is locked, −25293 when one demands the owner's presence, −50 when nothing is to be changed.
    package func update(_ update: borrowing ItemUpdate, caller: Caller) throws {
        guard keystore.lockState != .beforeFirstUnlock else { throw lockedError(nil) }
        let plan = try QueryPlan(update.query, for: .update, caller: caller)
        guard let kind = plan.kind ?? plan.reference?.kind else { throw KeychainError(.parameter) }
        guard !update.changes.isEmpty || update.secret != nil else { throw KeychainError(.parameter) }
        var changes = try QueryPlan.convert(update.changes, kind)
        changes[.creationDate] = nil
        changes[.modificationDate] = nil

        var replaced: [(row: ItemRow, new: NewRow, old: Attributes)] = []
        try forEachMatch(plan) { row in
            let old = try attributes(row)
            let new = try change(row, kind, old, changes, secret: update.secret, caller: caller)
            replaced.append((row: row, new: new, old: old))
        }
        guard !replaced.isEmpty else { throw KeychainError(.itemNotFound) }
        let tombstones = try replaced.compactMap { try tombstoneLeftBehind($0.row, $0.new, $0.old, kind) }
        try transaction { database in
            for entry in replaced { try entry.new.replace(entry.row.id, in: database) }
            for tombstone in tombstones { try tombstone.insert(in: database) }
        }
        needsScrub = true
    }

    /// Opens each match in turn; nothing is written while the rows are read.
    func forEachMatch(_ plan: QueryPlan, _ body: (ItemRow) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let rows = try candidates(plan, after: last, count: 128, withSecret: true)
            guard !rows.isEmpty else { return }
            for row in rows {
                last = row.id
                if try openMatch(row, plan) != nil { try body(row) }
            }
        }
    }

    private func change(
        _ row: ItemRow, _ kind: ItemKind, _ old: Attributes, _ changes: Attributes,
        secret: borrowing SecretBytes?, caller: Caller
    ) throws -> NewRow {
        var attributes = old
        attributes.merge(changes)
        try complete(&attributes, kind, caller)
        attributes[.modificationDate] = .date(max(clock(), (old.date(.modificationDate) ?? 0) + 1))
        let rules: [AttributeCode] = [.protectionClass, .accessGroup, .accessControl, .synchronizable]
        let keepsRules = rules.allSatisfy { old[$0] == attributes[$0] }
        if secret == nil && keepsRules {
            return try seal(attributes, row.identity, secret: row.secret)
        }
        // Whoever changes the value or its rules must satisfy the rules in force, and so opens the old value first.
        let metadata = try openMetadata(row)
        let current = try openSecret(row, attributes: metadata, for: .change, caller: caller)
        switch secret {
        case .some(let new):
            return try seal(attributes, kind, item: row.identity.item, secret: new.copy(), isTombstone: false)
        case .none:
            return try seal(attributes, kind, item: row.identity.item, secret: current, isTombstone: false)
        }
    }

    /// Other devices learn of the old key's end through a tombstone, under a reference of its own.
    private func tombstoneLeftBehind(
        _ row: ItemRow, _ new: NewRow, _ old: Attributes, _ kind: ItemKind
    ) throws -> NewRow? {
        guard row.identity.isSynchronizable else { return nil }
        let index = try addIndex()
        guard index.primaryTag(kind, old) != new.tags.primary else { return nil }
        return try tombstone(of: old, kind, item: .makeRandom())
    }

    /// What is left of a deleted synchronizable item: its primary key and its dates, no data.
    func tombstone(of old: Attributes, _ kind: ItemKind, item: Identifier) throws -> NewRow {
        var attributes = Attributes()
        for entry in ItemSchema.primaryKey(of: kind) { attributes[entry.code] = old[entry.code] }
        attributes[.creationDate] = old[.creationDate]
        attributes[.modificationDate] = .date(max(clock(), (old.date(.modificationDate) ?? 0) + 1))
        attributes[.protectionClass] = old[.protectionClass]
        return try seal(attributes, kind, item: item, secret: nil, isTombstone: true)
    }
}
