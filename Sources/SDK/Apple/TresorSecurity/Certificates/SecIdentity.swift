public import TresorCoreFoundation
import Certificates
public import Foundation

/// A certificate and the private key that its public key belongs to.
///
/// ``SecPKCS12Import(_:_:_:)`` reads one, and a search for ``kSecClassIdentity`` with ``kSecReturnRef`` finds one.
public final class SecIdentity: NSObject, Sendable {
    let certificate: SecCertificate
    let key: SecKey

    /// Nil where the key is another's: what they are filed under is only a hash.
    init?(_ certificate: SecCertificate, _ key: SecKey) {
        guard key.isPrivate, key.publicHalf.bytes == certificate.certificate.publicKey else { return nil }
        self.certificate = certificate
        self.key = key
    }

    /// Whether both have the same certificate, and so the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecIdentity)?.certificate.isEqual(certificate) ?? false
    }

    /// Equal identities have equal hashes.
    public override var hash: Int { certificate.hash }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The certificate of an identity.
///
/// - Parameters:
///   - identity: an identity.
///   - certificate: gets its certificate.
/// - Returns: `errSecSuccess`.
public func SecIdentityCopyCertificate(
    _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    store(identity.certificate, at: certificate)
    return errSecSuccess
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The private key of an identity.
///
/// - Parameters:
///   - identity: an identity.
///   - privateKey: gets its key.
/// - Returns: `errSecSuccess`.
public func SecIdentityCopyPrivateKey(
    _ identity: SecIdentity, _ privateKey: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    store(identity.key, at: privateKey)
    return errSecSuccess
}
