import DurableDatabase
import EnclaveWire
import Envelopes
import FoundationEssentials
import GRDB
import Protection
import Secrets
import Wire

// The keys under which all items lie, and the store's identifier, lie once more in the folder `spare`; see
// specs/keychain-item.md, "The spare".
extension KeychainStore {
    /// A wrapped key as a table has it.
    private struct StoredKey: Equatable {
        let classKey: Identifier
        let wrapped: [UInt8]

        /// Nil where there is none.
        init?(_ table: String, _ protectionClass: ProtectionClass, _ database: Database) throws {
            let row = try Row.fetchOne(
                database, sql: "SELECT class_key, wrapped FROM \(table) WHERE class = ?",
                arguments: [Int(protectionClass.rawValue)])
            guard let row else { return nil }
            guard let classKey = row.bytes(0).flatMap(Identifier.init), let wrapped = row.bytes(1) else {
                throw KeychainError(.notAvailable, .damagedStore)
            }
            self.classKey = classKey
            self.wrapped = wrapped
        }

        func put(into table: String, _ protectionClass: ProtectionClass, _ database: Database) throws {
            try database.execute(
                sql: "INSERT OR REPLACE INTO \(table) (class, class_key, wrapped) VALUES (?, ?, ?)",
                arguments: [Int(protectionClass.rawValue), Data(classKey.bytes), Data(wrapped)])
        }
    }

    /// The store's identifier; where it is no longer there, the spare's.
    static func identifier(_ database: Database, _ spare: SpareDatabase?) throws -> Identifier {
        if let bytes = try? Schema.meta(database, "keychain"), let own = Identifier(bytes) { return own }
        let copy = spare?.read { try Schema.meta($0, "keychain") } ?? nil
        guard let copy, let id = Identifier(copy) else { throw KeychainError(.notAvailable, .damagedStore) }
        return id
    }

    /// A key as the store has it, or its spare; made where it was never there.
    func storedKey(
        _ table: String, _ protectionClass: ProtectionClass,
        open: (StoredClassKeyWrap) throws -> SecretBytes, make: () throws -> NewKey
    ) throws -> CachedKey {
        func opened(_ key: StoredKey, in keychain: Identifier) throws -> CachedKey {
            let stored = StoredClassKeyWrap(
                keychain: keychain, protectionClass: protectionClass, classKey: key.classKey,
                wrapped: key.wrapped)
            return CachedKey(try open(stored), classKey: key.classKey)
        }
        var own: StoredKey?
        var damage: (any Error)?
        do {
            own = try storage { try StoredKey(table, protectionClass, $0) }
            if let own {
                let key = try opened(own, in: keychain)
                copy(own, table, protectionClass)
                return key
            }
        } catch let refusal as EnclaveRefusal {
            let meaning = error(refusal, protectionClass)
            guard meaning.reason == .damagedItem else { throw meaning }
            damage = meaning
        } catch let error as KeychainError where [.damagedStore, .storage].contains(error.reason) { damage = error }
        let copy = spare?.read { try StoredKey(table, protectionClass, $0) } ?? nil
        let other = spare?.read { try Schema.meta($0, "keychain").flatMap(Identifier.init) } ?? nil
        for (key, id) in [(copy, keychain), (own, other), (copy, other)] {
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
            try transaction { database in
                try database.execute(
                    sql: "INSERT INTO \(table) (class, class_key, wrapped) VALUES (?, ?, ?)",
                    arguments: [Int(protectionClass.rawValue), Data(classKey.bytes), Data(wrapped)])
            }
            try commitGroup()
            if let made = try storage({ try StoredKey(table, protectionClass, $0) }) {
                copy(made, table, protectionClass)
            }
            return CachedKey(new.takeKey(), classKey: classKey)
        } catch let refusal as EnclaveRefusal { throw error(refusal, protectionClass) }
    }

    /// Brings to the spare what has just been opened, or made.
    private func copy(_ key: StoredKey, _ table: String, _ protectionClass: ProtectionClass) {
        guard let spare else { return }
        let id = keychain
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
        keychain = id
        groupTags.removeAll()
        let isWritten: Void? = try? transaction { database in
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
        let keys = StatementArguments(destroyed.map { Data($0.bytes) })
        let isDone = spare.write { database in
            try database.execute(
                sql: "DELETE FROM tag WHERE item IN (SELECT id FROM item WHERE class_key IN (\(marks)))",
                arguments: keys)
            for table in ["item", "table_key", "index_key"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE class_key IN (\(marks))", arguments: keys)
            }
        }
        guard isDone else { throw KeychainError(.notAvailable, .storage) }
    }

    /// Whether the spare knows this enclave as the store's: then another name in the store is damage.
    func isSpareOf(keybag: Identifier) -> Bool {
        spare?.read { try Schema.meta($0, "keybag") == keybag.bytes } ?? false
    }

    func copy(keybag: Identifier) {
        guard !isSpareOf(keybag: keybag) else { return }
        spare?.write { try Schema.setMeta($0, "keybag", keybag.bytes) }
    }
}
