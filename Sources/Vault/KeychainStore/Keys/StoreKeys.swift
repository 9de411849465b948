import DurableDatabase
import EnclaveWire
import Envelopes
import KeyEnvelopes
import Protection
import SQLite
import Secrets
import Wire

/// The keys under which all items lie: a table key for each class, and the index keys of the classes ck and dk.
///
/// `tresord` holds them in locked memory while their class is open, and beside them row keys that were made ahead, and
/// the tags of groups. Wrapped, they lie in the database, and once more in the folder `spare`; see
/// specs/keychain-item.md, "The spare".
final class StoreKeys {
    private let storage: ItemDatabase
    private let classes: ClassAccess
    private let spare: SpareDatabase?
    private let tellMended: (String) -> Void
    private var tableKeys: [ProtectionClass: CachedKey] = [:]
    private var indexKeys: [ProtectionClass: CachedKey] = [:]
    /// What groups' tags are under the present index key.
    private var groupTags: [GroupName: [UInt8]] = [:]
    /// For the next items of a batch.
    private(set) var keysAhead = RowKeysAhead()

    /// - Parameter tellMended: gets what was damaged or missing and has been made good from the spare.
    init(
        storage: ItemDatabase, classes: ClassAccess, spare: SpareDatabase?, tellMended: @escaping (String) -> Void
    ) {
        self.storage = storage
        self.classes = classes
        self.spare = spare
        self.tellMended = tellMended
    }

    // MARK: what is held

    /// Forgets the keys that the lock state no longer permits.
    func evict() {
        let state = classes.lockState
        keysAhead = RowKeysAhead()
        tableKeys = tableKeys.filter { state.permits($0.key) }
        indexKeys = indexKeys.filter { state.permits($0.key) }
        groupTags.removeAll()
    }

    /// Forgets what a lock will shut, before anybody is asked.
    func evictOfUnlockedDevice() {
        keysAhead = RowKeysAhead()
        tableKeys = tableKeys.filter { $0.key.availability != .whenUnlocked }
    }

    /// Forgets every key, because class keys were replaced.
    func evictAll() {
        keysAhead = RowKeysAhead()
        tableKeys.removeAll()
        indexKeys.removeAll()
        groupTags.removeAll()
    }

    /// Waits until all that was added is on the disk.
    func endBatch() throws { try withoutKeysOfFailedBatch { try storage.endBatch() } }

    /// The same for what was added so far, before a second copy is written.
    func commitBatch() throws { try withoutKeysOfFailedBatch { try storage.commitBatch() } }

    private func withoutKeysOfFailedBatch(_ body: () throws -> Void) throws {
        keysAhead = RowKeysAhead()
        do { try body() } catch {
            // A key that was made in it is none.
            evictAll()
            throw error
        }
    }

    // MARK: one key

    /// The key over the metadata keys of a class, made at its first use.
    func tableKey(_ protectionClass: ProtectionClass) throws -> CachedKey {
        try classes.refuseLocked(protectionClass)
        if let cached = tableKeys[protectionClass] { return cached }
        let key = try storedKey("table_key", protectionClass) {
            try classes.keystore.openTableKey($0)
        } make: {
            try classes.keystore.makeTableKey(keychain: storage.storeID, protectionClass)
        }
        tableKeys[protectionClass] = key
        return key
    }

    /// The index key of class ck (every row) or dk (rows of class Always).
    func indexKey(_ protectionClass: ProtectionClass) throws -> IndexKey {
        let isAlways = protectionClass == .always
        if let cached = indexKeys[protectionClass] {
            return IndexKey(key: cached, storeID: storage.storeID, isForAlwaysRows: isAlways)
        }
        try classes.refuseLocked(protectionClass)
        let key = try storedKey("index_key", protectionClass) {
            try classes.keystore.openIndexKey($0)
        } make: {
            try classes.keystore.makeIndexKey(keychain: storage.storeID, protectionClass)
        }
        indexKeys[protectionClass] = key
        return IndexKey(key: key, storeID: storage.storeID, isForAlwaysRows: isAlways)
    }

    /// Writing needs the index of every row, and so a first unlock.
    func addIndex() throws -> IndexKey {
        guard classes.lockState != .beforeFirstUnlock else { throw classes.lockedError(nil) }
        return try indexKey(.afterFirstUnlock)
    }

    /// The index key of every row, or, before first unlock, that of the rows of class Always.
    func searchIndex() throws -> IndexKey {
        try indexKey(classes.lockState == .beforeFirstUnlock ? .always : .afterFirstUnlock)
    }

    /// The tags of groups, as items of a kind are in them, under the key that ``searchIndex()`` gives.
    func groupTags(of kind: ItemKind, in groups: [String]) throws -> [[UInt8]] {
        let index = try searchIndex()
        return groups.map { group in
            let name = GroupName(kind: kind, group: group, isForAlwaysRows: index.isForAlwaysRows)
            if let known = groupTags[name] { return known }
            let tag = index.groupTag(kind, group)
            groupTags[name] = tag
            return tag
        }
    }

    /// The key for an item's secret: the one that was made ahead for it, or a fresh one.
    func rowKey(for item: Identifier, binding: [UInt8], connection: UInt64) throws -> NewKey {
        try keysAhead.take(item, binding)
            ?? classes.keystore.makeRowKey(binding: binding, connection: connection)
    }

    /// The name for an item for which a key was made ahead, if one was.
    func nextItem(like binding: RowKeyBinding) -> Identifier? {
        keysAhead.nextItem(like: binding, classes.keystore)
    }

    // MARK: in the database, and in the spare

    /// A key that is missing while rows need it was lost: a fresh one in its place would make damage look like absence.
    ///
    /// A row under another class key is damaged whatever is done here, and must not shut its class.
    private func refuseIfLost(_ table: String, _ protectionClass: ProtectionClass, classKey: Identifier) throws {
        let isNeeded = try storage.perform { database in
            if table == "table_key" {
                let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE class = ? AND class_key = ?)"
                return try database.integer(sql, [Int(protectionClass.rawValue), classKey.bytes]) == 1
            }
            guard try Schema.meta(database, "retag") == nil else { return false }
            let column = protectionClass == .always ? "always_tag" : "primary_tag"
            let sql = "SELECT EXISTS (SELECT 1 FROM item WHERE \(column) IS NOT NULL)"
            return try database.integer(sql) == 1
        }
        if isNeeded { throw KeychainError(.notAvailable, .damagedStore) }
    }

    /// A key as the store has it, or its spare; made where it was never there.
    private func storedKey(
        _ table: String, _ protectionClass: ProtectionClass,
        open: (StoredStoreKey) throws -> SecretBytes, make: () throws -> NewKey
    ) throws -> CachedKey {
        func opened(_ key: StoredKey, in storeID: Identifier) throws -> CachedKey {
            let stored = StoredStoreKey(
                keychain: storeID, protectionClass: protectionClass, classKey: key.classKey,
                wrapped: key.wrapped)
            return CachedKey(try open(stored), classKey: key.classKey)
        }
        var own: StoredKey?
        var damage: (any Error)?
        do {
            own = try storage.perform { try StoredKey(table, protectionClass, $0) }
            if let own {
                let key = try opened(own, in: storage.storeID)
                copy(own, table, protectionClass)
                return key
            }
        } catch let refusal as EnclaveRefusal {
            let meaning = classes.meaning(of: refusal, protectionClass)
            guard meaning.reason == .damagedItem else { throw meaning }
            damage = meaning
        } catch let error as KeychainError where [.damagedStore, .storage].contains(error.reason) { damage = error }
        let copy = spare?.read { try StoredKey(table, protectionClass, $0) } ?? nil
        let other = spare?.read { try Schema.meta($0, "keychain").flatMap(Identifier.init) } ?? nil
        for (key, id) in [(copy, storage.storeID), (own, other), (copy, other)] {
            guard let key, let id, let found = try? opened(key, in: id) else { continue }
            mend(key, id, table, protectionClass)
            return found
        }
        if let damage { throw damage }
        return try madeKey(table, protectionClass, make)
    }

    private func madeKey(
        _ table: String, _ protectionClass: ProtectionClass, _ make: () throws -> NewKey
    ) throws -> CachedKey {
        do {
            let new = try make()
            let (classKey, wrapped) = (new.classKey, new.wrapped)
            try refuseIfLost(table, protectionClass, classKey: classKey)
            try storage.transaction { database in
                try database.execute(
                    "INSERT INTO \(table) (class, class_key, wrapped) VALUES (?, ?, ?)",
                    [Int(protectionClass.rawValue), classKey.bytes, wrapped])
            }
            try commitBatch()
            if let made = try storage.perform({ try StoredKey(table, protectionClass, $0) }) {
                copy(made, table, protectionClass)
            }
            return CachedKey(new.takeKey(), classKey: classKey)
        } catch let refusal as EnclaveRefusal { throw classes.meaning(of: refusal, protectionClass) }
    }

    /// Brings to the spare what has just been opened, or made.
    private func copy(_ key: StoredKey, _ table: String, _ protectionClass: ProtectionClass) {
        guard let spare else { return }
        let id = storage.storeID
        let isSame = spare.read { database in
            try StoredKey(table, protectionClass, database) == key && Schema.meta(database, "keychain") == id.bytes
        }
        guard isSame == false else { return }
        spare.write { database in
            try key.put(into: table, protectionClass, database)
            try Schema.setMeta(database, "keychain", id.bytes)
        }
    }

    /// Takes the spare's word, and writes it into the store.
    private func mend(_ key: StoredKey, _ id: Identifier, _ table: String, _ protectionClass: ProtectionClass) {
        storage.adopt(id)
        groupTags.removeAll()
        let isWritten: Void? = try? storage.transaction { database in
            try key.put(into: table, protectionClass, database)
            try Schema.setMeta(database, "keychain", id.bytes)
        }
        let outcome = isWritten == nil ? "cannot be written; the spare counts" : "was written anew from the spare"
        tellMended("a key of the keychain was damaged or missing, and \(outcome)")
        copy(key, table, protectionClass)
    }

    /// What hangs on destroyed class keys goes from the spare, before it goes from the store.
    ///
    /// - Throws: `KeychainError` where the spare can be neither written nor removed.
    func forgetSpareKeys(of destroyed: [Identifier]) throws {
        guard let spare else { return }
        let marks = destroyed.map { _ in "?" }.joined(separator: ",")
        let keys = destroyed.map(\.bytes).databaseValues
        let isDone = spare.write { database in
            try database.execute(
                "DELETE FROM tag WHERE item IN (SELECT id FROM item WHERE class_key IN (\(marks)))", keys)
            for table in ["item", "table_key", "index_key"] {
                try database.execute("DELETE FROM \(table) WHERE class_key IN (\(marks))", keys)
            }
        }
        guard isDone else { throw KeychainError(.notAvailable, .storage) }
    }
}

/// A wrapped key as a table has it.
private struct StoredKey: Equatable {
    let classKey: Identifier
    let wrapped: [UInt8]

    /// Nil where there is none.
    init?(_ table: String, _ protectionClass: ProtectionClass, _ database: Database) throws {
        let row = try database.row(
            "SELECT class_key, wrapped FROM \(table) WHERE class = ?", [Int(protectionClass.rawValue)])
        guard let row else { return nil }
        guard let classKey = row.bytes(0).flatMap(Identifier.init), let wrapped = row.bytes(1) else {
            throw KeychainError(.notAvailable, .damagedStore)
        }
        self.classKey = classKey
        self.wrapped = wrapped
    }

    func put(into table: String, _ protectionClass: ProtectionClass, _ database: Database) throws {
        try database.execute(
            "INSERT OR REPLACE INTO \(table) (class, class_key, wrapped) VALUES (?, ?, ?)",
            [Int(protectionClass.rawValue), classKey.bytes, wrapped])
    }
}

/// A key that the daemon holds while its class is open, in locked memory.
final class CachedKey {
    let bytes: SecretBytes
    let classKey: Identifier

    init(_ bytes: consuming SecretBytes, classKey: Identifier) {
        self.bytes = bytes
        self.classKey = classKey
    }
}

/// A group, as items of a kind are in it.
struct GroupName: Hashable {
    let kind: ItemKind
    let group: String
    /// Under which of the index keys.
    let isForAlwaysRows: Bool
}
