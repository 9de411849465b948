import Foundation
import Protection
import SQLite
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// What a program does not reach it neither removes nor learns of, whatever the lock state shuts.
@Suite struct ForeignGroupTests {
    private let keystore: MockKeystore
    private let store: KeychainStore
    private let owner = Caller(connection: 1, accessGroups: ["user"])
    private let stranger = Caller(connection: 2, accessGroups: ["path./bin/other", "shared"])
    private let reference: PersistentReference

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_000_000 }
        let register = KeychainRegister(store: store)
        try register.insert("Work", record: [])
        try keystore.setPasscode(SecretBytes(text: "1234"))
        var attributes = Attributes()
        attributes[.service] = .string("bank")
        attributes[.account] = .string("anna")
        attributes[.keychain] = .string("Work")
        reference = try store.add(
            ItemAddition(kind: ItemKind.password.code, attributes: attributes, secret: SecretBytes(text: "owner's")),
            caller: owner)
        attributes[.keychain] = nil
        attributes[.accessGroup] = .string("shared")
        attributes[.protectionClass] = .string(ProtectionClass.afterFirstUnlock.code)
        _ = try store.add(
            ItemAddition(kind: ItemKind.password.code, attributes: attributes, secret: SecretBytes(text: "its own")),
            caller: stranger)
        keystore.lockState = .locked
        store.evictKeys()
    }

    private func query(_ values: [AttributeCode: String], limit: UInt32? = 1) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        for (code, value) in values { query.attributes[code] = .string(value) }
        query.limit = limit
        query.returns = .data
        return query
    }

    private func find(_ query: KeychainQuery, _ caller: Caller) throws -> (count: UInt32, end: PageEnd) {
        var buffer = try SecretBuffer(capacity: 256)
        var page = try PageWriter(in: &buffer)
        let end = try store.find(query, caller: caller, into: &page, &buffer)
        return (count: page.count, end: end)
    }

    private func status<Result>(_ body: () throws -> Result) -> KeychainStatus? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? KeychainError)?.status }
    }

    private var byReference: KeychainQuery {
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = .data
        return query
    }

    @Test(arguments: [
        [:], [AttributeCode.account: "anna"], [.keychain: "Work"], [.service: "bank", .account: "anna"],
    ])
    func `behind a lock nobody removes what is another's`(_ values: [AttributeCode: String]) throws {
        var removal = query(values)
        removal.returns = []
        removal.limit = nil
        _ = status { try store.remove(removal, caller: stranger) }
        keystore.lockState = .unlocked
        #expect(try find(query([.service: "bank"]), owner).count == 1)
    }

    @Test func `a reference removes nothing of another's, locked or before first unlock`() throws {
        #expect(status { try store.remove(byReference, caller: stranger) } == .itemNotFound)
        keystore.lockState = .beforeFirstUnlock
        store.evictAllKeys()
        #expect(status { try store.remove(byReference, caller: stranger) } == .interactionNotAllowed)
        #expect(status { try store.remove(byReference, caller: owner) } == .interactionNotAllowed)
        keystore.lockState = .unlocked
        #expect(try find(query([.service: "bank"]), owner).count == 1)
    }

    /// Status tells references of damaged items: none of them lets a stranger remove what it names.
    @Test(arguments: [LockState.beforeFirstUnlock, .locked, .unlocked])
    func `a damaged item is removed by who reaches it alone`(_ state: LockState) throws {
        keystore.lockState = .unlocked
        var attributes = Attributes()
        attributes[.service] = .string("open")
        attributes[.protectionClass] = .string(ProtectionClass.always.code)
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "x"))
        let damaged = try store.add(item, caller: owner)
        try store.storage.database.execute(
            "UPDATE item SET metadata = zeroblob(length(metadata)) WHERE uuid = ?", [damaged.item.bytes])
        keystore.lockState = state
        store.evictAllKeys()
        var query = KeychainQuery()
        query.persistentReference = damaged
        #expect(status { try store.remove(query, caller: stranger) } != nil)
        #expect(status { try store.remove(query, caller: owner) } == nil, "who reaches it may")
    }

    /// As after a forgotten passcode, when rows that do not decode are given no new tags.
    @Test func `a damaged item without tags is the owner's to remove, by its reference`() throws {
        keystore.lockState = .unlocked
        let (database, uuid) = (store.storage.database, reference.item.bytes)
        try database.execute("DELETE FROM tag WHERE item = (SELECT id FROM item WHERE uuid = ?)", [uuid])
        try database.execute("UPDATE item SET metadata = zeroblob(length(metadata)) WHERE uuid = ?", [uuid])
        var query = KeychainQuery()
        query.persistentReference = reference
        #expect(status { try store.remove(query, caller: stranger) } == .itemNotFound)
        #expect(status { try find(byReference, owner) } == .decode, "damage is not absence")
        #expect(status { try store.remove(query, caller: owner) } == nil)
    }

    /// What a store of the first version lacks it gets before anything is decided by it.
    @Test func `an older store gets the tags of its groups, and finds everything`() throws {
        let path = NSTemporaryDirectory() + "tresor-store-\(Identifier.makeRandom()).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let keystore = try MockKeystore()
        try keystore.setPasscode(SecretBytes(text: "1234"))
        do {
            let old = try KeychainStore(path: path, keystore: keystore) { 1 }
            for service in ["bank", "mail"] {
                var attributes = Attributes()
                attributes[.service] = .string(service)
                let item = ItemAddition(
                    kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: service))
                _ = try old.add(item, caller: owner)
            }
            let database = old.storage.database
            let tag = try old.keys.searchIndex().groupTag(.password, "user")
            try database.execute("DELETE FROM tag WHERE tag = ?", [tag])
            #expect(database.changesCount == 2)
            try database.execute("PRAGMA user_version = 1")
        }
        let new = try KeychainStore(path: path, keystore: keystore) { 2 }
        #expect(try new.isRetagging())
        try new.purge(destroyed: [])
        #expect(try !new.isRetagging())
        keystore.lockState = .locked
        new.evictKeys()
        func found(_ caller: Caller) -> KeychainStatus? {
            status {
                var buffer = try SecretBuffer(capacity: 64)
                var page = try PageWriter(in: &buffer)
                _ = try new.find(query([.service: "bank"]), caller: caller, into: &page, &buffer)
            }
        }
        #expect(found(owner) == .interactionNotAllowed && found(stranger) == .itemNotFound)
    }

    @Test func `behind a lock nobody learns that another's item is there`() throws {
        for values in [[AttributeCode.keychain: "Work"], [.account: "anna", .keychain: "Work"]] {
            #expect(status { try find(query(values), stranger) } == .itemNotFound)
        }
        #expect(status { try find(byReference, stranger) } == .itemNotFound)
        var all = query([:], limit: nil)
        all.skipsLocked = true
        let found = try find(all, stranger)
        #expect(found.count == 1 && found.end.locked == 0)
        // Nor does it stand in the way of what is the stranger's own.
        #expect(try find(query([.service: "bank"]), stranger).count == 1)
        // Whose it is learns that it is locked, and may remove it.
        #expect(status { try find(query([.service: "bank"]), owner) } == .interactionNotAllowed)
        var removal = query([.service: "bank", .account: "anna"])
        removal.returns = []
        removal.limit = nil
        try store.remove(removal, caller: owner)
        keystore.lockState = .unlocked
        #expect(status { try find(query([.service: "bank"]), owner) } == .itemNotFound)
    }
}
