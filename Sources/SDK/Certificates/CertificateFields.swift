import Localization
import Secrets

/// The parts of a certificate as the bytes that stand in it (RFC 5280, 4.1).
struct CertificateFields: Sendable {
    /// 1, 2 or 3.
    let version: Int
    /// The content of the INTEGER, which identifies the certificate among its issuer's.
    let serialNumber: [UInt8]
    /// A Name in DER, with tag and length.
    let issuer: [UInt8]
    let subject: [UInt8]
    /// The content of the bit string in the SubjectPublicKeyInfo.
    let publicKey: [UInt8]

    /// RFC 5280, 4.1.2.2, allows 20; some roots have more.
    private static let longestSerialNumber = 64

    init(_ encoded: RawSpan) throws(CertificateReadError) {
        var outer = DERReader(encoded, "certificate")
        var certificate = try outer.sequence("certificate")
        try outer.end()
        var body = try certificate.sequence("TBSCertificate")
        let algorithm = try certificate.encoding("signature algorithm").copyToArray()
        _ = try certificate.wholeBits("signature")
        try certificate.end()

        version = try Self.version(&body)
        let serialNumber = try body.anyInteger("serial number")
        guard serialNumber.byteCount <= Self.longestSerialNumber else {
            throw body.failure(.tooLarge, "serial number", localized("has more than \(Self.longestSerialNumber) bytes"))
        }
        self.serialNumber = serialNumber.copyToArray()
        // RFC 5280, 4.1.1.2: what is signed names the same algorithm; or else a weaker one could be put outside.
        guard try body.encoding("signature algorithm").copyToArray() == algorithm else {
            throw body.failure(.damaged, "signature algorithm", localized("is another inside than outside"))
        }
        issuer = try body.encoding("issuer").copyToArray()
        _ = try body.sequence("validity")
        subject = try body.encoding("subject").copyToArray()
        var key = try body.sequence("public key")
        try Self.checkAlgorithm(&key)
        publicKey = try key.wholeBits("bits").copyToArray()
        try key.end()
        // What follows, unique identifiers and extensions, X509 reads.
    }

    private static func version(_ body: inout DERReader) throws(CertificateReadError) -> Int {
        guard body.comes(.context(0)) else { return 1 }
        var field = try body.explicit(0, "version")
        let version = try field.integer("number")
        try field.end()
        // The default is not written out (X.690, 11.5).
        guard version == 1 || version == 2 else {
            throw body.failure(.damaged, "version", localized("is \(version + 1)"))
        }
        return version + 1
    }

    /// BoringSSL refuses short RSA keys too, but does not say why.
    private static func checkAlgorithm(_ key: inout DERReader) throws(CertificateReadError) {
        var algorithm = try key.sequence("algorithm")
        let name = try algorithm.objectIdentifier("name")
        guard name == .rsaEncryption else { return }
        var copy = key
        var bits = DERReader(try copy.wholeBits("bits"), "RSA public key")
        var numbers = try bits.sequence("RSAPublicKey")
        let modulus = try numbers.positiveInteger("modulus")
        guard modulus.byteCount >= 256 else {
            throw numbers.failure(.unsupported, "modulus", localized("has fewer than 2048 bits, which can be broken"))
        }
    }
}
