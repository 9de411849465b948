import Localization
import Secrets

/// A public key that has been read: RSA of at least 2048 bits, a point on P-256, P-384 or P-521, or Ed25519.
package struct PublicKey: Sendable, Hashable {
    /// Which says how ``bytes`` are read.
    package let algorithm: PrivateKey.Algorithm
    /// The content of the bit string in a SubjectPublicKeyInfo, as ``PrivateKey/publicKey`` has it.
    package let bytes: [UInt8]

    /// What a keychain files it under (klbl).
    package var hash: [UInt8] { Fingerprint.sha1ForLabel(bytes) }

    /// The half of a private key that is shown.
    package init(_ key: PrivateKey) {
        algorithm = key.algorithm
        bytes = key.publicKey
    }

    /// The key in a certificate.
    package init(_ certificate: DERCertificate) throws(CertificateReadError) {
        try self.init(bits: certificate.publicKey)
    }

    /// Reads a point in the uncompressed form of X9.63 (SEC 1, 2.3.3), an RSAPublicKey (RFC 8017, A.1.1) or the 32
    /// bytes of Ed25519: no two of them have one length and one first byte.
    package init(bits: [UInt8]) throws(CertificateReadError) {
        guard let algorithm = Self.algorithm(bits) else {
            throw CertificateReadError(.damaged, localized("is neither a point nor an RSA key"), at: ["public key"])
        }
        if algorithm == .rsa {
            try bits.withSpan { (bits) throws(CertificateReadError) in try Self.checkRSA(bits) }
        }
        guard LoadedPublicKey(algorithm, bits) != nil else {
            throw CertificateReadError(.damaged, localized("its numbers make no key"), at: ["public key"])
        }
        self.algorithm = algorithm
        bytes = bits
    }

    private static func algorithm(_ bits: [UInt8]) -> PrivateKey.Algorithm? {
        switch (bits.count, bits.first) {
        case (32, _): .ed25519
        case (65, 4): .p256
        case (97, 4): .p384
        case (133, 4): .p521
        case (_, DERTag.sequence.byte): .rsa
        default: nil
        }
    }

    /// Two positive integers and nothing else, of a length that is neither broken nor endless to work with.
    private static func checkRSA(_ bits: RawSpan) throws(CertificateReadError) {
        var outer = DERReader(bits, "RSA public key")
        var numbers = try outer.sequence("RSAPublicKey")
        try outer.end()
        let modulus = try numbers.positiveInteger("modulus").byteCount
        guard (256...1025).contains(modulus) else {
            throw numbers.failure(.unsupported, "modulus", localized("has fewer than 2048 or more than 8192 bits"))
        }
        _ = try numbers.positiveInteger("exponent")
        try numbers.end()
    }
}

extension PublicKey {
    /// In bits: of the modulus, or of the curve's field.
    package var bitCount: Int { algorithm.bitCount(bytes) }

    /// Whether the signature was made by this key's private half over this message, or over this hash.
    package func accepts(_ signature: [UInt8], of message: [UInt8], _ scheme: SignatureScheme) -> Bool {
        guard scheme.fits(algorithm), let key = LoadedPublicKey(algorithm, bytes) else { return false }
        return key.accepts(signature, of: message, scheme)
    }
}

extension PrivateKey.Algorithm {
    /// In bits: of the modulus in this public key, or of the curve's field.
    package func bitCount(_ publicKey: [UInt8]) -> Int {
        switch self {
        case .p256, .ed25519: 256
        case .p384: 384
        case .p521: 521
        case .rsa: publicKey.withSpan { Self.modulusBitCount($0) }
        }
    }

    private static func modulusBitCount(_ bits: RawSpan) -> Int {
        var outer = DERReader(bits, "RSA public key")
        guard var numbers = try? outer.sequence("RSAPublicKey"),
            let modulus = try? numbers.positiveInteger("modulus")
        else { return 0 }
        let zeros = modulus.byte(at: 0) == 0 ? 8 : modulus.byte(at: 0).leadingZeroBitCount
        return modulus.byteCount * 8 - zeros
    }
}
