package import KeyEnvelopes
package import Secrets

/// An account key under what its owner knows or has written down; see specs/account.md.
package enum AccountKeyEnvelope {
    /// What opens it.
    package enum Way: UInt8, CaseIterable, Sendable {
        /// The key that a password stretches to.
        case password = 1
        /// The 16 random bytes of a recovery key.
        case recoveryKey
    }

    /// Nonce, 32 bytes of key, and tag.
    package static let byteCount = 60

    /// - Parameters:
    ///   - accountKey: 32 bytes.
    ///   - secret: 32 bytes of a stretched password, or 16 of a recovery key.
    ///   - account: whose key it is.
    package static func seal(
        _ accountKey: borrowing SecretBytes, under secret: borrowing SecretBytes, of account: Identifier, by way: Way
    ) throws(EnvelopeError) -> [UInt8] {
        guard accountKey.count == KeyEnvelope.keyByteCount else { throw .malformed }
        let key = try deriveKey(secret, account, way)
        return try accountKey.withBytes { (bytes) throws(EnvelopeError) in
            try AEAD.seal(bytes, under: key, binding: authenticatedData(account, way))
        }
    }

    /// - Throws: `notAuthentic` for the wrong secret, account or way.
    package static func open(
        _ sealed: [UInt8], under secret: borrowing SecretBytes, of account: Identifier, by way: Way
    ) throws(EnvelopeError) -> SecretBytes {
        guard sealed.count == byteCount else { throw .malformed }
        let key = try deriveKey(secret, account, way)
        return try AEAD.open(sealed, under: key, binding: authenticatedData(account, way))
    }

    private static func deriveKey(
        _ secret: borrowing SecretBytes, _ account: Identifier, _ way: Way
    ) throws(EnvelopeError) -> SecretBytes {
        switch way {
        case .password:
            guard secret.count == 32 else { throw .malformed }
            return try KeyDerivation.derive(from: secret, salt: account.bytes, info: "tresor account password kek v1")
        case .recoveryKey:
            guard secret.count == 16 else { throw .malformed }
            return try KeyDerivation.derive(from: secret, salt: account.bytes, info: "tresor account recovery kek v1")
        }
    }

    private static func authenticatedData(_ account: Identifier, _ way: Way) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor account key v1")
        writer.identifier(account)
        writer.uint8(way.rawValue)
        return writer.bytes
    }
}
