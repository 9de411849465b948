import Certificates

/// What a key is used for.
public enum SecKeyOperationType: Int, Sendable {
    /// A private key signs.
    case sign = 0
    /// A public key verifies.
    case verify = 1
    /// A public key encrypts; no key here does.
    case encrypt = 2
    /// A private key decrypts; no key here does.
    case decrypt = 3
    /// A private key and another's public key make a shared secret.
    case keyExchange = 4
}

/// How a key is used, by Apple's names.
///
/// Those that are not listed here, such as RSA over SHA-1 and all over SHA-224, are not supported by any key; they can
/// be made by their text.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    /// Apple's text.
    public let rawValue: String
    /// Takes Apple's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.rawValue = rawValue }

    /// ECDSA over a SHA-1 hash that the caller made; the signature in DER.
    ///
    /// Two messages can be made that have one hash: for old protocols alone.
    public static let ecdsaSignatureDigestX962SHA1 = Self("algid:sign:ECDSA:digest-X962:SHA1")
    /// ECDSA over a SHA-256 hash that the caller made; the signature in DER.
    public static let ecdsaSignatureDigestX962SHA256 = Self("algid:sign:ECDSA:digest-X962:SHA256")
    /// ECDSA over a SHA-384 hash that the caller made; the signature in DER.
    public static let ecdsaSignatureDigestX962SHA384 = Self("algid:sign:ECDSA:digest-X962:SHA384")
    /// ECDSA over a SHA-512 hash that the caller made; the signature in DER.
    public static let ecdsaSignatureDigestX962SHA512 = Self("algid:sign:ECDSA:digest-X962:SHA512")
    /// ECDSA over a message, with SHA-1; the signature in DER.
    ///
    /// Two messages can be made that have one signature: for old protocols alone.
    public static let ecdsaSignatureMessageX962SHA1 = Self("algid:sign:ECDSA:message-X962:SHA1")
    /// ECDSA over a message, with SHA-256; the signature in DER.
    public static let ecdsaSignatureMessageX962SHA256 = Self("algid:sign:ECDSA:message-X962:SHA256")
    /// ECDSA over a message, with SHA-384; the signature in DER.
    public static let ecdsaSignatureMessageX962SHA384 = Self("algid:sign:ECDSA:message-X962:SHA384")
    /// ECDSA over a message, with SHA-512; the signature in DER.
    public static let ecdsaSignatureMessageX962SHA512 = Self("algid:sign:ECDSA:message-X962:SHA512")

    /// RSA with PKCS#1 v1.5 over a SHA-256 hash that the caller made.
    public static let rsaSignatureDigestPKCS1v15SHA256 = Self("algid:sign:RSA:digest-PKCS1v15:SHA256")
    /// RSA with PKCS#1 v1.5 over a SHA-384 hash that the caller made.
    public static let rsaSignatureDigestPKCS1v15SHA384 = Self("algid:sign:RSA:digest-PKCS1v15:SHA384")
    /// RSA with PKCS#1 v1.5 over a SHA-512 hash that the caller made.
    public static let rsaSignatureDigestPKCS1v15SHA512 = Self("algid:sign:RSA:digest-PKCS1v15:SHA512")
    /// RSA with PKCS#1 v1.5 over a message, with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self("algid:sign:RSA:message-PKCS1v15:SHA256")
    /// RSA with PKCS#1 v1.5 over a message, with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self("algid:sign:RSA:message-PKCS1v15:SHA384")
    /// RSA with PKCS#1 v1.5 over a message, with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self("algid:sign:RSA:message-PKCS1v15:SHA512")

    /// RSA with PSS over a SHA-256 hash that the caller made, with as much salt.
    public static let rsaSignatureDigestPSSSHA256 = Self("algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
    /// RSA with PSS over a SHA-384 hash that the caller made, with as much salt.
    public static let rsaSignatureDigestPSSSHA384 = Self("algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
    /// RSA with PSS over a SHA-512 hash that the caller made, with as much salt.
    public static let rsaSignatureDigestPSSSHA512 = Self("algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
    /// RSA with PSS over a message, with SHA-256.
    public static let rsaSignatureMessagePSSSHA256 = Self("algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    /// RSA with PSS over a message, with SHA-384.
    public static let rsaSignatureMessagePSSSHA384 = Self("algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    /// RSA with PSS over a message, with SHA-512.
    public static let rsaSignatureMessagePSSSHA512 = Self("algid:sign:RSA:message-PSS:SHA512:SHA512:64")

    /// ECDH; the shared secret as it is, which is no uniform key.
    public static let ecdhKeyExchangeStandard = Self("algid:keyexchange:ECDH")
    /// ECDH, and the derivation of X9.63 with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = Self("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// ECDH, and the derivation of X9.63 with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = Self("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// ECDH, and the derivation of X9.63 with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = Self("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// ECDH with the cofactor, which is 1 on these curves: the same as ``ecdhKeyExchangeStandard``.
    public static let ecdhKeyExchangeCofactor = Self("algid:keyexchange:ECDHC")
    /// The same as ``ecdhKeyExchangeStandardX963SHA256``.
    public static let ecdhKeyExchangeCofactorX963SHA256 = Self("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// The same as ``ecdhKeyExchangeStandardX963SHA384``.
    public static let ecdhKeyExchangeCofactorX963SHA384 = Self("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// The same as ``ecdhKeyExchangeStandardX963SHA512``.
    public static let ecdhKeyExchangeCofactorX963SHA512 = Self("algid:keyexchange:ECDHC:KDFX963:SHA512")
}

/// What a key exchange takes: keys of the dictionary for ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)``.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    /// Apple's text.
    public let rawValue: String
    /// Takes Apple's text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// How many bytes the derived key shall have: a number from 1 to 65,536.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// What both sides mix into the derived key: data.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}

extension SecKeyAlgorithm {
    /// What the text says; nil for what no key here does.
    var meaning: Meaning? { Self.meanings[self] }

    enum Meaning: Sendable, Equatable {
        case signature(SignatureScheme)
        /// Nil for the shared secret as it is.
        case exchange(KeyHash?)
    }

    private static let meanings: [SecKeyAlgorithm: Meaning] = {
        let sizes: [(name: String, hash: KeyHash, salt: Int)] = [
            ("SHA256", .sha256, 32), ("SHA384", .sha384, 48), ("SHA512", .sha512, 64),
        ]
        var meanings: [SecKeyAlgorithm: Meaning] = [
            .ecdhKeyExchangeStandard: .exchange(nil), .ecdhKeyExchangeCofactor: .exchange(nil),
            .ecdsaSignatureDigestX962SHA1: .signature(SignatureScheme(.ecdsa, .sha1, isOverDigest: true)),
            .ecdsaSignatureMessageX962SHA1: .signature(SignatureScheme(.ecdsa, .sha1, isOverDigest: false)),
        ]
        for (name, hash, salt) in sizes {
            for (kind, isOverDigest) in [("digest", true), ("message", false)] {
                let ways: [(text: String, padding: SignatureScheme.Padding)] = [
                    ("ECDSA:\(kind)-X962:\(name)", .ecdsa), ("RSA:\(kind)-PKCS1v15:\(name)", .pkcs1),
                    ("RSA:\(kind)-PSS:\(name):\(name):\(salt)", .pss),
                ]
                for way in ways {
                    meanings[Self("algid:sign:" + way.text)] = .signature(
                        SignatureScheme(way.padding, hash, isOverDigest: isOverDigest))
                }
            }
            for exchange in ["ECDH", "ECDHC"] {
                meanings[Self("algid:keyexchange:\(exchange):KDFX963:\(name)")] = .exchange(hash)
            }
        }
        return meanings
    }()
}
