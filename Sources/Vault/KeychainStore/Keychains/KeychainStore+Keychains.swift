import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
import Wire

extension KeychainStore {
    /// How many items lie in a keychain, by the index; nil before first unlock, when that is shut.
    func items(in name: String) throws -> UInt32? { try rows(in: name).map { UInt32(clamping: $0.count) } }

    /// How many of the owner's items lie in the keychain that is always there.
    func itemsInLogin() throws -> UInt32? {
        guard keystore.lockState != .beforeFirstUnlock else { return nil }
        let total = try itemsPerClass().values.reduce(0, +)
        let elsewhere = try directory.names.reduce(0) { try $0 + Int(items(in: $1) ?? 0) }
        return UInt32(clamping: max(0, Int(clamping: total) - elsewhere))
    }

    /// The rows of every item of a keychain that is to be removed, whatever group they are of.
    ///
    /// - Throws: −25308 where the lock state hides which they are.
    func rowsGoing(with name: String) throws -> [Int64] {
        guard keystore.lockState == .unlocked, let rows = try rows(in: name) else { throw lockedError(nil) }
        return rows
    }

    private func rows(in name: String) throws -> [Int64]? {
        guard keystore.lockState != .beforeFirstUnlock else { return nil }
        let index = try searchIndex()
        return try ItemKind.allCases.flatMap { kind -> [Int64] in
            guard let entry = ItemSchema.entries(of: kind)[.keychain] else { return [] }
            return try rows(kind, tags: [index.attributeTag(kind, entry, .string(name))])
        }
    }

    private func rows(_ kind: ItemKind, tags: [[UInt8]]) throws -> [Int64] {
        let searches = tags.map { _ in "SELECT item FROM tag WHERE tag = ?" }.joined(separator: " INTERSECT ")
        return try storage { database in
            try Int64.fetchAll(
                database, sql: "SELECT id FROM item WHERE kind = ? AND tombstone = 0 AND id IN (\(searches))",
                arguments: [Int(kind.rawValue)] + StatementArguments(tags.map { Data($0) }))
        }
    }
}
