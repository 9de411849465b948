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

    func openTableKey(_ stored: StoredClassKeyWrap) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try key(stored.protectionClass, named: stored.classKey)
        let purpose = KeyPurpose.tableKey(
            classKey: classKey.id, keychain: stored.keychain, protectionClass: stored.protectionClass)
        return try classKey.unwrap(stored.wrapped, as: purpose)
    }

    func makeIndexKey(_ keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        let classKey = try key(protectionClass)
        return try classKey.makeKey(as: .indexKey(classKey: classKey.id, keychain: keychain))
    }

    func openIndexKey(_ stored: StoredClassKeyWrap) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try key(stored.protectionClass, named: stored.classKey)
        return try classKey.unwrap(stored.wrapped, as: .indexKey(classKey: classKey.id, keychain: stored.keychain))
    }
}

extension OpenClassKey {
    /// Makes a key and wraps it under this one.
    func makeKey(as purpose: KeyPurpose) throws(EnclaveRefusal) -> NewKey {
        do {
            let key = try KeyEnvelope.makeKey()
            let wrapped = try KeyEnvelope.wrap(key, under: bytes, as: purpose)
            return NewKey(key: key, classKey: id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    /// Opens a key that was wrapped under this class: an item's, a table's, an index's.
    func unwrap(_ wrapped: [UInt8], as purpose: KeyPurpose) throws(EnclaveRefusal) -> SecretBytes {
        guard let known = WrappedKey(wrapped) else { throw .notAuthentic }
        do { return try KeyEnvelope.unwrap(known, under: bytes, as: purpose) } catch {
            throw error == .memory ? .outOfMemory : .notAuthentic
        }
    }
}
