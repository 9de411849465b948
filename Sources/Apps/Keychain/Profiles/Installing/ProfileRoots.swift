package import Certificates
import Secrets
package import Tresor

/// The certificates that installed profiles call roots, each with its profile's identifier.
///
/// A profile says that a certificate is a root, and no more: it vouches for servers and whatever else is verified, but
/// for no other profile's signer. What is not installed as a whole makes nothing trusted, nor does what is removed.
///
///     for root in try await ProfileRoots.read(keychain).roots { print(root.profile, root.certificate.subject) }
package struct ProfileRoots: Sendable {
    package struct Root: Sendable {
        package let certificate: DERCertificate
        /// The PayloadIdentifier of the profile.
        package let profile: String
    }

    package let roots: [Root]
    /// How many records or certificates could not be read; what they would make trusted is not.
    package let damagedCount: Int

    /// - Throws: `TresorError`: `unavailable` where tresord does not run, `locked` before the first unlock.
    package static func read(_ keychain: Keychain) async throws -> ProfileRoots {
        let records = try await ProfileShelf(keychain).records()
        var damagedCount = records.damagedCount
        var roots: [Root] = []
        for record in records.readable {
            for reference in record.roots {
                do {
                    let secret = try await keychain.read(ItemQuery(reference))
                    guard let certificate = try? DERCertificate(secret.withBytes { $0.copyToArray() }),
                        certificate.isRoot
                    else {
                        damagedCount += 1
                        continue
                    }
                    roots.append(Root(certificate: certificate, profile: record.identifier))
                } catch let error as TresorError where error.code == .notFound || error.code == .damaged {
                    damagedCount += 1
                }
            }
        }
        return ProfileRoots(roots: roots, damagedCount: damagedCount)
    }
}

extension DERCertificate {
    /// An authority that issued itself (RFC 5280, 4.2.1.9).
    var isRoot: Bool { isSelfIssued && isAuthority }
}
