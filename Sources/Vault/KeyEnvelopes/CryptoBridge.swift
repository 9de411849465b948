// The one file of this target that touches raw pointers: swift-crypto takes and gives pointers and `Data`, we hold
// secrets in locked memory. docs/decisions/0003 says why it stands here.
import Crypto
import CryptoExtras
package import FoundationEssentials
package import Secrets

/// What can go wrong when an envelope is opened.
package enum EnvelopeError: Error, Equatable, Sendable {
    /// Tampered with, under another key, or something else than it claims: an AEAD does not tell which.
    case notAuthentic
    /// Not of its fixed length, or not in its canonical form.
    case malformed
    /// No locked memory left.
    case memory
}

/// AES-256-GCM with a random 96-bit nonce; sealed bytes are nonce ‖ ciphertext ‖ tag (NIST SP 800-38D).
package enum AEAD {
    private static let overhead = 12 + 16

    /// - Returns: nonce ‖ ciphertext ‖ tag.
    package static func seal(
        _ plaintext: RawSpan, under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let key = makeKey(key)
            return try unsafe plaintext.withUnsafeBytes { (message) throws -> [UInt8] in
                let box = try unsafe AES.GCM.seal(message, using: key, authenticating: aad)
                guard let combined = box.combined else { throw EnvelopeError.malformed }
                return Array(combined)
            }
        } catch { throw .memory }
    }

    /// - Throws: `EnvelopeError.notAuthentic` for another key, other bytes or another binding than at ``seal``.
    package static func open(
        _ sealed: [UInt8], under key: borrowing SecretBytes, binding aad: [UInt8]
    ) throws(EnvelopeError) -> SecretBytes {
        guard sealed.count >= overhead else { throw .malformed }
        let opened: Data
        do {
            opened = try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: makeKey(key), authenticating: aad)
        } catch { throw .notAuthentic }
        return try SecretBytes(copyingContents: opened)
    }

    private static func makeKey(_ key: borrowing SecretBytes) -> SymmetricKey {
        key.withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
    }
}

/// HKDF-SHA256 (RFC 5869) from secret input to a 32-byte key.
package enum KeyDerivation {
    /// - Returns: 32 bytes.
    package static func derive(from input: borrowing SecretBytes, salt: [UInt8], info: String) throws(EnvelopeError)
        -> SecretBytes
    {
        let key = input.withBytes { span in
            unsafe span.withUnsafeBytes { raw in
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: unsafe SymmetricKey(data: raw), salt: salt, info: Array(info.utf8),
                    outputByteCount: 32)
            }
        }
        return try SecretBytes(copyingContents: key)
    }

    /// scrypt (RFC 7914) with r = 8.
    package static func scrypt(
        _ passcode: borrowing SecretBytes, salt: [UInt8], logRounds: UInt8, parallelism: Int = 1, byteCount: Int = 32
    ) throws(EnvelopeError) -> SecretBytes {
        do {
            let key = try passcode.withBytes { (span) throws -> SymmetricKey in
                try unsafe span.withUnsafeBytes { (raw) throws -> SymmetricKey in
                    try unsafe KDF.Scrypt.deriveKey(
                        from: raw, salt: salt, outputByteCount: byteCount, rounds: 1 << Int(logRounds), blockSize: 8,
                        parallelism: parallelism)
                }
            }
            return try SecretBytes(copyingContents: key)
        } catch { throw .memory }
    }
}

/// HMAC-SHA256 (RFC 2104).
package enum KeyedHash {
    package static func authenticate(_ message: [UInt8], under key: borrowing SecretBytes) -> [UInt8] {
        key.withBytes { span in
            unsafe span.withUnsafeBytes { raw in
                Array(HMAC<SHA256>.authenticationCode(for: message, using: unsafe SymmetricKey(data: raw)))
            }
        }
    }

    package static func authenticate(_ messages: [[UInt8]], under key: borrowing SecretBytes) -> [[UInt8]] {
        let keyed = key.withBytes { span in
            unsafe span.withUnsafeBytes { raw in unsafe HMAC<SHA256>(key: SymmetricKey(data: raw)) }
        }
        return messages.map { message in
            var code = keyed
            code.update(data: message)
            return Array(code.finalize())
        }
    }

    package static func authenticate(_ message: RawSpan, under key: borrowing SecretBytes) -> [UInt8] {
        key.withBytes { span in
            unsafe span.withUnsafeBytes { raw in
                unsafe message.withUnsafeBytes { message in
                    unsafe Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: raw)))
                }
            }
        }
    }
}

/// X25519 (RFC 7748).
@safe package struct AgreementKeyPair: ~Copyable {
    /// 32 bytes.
    package let privateKey: SecretBytes
    /// 32 bytes.
    package let publicKey: [UInt8]

    package init(privateKey: consuming SecretBytes, publicKey: [UInt8]) {
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// Gives the private key away; copy the public one before.
    package consuming func takePrivateKey() -> SecretBytes { privateKey }

    /// A fresh pair, from the system's generator.
    package static func makeRandom() throws(EnvelopeError) -> AgreementKeyPair {
        let key = Curve25519.KeyAgreement.PrivateKey()
        return AgreementKeyPair(
            privateKey: try SecretBytes(copyingContents: key.rawRepresentation),
            publicKey: Array(key.publicKey.rawRepresentation))
    }

    /// The public key, 32 bytes, that belongs to a private one.
    ///
    /// - Throws: `EnvelopeError.malformed` for a key of another length.
    package static func derivePublicKey(of privateKey: borrowing SecretBytes) throws(EnvelopeError) -> [UInt8] {
        let key = privateKey.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        }
        guard let key else { throw .malformed }
        return Array(key.publicKey.rawRepresentation)
    }
}

extension SecretBytes {
    /// Copies what swift-crypto gives out; its own buffer is wiped by the process's zeroing free when it goes away.
    package init(copyingContents source: some ContiguousBytes) throws(EnvelopeError) {
        do {
            var buffer = try SecretBuffer(capacity: 64)
            try unsafe source.withUnsafeBytes { try unsafe buffer.append($0.bytes) }
            self = buffer.finish()
        } catch { throw .memory }
    }
}

/// A P-256 key that works where it lies: it signs and agrees, and its scalar stays (FIPS 186-5, NIST SP 800-56A).
package enum ResidentKey {
    /// X9.63, uncompressed.
    package static let publicKeyByteCount = 65
    /// Of SHA-1, SHA-256, SHA-384 and SHA-512.
    package static let digestByteCounts = [20, 32, 48, 64]

    /// - Returns: the scalar, 32 bytes; and the public key, 65.
    package static func makeRandom() throws(EnvelopeError) -> ResidentKeyPair {
        let key = P256.Signing.PrivateKey()
        return ResidentKeyPair(
            scalar: try SecretBytes(copyingContents: key.rawRepresentation),
            publicKey: Array(key.publicKey.x963Representation))
    }

    /// SHA-1 of the public key: by this, Apple's keychain names both halves (`kSecAttrApplicationLabel`).
    package static func label(of publicKey: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: publicKey)) }

    /// ECDSA over a hash.
    ///
    /// - Parameter digest: of one of ``digestByteCounts``.
    /// - Returns: the two numbers in DER; nil for a hash of another length, or a scalar that is none.
    package static func sign(_ digest: [UInt8], with scalar: borrowing SecretBytes) -> [UInt8]? {
        let key = scalar.withBytes { span in
            unsafe span.withUnsafeBytes { try? unsafe P256.Signing.PrivateKey(rawRepresentation: $0) }
        }
        guard let key else { return nil }
        let signature: P256.Signing.ECDSASignature?
        switch digest.count {
        case 20: signature = given(Insecure.SHA1.self, digest).flatMap { try? key.signature(for: $0) }
        case 32: signature = given(SHA256.self, digest).flatMap { try? key.signature(for: $0) }
        case 48: signature = given(SHA384.self, digest).flatMap { try? key.signature(for: $0) }
        case 64: signature = given(SHA512.self, digest).flatMap { try? key.signature(for: $0) }
        default: signature = nil
        }
        return signature.map { Array($0.derRepresentation) }
    }

    /// ECDH without a derivation.
    ///
    /// - Parameter publicKey: the other's, X9.63.
    /// - Returns: the X coordinate, 32 bytes; nil where the other's is no point of the curve.
    package static func agree(
        with publicKey: [UInt8], scalar: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes? {
        guard let theirs = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey) else { return nil }
        let own = scalar.withBytes { span in
            unsafe span.withUnsafeBytes { try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        }
        guard let shared = try? own?.sharedSecretFromKeyAgreement(with: theirs) else { return nil }
        return try SecretBytes(copyingContents: shared)
    }

    /// A hash that was computed elsewhere; the library's types hold nothing but its bytes, in whole words: SHA-1's has
    /// four bytes behind them.
    private static func given<Hash: HashFunction>(_: Hash.Type, _ bytes: [UInt8]) -> Hash.Digest? {
        let padding = MemoryLayout<Hash.Digest>.size - bytes.count
        guard bytes.count == Hash.Digest.byteCount, padding >= 0 else { return nil }
        let words = bytes + Array(repeating: 0, count: padding)
        let digest = unsafe words.withUnsafeBytes { unsafe $0.loadUnaligned(as: Hash.Digest.self) }
        return Array(digest) == bytes ? digest : nil
    }
}

/// A fresh key of the enclave's, before it is wrapped.
package struct ResidentKeyPair: ~Copyable {
    /// The private half, 32 bytes big-endian.
    package let scalar: SecretBytes
    /// The public half, 65 bytes: `04 ‖ X ‖ Y` (X9.63).
    package let publicKey: [UInt8]
}
