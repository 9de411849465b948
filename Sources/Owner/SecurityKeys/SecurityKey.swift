package import Linux
package import Secrets

/// An opened security key (FIDO2), for secrets that it derives only while its owner touches it.
///
/// Unlike a fingerprint reader it answers with 32 bytes that nobody has without the key, and so can be what opens
/// something. docs/guides/presence.md says what that proves.
///
/// Every call blocks: these don't belong into an event loop.
///
///     let key = try SecurityKey(device)
///     let credential = try key.makeCredential(pin: pin, milliseconds: 30_000)
///     let secret = try key.deriveSecret(of: credential, salt, pin: pin, milliseconds: 30_000)
package struct SecurityKey: ~Copyable {
    /// Whom the credentials are for: a name that no web site can have, so that none can ask for them.
    package static let relyingParty = "tresor.local"

    private let session: FidoSession
    /// What it can do.
    package let abilities: SecurityKeyAbilities

    /// The keys that are plugged in; empty where there is none.
    ///
    /// - Throws: ``SecurityKeyError/failed`` where the machine's devices can't be listed.
    package static func connected() throws(SecurityKeyError) -> [SecurityKeyDevice] { try FidoSession.devices() }

    /// Opens a key.
    ///
    /// - Throws: ``SecurityKeyError/noDevice``, ``SecurityKeyError/unsupported``.
    package init(_ device: SecurityKeyDevice) throws(SecurityKeyError) {
        let session = try FidoSession(path: device.path)
        abilities = try session.abilities()
        self.session = session
    }

    /// Opens a key whose HID reports somebody else has opened for us, as /dev/hidraw or a socket: 64 bytes to be read,
    /// and 65 to be written, the first of which is the report's number, 0.
    ///
    /// - Throws: as ``init(_:)``.
    package init(reports: consuming FileDescriptor) throws(SecurityKeyError) {
        let session = try FidoSession(reports: reports)
        abilities = try session.abilities()
        self.session = session
    }

    /// Makes a credential, after a touch.
    ///
    /// Where the key has a PIN or a sensor, the credential demands it from then on.
    ///
    /// - Parameters:
    ///   - pin: the key's PIN, UTF-8, if it has one.
    ///   - milliseconds: how long to wait for the touch.
    package func makeCredential(
        pin: borrowing SecretBytes?, milliseconds: Int32
    ) throws(SecurityKeyError) -> SecurityKeyCredential {
        guard abilities.derivesSecrets else { throw .unsupported }
        let means = try means(demandsVerification: abilities.hasPIN || abilities.hasSensor, hasPIN: pin != nil)
        return try session.makeCredential(means, pin: pin, milliseconds: milliseconds)
    }

    /// The secret of a credential and a salt, 32 bytes, after a touch.
    ///
    /// It's the same each time, and unrelated to that of any other credential, salt or key. That the key signed for
    /// this very request, was touched, and recognised its owner where the credential demands that, has been checked.
    ///
    /// - Parameters:
    ///   - credential: one that this key made.
    ///   - salt: the caller's.
    ///   - pin: the key's PIN, UTF-8, where the credential demands verification and the key has no sensor.
    ///   - milliseconds: how long to wait for the touch.
    package func deriveSecret(
        of credential: SecurityKeyCredential, _ salt: SecuritySalt, pin: borrowing SecretBytes?, milliseconds: Int32
    ) throws(SecurityKeyError) -> SecretBytes {
        guard abilities.derivesSecrets else { throw .unsupported }
        let means = try means(demandsVerification: credential.demandsVerification, hasPIN: pin != nil)
        return try session.deriveSecret(of: credential, salt, means, pin: pin, milliseconds: milliseconds)
    }

    /// Whether this key made the credential, as it says itself: to choose among several, without a touch.
    package func holds(_ credential: SecurityKeyCredential, milliseconds: Int32) throws(SecurityKeyError) -> Bool {
        do {
            try session.find(credential, milliseconds: milliseconds)
            return true
        } catch SecurityKeyError.otherKey {
            return false
        }
    }

    /// How many wrong PINs are left before the key blocks for good.
    package func remainingPINTries() throws(SecurityKeyError) -> Int { try session.remainingPINTries() }

    private func means(demandsVerification: Bool, hasPIN: Bool) throws(SecurityKeyError) -> VerificationMeans {
        guard demandsVerification else { return .touch }
        if hasPIN {
            guard abilities.hasPIN else { throw .pinNotSet }
            return .pin
        }
        guard abilities.hasSensor else { throw abilities.hasPIN ? .pinRequired : .pinNotSet }
        return .sensor
    }
}

/// By what a key is to recognise its owner.
enum VerificationMeans: Equatable {
    case touch
    case pin
    case sensor
}
