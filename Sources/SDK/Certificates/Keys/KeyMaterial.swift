import Localization
import Secrets

/// A private key taken out of its wrapping, still where it lay: what swift-crypto takes.
struct KeyMaterial: ~Escapable {
    enum Kind: Equatable, Sendable {
        case rsa, p256, p384, p521, ed25519

        /// The private number's length in bytes; none for RSA.
        var byteCount: Int? {
            switch self {
            case .rsa: nil
            case .p256, .ed25519: 32
            case .p384: 48
            case .p521: 66
            }
        }
    }

    let kind: Kind
    /// An RSAPrivateKey (RFC 8017, A.1.2), or the private number alone.
    let bytes: RawSpan
    /// The public key that stands beside it in the file; empty where there is none.
    let statedPublicKey: [UInt8]

    @_lifetime(copy bytes)
    init(_ kind: Kind, _ bytes: RawSpan, statedPublicKey: [UInt8] = []) {
        self.kind = kind
        self.bytes = bytes
        self.statedPublicKey = statedPublicKey
    }
}

extension KeyMaterial {
    /// A PrivateKeyInfo (RFC 5208, 5), or in its later form OneAsymmetricKey (RFC 5958, 2).
    @_lifetime(copy encoded)
    init(pkcs8 encoded: RawSpan) throws(CertificateReadError) {
        var outer = DERReader(encoded, "private key")
        var info = try outer.sequence("PrivateKeyInfo")
        try outer.end()
        let version = try info.integer("version")
        guard version <= 1 else { throw info.failure(.unsupported, "version", localized("is \(version)")) }
        var algorithm = try info.sequence("algorithm")
        let kind = try Self.kind(&algorithm)
        let key = try info.content(.octetString, "key")
        if info.comes(.context(0)) { _ = try info.content(.context(0), "attributes") }
        var stated: [UInt8] = []
        if version == 1, info.comes(.primitiveContext(1)) {
            stated = try info.wholeBits("public key", tag: .primitiveContext(1)).copyToArray()
        }
        try info.end()
        switch kind {
        case .rsa:
            try Self.checkRSA(key)
            self.init(.rsa, key, statedPublicKey: stated)
        case .ed25519:
            // RFC 8410, 7: the number stands in an octet string of its own.
            var inner = DERReader(key, "CurvePrivateKey")
            self.init(.ed25519, try inner.content(.octetString, "key"), statedPublicKey: stated)
            try inner.end()
        case .p256, .p384, .p521: self = try KeyMaterial(sec1: key, curve: kind)
        }
        try checkLength()
    }

    /// An ECPrivateKey (RFC 5915, 3).
    ///
    /// - Parameter curve: what is said of it outside; nil where it has to say it itself.
    @_lifetime(copy encoded)
    init(sec1 encoded: RawSpan, curve outside: Kind?) throws(CertificateReadError) {
        var outer = DERReader(encoded, "private key")
        var key = try outer.sequence("ECPrivateKey")
        try outer.end()
        let version = try key.integer("version")
        guard version == 1 else { throw key.failure(.unsupported, "version", localized("is \(version)")) }
        let number = try key.content(.octetString, "private number")
        var curve = outside
        if key.comes(.context(0)) {
            var parameters = try key.explicit(0, "curve")
            let inside = try Self.curve(&parameters)
            try parameters.end()
            guard outside == nil || outside == inside else {
                throw key.failure(.damaged, "curve", localized("is said twice"))
            }
            curve = inside
        }
        guard let curve else { throw key.failure(.unsupported, "curve", localized("is not said")) }
        var stated: [UInt8] = []
        if key.comes(.context(1)) {
            var bits = try key.explicit(1, "public key")
            stated = try bits.wholeBits("bits").copyToArray()
            try bits.end()
        }
        try key.end()
        self.init(curve, number, statedPublicKey: stated)
        try checkLength()
    }

    /// An RSAPrivateKey (RFC 8017, A.1.2).
    @_lifetime(copy encoded)
    init(rsa encoded: RawSpan) throws(CertificateReadError) {
        try Self.checkRSA(encoded)
        self.init(.rsa, encoded)
    }

    /// Nine positive integers and nothing else; whether they fit each other is checked by BoringSSL.
    private static func checkRSA(_ encoded: RawSpan) throws(CertificateReadError) {
        var outer = DERReader(encoded, "private key")
        var key = try outer.sequence("RSAPrivateKey")
        try outer.end()
        let version = try key.integer("version")
        guard version == 0 else {
            throw key.failure(.unsupported, "version", localized("is \(version): more than two primes"))
        }
        let modulus = try key.positiveInteger("modulus")
        let bits = (modulus.byteCount - (modulus.byte(at: 0) == 0 ? 1 : 0)) * 8
        guard bits >= 2048 else { throw key.failure(.unsupported, "modulus", localized("has fewer than 2048 bits")) }
        guard bits <= 8192 else { throw key.failure(.unsupported, "modulus", localized("has more than 8192 bits")) }
        for number in ["e", "d", "p", "q", "d mod p-1", "d mod q-1", "1/q mod p"] {
            _ = try key.positiveInteger(number)
        }
        try key.end()
    }

    private static func kind(_ algorithm: inout DERReader) throws(CertificateReadError) -> Kind {
        let name = try algorithm.objectIdentifier("name")
        let kind: Kind
        switch name {
        case .rsaEncryption:
            try algorithm.skipNull("parameters")
            kind = .rsa
        case .ed25519: kind = .ed25519
        case .ecPublicKey: kind = try curve(&algorithm)
        default: throw algorithm.failure(.unsupported, "name", localized("is \(name), which no key of ours may have"))
        }
        try algorithm.end()
        return kind
    }

    private static func curve(_ parameters: inout DERReader) throws(CertificateReadError) -> Kind {
        let name = try parameters.objectIdentifier("curve")
        switch name {
        case .p256: return .p256
        case .p384: return .p384
        case .p521: return .p521
        default: throw parameters.failure(.unsupported, "curve", localized("is \(name), not P-256, P-384 or P-521"))
        }
    }

    private func checkLength() throws(CertificateReadError) {
        guard let expected = kind.byteCount, bytes.byteCount != expected else { return }
        throw CertificateReadError(
            .damaged, localized("has \(bytes.byteCount) bytes, not \(expected)"), at: ["private key", "private number"])
    }
}
