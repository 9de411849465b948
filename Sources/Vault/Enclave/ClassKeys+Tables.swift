import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

// The keys of tables and indexes.
extension ClassKeys {
    func makeTableKey(_ keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        let classKey = try key(protectionClass)
        return try classKey.makeKey(
            as: .tableKey(classKey: classKey.id, keychain: keychain, protectionClass: protectionClass))
    }

    func openTableKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try key(stored.protectionClass, named: stored.classKey)
        let purpose = KeyPurpose.tableKey(
            classKey: classKey.id, keychain: stored.keychain, protectionClass: stored.protectionClass)
        return try classKey.unwrap(stored.wrapped, as: purpose)
    }

    func makeIndexKey(_ keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        let classKey = try key(protectionClass)
        return try classKey.makeKey(as: .indexKey(classKey: classKey.id, keychain: keychain))
    }

    func openIndexKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try key(stored.protectionClass, named: stored.classKey)
        return try classKey.unwrap(stored.wrapped, as: .indexKey(classKey: classKey.id, keychain: stored.keychain))
    }
}
