import Localization
package import Secrets

/// Fresh keys, and keys in the formats in which Apple's interface takes and gives them.
extension PrivateKey {
    /// Makes a key on one of the three curves.
    ///
    /// - Throws: `unsupported` for other algorithms, `outOfMemory`.
    package static func makeRandom(_ curve: Algorithm) throws(CertificateReadError) -> PrivateKey {
        guard let fresh = try FreshKey.makeCurveKey(curve) else {
            throw CertificateReadError(.unsupported, localized("is on none of the three curves"), at: ["private key"])
        }
        return try fresh.withBytes { (bytes) throws(CertificateReadError) in try read(x963: bytes) }
    }

    /// Makes an RSA key.
    ///
    /// - Parameter bitCount: 2048 to 8192, in whole bytes.
    package static func makeRandomRSA(bitCount: Int) throws(CertificateReadError) -> PrivateKey {
        guard (2048...8192).contains(bitCount), bitCount % 8 == 0 else {
            throw CertificateReadError(.unsupported, localized("RSA keys have 2048 to 8192 bits"), at: ["private key"])
        }
        let encoded = try FreshKey.makeRSA(bitCount: bitCount)
        return try encoded.withBytes { (bytes) throws(CertificateReadError) in try PrivateKey(rsa: bytes) }
    }

    /// Reads a point and the private number behind it: `04 || X || Y || K` (X9.63).
    package static func read(x963 encoded: RawSpan) throws(CertificateReadError) -> PrivateKey {
        let curve: (algorithm: Algorithm, pointCount: Int)
        switch encoded.byteCount {
        case 97: curve = (.p256, 65)
        case 145: curve = (.p384, 97)
        case 199: curve = (.p521, 133)
        default:
            throw CertificateReadError(
                .damaged, localized("has \(encoded.byteCount) bytes, which no key of these curves has"),
                at: ["private key"])
        }
        let point = encoded.extracting(0..<curve.pointCount).copyToArray()
        return try read(
            curve.algorithm, encoded.extracting(curve.pointCount..<encoded.byteCount), point: point)
    }

    /// The form in which Apple's interface gives keys out and its keychain holds them: `04 || X || Y || K`, or an
    /// RSAPrivateKey (RFC 8017, A.1.2).
    ///
    /// - Throws: `unsupported` for Ed25519, which has no such form.
    package func externalForm() throws(CertificateReadError) -> SecretBytes {
        try pkcs8.withBytes { (bytes) throws(CertificateReadError) in
            let material = try KeyMaterial(pkcs8: bytes)
            guard material.kind != .ed25519 else {
                throw CertificateReadError(.unsupported, localized("Ed25519 has no form of X9.63"), at: ["private key"])
            }
            let number = material.bytes
            let head = material.kind == .rsa ? [] : publicKey
            return try securing {
                var buffer = try SecretBuffer(capacity: head.count + number.byteCount)
                try buffer.append(head)
                try buffer.append(number)
                return buffer.finish()
            }
        }
    }

    /// Through an ECPrivateKey (RFC 5915, 3), whose reader checks that number and point belong together.
    private static func read(
        _ curve: Algorithm, _ number: RawSpan, point: [UInt8]
    ) throws(CertificateReadError) -> PrivateKey {
        let bits = DERWriter.element(.bitString, [0] + point)
        let tail = DERWriter.element(.context(0), curve.curveName) + DERWriter.element(.context(1), bits)
        let head = [0x02, 0x01, 0x01] + DERWriter.header(.octetString, count: number.byteCount)
        let count = head.count + number.byteCount + tail.count
        let encoded = try securing {
            var buffer = try SecretBuffer(capacity: count + 8)
            try buffer.append(DERWriter.header(.sequence, count: count) + head)
            try buffer.append(number)
            try buffer.append(tail)
            return buffer.finish()
        }
        return try encoded.withBytes { (bytes) throws(CertificateReadError) in try PrivateKey(sec1: bytes) }
    }
}

extension PrivateKey.Algorithm {
    /// The object identifier of the curve, in DER; empty for what is on none of the three.
    fileprivate var curveName: [UInt8] {
        switch self {
        case .p256: DERWriter.element(.objectIdentifier, ObjectIdentifier.p256.bytes)
        case .p384: DERWriter.element(.objectIdentifier, ObjectIdentifier.p384.bytes)
        case .p521: DERWriter.element(.objectIdentifier, ObjectIdentifier.p521.bytes)
        case .rsa, .ed25519: []
        }
    }
}
