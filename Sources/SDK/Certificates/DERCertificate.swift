package import FoundationEssentials
import Localization
import Secrets
import SwiftASN1
import X509

/// An X.509 certificate (RFC 5280, 4.1) in DER, of a version, key and signature algorithm that can be verified.
///
///     let certificate = try DERCertificate(bytes)
///     print(certificate.summary, certificate.notAfter)
package struct DERCertificate: Sendable, Hashable {
    /// The whole certificate.
    package let der: [UInt8]
    /// What stands in it and X509 does not give out.
    let fields: CertificateFields
    let x509: Certificate

    /// Above any that a public authority has issued; those with thousands of names have about 40 KiB.
    package static let byteLimit = 128 * 1024

    /// - Parameter der: one certificate, and nothing behind it.
    /// - Throws: ``CertificateReadError``: `tooLarge` above ``byteLimit``, `damaged`, `unsupported`.
    package init(_ der: [UInt8]) throws(CertificateReadError) {
        guard der.count <= Self.byteLimit else {
            throw CertificateReadError(.tooLarge, localized("more than \(Self.byteLimit) bytes"), at: ["certificate"])
        }
        fields = try der.withSpan { (bytes) throws(CertificateReadError) in try CertificateFields(bytes) }
        do { x509 = try Certificate(derEncoded: der) } catch { throw Self.reason(error) }
        self.der = der
    }

    /// By their bytes: two encodings of one content are two certificates.
    package static func == (left: DERCertificate, right: DERCertificate) -> Bool { left.der == right.der }

    /// By its bytes, as ``==(_:_:)``.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }

    /// Inclusive, in whole seconds.
    package var notBefore: Date { x509.notValidBefore }
    /// Inclusive, in whole seconds.
    package var notAfter: Date { x509.notValidAfter }

    /// As RFC 4514 writes names, most significant part last; what a certificate says of itself, so not for a terminal
    /// as it is.
    package var subject: String { x509.subject.description }
    /// As ``subject``; of a root the two are the same.
    package var issuer: String { x509.issuer.description }

    /// The most specific common name, else the whole subject.
    package var summary: String { commonName ?? subject }

    /// X509's errors name OIDs and fields, not contents; the two that users meet get words of their own.
    private static func reason(_ error: any Error) -> CertificateReadError {
        let place = ["certificate"]
        guard let error = error as? X509.CertificateError else {
            return CertificateReadError(.damaged, localized("not a canonical X.509 certificate"), at: place)
        }
        switch error.code {
        case .unsupportedPublicKeyAlgorithm:
            return CertificateReadError(
                .unsupported, localized("its public key is of an algorithm that is not known"), at: place)
        case .unsupportedSignatureAlgorithm:
            return CertificateReadError(
                .unsupported, localized("its signature is of an algorithm that is not known"), at: place)
        default: return CertificateReadError(.damaged, localized("not a canonical X.509 certificate"), at: place)
        }
    }
}
