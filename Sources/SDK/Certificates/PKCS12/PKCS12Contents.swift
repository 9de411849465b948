/// What a PKCS#12 file gave.
package struct PKCS12Contents: Sendable {
    /// What programs write beside an entry (RFC 7292, 4.2).
    package struct Labels: Sendable, Equatable {
        package var friendlyName: String?
        /// The same for a certificate and its key.
        package var localKeyID: [UInt8]?
    }

    package struct CertificateEntry: Sendable {
        package let certificate: DERCertificate
        package let labels: Labels
    }

    package struct KeyEntry: Sendable {
        package let key: PrivateKey
        package let labels: Labels
    }

    package internal(set) var certificates: [CertificateEntry] = []
    package internal(set) var keys: [KeyEntry] = []
    /// What was left out, in words: lists of revoked certificates, and secrets that are no keys.
    package internal(set) var skipped: [String] = []

    /// Certificates with the keys that fit them; local key identifiers are only a hint and are not believed.
    package var identities: [Identity] { Identity.pairs(certificates.map(\.certificate), keys.map(\.key)) }
}
