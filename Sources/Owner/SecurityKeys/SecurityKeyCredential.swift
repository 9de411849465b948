/// What a security key made for us: its secrets can be had with it and the key that made it, and with neither alone.
///
/// It is no secret. It isn't kept in the key ("resident"), so that a key serves for any number of them.
package struct SecurityKeyCredential: Equatable, Sendable {
    /// The longest identifier that is accepted, in bytes; CTAP 2.1 leaves the limit to the key.
    package static let longestID = 1024

    /// The identifier, in most keys the credential's own private key, sealed: 1 to 1024 bytes.
    package let id: [UInt8]
    /// The public key, P-256, x and y of 32 bytes each: what it signs proves that the key was asked just now.
    package let publicKey: [UInt8]
    /// Whether the key must recognise its owner, by a PIN or a sensor of its own, and not only be touched.
    ///
    /// A key has two secrets for each salt, one for each case (CTAP 2.1, section 12.5, `hmac-secret`); this says which
    /// one is meant. It is fixed when the credential is made: a PIN that is set later doesn't change the secret.
    package let demandsVerification: Bool

    /// Nil where the lengths are wrong.
    package init?(id: [UInt8], publicKey: [UInt8], demandsVerification: Bool) {
        guard (1...Self.longestID).contains(id.count), publicKey.count == 64 else { return nil }
        self.id = id
        self.publicKey = publicKey
        self.demandsVerification = demandsVerification
    }
}

/// Thirty-two bytes from which a key derives a secret; another salt gives an unrelated one.
///
/// It is no secret.
package struct SecuritySalt: Equatable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Nil unless there are 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}

/// A security key that is plugged in.
package struct SecurityKeyDevice: Equatable, Sendable {
    /// Where it is, such as `/dev/hidraw3`.
    package let path: String
    /// Who made it, as it says itself.
    package let manufacturer: String
    /// What it is, as it says itself.
    package let product: String
}

/// What a key can do, as it says itself.
package struct SecurityKeyAbilities: Equatable, Sendable {
    /// Whether it has `hmac-secret`, without which it's of no use here.
    package let derivesSecrets: Bool
    /// Whether a PIN is set.
    package let hasPIN: Bool
    /// Whether it has a sensor of its own, and a finger is enrolled in it.
    package let hasSensor: Bool
}
