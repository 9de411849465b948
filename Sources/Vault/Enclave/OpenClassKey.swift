import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// One unwrapped class key, a key that follows from it, or the key of a keychain, in locked memory.
final class OpenClassKey {
    let id: Identifier
    let bytes: SecretBytes
    let publicKey: [UInt8]

    init(id: Identifier, bytes: consuming SecretBytes, publicKey: [UInt8] = []) {
        self.id = id
        self.bytes = bytes
        self.publicKey = publicKey
    }

    /// A fresh key for a class.
    static func makeRandom(for keyClass: KeyClass) throws(EnvelopeError) -> OpenClassKey {
        guard keyClass == .files(.completeUnlessOpen) else {
            return OpenClassKey(id: .makeRandom(), bytes: try KeyEnvelope.makeKey())
        }
        let pair = try AgreementKeyPair.makeRandom()
        let publicKey = pair.publicKey
        return OpenClassKey(id: .makeRandom(), bytes: pair.takePrivateKey(), publicKey: publicKey)
    }

    func wrap(_ keyClass: KeyClass, _ wrap: Keybag.Wrap, under kek: borrowing SecretBytes, keybag: Identifier)
        throws(EnvelopeError) -> Keybag.Entry
    {
        let purpose = KeyPurpose.classKey(
            keybag: keybag, id: id, keyClass: keyClass, wrap: wrap, publicKey: publicKey,
            version: wrap.version(in: Keybag.version))
        return Keybag.Entry(
            keyClass: keyClass, id: id, wrap: wrap, publicKey: publicKey,
            wrapped: try KeyEnvelope.wrap(bytes, under: kek, as: purpose))
    }

    /// - Parameter version: of the keybag that the entry stands in.
    static func unwrap(
        _ entry: Keybag.Entry, under kek: borrowing SecretBytes, keybag: Identifier, version: UInt8
    ) throws(EnvelopeError) -> OpenClassKey {
        let purpose = KeyPurpose.classKey(
            keybag: keybag, id: entry.id, keyClass: entry.keyClass, wrap: entry.wrap,
            publicKey: entry.publicKey, version: entry.wrap.version(in: version))
        return OpenClassKey(
            id: entry.id, bytes: try KeyEnvelope.unwrap(entry.wrapped, under: kek, as: purpose),
            publicKey: entry.publicKey)
    }

    /// Makes a key and wraps it under this one.
    func makeKey(as purpose: KeyPurpose) throws(EnclaveRefusal) -> NewKey {
        do {
            let key = try KeyEnvelope.makeKey()
            let wrapped = try KeyEnvelope.wrap(key, under: bytes, as: purpose)
            return NewKey(key: key, classKey: id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    /// Opens a key that lies under this one; ``unwrap(_:under:keybag:version:)`` opens this one itself.
    func unwrap(_ wrapped: [UInt8], as purpose: KeyPurpose) throws(EnclaveRefusal) -> SecretBytes {
        guard let known = WrappedKey(wrapped) else { throw .notAuthentic }
        do { return try KeyEnvelope.unwrap(known, under: bytes, as: purpose) } catch {
            throw error == .memory ? .outOfMemory : .notAuthentic
        }
    }
}

extension Keybag.Wrap {
    /// What the passcode wraps in a keybag with a seal opens in no other: so the seal cannot be taken off.
    fileprivate func version(in keybag: UInt8) -> UInt8 { self == .passcode ? keybag : 1 }
}
