import Certificates
import FoundationEssentials
import Secrets

/// What stands in a certificate, for people.
struct CertificateFacts: Equatable, Sendable {
    var subject: String
    var issuer: String
    /// In hexadecimal.
    var serialNumber: String
    /// SHA-256 of the whole certificate, in hexadecimal.
    var fingerprint: String
    /// Seconds since 1970, UTC, both inclusive.
    var notBefore: Int64
    var notAfter: Int64

    /// Seconds before the end in which people are warned: 30 days.
    static let warningTime: Int64 = 30 * day
    private static let day: Int64 = 86_400

    /// What is wrong, or soon will be, in a few words; nil where nothing is.
    ///
    /// - Parameter date: now, in seconds since 1970, UTC.
    func warning(at date: Int64) -> String? {
        if date < notBefore { return "not yet valid" }
        if date > notAfter { return "expired" }
        let left = notAfter - date
        guard left <= Self.warningTime else { return nil }
        switch left / Self.day {
        case 0: return "last day"
        case 1: return "1 day left"
        case let days: return "\(days) days left"
        }
    }

    /// The same as a sentence.
    func warningSentence(at date: Int64) -> String? {
        warning(at: date).map { words in
            switch words {
            case "not yet valid": "This certificate is not valid yet."
            case "expired": "This certificate has expired."
            case "last day": "This certificate expires within a day."
            default: "This certificate expires soon: \(words)."
            }
        }
    }
}

extension CertificateFacts {
    init(_ certificate: DERCertificate) {
        subject = certificate.subject
        issuer = certificate.issuer
        serialNumber = Hexadecimal.encode(certificate.serialNumber)
        fingerprint = Hexadecimal.encode(certificate.fingerprint)
        notBefore = Int64(certificate.notBefore.timeIntervalSince1970)
        notAfter = Int64(certificate.notAfter.timeIntervalSince1970)
    }
}
