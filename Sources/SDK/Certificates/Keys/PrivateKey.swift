import Localization
package import Secrets

/// A private key that has been read and fits itself: RSA of at least 2048 bits, P-256, P-384, P-521 or Ed25519.
///
/// A class, since an array takes no value that cannot be copied.
package final class PrivateKey: Sendable {
    /// The algorithms that are read; `p256` and the like are points on NIST's curves, for ECDSA and ECDH.
    package enum Algorithm: Sendable, Equatable { case rsa, p256, p384, p521, ed25519 }

    /// Which says how the key is used, and how long its signatures are.
    package let algorithm: Algorithm
    /// A PrivateKeyInfo (RFC 5208) in DER.
    package let pkcs8: SecretBytes
    /// The content of the bit string in a SubjectPublicKeyInfo (RFC 5280, 4.1): a point, a number, or an RSAPublicKey.
    package let publicKey: [UInt8]

    /// What a keychain files it under (klbl), and a certificate's ``DERCertificate/publicKeyHash``.
    package var publicKeyHash: [UInt8] { Fingerprint.sha1ForLabel(publicKey) }

    /// Reads a PrivateKeyInfo.
    package init(pkcs8 encoded: RawSpan) throws(CertificateReadError) {
        let material = try KeyMaterial(pkcs8: encoded)
        publicKey = try Self.publicKey(of: material)
        algorithm = Algorithm(material.kind)
        pkcs8 = try securing { try SecretBytes(copying: encoded) }
    }

    /// Reads an RSAPrivateKey (RFC 8017, A.1.2).
    package init(rsa encoded: RawSpan) throws(CertificateReadError) {
        let material = try KeyMaterial(rsa: encoded)
        publicKey = try Self.publicKey(of: material)
        algorithm = .rsa
        pkcs8 = try Self.wrap(encoded, Algorithm.rsa)
    }

    /// Reads an ECPrivateKey (RFC 5915) that names its curve.
    package init(sec1 encoded: RawSpan) throws(CertificateReadError) {
        let material = try KeyMaterial(sec1: encoded, curve: nil)
        publicKey = try Self.publicKey(of: material)
        algorithm = Algorithm(material.kind)
        pkcs8 = try Self.wrap(encoded, algorithm)
    }

    private static func publicKey(of material: borrowing KeyMaterial) throws(CertificateReadError) -> [UInt8] {
        guard let derived = PublicHalf.derive(from: material) else {
            throw CertificateReadError(.damaged, localized("its numbers make no key"), at: ["private key"])
        }
        guard material.statedPublicKey.isEmpty || material.statedPublicKey == derived else {
            throw CertificateReadError(
                .damaged, localized("the public key beside it is another's"), at: ["private key"])
        }
        return derived
    }

    /// A PrivateKeyInfo around a key in its own format.
    private static func wrap(
        _ key: RawSpan, _ algorithm: Algorithm
    ) throws(CertificateReadError) -> SecretBytes {
        let head = [0x02, 0x01, 0x00] + algorithm.identifier + DERWriter.header(.octetString, count: key.byteCount)
        return try securing {
            var buffer = try SecretBuffer(capacity: key.byteCount + 64)
            try buffer.append(DERWriter.header(.sequence, count: head.count + key.byteCount) + head)
            try buffer.append(key)
            return buffer.finish()
        }
    }
}

extension PrivateKey.Algorithm {
    init(_ kind: KeyMaterial.Kind) {
        switch kind {
        case .rsa: self = .rsa
        case .p256: self = .p256
        case .p384: self = .p384
        case .p521: self = .p521
        case .ed25519: self = .ed25519
        }
    }

    /// An AlgorithmIdentifier in DER (RFC 3279, 2.3.1; RFC 5480, 2.1.1; RFC 8410, 3).
    fileprivate var identifier: [UInt8] {
        switch self {
        case .rsa: Self.identifier(.rsaEncryption, [DERTag.null.byte, 0x00])
        case .p256: Self.identifier(.ecPublicKey, Self.name(.p256))
        case .p384: Self.identifier(.ecPublicKey, Self.name(.p384))
        case .p521: Self.identifier(.ecPublicKey, Self.name(.p521))
        case .ed25519: Self.identifier(.ed25519, [])
        }
    }

    private static func identifier(_ algorithm: ObjectIdentifier, _ parameters: [UInt8]) -> [UInt8] {
        DERWriter.element(.sequence, name(algorithm) + parameters)
    }

    private static func name(_ identifier: ObjectIdentifier) -> [UInt8] {
        DERWriter.element(.objectIdentifier, identifier.bytes)
    }
}
