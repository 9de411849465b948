import Crypto
import CryptoExtras

/// A private key in swift-crypto's hands, for as long as one use of it takes.
enum LoadedPrivateKey {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)

    /// The content of the bit string in a SubjectPublicKeyInfo.
    var publicKey: [UInt8] {
        switch self {
        case .rsa(let key): Array(key.publicKey.pkcs1DERRepresentation)
        case .p256(let key): Array(key.publicKey.x963Representation)
        case .p384(let key): Array(key.publicKey.x963Representation)
        case .p521(let key): Array(key.publicKey.x963Representation)
        case .ed25519(let key): Array(key.publicKey.rawRepresentation)
        }
    }

    /// Nil where the key does not sign like that, or the hash has another length.
    func sign(_ message: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        switch scheme.hash {
        case .sha1: sign(Insecure.SHA1.self, message, scheme)
        case .sha256: sign(SHA256.self, message, scheme)
        case .sha384: sign(SHA384.self, message, scheme)
        case .sha512: sign(SHA512.self, message, scheme)
        }
    }

    private func sign<Hash: HashFunction>(
        _: Hash.Type, _ message: [UInt8], _ scheme: SignatureScheme
    ) -> [UInt8]? {
        guard let digest = scheme.digest(Hash.self, message) else { return nil }
        switch (self, scheme.padding) {
        case (.rsa(let key), .pkcs1):
            return (try? key.signature(for: digest, padding: .insecurePKCS1v1_5)).map { Array($0.rawRepresentation) }
        case (.rsa(let key), .pss):
            return (try? key.signature(for: digest, padding: .PSS)).map { Array($0.rawRepresentation) }
        case (.p256(let key), .ecdsa): return (try? key.signature(for: digest)).map { Array($0.derRepresentation) }
        case (.p384(let key), .ecdsa): return (try? key.signature(for: digest)).map { Array($0.derRepresentation) }
        case (.p521(let key), .ecdsa): return (try? key.signature(for: digest)).map { Array($0.derRepresentation) }
        default: return nil
        }
    }
}

/// A public key in swift-crypto's hands.
enum LoadedPublicKey {
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    /// Nil when the numbers make no key: a point that is not on its curve, an exponent that RSA does not have.
    init?(_ algorithm: PrivateKey.Algorithm, _ bits: [UInt8]) {
        let key: LoadedPublicKey? =
            switch algorithm {
            case .rsa: (try? _RSA.Signing.PublicKey(derRepresentation: bits)).map { .rsa($0) }
            case .p256: (try? P256.Signing.PublicKey(x963Representation: bits)).map { .p256($0) }
            case .p384: (try? P384.Signing.PublicKey(x963Representation: bits)).map { .p384($0) }
            case .p521: (try? P521.Signing.PublicKey(x963Representation: bits)).map { .p521($0) }
            case .ed25519: (try? Curve25519.Signing.PublicKey(rawRepresentation: bits)).map { .ed25519($0) }
            }
        guard let key else { return nil }
        self = key
    }

    func accepts(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) -> Bool {
        switch scheme.hash {
        case .sha1: accepts(Insecure.SHA1.self, signature, message, scheme)
        case .sha256: accepts(SHA256.self, signature, message, scheme)
        case .sha384: accepts(SHA384.self, signature, message, scheme)
        case .sha512: accepts(SHA512.self, signature, message, scheme)
        }
    }

    private func accepts<Hash: HashFunction>(
        _: Hash.Type, _ signature: [UInt8], _ message: [UInt8], _ scheme: SignatureScheme
    ) -> Bool {
        guard let digest = scheme.digest(Hash.self, message) else { return false }
        switch (self, scheme.padding) {
        case (.rsa(let key), .pkcs1):
            return key.isValidSignature(
                .init(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .pss):
            return key.isValidSignature(.init(rawRepresentation: signature), for: digest, padding: .PSS)
        case (.p256(let key), .ecdsa):
            guard let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(parsed, for: digest)
        case (.p384(let key), .ecdsa):
            guard let parsed = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(parsed, for: digest)
        case (.p521(let key), .ecdsa):
            guard let parsed = try? P521.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(parsed, for: digest)
        default: return false
        }
    }
}

extension KeyHash {
    func digest(of message: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: message))
        case .sha256: Array(SHA256.hash(data: message))
        case .sha384: Array(SHA384.hash(data: message))
        case .sha512: Array(SHA512.hash(data: message))
        }
    }
}

extension SignatureScheme {
    fileprivate func digest<Hash: HashFunction>(_: Hash.Type, _ message: [UInt8]) -> Hash.Digest? {
        isOverDigest ? GivenDigest.make(Hash.self, message) : Hash.hash(data: message)
    }
}
