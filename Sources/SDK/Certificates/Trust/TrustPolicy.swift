import FoundationEssentials
import SwiftASN1
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

/// The first chain that a policy refused.
///
/// X509 hides the policy that it was given, so what this one found leaves it by reference.
final class Refusal: Sendable {
    struct Chain: Sendable {
        let certificates: [Certificate]
        let reason: TrustFailure.Reason
        /// Of the certificate at fault.
        let index: Int
    }

    private let state = Mutex<Chain?>(nil)

    var first: Chain? { state.withLock { $0 } }

    func note(_ chain: Chain) { state.withLock { if $0 == nil { $0 = chain } } }
}

/// What a chain has to satisfy: RFC 5280 as X509 checks it, and what it leaves to others.
///
/// X509 gives reasons as text. A policy of our own sees the chain that was refused, and so can say why in a value.
struct TrustPolicy: VerifierPolicy {
    private let refusal: Refusal
    private let basic: RFC5280Policy
    private var identity: ServerIdentityPolicy?
    /// What the extended key usages have to allow; nil for anything.
    private let role: TrustPurpose.TLSRole?
    private let date: Date

    /// Certificate policies are understood in that any is accepted: nobody here demands one, and extensions that could
    /// demand one (policy constraints, critical by RFC 5280, 4.2.1.11) are refused as unknown.
    static let understoodExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.nameConstraints, .X509ExtensionID.keyUsage,
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.subjectAlternativeName, [2, 5, 29, 32],
    ]

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { Self.understoodExtensions }

    init(_ purpose: TrustPurpose, at date: Date, _ refusal: Refusal) {
        self.refusal = refusal
        basic = RFC5280Policy(fixedExpiryValidationTime: date)
        self.date = date
        switch purpose {
        case .any: role = nil
        case .tls(let role): self.role = role
        case .tlsServer: role = .server
        }
        guard case .tlsServer(let name) = purpose else { return }
        // An address is matched with addresses alone: no authority may put one into a DNS name (RFC 6125, 1.7.2).
        identity = ServerIdentityPolicy(
            serverHostname: name.isAddress ? nil : name.text, serverIP: name.isAddress ? name.text : nil)
    }

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        if case .failsToMeetPolicy(let text) = basic.chainMeetsPolicyRequirements(chain: chain) {
            let found = Self.reason(chain, date)
            return refuse(chain, found.reason, at: found.index, text)
        }
        if let index = chain.indices.dropFirst().first(where: { !Self.maySign(chain[$0]) }) {
            return refuse(chain, .notAuthority, at: index)
        }
        // RFC 9155's reasons; a root's own signature is not what it is trusted for.
        if let index = chain.indices.dropLast().first(where: { Self.isWeak(chain[$0]) }) {
            return refuse(chain, .weakSignature, at: index)
        }
        guard let role else { return .meetsPolicy }
        if let index = chain.indices.first(where: { !Self.may(chain[$0], be: role) }) {
            return refuse(chain, .wrongPurpose, at: index)
        }
        return identity == nil ? .meetsPolicy : checkName(chain)
    }

    private mutating func checkName(_ chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        // Without alternative names X509 would look at the common name, which RFC 9525, 6.3, forbids.
        guard chain.leaf.extensions[oid: .X509ExtensionID.subjectAlternativeName] != nil,
            case .meetsPolicy? = identity?.chainMeetsPolicyRequirements(chain: chain)
        else { return refuse(chain, .wrongName, at: 0) }
        return .meetsPolicy
    }

    private func refuse(
        _ chain: UnverifiedCertificateChain, _ reason: TrustFailure.Reason, at index: Int,
        _ text: PolicyFailureReason = PolicyFailureReason("refused by Tresor's policy")
    ) -> PolicyEvaluationResult {
        refusal.note(Refusal.Chain(certificates: Array(chain), reason: reason, index: index))
        return .failsToMeetPolicy(text)
    }

    /// RFC 5280, 4.2.1.3: a key that signs certificates says so, if it says anything.
    ///
    /// X509 leaves this out, since some authorities got it wrong; OpenSSL demands it, and so do we.
    private static func maySign(_ certificate: Certificate) -> Bool {
        do { return try certificate.extensions.keyUsage?.keyCertSign ?? true } catch { return false }
    }

    private static func isWeak(_ certificate: Certificate) -> Bool {
        certificate.signatureAlgorithm == .sha1WithRSAEncryption
    }

    /// RFC 5280, 4.2.1.12, and for authorities what OpenSSL and browsers make of it: a limit on what they issue.
    private static func may(_ certificate: Certificate, be role: TrustPurpose.TLSRole) -> Bool {
        do {
            guard let usages = try certificate.extensions.extendedKeyUsage else { return true }
            return usages.contains(role == .server ? .serverAuth : .clientAuth) || usages.contains(.any)
        } catch { return false }
    }

    /// Which of RFC 5280's rules it was that X509 found broken, in the order in which X509 looks.
    private static func reason(
        _ chain: UnverifiedCertificateChain, _ date: Date
    ) -> (reason: TrustFailure.Reason, index: Int) {
        if let index = chain.firstIndex(where: { $0.version == .v1 && !$0.extensions.isEmpty }) {
            return (.malformed, index)
        }
        for index in chain.indices {
            // Compared in whole seconds, as X509 does.
            let second = date.timeIntervalSince1970.rounded()
            if second < chain[index].notValidBefore.timeIntervalSince1970 {
                return (.notYetValid(chain[index].notValidBefore), index)
            }
            if second > chain[index].notValidAfter.timeIntervalSince1970 {
                return (.expired(chain[index].notValidAfter), index)
            }
        }
        return constraint(chain) ?? (.nameConstraints, 0)
    }

    /// RFC 5280, 4.2.1.9; nil when basic constraints are kept, and only name constraints are left.
    private static func constraint(
        _ chain: UnverifiedCertificateChain
    ) -> (reason: TrustFailure.Reason, index: Int)? {
        var authorities = 0
        for index in chain.count == 1 ? chain.indices : chain.indices.dropFirst() {
            let certificate = chain[index]
            do {
                switch try certificate.extensions.basicConstraints {
                case _ where certificate.version == .v1: break
                case .isCertificateAuthority(let most): if let most, most < authorities { return (.pathLength, index) }
                default: return (.notAuthority, index)
                }
            } catch { return (.malformed, index) }
            if certificate.issuer != certificate.subject { authorities += 1 }
        }
        return nil
    }
}
