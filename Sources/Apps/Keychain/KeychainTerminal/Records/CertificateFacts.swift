import Certificates
import FoundationEssentials
import Localization
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

    private enum Flaw { case early, expired, lastDay, days(Int) }

    private func flaw(at date: Int64) -> Flaw? {
        if date < notBefore { return .early }
        if date > notAfter { return .expired }
        let left = notAfter - date
        guard left <= Self.warningTime else { return nil }
        return left < Self.day ? .lastDay : .days(Int(left / Self.day))
    }

    /// What is wrong, or soon will be, in a few words; nil where nothing is.
    ///
    /// - Parameter date: now, in seconds since 1970, UTC.
    func warning(at date: Int64) -> String? {
        switch flaw(at: date) {
        case .early: localized("not yet valid")
        case .expired: localized("expired")
        case .lastDay: localized("last day")
        case .days(let days): localized(days, one: "1 day left", many: "\(days) days left")
        case nil: nil
        }
    }

    /// The same as a sentence.
    func warningSentence(at date: Int64) -> String? {
        switch flaw(at: date) {
        case .early: localized("This certificate is not valid yet.")
        case .expired: localized("This certificate has expired.")
        case .lastDay: localized("This certificate expires within a day.")
        case .days(let days):
            localized(
                days, one: "This certificate expires soon: 1 day left.",
                many: "This certificate expires soon: \(days) days left.")
        case nil: nil
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
