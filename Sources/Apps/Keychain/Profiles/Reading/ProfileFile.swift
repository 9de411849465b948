package import Certificates
package import FoundationEssentials
package import Secrets

/// A profile as it came: bare, or inside of a message that somebody signed.
///
///     let file = try ProfileFile(bytes)
///     let verdict = try await file.evaluate(.system(), at: Date())
///
/// Reading verifies that a signature holds. Whether its maker is trusted, ``evaluate(_:at:)`` says.
package struct ProfileFile: ~Copyable, Sendable {
    package let profile: ConfigurationProfile
    /// Who signed it; nil for a profile that nobody did.
    package let signer: DERCertificate?
    private let others: [DERCertificate]

    /// Also signed ones.
    package static let byteLimit = PropertyList.byteLimit

    package init(_ file: borrowing SecretBytes) throws(ProfileError) {
        let signed = file.withBytes { SignedMessage.accepts($0) }
        guard signed else {
            profile = try file.withBytes { (bytes) throws(ProfileError) in try Self.read(bytes) }
            signer = nil
            others = []
            return
        }
        let message: SignedMessage
        do {
            message = try file.withBytes { (bytes) throws(CertificateReadError) in try SignedMessage(bytes) }
        } catch { throw ProfileError(error) }
        profile = try message.content.withBytes { (bytes) throws(ProfileError) in try Self.read(bytes) }
        signer = message.signer
        others = message.others
    }

    /// Whether somebody who is trusted vouches for the signer; nil for a profile that nobody signed.
    package func evaluate(_ roots: TrustRoots, at date: Date) async throws(ProfileError) -> TrustVerdict? {
        guard let signer else { return nil }
        let evaluation: TrustEvaluation
        do { evaluation = try TrustEvaluation(roots: roots, intermediates: others) } catch { throw ProfileError(error) }
        return await evaluation.evaluate(signer, for: .any, at: date)
    }

    private static func read(_ bytes: RawSpan) throws(ProfileError) -> ConfigurationProfile {
        let list: PropertyList
        do { list = try PropertyList(bytes) } catch { throw ProfileError(error) }
        return try ConfigurationProfile(list)
    }
}
