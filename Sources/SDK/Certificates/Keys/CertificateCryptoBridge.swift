// The one file of this target that touches raw pointers: swift-crypto takes and gives pointers and `Data`, we hold
// secrets in locked memory. docs/decisions/0016 says why it stands here and not in Envelopes.
import Crypto
import CryptoExtras
import FoundationEssentials
import Localization
package import Secrets

/// The hash functions that files of keys name.
enum HashKind: Equatable, Sendable {
    case sha1, sha256, sha384, sha512

    /// Of its result, in bytes.
    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Of what it takes in at once, in bytes.
    var blockByteCount: Int {
        switch self {
        case .sha1, .sha256: 64
        case .sha384, .sha512: 128
        }
    }
}

/// HMAC (RFC 2104).
enum KeyedHash {
    static func authenticate(_ message: RawSpan, under key: borrowing SecretBytes, _ hash: HashKind) -> [UInt8] {
        switch hash {
        // PKCS#12 files say which hash they were made with; until 2021 nearly all said SHA-1 (RFC 7292, 5.1).
        case .sha1: code(Insecure.SHA1.self, message, key)
        case .sha256: code(SHA256.self, message, key)
        case .sha384: code(SHA384.self, message, key)
        case .sha512: code(SHA512.self, message, key)
        }
    }

    private static func code<Hash: HashFunction>(
        _: Hash.Type, _ message: RawSpan, _ key: borrowing SecretBytes
    ) -> [UInt8] {
        key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe message.withUnsafeBytes { message in
                    unsafe Array(HMAC<Hash>.authenticationCode(for: message, using: SymmetricKey(data: key)))
                }
            }
        }
    }
}

/// A hash of a hash of a hash, as PKCS#12 derives keys.
enum RepeatedHash {
    /// Hashes `input`, and then each result again, `rounds` times in all.
    static func derive(
        from input: borrowing SecretBytes, _ hash: HashKind, rounds: Int
    ) throws(CertificateReadError) -> SecretBytes {
        switch hash {
        case .sha1: try run(Insecure.SHA1.self, input, rounds)
        case .sha256: try run(SHA256.self, input, rounds)
        case .sha384: try run(SHA384.self, input, rounds)
        case .sha512: try run(SHA512.self, input, rounds)
        }
    }

    private static func run<Hash: HashFunction>(
        _: Hash.Type, _ input: borrowing SecretBytes, _ rounds: Int
    ) throws(CertificateReadError) -> SecretBytes {
        var digest = input.withBytes { span in
            unsafe span.withUnsafeBytes { raw in
                var hash = Hash()
                unsafe hash.update(bufferPointer: raw)
                return hash.finalize()
            }
        }
        for _ in 1..<max(rounds, 1) {
            var hash = Hash()
            unsafe digest.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
            digest = hash.finalize()
        }
        return try SecretBytes(copyingContents: digest)
    }
}

/// PBKDF2 (RFC 8018, 5.2).
enum PassphraseDerivation {
    /// - Parameter rounds: unchecked; ``WorkBudget`` knows the bounds.
    static func derive(
        from passphrase: borrowing SecretBytes, salt: [UInt8], rounds: Int, _ hash: HashKind, byteCount: Int
    ) throws(CertificateReadError) -> SecretBytes {
        // swift-crypto unwraps the address of the passphrase by force, and an empty one may have none.
        let padded = try passphrase.followed(by: [0])
        return try securing {
            let key = try padded.withBytes { (span) throws -> SymmetricKey in
                try unsafe span.withUnsafeBytes { (raw) throws -> SymmetricKey in
                    try unsafe KDF.Insecure.PBKDF2.deriveKey(
                        from: UnsafeRawBufferPointer(rebasing: raw.dropLast()), salt: salt, using: hash.forPBKDF2,
                        outputByteCount: byteCount, unsafeUncheckedRounds: rounds)
                }
            }
            return try SecretBytes(copyingContents: key)
        }
    }
}

/// AES in CBC mode (NIST SP 800-38A) with PKCS#7 padding.
enum CBC {
    static let blockCount = 16

    /// Nil where the padding is wrong, which a wrong key makes likely and not certain.
    static func open(
        _ sealed: RawSpan, under key: borrowing SecretBytes, iv: [UInt8]
    ) throws(CertificateReadError) -> SecretBytes? {
        let key = key.withBytes { span in unsafe span.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        guard let iv = try? AES._CBC.IV(ivBytes: iv) else { return nil }
        let opened = try? unsafe sealed.withUnsafeBytes { (raw) throws -> Data in
            try unsafe AES._CBC.decrypt(raw, using: key, iv: iv)
        }
        guard let opened else { return nil }
        return try SecretBytes(copyingContents: opened)
    }
}

/// The public halves of private keys, as a certificate has them.
enum PublicHalf {
    /// The content of the bit string in a SubjectPublicKeyInfo; nil when the key is none.
    static func derive(from material: borrowing KeyMaterial) -> [UInt8]? { LoadedPrivateKey(material)?.publicKey }
}

extension LoadedPrivateKey {
    /// Nil when the numbers make no key.
    init?(_ material: borrowing KeyMaterial) {
        let key: LoadedPrivateKey? = unsafe material.bytes.withUnsafeBytes { raw in
            switch material.kind {
            case .p256: (try? unsafe P256.Signing.PrivateKey(rawRepresentation: raw)).map { .p256($0) }
            case .p384: (try? unsafe P384.Signing.PrivateKey(rawRepresentation: raw)).map { .p384($0) }
            case .p521: (try? unsafe P521.Signing.PrivateKey(rawRepresentation: raw)).map { .p521($0) }
            case .ed25519: (try? unsafe Curve25519.Signing.PrivateKey(rawRepresentation: raw)).map { .ed25519($0) }
            case .rsa: (try? unsafe _RSA.Signing.PrivateKey(derRepresentation: raw)).map { .rsa($0) }
            }
        }
        guard let key else { return nil }
        self = key
    }
}

/// Fresh keys, straight into locked memory.
enum FreshKey {
    /// `04 || X || Y || K`; nil for what is on none of the three curves.
    static func makeCurveKey(_ curve: PrivateKey.Algorithm) throws(CertificateReadError) -> SecretBytes? {
        switch curve {
        case .p256: try SecretBytes(copyingContents: P256.Signing.PrivateKey().x963Representation)
        case .p384: try SecretBytes(copyingContents: P384.Signing.PrivateKey().x963Representation)
        case .p521: try SecretBytes(copyingContents: P521.Signing.PrivateKey().x963Representation)
        case .rsa, .ed25519: nil
        }
    }

    /// An RSAPrivateKey.
    static func makeRSA(bitCount: Int) throws(CertificateReadError) -> SecretBytes {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: bitCount)) else {
            throw CertificateReadError(
                .unsupported, localized("RSA keys of \(bitCount) bits are not made"), at: ["private key"])
        }
        return try SecretBytes(copyingContents: key.derRepresentation)
    }
}

/// ECDH (NIST SP 800-56A, 5.7.1.2).
enum KeyAgreement {
    static func agree(
        _ material: borrowing KeyMaterial, _ other: [UInt8], _ derivation: AgreementDerivation?
    ) throws(KeyUseError) -> SecretBytes {
        guard let shared = shared(material, other) else { throw .unsuitable }
        do {
            guard let derivation else { return try SecretBytes(copyingContents: shared) }
            return try SecretBytes(copyingContents: derivation.derive(from: shared))
        } catch { throw .outOfMemory }
    }

    private static func shared(_ material: borrowing KeyMaterial, _ other: [UInt8]) -> SharedSecret? {
        unsafe material.bytes.withUnsafeBytes { raw -> SharedSecret? in
            switch material.kind {
            case .p256:
                let theirs = try? P256.KeyAgreement.PublicKey(x963Representation: other)
                let own = try? unsafe P256.KeyAgreement.PrivateKey(rawRepresentation: raw)
                return theirs.flatMap { try? own?.sharedSecretFromKeyAgreement(with: $0) }
            case .p384:
                let theirs = try? P384.KeyAgreement.PublicKey(x963Representation: other)
                let own = try? unsafe P384.KeyAgreement.PrivateKey(rawRepresentation: raw)
                return theirs.flatMap { try? own?.sharedSecretFromKeyAgreement(with: $0) }
            case .p521:
                let theirs = try? P521.KeyAgreement.PublicKey(x963Representation: other)
                let own = try? unsafe P521.KeyAgreement.PrivateKey(rawRepresentation: raw)
                return theirs.flatMap { try? own?.sharedSecretFromKeyAgreement(with: $0) }
            case .rsa, .ed25519: return nil
            }
        }
    }
}

extension AgreementDerivation {
    fileprivate func derive(from secret: SharedSecret) -> SymmetricKey {
        switch hash {
        case .sha1: derive(Insecure.SHA1.self, secret)
        case .sha256: derive(SHA256.self, secret)
        case .sha384: derive(SHA384.self, secret)
        case .sha512: derive(SHA512.self, secret)
        }
    }

    private func derive<Hash: HashFunction>(_: Hash.Type, _ secret: SharedSecret) -> SymmetricKey {
        secret.x963DerivedSymmetricKey(using: Hash.self, sharedInfo: sharedInfo, outputByteCount: byteCount)
    }

    /// The same for a secret on which another program agreed: swift-crypto derives from its own agreements alone.
    ///
    /// - Parameter secret: the X coordinate.
    package func derive(from secret: borrowing SecretBytes) throws(KeyUseError) -> SecretBytes {
        guard (1...Self.mostBytes).contains(byteCount) else { throw .unsuitable }
        do {
            return switch hash {
            case .sha1: try derive(Insecure.SHA1.self, secret)
            case .sha256: try derive(SHA256.self, secret)
            case .sha384: try derive(SHA384.self, secret)
            case .sha512: try derive(SHA512.self, secret)
            }
        } catch { throw .outOfMemory }
    }

    private func derive<Hash: HashFunction>(
        _: Hash.Type, _ secret: borrowing SecretBytes
    ) throws -> SecretBytes {
        var derived = try SecretBuffer(capacity: byteCount)
        var round: UInt32 = 1
        while derived.count < byteCount {
            var hash = Hash()
            secret.withBytes { span in unsafe span.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) } }
            unsafe withUnsafeBytes(of: round.bigEndian) { unsafe hash.update(bufferPointer: $0) }
            hash.update(data: sharedInfo)
            let block = hash.finalize()
            let wanted = min(Hash.Digest.byteCount, byteCount - derived.count)
            try unsafe block.withUnsafeBytes { raw in
                try unsafe derived.append(UnsafeRawBufferPointer(rebasing: raw.prefix(wanted)).bytes)
            }
            round += 1
        }
        return derived.finish()
    }
}

/// Hashes that a caller has made.
enum GivenDigest {
    /// The bytes as a value of swift-crypto's type; nil where they are none.
    ///
    /// swift-crypto makes such values only by hashing, and signs with RSA nothing else: it reads the name of the hash
    /// off the type. They are plain words in the order of the bytes, SHA-1's with four more behind them, which is
    /// checked each time, and not only assumed.
    static func make<Hash: HashFunction>(_: Hash.Type, _ bytes: [UInt8]) -> Hash.Digest? {
        let padding = MemoryLayout<Hash.Digest>.size - bytes.count
        guard bytes.count == Hash.Digest.byteCount, padding >= 0 else { return nil }
        let words = bytes + Array(repeating: 0, count: padding)
        let digest = unsafe words.withUnsafeBytes { unsafe $0.loadUnaligned(as: Hash.Digest.self) }
        return Array(digest) == bytes ? digest : nil
    }
}

/// Hashes that name things and protect nothing.
enum Fingerprint {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// SHA-1 of a public key's bits, under which a keychain files keys (klbl) and certificates (pkhh).
    ///
    /// Apple's attributes are defined as this hash, and RFC 5280, 4.2.1.2, names it for subject key identifiers. Who
    /// made two keys with one hash would file both under one label; whether a key belongs to a certificate is decided
    /// by the keys themselves, and no signature rests on it.
    static func sha1ForLabel(_ bytes: [UInt8]) -> [UInt8] { Array(Insecure.SHA1.hash(data: bytes)) }
}

extension HashKind {
    fileprivate var forPBKDF2: KDF.Insecure.PBKDF2.HashFunction {
        switch self {
        case .sha1: .insecureSHA1
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

extension SecretBytes {
    /// Copies what swift-crypto gives out; its own buffer is wiped by the process's zeroing free when it goes away.
    fileprivate init(copyingContents source: some ContiguousBytes) throws(CertificateReadError) {
        self = try securing {
            var buffer = try SecretBuffer(capacity: 64)
            try unsafe source.withUnsafeBytes { try unsafe buffer.append($0.bytes) }
            return buffer.finish()
        }
    }

    /// A copy with more behind it.
    borrowing func followed(by suffix: [UInt8]) throws(CertificateReadError) -> SecretBytes {
        do {
            var buffer = try SecretBuffer(capacity: count + suffix.count)
            try buffer.append(self)
            try buffer.append(suffix)
            return buffer.finish()
        } catch { throw CertificateReadError(.outOfMemory, localized("no locked memory is left")) }
    }

    /// UTF-8 as UTF-16 in big-endian order, from locked memory to locked memory; nil when it is no UTF-8.
    borrowing func bigEndianUTF16() throws(CertificateReadError) -> SecretBytes? {
        do {
            var buffer = try SecretBuffer(capacity: 2 * count + 2)
            let isText = try withBytes { (span) throws(SecretMemoryError) -> Bool in
                var failure: SecretMemoryError?
                let hasError = unsafe span.withUnsafeBytes { raw in
                    unsafe transcode(raw.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: true) {
                        do throws(SecretMemoryError) {
                            try buffer.append(byte: UInt8($0 >> 8))
                            try buffer.append(byte: UInt8($0 & 0xFF))
                        } catch { failure = error }
                    }
                }
                if let failure { throw failure }
                return !hasError
            }
            return isText ? buffer.finish() : nil
        } catch { throw CertificateReadError(.outOfMemory, localized("no locked memory is left")) }
    }
}
