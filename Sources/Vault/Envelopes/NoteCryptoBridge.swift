// What notes and zones need of swift-crypto beyond CryptoBridge.swift, under the same rule: pointers to secrets are
// handled here and nowhere else in this target. docs/decisions/0003 says why.
import Crypto
import CryptoExtras
import FoundationEssentials
package import KeyEnvelopes
package import Secrets

/// AES Key Wrap (RFC 3394): a key under a key, 8 bytes longer, no nonce.
enum KeyWrap {
    static func wrap(
        _ key: borrowing SecretBytes, under wrapping: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] {
        do { return Array(try AES.KeyWrap.wrap(key.symmetricKey, using: wrapping.symmetricKey)) } catch {
            throw .malformed
        }
    }

    static func unwrap(
        _ wrapped: [UInt8], under wrapping: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        guard wrapped.count >= 24, wrapped.count % 8 == 0 else { throw .malformed }
        let key: SymmetricKey
        do { key = try AES.KeyWrap.unwrap(wrapped, using: wrapping.symmetricKey) } catch { throw .notAuthentic }
        return try SecretBytes(copyingKey: key)
    }
}

/// AES-GCM (NIST SP 800-38D) with the nonce given: 12 bytes, or what the documented formats have instead.
enum GCM {
    static let tagCount = 16

    /// - Returns: ciphertext ‖ tag.
    static func seal(
        _ plaintext: RawSpan, nonce: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let key = key.symmetricKey
            return try unsafe plaintext.withUnsafeBytes { (message) throws -> [UInt8] in
                let box = try unsafe AES.GCM.seal(
                    message, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: aad)
                var sealed = [UInt8]()
                sealed.reserveCapacity(message.count + tagCount)
                sealed += box.ciphertext
                sealed += box.tag
                return sealed
            }
        } catch { throw .malformed }
    }

    /// - Parameter sealed: nonce, of 12 bytes ‖ ciphertext ‖ tag.
    static func open(
        combined sealed: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(try AES.GCM.open(box, using: key.symmetricKey, authenticating: aad))
        } catch { throw .notAuthentic }
    }

    /// - Parameter sealed: ciphertext ‖ tag.
    static func open(
        _ sealed: RawSpan, nonce: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        guard sealed.byteCount >= tagCount else { throw .malformed }
        do {
            let key = key.symmetricKey
            return try unsafe sealed.withUnsafeBytes { (sealed) throws -> [UInt8] in
                let box = try unsafe AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: nonce), ciphertext: sealed.dropLast(tagCount),
                    tag: sealed.suffix(tagCount))
                return Array(try AES.GCM.open(box, using: key, authenticating: aad))
            }
        } catch { throw .notAuthentic }
    }
}

/// PBKDF2-HMAC-SHA256 (RFC 8018).
enum PassphraseDerivation {
    /// - Parameter rounds: unchecked; the caller knows its format's bounds.
    static func derive(
        from passphrase: borrowing SecretBytes, salt: [UInt8], rounds: UInt32, byteCount: Int
    ) throws(EnvelopeError) -> SecretBytes {
        do {
            let key = try passphrase.withBytes { (span) throws -> SymmetricKey in
                try unsafe span.withUnsafeBytes { (raw) throws -> SymmetricKey in
                    try unsafe KDF.Insecure.PBKDF2.deriveKey(
                        from: raw, salt: salt, using: .sha256, outputByteCount: byteCount,
                        unsafeUncheckedRounds: Int(rounds))
                }
            }
            return try SecretBytes(copyingKey: key)
        } catch { throw .memory }
    }

    /// The passphrase in Unicode's Normalization Form C, so that every keyboard types the same.
    ///
    /// ASCII, which is its own normal form, is copied from locked memory to locked memory; other text passes through
    /// the heap, which our programs wipe.
    ///
    /// - Throws: `malformed` when it is not UTF-8.
    static func normalize(_ passphrase: borrowing SecretBytes) throws(EnvelopeError) -> SecretBytes {
        do {
            return try passphrase.withBytes { span in
                var isASCII = true
                span.forEachByte { if $0 >= 0x80 { isASCII = false } }
                if isASCII { return try SecretBytes(copying: span) }
                guard let text = String(validating: span.copyToArray(), as: UTF8.self) else {
                    throw EnvelopeError.malformed
                }
                return try Array(NormalForm.composed(text).utf8).withSpan { try SecretBytes(copying: $0) }
            }
        } catch let error as EnvelopeError { throw error } catch { throw .memory }
    }
}

/// SHA-256 (FIPS 180-4).
package enum Digest {
    /// - Returns: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    static func sha256(_ bytes: [UInt8], then secret: borrowing SecretBytes) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: bytes)
        secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) } }
        return Array(hash.finalize())
    }
}

/// Ed25519 (RFC 8032).
package enum Signing {
    /// - Returns: 64 bytes.
    package static func sign(
        _ message: [UInt8], privateKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            return try privateKey.withBytes { (span) throws -> [UInt8] in
                try unsafe span.withUnsafeBytes { (raw) throws -> [UInt8] in
                    Array(try unsafe Curve25519.Signing.PrivateKey(rawRepresentation: raw).signature(for: message))
                }
            }
        } catch { throw .malformed }
    }

    /// Whether the signature is of this message by the holder of this key, 32 bytes; false for bytes that are no key.
    package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(signature, for: message)
    }

    /// A fresh pair, 32 bytes each.
    package static func makeKeyPair() throws(EnvelopeError) -> AgreementKeyPair {
        let key = Curve25519.Signing.PrivateKey()
        return AgreementKeyPair(
            privateKey: try SecretBytes(copyingContents: key.rawRepresentation),
            publicKey: Array(key.publicKey.rawRepresentation))
    }
}

/// HPKE base mode (RFC 9180): DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
enum PublicKeySeal {
    static let encapsulatedCount = 32
    private static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

    /// - Returns: encapsulated key ‖ ciphertext ‖ tag.
    static func seal(
        _ plaintext: borrowing SecretBytes, to publicKey: [UInt8], info: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
            guard agrees(.init(), key) else { throw EnvelopeError.malformed }
            var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: Data(info))
            let sealed = try plaintext.withBytes { (span) throws -> Data in
                try unsafe span.withUnsafeBytes { (raw) throws -> Data in try unsafe sender.seal(raw) }
            }
            return Array(sender.encapsulatedKey) + Array(sealed)
        } catch { throw .malformed }
    }

    static func open(
        _ sealed: [UInt8], privateKey: borrowing SecretBytes, info: [UInt8]
    ) throws(EnvelopeError) -> SecretBytes {
        guard sealed.count > encapsulatedCount + GCM.tagCount else { throw .malformed }
        let opened: Data
        do {
            opened = try privateKey.withBytes { (span) throws -> Data in
                try unsafe span.withUnsafeBytes { (raw) throws -> Data in
                    let key = try unsafe Curve25519.KeyAgreement.PrivateKey(rawRepresentation: raw)
                    let sender = try Curve25519.KeyAgreement.PublicKey(
                        rawRepresentation: sealed.prefix(encapsulatedCount))
                    guard agrees(key, sender) else { throw EnvelopeError.notAuthentic }
                    var recipient = try HPKE.Recipient(
                        privateKey: key, ciphersuite: suite, info: Data(info),
                        encapsulatedKey: Data(sealed.prefix(encapsulatedCount)))
                    return try recipient.open(sealed.dropFirst(encapsulatedCount))
                }
            }
        } catch { throw .notAuthentic }
        return try SecretBytes(copyingContents: opened)
    }

    /// Whether two keys give a secret at all: a public key of low order gives zeros, which anybody knows.
    ///
    /// RFC 9180, section 7.1.4, demands the check; swift-crypto's HPKE leaves it out.
    private static func agrees(
        _ privateKey: Curve25519.KeyAgreement.PrivateKey, _ publicKey: Curve25519.KeyAgreement.PublicKey
    ) -> Bool {
        guard let secret = try? privateKey.sharedSecretFromKeyAgreement(with: publicKey) else { return false }
        return unsafe secret.withUnsafeBytes { unsafe $0.contains { $0 != 0 } }
    }
}

extension SecretBytes {
    fileprivate var symmetricKey: SymmetricKey {
        borrowing get { withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } } }
    }

    fileprivate init(copyingKey key: SymmetricKey) throws(EnvelopeError) { try self.init(copyingContents: key) }
}
