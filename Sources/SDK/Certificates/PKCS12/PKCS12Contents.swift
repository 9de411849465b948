/// What a PKCS#12 file gave.
package struct PKCS12Contents: Sendable {
    /// What programs write beside an entry (RFC 7292, 4.2).
    package struct Labels: Sendable, Equatable {
        /// For people; its maker's text, so not for a terminal as it is.
        package var friendlyName: String?
        /// The same for a certificate and its key.
        package var localKeyID: [UInt8]?
    }

    /// A certificate, and what stands beside it.
    package struct CertificateEntry: Sendable {
        /// As it was read.
        package let certificate: DERCertificate
        /// What its maker called it.
        package let labels: Labels
    }

    /// A private key, and what stands beside it.
    package struct KeyEntry: Sendable {
        /// Read, and found to fit itself.
        package let key: PrivateKey
        /// What its maker called it.
        package let labels: Labels
    }

    /// In the file's order.
    package internal(set) var certificates: [CertificateEntry] = []
    /// In the file's order.
    package internal(set) var keys: [KeyEntry] = []
    /// What was left out, in words: lists of revoked certificates, and secrets that are no keys.
    package internal(set) var skipped: [String] = []

    /// Certificates with the keys that fit them; local key identifiers are only a hint and are not believed.
    package var identities: [Identity] { Identity.pairs(certificates.map(\.certificate), keys.map(\.key)) }
}
