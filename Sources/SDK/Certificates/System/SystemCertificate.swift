package import FoundationEssentials
import Secrets

/// A certificate of a keychain that is made of files.
package struct SystemCertificate: Sendable, Hashable {
    /// As it was read.
    package let certificate: DERCertificate
    /// In which of the keychains it lies.
    package let keychain: SystemKeychain
    /// The file that it stands in.
    package let file: String

    init(_ certificate: DERCertificate, _ keychain: SystemKeychain, _ file: String) {
        self.certificate = certificate
        self.keychain = keychain
        self.file = file
    }

    /// What people see: the common name, else the whole subject.
    ///
    /// It is its maker's text, so not for a terminal as it is.
    package var label: String { certificate.summary }
    /// As RFC 4514 writes names; its maker's text too.
    package var subject: String { certificate.subject }
    /// As ``subject``: its maker's text too.
    package var issuer: String { certificate.issuer }
    /// In hexadecimal.
    package var serialNumber: String { Hexadecimal.encode(certificate.serialNumber) }
    /// Both inclusive, in whole seconds.
    package var notBefore: Date { certificate.notBefore }
    /// The last second in which it is valid.
    package var notAfter: Date { certificate.notAfter }
    /// SHA-256 of the whole certificate, in hexadecimal.
    package var fingerprint: String { Hexadecimal.encode(certificate.fingerprint) }
    /// The whole certificate.
    package var der: [UInt8] { certificate.der }
    /// Whether it may issue others (RFC 5280, 4.2.1.9).
    package var isAuthority: Bool { certificate.isAuthority }

    /// Whether a chain may end with it.
    ///
    /// All of the system's list may, and of what was deployed the authorities that issued themselves. Any other stands
    /// between a certificate and a root.
    package var isAnchor: Bool { keychain == .systemRoots || certificate.isSelfIssued && certificate.isAuthority }
}
