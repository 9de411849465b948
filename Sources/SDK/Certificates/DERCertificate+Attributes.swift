import X509

/// What a keychain files a certificate under (Apple, "Certificate Item Attribute Keys").
extension DERCertificate {
    /// The X.509 version, 1 to 3, which is Apple's certificate type (ctyp: CSSM_CERT_X_509v1 is 1).
    package var certificateType: Int { fields.version }

    /// The encoding (cenc): CSSM_CERT_ENCODING_DER.
    package static let encoding = 3

    /// The content of the serial number's INTEGER in DER (slnr).
    package var serialNumber: [UInt8] { fields.serialNumber }

    /// The issuer's Name in DER (issr), as it stands in the certificate.
    package var issuerDER: [UInt8] { fields.issuer }

    /// The subject's Name in DER (subj), as it stands in the certificate.
    package var subjectDER: [UInt8] { fields.subject }

    /// The bits of the public key, as ``PrivateKey/publicKey`` has them.
    package var publicKey: [UInt8] { fields.publicKey }

    /// SHA-1 of ``publicKey`` (pkhh); the key's own label (klbl) is the same hash.
    package var publicKeyHash: [UInt8] { Fingerprint.sha1ForLabel(fields.publicKey) }

    /// The subject key identifier (skid); nil where the extension is missing or damaged.
    package var subjectKeyIdentifier: [UInt8]? {
        (try? x509.extensions.subjectKeyIdentifier).map { Array($0.keyIdentifier) }
    }

    /// SHA-256 of the whole certificate, by which people compare certificates.
    package var fingerprint: [UInt8] { Fingerprint.sha256(der) }

    /// Whether it names itself as its issuer.
    package var isSelfIssued: Bool { x509.subject == x509.issuer }

    /// Whether it may issue others: version 3 and marked so (RFC 5280, 4.2.1.9).
    package var isAuthority: Bool {
        guard case .isCertificateAuthority = try? x509.extensions.basicConstraints else { return false }
        return true
    }
}
