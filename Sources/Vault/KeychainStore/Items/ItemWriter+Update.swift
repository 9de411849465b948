import Envelopes
import Protection
import Secrets
import Wire

extension ItemWriter {
    /// Changes every match, or, if one cannot be changed, none.
    ///
    /// Matches that are damaged stay as they are.
    ///
    /// - Throws: `KeychainError`: −25300 when nothing matches, −26275 when nothing but damaged items does, −25299 when
    ///   a changed primary key is taken, −25308 while a match is locked, −25293 when one demands the owner's presence,
    ///   −50 when nothing is to be changed.
    func update(_ update: borrowing ItemUpdate, caller: Caller) throws {
        guard classes.lockState != .beforeFirstUnlock else { throw classes.lockedError(nil) }
        let plan = try QueryPlan(update.query, for: .update, caller: caller)
        guard let kind = plan.kind ?? plan.reference?.kind else { throw KeychainError(.parameter) }
        guard !update.changes.isEmpty || update.secret != nil else { throw KeychainError(.parameter) }
        var changes = try QueryPlan.convert(update.changes, kind)
        changes[.creationDate] = nil
        changes[.modificationDate] = nil
        let destination = try rules.directory.destination(&changes)

        var replaced: [(row: ItemRow, new: NewRow, old: Attributes)] = []
        try forEachMatch(plan) { row in
            let old = try table.attributes(row)
            let new = try change(row, kind, old, changes, destination, secret: update.secret, caller: caller)
            replaced.append((row: row, new: new, old: old))
        }
        guard !replaced.isEmpty else { throw rules.directory.nothingFound(in: plan.keychain) }
        let tombstones = try replaced.compactMap { try tombstoneLeftBehind($0.row, $0.new, $0.old, kind) }
        let graves = try replaced.compactMap { try tombstoneReplaced(by: $0.new, $0.old, kind) }
        try storage.transaction { database in
            for grave in graves { try ItemTable.delete(grave.id, in: database) }
            for entry in replaced { try entry.new.replace(entry.row.id, in: database) }
            for tombstone in tombstones { try tombstone.insert(in: database) }
        }
        for entry in replaced where entry.new.isKeystone { copies.copyItem(entry.new.identity.item) }
        storage.noteReplacement()
    }

    /// Opens each match in turn; nothing is written while the rows are read.
    ///
    /// Damage of one does not stop the others.
    ///
    /// - Throws: −26275 where nothing matches but what is damaged.
    func forEachMatch(_ plan: QueryPlan, _ body: (ItemRow) throws -> Void) throws {
        var last: Int64 = 0
        var hasMatch = false
        var damage: KeychainError?
        while true {
            let rows = try table.candidates(plan, after: last, count: 128, withSecret: true)
            guard !rows.isEmpty else { break }
            for row in rows {
                last = row.id
                do {
                    guard try table.openMatch(row, plan) != nil else { continue }
                } catch let error as KeychainError where error.reason == .damagedItem {
                    damage = damage ?? error
                    continue
                }
                hasMatch = true
                try body(row)
            }
        }
        if let damage, !hasMatch { throw damage }
    }

    private func change(
        _ row: ItemRow, _ kind: ItemKind, _ old: Attributes, _ changes: Attributes, _ destination: KeychainPlace?,
        secret: borrowing SecretBytes?, caller: Caller
    ) throws -> NewRow {
        var attributes = old
        attributes.merge(changes)
        destination?.take(&attributes)
        try rules.complete(&attributes, kind, caller)
        if destination == nil, Self.differsInKey(old, attributes, kind) { try rules.refuseElsewhere(attributes, kind) }
        attributes[.modificationDate] = .date(max(clock(), (old.date(.modificationDate) ?? 0) + 1))
        let ruling: [AttributeCode] = [
            .protectionClass, .accessGroup, .accessControl, .synchronizable, .keychain, .keychainKey,
        ]
        let keepsRules = ruling.allSatisfy { old[$0] == attributes[$0] }
        if PrivateKeyItems.isOfPrivateKey(old) || PrivateKeyItems.isOfPrivateKey(attributes) {
            try PrivateKeyItems.refuseChange(old, attributes, keepsRules: keepsRules && Self.isAbsent(secret))
        }
        guard Self.isAbsent(secret) else {
            // Whoever replaces the value must satisfy the rules in force. Without any, nothing of the old value is
            // needed, and a damaged one can be replaced.
            let isGuarded = (old.number(.accessControl) ?? 0) != 0 || old[.keychainKey] != nil
            if isGuarded {
                // Without a secret there is nothing by which the demands could be met, and so they stay.
                guard row.secret != nil || keepsRules else { throw KeychainError(.parameter) }
                _ = try openForChange(row, caller)
            }
            return try seal.makeRow(
                attributes, kind, item: row.identity.item, secret: secret, isTombstone: false,
                connection: caller.connection)
        }
        if keepsRules { return try seal.makeRow(attributes, row.identity, secret: row.secret) }
        return try resealed(row, kind, attributes, caller)
    }

    private static func differsInKey(_ old: Attributes, _ new: Attributes, _ kind: ItemKind) -> Bool {
        ItemSchema.primaryKey(of: kind).contains { old[$0.code] != new[$0.code] }
    }

    private func resealed(
        _ row: ItemRow, _ kind: ItemKind, _ attributes: Attributes, _ caller: Caller
    ) throws -> NewRow {
        let current = try openForChange(row, caller)
        return try seal.makeRow(
            attributes, kind, item: row.identity.item, secret: current, isTombstone: false,
            connection: caller.connection)
    }

    private func openForChange(_ row: ItemRow, _ caller: Caller) throws -> SecretBytes? {
        try table.openSecret(row, attributes: table.openMetadata(row), for: .change, caller: caller)
    }

    /// Other devices learn of the old key's end through a tombstone, under a reference of its own.
    private func tombstoneLeftBehind(
        _ row: ItemRow, _ new: NewRow, _ old: Attributes, _ kind: ItemKind
    ) throws -> NewRow? {
        guard row.identity.isSynchronizable else { return nil }
        let index = try keys.addIndex()
        guard index.primaryTag(kind, old) != new.tags.primary else { return nil }
        return try tombstone(of: old, kind, item: .makeRandom())
    }

    /// As in an addition, a tombstone under the new key makes way; what else is there is a duplicate.
    private func tombstoneReplaced(by new: NewRow, _ old: Attributes, _ kind: ItemKind) throws -> ItemRow? {
        guard try keys.addIndex().primaryTag(kind, old) != new.tags.primary,
            let present = try table.row(primaryTag: new.tags.primary), present.identity.isTombstone
        else { return nil }
        // Opening it proves the mark: a tampered row must not be replaced.
        _ = try table.openMetadata(present)
        return present
    }
}
