package import FoundationEssentials
import Localization
import X509

/// What a certificate shall be good for.
package enum TrustPurpose: Sendable, Equatable {
    /// Any: the chain alone is checked.
    case any
    /// A TLS server that is reached by this name.
    case tlsServer(ServerName)
    /// A TLS server, or a TLS client, of whatever name.
    case tls(TLSRole)

    /// Which side of a TLS connection shows the certificate.
    package enum TLSRole: Sendable, Equatable { case server, client }
}

/// The outcome of an evaluation.
package enum TrustVerdict: Sendable {
    /// From the certificate to the root.
    case trusted([DERCertificate])
    /// Why, and the chain as far as it could be built.
    case untrusted(TrustFailure, [DERCertificate])
}

/// Looks for a chain from a certificate to a root that satisfies RFC 5280 (section 6) and the purpose.
///
///     let evaluation = TrustEvaluation(roots: try .system(), intermediates: file.certificates)
///     switch await evaluation.evaluate(leaf, for: .tlsServer(name), at: Date()) { … }
///
/// Nothing is fetched: intermediates come from the caller, and revocation is not looked up.
package struct TrustEvaluation: Sendable {
    private let roots: [DERCertificate]
    private let intermediates: [DERCertificate]

    /// Ten times what servers send.
    package static let mostIntermediates = 64

    /// - Parameter intermediates: at most 64, in any order; also certificates that turn out not to belong to it.
    package init(roots: TrustRoots, intermediates: [DERCertificate] = []) throws(CertificateReadError) {
        guard intermediates.count <= Self.mostIntermediates else {
            throw CertificateReadError(
                .tooLarge, localized("more than \(Self.mostIntermediates) intermediate certificates"))
        }
        self.roots = roots.certificates
        self.intermediates = intermediates
    }

    /// - Parameter date: in whole seconds; both ends of a validity count as inside (RFC 5280, 4.1.2.5).
    package func evaluate(
        _ certificate: DERCertificate, for purpose: TrustPurpose, at date: Date
    ) async -> TrustVerdict {
        let store = BoundedStore(intermediates.map(\.x509))
        let refusal = Refusal()
        var verifier = Verifier(rootCertificates: CertificateStore(roots.map(\.x509))) {
            TrustPolicy(purpose, at: date, refusal)
        }
        let result = await verifier.validate(
            leaf: certificate.x509, intermediates: CertificateStore(custom: store), diagnosticCallback: nil)
        switch result {
        case .validCertificate(let chain): return .trusted(originals(Array(chain), certificate))
        case .couldNotValidate:
            return untrusted(certificate, refusal.first, hasMorePaths: store.isExhausted)
        }
    }

    private func untrusted(
        _ leaf: DERCertificate, _ failure: Refusal.Chain?, hasMorePaths: Bool
    ) -> TrustVerdict {
        if let failure {
            let chain = originals(failure.certificates, leaf)
            let culprit = chain.indices.contains(failure.index) ? chain[failure.index] : leaf
            return .untrusted(TrustFailure(reason: failure.reason, certificate: culprit), chain)
        }
        if hasMorePaths {
            return .untrusted(TrustFailure(reason: .tooManyPaths, certificate: leaf), [leaf])
        }
        return BrokenPath(roots: roots, intermediates: intermediates).explain(leaf)
    }

    /// X509 hands back copies that do not know their bytes.
    private func originals(_ chain: [Certificate], _ leaf: DERCertificate) -> [DERCertificate] {
        let known = [leaf] + intermediates + roots
        return chain.compactMap { member in known.first { $0.x509 == member } }
    }
}
