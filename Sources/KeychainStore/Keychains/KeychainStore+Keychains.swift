import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
import Wire

extension KeychainStore {
    /// How many items lie in a keychain, by the index; 0 where the lock state shuts that.
    func items(in name: String) throws -> Int { try rows(in: name).count }

    /// How many items lie in the keychain that is always there, without those that are kept for ourselves.
    func itemsInLogin() throws -> Int {
        let total = try itemsPerClass().values.reduce(0, +)
        let elsewhere = try directory.names.reduce(0) { try $0 + items(in: $1) }
        return max(0, Int(clamping: total) - elsewhere - (try hiddenItems()))
    }

    /// Items of ours, counted by their services; grants, each of which has its own, are counted elsewhere.
    private func hiddenItems() throws -> Int {
        guard keystore.lockState != .beforeFirstUnlock else { return 0 }
        let exact = AppBook.services + KeychainBook.services + [SecurityKeyBook.service]
        let index = try searchIndex()
        guard let entry = ItemSchema.entries(of: .password)[.service] else { return 0 }
        return try exact.reduce(0) {
            try $0 + rows(.password, tag: index.attributeTag(.password, entry, .string($1))).count
        }
    }

    /// Removes every item of a keychain, whatever group it is of.
    ///
    /// - Throws: −25308 where the lock state hides which they are: then nothing is removed.
    func empty(keychain name: String) throws {
        guard keystore.lockState == .unlocked else { throw lockedError(nil) }
        let doomed = try rows(in: name)
        try transaction { database in
            for id in doomed { try Self.delete(id, in: database) }
        }
        needsScrub = true
    }

    private func rows(in name: String) throws -> [Int64] {
        guard keystore.lockState != .beforeFirstUnlock else { return [] }
        let index = try searchIndex()
        return try ItemKind.allCases.flatMap { kind -> [Int64] in
            guard let entry = ItemSchema.entries(of: kind)[.keychain] else { return [] }
            return try rows(kind, tag: index.attributeTag(kind, entry, .string(name)))
        }
    }

    private func rows(_ kind: ItemKind, tag: [UInt8]) throws -> [Int64] {
        try storage { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM item WHERE kind = ? AND tombstone = 0
                    AND id IN (SELECT item FROM tag WHERE tag = ?)
                    """,
                arguments: [Int(kind.rawValue), Data(tag)])
        }
    }
}
