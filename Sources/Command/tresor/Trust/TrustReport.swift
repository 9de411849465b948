import Certificates
import FoundationEssentials
import Localization
import NotesClient
import Secrets
import TerminalScreen

/// A verdict as `--json` prints it, and in words.
struct TrustReport: Encodable {
    let trusted: Bool
    /// One word, where it is not trusted.
    let reason: String?
    let message: String?
    /// The subject of the certificate at fault.
    let culprit: String?
    let host: String?
    let at: Date
    /// From the certificate upward; where it is not trusted, as far as it could be built.
    let chain: [CertificateDocument]

    /// - Parameter system: says which members of the chain this machine trusts by itself.
    init(
        _ verdict: TrustVerdict, _ system: SystemTrust, _ profiles: ProfileInputRoots, host: String?, _ date: Date
    ) {
        self.host = host
        at = date
        switch verdict {
        case .trusted(let chain):
            trusted = true
            (reason, message, culprit) = (nil, nil, nil)
            self.chain = chain.map {
                CertificateDocument($0, in: system.keychain(of: $0), profile: profiles.profile(of: $0))
            }
        case .untrusted(let failure, let chain):
            trusted = false
            reason = failure.code
            message = failure.description
            culprit = failure.certificate.subject
            self.chain = chain.map { CertificateDocument($0, in: system.keychain(of: $0)) }
        }
    }

    /// Names in certificates are their makers' text; a terminal must not obey them.
    var lines: [String] {
        let members = chain.enumerated().map { index, one in
            "\(index)  \(SafeText.line(one.subject))  (" + localized("until \(one.notAfter.formatted(.iso8601))") + ")"
                + (one.profile.map { "  " + localized("by the profile \(SafeText.line($0))") } ?? "")
        }
        guard let message else {
            return members + [host.map { localized("trusted for \(SafeText.line($0))") } ?? localized("trusted")]
        }
        return members + [
            localized("not trusted: \(SafeText.line(culprit ?? "")): \(SafeText.line(translated(message)))")
        ]
    }
}

/// A certificate as `--json` prints it.
struct CertificateDocument: Encodable {
    let subject: String
    let issuer: String
    let serialNumber: String
    let notBefore: Date
    let notAfter: Date
    let sha256: String
    /// "System Roots" or "System"; left out where it is in neither.
    let keychain: String?
    /// Where it stands, in a list of such a keychain.
    let file: String?
    /// The installed profile that calls it a root.
    let profile: String?

    init(_ one: SystemCertificate) { self.init(one.certificate, in: one.keychain, file: one.file) }

    init(
        _ certificate: DERCertificate, in keychain: SystemKeychain?, file: String? = nil, profile: String? = nil
    ) {
        self.profile = profile
        self.keychain = keychain?.name
        self.file = file
        subject = certificate.subject
        issuer = certificate.issuer
        serialNumber = Hexadecimal.encode(certificate.serialNumber)
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        sha256 = Hexadecimal.encode(certificate.fingerprint)
    }
}
