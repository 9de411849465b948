package import KeyEnvelopes
import Secrets

/// Tells whether two secrets are the same without keeping either: a keyed hash (HMAC-SHA256) under a random key.
///
/// The key lives in locked memory as long as this does, and is wiped with it. Without it the fingerprints say nothing:
/// not even a secret that is guessed can be compared with them.
package struct SecretFingerprints: ~Copyable, Sendable {
    private let key: SecretBytes

    /// With a fresh random key: fingerprints of two values compare with each other, and with nobody else's.
    package init() throws(EnvelopeError) { key = try KeyEnvelope.makeKey() }

    /// - Returns: 32 bytes, the same for the same bytes as long as this value lives.
    package borrowing func fingerprint(of secret: RawSpan) -> [UInt8] {
        KeyedHash.authenticate(secret, under: key)
    }
}
