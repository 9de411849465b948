import Envelopes
import Protection
import Secrets
import Wire

/// The trash: items that a command has removed, and that can be brought back for a while.
///
/// Each stays in its row, and its secret is not touched. Its attributes are sealed anew, with the day, under the mark
/// of the trash; so no query finds it, and its primary key is free. See specs/keychain-item.md, "The trash".
struct ItemTrash {
    private let table: ItemTable
    private let rules: ItemRules
    private let writer: ItemWriter
    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let seal: RowSeal
    private let ages: TrashAges

    init(table: ItemTable, rules: ItemRules, writer: ItemWriter, ages: TrashAges) {
        self.table = table
        self.rules = rules
        self.writer = writer
        self.ages = ages
        storage = table.storage
        classes = table.classes
        seal = table.seal
    }

    // MARK: in and out

    /// Puts every match into the trash, or none.
    ///
    /// What hangs on Tresor's own items is not brought back by one of them: they do not go there.
    func take(_ query: KeychainQuery, caller: Caller) throws {
        guard classes.lockState != .beforeFirstUnlock else { throw classes.lockedError(nil) }
        var plan = try QueryPlan(query, for: .remove, caller: caller)
        plan.groups.removeAll { $0.hasPrefix(AccessGroup.ourPrefix) }
        var taken: [(row: ItemRow, new: NewRow)] = []
        var tombstones: [NewRow] = []
        try writer.forEachMatch(plan) { row in
            let old = try table.attributes(row)
            var attributes = old
            attributes[.trashed] = .date(ages.today)
            var identity = row.identity
            identity.isTrashed = true
            taken.append((row: row, new: try seal.makeRow(attributes, identity, secret: row.secret)))
            // Other devices learn that it is gone; its own reference is kept for its return.
            if query.usesTombstones ?? row.identity.isSynchronizable, let kind = row.kind {
                tombstones.append(try writer.tombstone(of: old, kind, item: .makeRandom()))
            }
        }
        guard !taken.isEmpty else { throw rules.directory.nothingFound(in: plan.keychain) }
        try storage.transaction { database in
            for entry in taken { try entry.new.replace(entry.row.id, in: database) }
            for tombstone in tombstones { try tombstone.insert(in: database) }
        }
        storage.noteReplacement()
        for entry in taken { ages.begin(entry.row.identity.item) }
    }

    /// Takes an item out of the trash, to where it was.
    func restore(_ reference: PersistentReference, caller: Caller) throws {
        guard classes.lockState != .beforeFirstUnlock else { throw classes.lockedError(nil) }
        guard let row = try table.trashedRow(reference) else { throw KeychainError(.itemNotFound) }
        switch try reach(row, caller) {
        case .foreign: throw KeychainError(.itemNotFound)
        case .shut: throw classes.lockedError(row.protectionClass)
        case .damaged: throw KeychainError(.decode, .damagedItem, protectionClass: row.protectionClass)
        case .open: break
        }
        var attributes = try table.attributes(row)
        attributes[.trashed] = nil
        try rules.refuseLostKeychain(of: attributes)
        var identity = row.identity
        identity.isTrashed = false
        if identity.isSynchronizable {
            // It is later than the tombstone that other devices may have seen.
            let last = attributes.date(.modificationDate) ?? 0
            attributes[.modificationDate] = .date(max(ages.today, last + 1))
        }
        let new = try seal.makeRow(attributes, identity, secret: row.secret)
        let present = try table.row(primaryTag: new.tags.primary)
        if let present { try table.refuseUnlessTombstone(present) }
        try storage.transaction { database in
            if let present { try ItemTable.delete(present.id, in: database) }
            try new.replace(row.id, in: database)
        }
        storage.noteReplacement()
        ages.end(row.identity.item)
    }

    // MARK: what lies there

    /// Writes a page of what lies in the caller's trash, with attributes.
    ///
    /// - Returns: where to go on, and what was left out.
    func list(
        after cursor: UInt64, caller: Caller, into page: inout PageWriter, _ buffer: inout SecretBuffer
    ) throws -> PageEnd {
        var end = PageEnd()
        end.next = cursor
        while true {
            let rows = try table.trashedRows(after: Int64(bitPattern: end.next), count: 128)
            for row in rows {
                switch try reach(row, caller) {
                case .foreign: break
                case .shut: end.locked += 1
                case .damaged: end.damaged += 1
                case .open:
                    let metadata = try table.openMetadata(row)
                    let added = PageWriter.itemOverhead + metadata.count
                    if page.count > 0 && buffer.count + added > ItemSearch.PageLimit.bytes { return end }
                    let reference = PersistentReference(kind: row.kind ?? .password, item: row.identity.item)
                    try metadata.withBytes { span in
                        try page.append(reference, attributes: span, secret: nil, into: &buffer)
                    }
                }
                end.next = UInt64(bitPattern: row.id)
                if page.count >= ItemSearch.PageLimit.rows { return end }
            }
            if rows.isEmpty {
                end.next = 0
                return end
            }
        }
    }

    private enum Reach { case open, shut, damaged, foreign }

    /// Whether a row is the caller's, and can be opened.
    private func reach(_ row: ItemRow, _ caller: Caller) throws -> Reach {
        do {
            let group = try table.attributes(row).string(.accessGroup) ?? ""
            return caller.accessGroups.contains(group) ? .open : .foreign
        } catch let error as KeychainError {
            switch error.reason {
            case .damagedItem: return try isReached(row, caller, isShut: false) ? .damaged : .foreign
            case .locked, .noPasscodeSet: return try isReached(row, caller, isShut: true) ? .shut : .foreign
            default: throw error
            }
        }
    }

    private func isReached(_ row: ItemRow, _ caller: Caller, isShut: Bool) throws -> Bool {
        // As of any item: then its tags are shut as well, or wait to be made.
        if isShut, try classes.lockState == .beforeFirstUnlock || storage.isRetagging() { return true }
        if let kind = row.kind, try table.isTagged(row, kind, with: caller.accessGroups) { return true }
        // The owner sees what is damaged, whoever had it.
        return !isShut && caller.accessGroups.contains(AccessGroup.owner)
    }

    // MARK: for good

    /// Removes for good what lies in the caller's trash, what is shut or damaged too.
    ///
    /// - Throws: −25308 before the first unlock, and while it is not known whose the rows are.
    func empty(caller: Caller) throws {
        guard classes.lockState != .beforeFirstUnlock, try !storage.isRetagging() else {
            throw classes.lockedError(nil)
        }
        var going: [ItemRow] = []
        var last: Int64 = 0
        while true {
            let rows = try table.trashedRows(after: last, count: 128)
            guard let end = rows.last?.id else { break }
            last = end
            going += try rows.filter { try reach($0, caller) != .foreign }
        }
        try remove(going)
    }

    /// Removes for good what has lain there for long enough, of the next rows whose class is open.
    ///
    /// - Parameters:
    ///   - time: how long, in microseconds.
    ///   - row: behind which it goes on; 0 at first.
    /// - Returns: how many went, and the row behind which there are more.
    func expire(after time: Int64, behind row: Int64) throws -> (removed: Int, next: Int64?) {
        guard classes.lockState != .beforeFirstUnlock else { return (removed: 0, next: nil) }
        let rows = try table.trashedRows(after: row, count: Self.part)
        var due: [ItemRow] = []
        var corrected: [(row: Int64, new: NewRow)] = []
        for row in rows {
            guard var attributes = try attributesIfOpen(row) else { continue }
            let date = attributes.date(.trashed) ?? ages.today
            if ages.age(of: row.identity.item, since: date) >= time {
                due.append(row)
            } else if let right = ages.correction(of: row.identity.item, since: date) {
                attributes[.trashed] = .date(right)
                corrected.append(
                    (row: row.id, new: try seal.makeRow(attributes, row.identity, secret: row.secret)))
            }
        }
        if !corrected.isEmpty {
            try storage.transaction { for entry in corrected { try entry.new.replace(entry.row, in: $0) } }
            storage.noteReplacement()
        }
        try remove(due)
        return (removed: due.count, next: rows.count < Self.part ? nil : rows.last?.id)
    }

    /// How many rows are looked at before others have their turn.
    private static let part = 64

    private func attributesIfOpen(_ row: ItemRow) throws -> Attributes? {
        do { return try table.attributes(row) } catch let error as KeychainError
            where [.locked, .damagedItem, .noPasscodeSet].contains(error.reason)
        { return nil }
    }

    private func remove(_ rows: [ItemRow]) throws {
        guard !rows.isEmpty else { return }
        try storage.transaction { for row in rows { try ItemTable.delete(row.id, in: $0) } }
        storage.noteReplacement()
        for row in rows { ages.end(row.identity.item) }
    }
}
