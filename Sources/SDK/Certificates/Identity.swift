/// A certificate and the private key that its public key belongs to.
package struct Identity: Sendable {
    /// Whose public key belongs to ``key``.
    package let certificate: DERCertificate
    /// Whose public half stands in ``certificate``.
    package let key: PrivateKey

    /// Nil when the key is another's.
    package init?(_ certificate: DERCertificate, _ key: PrivateKey) {
        // swift-crypto has derived the one from the private key; two algorithms never share an encoding, since
        // lengths differ, and what is 32 bytes long can be Ed25519 only.
        guard certificate.publicKey == key.publicKey else { return nil }
        self.certificate = certificate
        self.key = key
    }

    /// Every pair that fits, in the order of the certificates.
    package static func pairs(_ certificates: [DERCertificate], _ keys: [PrivateKey]) -> [Identity] {
        certificates.flatMap { certificate in keys.compactMap { Identity(certificate, $0) } }
    }
}
