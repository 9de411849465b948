import Protection
import Secrets
import Wire

extension KeychainStore {
    /// How many items each access group has, as far as the lock state shows.
    ///
    /// - Returns: the groups' items, and how many items are shut or do not decode.
    package func itemsPerGroup() throws -> (items: [String: UInt32], hidden: UInt32) {
        var items: [String: UInt32] = [:]
        var hidden: UInt32 = 0
        try forEachRow { row in
            do {
                guard let group = try attributes(row).string(.accessGroup) else { return }
                items[group, default: 0] += 1
            } catch let error as KeychainError where error.reason == .locked || error.reason == .damagedItem {
                hidden += 1
            }
        }
        return (items: items, hidden: hidden)
    }

    /// Removes every item of a group.
    ///
    /// Tombstones stay, as they do when an item is removed: other devices have still to hear of them.
    ///
    /// - Returns: how many there were.
    /// - Throws: −25308 where the lock state hides whose an item is: then nothing is removed.
    package func purge(group: String) throws -> Int {
        var purged: [Int64] = []
        try forEachRow { row in
            do {
                if try attributes(row).string(.accessGroup) == group { purged.append(row.id) }
            } catch let error as KeychainError where error.reason == .damagedItem {
                // Whose it was, nobody can tell.
                return
            }
        }
        guard !purged.isEmpty else { throw KeychainError(.itemNotFound) }
        try transaction { database in
            for id in purged { try Self.delete(id, in: database) }
        }
        needsScrub = true
        return purged.count
    }
}
