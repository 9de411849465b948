import SwiftASN1
import X509

/// Says why no chain reaches a root, where X509 found none that a policy could have refused.
///
/// It decides nothing: the verdict is X509's. Of several ways up it tells of the one that comes farthest.
struct BrokenPath {
    let roots: [DERCertificate]
    let intermediates: [DERCertificate]

    private static let longestPath = 16

    func explain(_ leaf: DERCertificate) -> TrustVerdict {
        var path = [leaf]
        while path.count < Self.longestPath, let tip = path.last {
            if let name = Self.unknownCriticalExtension(tip) {
                return verdict(.unsupportedCriticalExtension(name), tip, path)
            }
            let issuers = candidates(for: tip, path)
            guard !issuers.isEmpty else {
                return verdict(tip.isSelfIssued ? .unknownRoot : .unknownIssuer, tip, path)
            }
            guard let issuer = issuers.first(where: { Self.hasSigned($0, tip) }) else {
                return verdict(.badSignature, tip, path)
            }
            guard !roots.contains(issuer) else { return refusal(of: issuer, path) }
            path.append(issuer)
        }
        return verdict(.unknownIssuer, path[path.count - 1], path)
    }

    private func verdict(
        _ reason: TrustFailure.Reason, _ culprit: DERCertificate, _ path: [DERCertificate]
    ) -> TrustVerdict {
        .untrusted(TrustFailure(reason: reason, certificate: culprit), path)
    }

    /// Why a root that has signed was passed over: X509 does not understand it, or takes it for the same as one below,
    /// since it has that one's name and key.
    private func refusal(of root: DERCertificate, _ path: [DERCertificate]) -> TrustVerdict {
        if let name = Self.unknownCriticalExtension(root) {
            return verdict(.unsupportedCriticalExtension(name), root, path + [root])
        }
        return verdict(.unknownRoot, path[path.count - 1], path)
    }

    /// Those that have the issuer's name, and its key's identifier where both say one (RFC 5280, 4.2.1.1).
    private func candidates(for tip: DERCertificate, _ path: [DERCertificate]) -> [DERCertificate] {
        let wanted = (try? tip.x509.extensions.authorityKeyIdentifier)?.keyIdentifier.map(Array.init)
        return (roots + intermediates).filter { candidate in
            guard candidate.x509.subject == tip.x509.issuer, !path.contains(candidate) else { return false }
            guard let wanted, let own = candidate.subjectKeyIdentifier else { return true }
            return wanted == own
        }
    }

    private static func hasSigned(_ issuer: DERCertificate, _ certificate: DERCertificate) -> Bool {
        issuer.x509.publicKey.isValidSignature(certificate.x509.signature, for: certificate.x509)
    }

    private static func unknownCriticalExtension(_ certificate: DERCertificate) -> String? {
        certificate.x509.extensions.first { one in
            one.critical && !TrustPolicy.understoodExtensions.contains(one.oid)
        }.map { $0.oid.description }
    }
}
