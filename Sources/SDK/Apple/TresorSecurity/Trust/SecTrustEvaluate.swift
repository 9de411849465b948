public import TresorCoreFoundation
import Certificates
public import Foundation

/// How an evaluation ended, by Apple's numbers.
public enum SecTrustResultType: UInt32, Sendable {
    /// Not asked yet.
    case invalid = 0
    /// Trusted because the owner said so; no evaluation here ends like that.
    case proceed = 1
    /// Refused because the owner said so; no evaluation here ends like that.
    case deny = 3
    /// Trusted.
    case unspecified = 4
    /// Not trusted, which another policy, anchor or date may change.
    case recoverableTrustFailure = 5
    /// Not trusted, whatever is changed; no evaluation here ends like that.
    case fatalTrustFailure = 6
    /// Something else failed.
    case otherError = 7
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Judges the certificate.
///
///     var error: CFError?
///     guard SecTrustEvaluateWithError(trust, &error) else { … }
///
/// Nothing is fetched: intermediates come from the caller, and revocation is not looked up. The system's roots are
/// those of `/etc/ssl/certs/ca-certificates.crt`, and the authorities that the machine's administrator deployed in
/// `/etc/tresor/certificates` and `/usr/local/share/ca-certificates`, as far as root alone can change those files.
/// Deployed certificates that are no roots may stand between a certificate and an anchor.
///
/// - Parameters:
///   - trust: a trust object.
///   - error: gets why it is not trusted, an `NSError` with a status as its code: `errSecCertificateExpired`,
///     `errSecCertificateNotValidYet`, `errSecHostNameMismatch`, `errSecInvalidExtendedKeyUsage`,
///     `errSecNoBasicConstraintsCA`, `errSecPathLengthConstraintExceeded`, `errSecCertificateNameNotAllowed`,
///     `errSecUnknownCriticalExtensionFlag`, `errSecCreateChainFailed` where an issuer is missing, `errSecNotAvailable`
///     where the system has no list of roots, else `errSecNotTrusted`.
/// - Returns: whether it is trusted.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let outcome = trust.evaluate()
    store(outcome.failure.map { cfError($0.status, $0.reason) }, at: error)
    return outcome.failure == nil
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How the last evaluation ended; it evaluates nothing.
///
/// - Parameters:
///   - trust: a trust object.
///   - result: gets the result.
/// - Returns: `errSecSuccess`.
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    store(trust.current.outcome?.result ?? .invalid, at: result)
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificates from the one that was judged upward, as far as they were found; it evaluates where nobody has yet.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.evaluate().chain as NSArray }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// How many certificates ``SecTrustCopyCertificateChain(_:)`` gives.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.evaluate().chain.count }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The public key of the certificate to judge, whether it is trusted or not; nil where it is no ``SecKey``.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.current.certificates.first.flatMap { SecCertificateCopyKey($0) }
}

/// What was found out.
struct TrustOutcome: Sendable {
    /// Nil where it is trusted.
    let failure: (status: OSStatus, reason: String?)?
    let chain: [SecCertificate]

    var result: SecTrustResultType {
        switch failure?.status {
        case nil: .unspecified
        case errSecNotAvailable, errSecDecode: .otherError
        default: .recoverableTrustFailure
        }
    }

    /// Asks for each policy, and stops at the first that is not satisfied.
    init(_ question: SecTrust.State) {
        var chain = question.certificates.prefix(1).map { $0 }
        do {
            guard let leaf = question.certificates.first?.certificate else { throw StatusError(errSecParam) }
            let evaluation = try TrustEvaluation(
                try Self.system(question), adding: (question.anchors ?? []).map(\.certificate),
                intermediates: question.certificates.dropFirst().map(\.certificate), for: leaf)
            let date = question.date ?? Date()
            for policy in question.policies {
                guard let purpose = policy.demand.purpose else { throw StatusError(errSecHostNameMismatch) }
                switch waitFor({ await evaluation.evaluate(leaf, for: purpose, at: date) }) {
                case .trusted(let found): chain = found.map { SecCertificate($0) }
                case .untrusted(let failure, let found):
                    self.chain = found.map { SecCertificate($0) }
                    self.failure = (status: OSStatus(failure.reason), reason: failure.description)
                    return
                }
            }
            failure = nil
        } catch let error as StatusError {
            failure = (status: error.status, reason: nil)
        } catch let error as CertificateReadError {
            failure = (status: OSStatus(error), reason: nil)
        } catch { failure = (status: errSecNotAvailable, reason: "this system has no list of roots") }
        self.chain = chain
    }

    /// What this machine trusts; nothing where the program's own anchors stand alone.
    private static func system(_ question: SecTrust.State) throws -> SystemTrust {
        let isAlone = question.trustsAnchorsAlone ?? (question.anchors != nil)
        return isAlone ? .none : try SystemTrust()
    }
}

extension OSStatus {
    fileprivate init(_ reason: TrustFailure.Reason) {
        switch reason {
        case .expired: self = errSecCertificateExpired
        case .notYetValid: self = errSecCertificateNotValidYet
        case .wrongName: self = errSecHostNameMismatch
        case .wrongPurpose: self = errSecInvalidExtendedKeyUsage
        case .notAuthority: self = errSecNoBasicConstraintsCA
        case .pathLength: self = errSecPathLengthConstraintExceeded
        case .nameConstraints: self = errSecCertificateNameNotAllowed
        case .unsupportedCriticalExtension: self = errSecUnknownCriticalExtensionFlag
        case .unknownIssuer: self = errSecCreateChainFailed
        case .unknownRoot, .badSignature, .weakSignature, .malformed, .tooManyPaths: self = errSecNotTrusted
        }
    }
}
