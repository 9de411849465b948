package import KeyEnvelopes
package import Secrets

/// The private keys of an account, under its account key; see specs/account.md.
package enum AccountEnvelope {
    /// What a key pair is for.
    package enum Role: UInt8, CaseIterable, Sendable {
        case signing = 1
        /// Opens zones of class AfterFirstUnlock.
        case backgroundAgreement
        /// Opens zones of class WhenUnlocked.
        case agreement
    }

    /// Nonce, 32 bytes of key, and tag.
    package static let sealedByteCount = 60

    /// - Parameters:
    ///   - privateKey: 32 bytes, raw.
    ///   - publicKey: 32 bytes; it is bound to the private one.
    package static func seal(
        _ privateKey: borrowing SecretBytes, publicKey: [UInt8], of account: Identifier, as role: Role,
        under accountKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] {
        guard privateKey.count == 32, publicKey.count == 32 else { throw .malformed }
        return try privateKey.withBytes { (bytes) throws(EnvelopeError) in
            try AEAD.seal(bytes, under: accountKey, binding: authenticatedData(publicKey, account, role))
        }
    }

    /// - Returns: the private key, 32 bytes, raw.
    /// - Throws: `EnvelopeError`: `notAuthentic` for another account, role or public key than it was sealed for,
    ///   `malformed` for other lengths.
    package static func open(
        _ sealed: [UInt8], publicKey: [UInt8], of account: Identifier, as role: Role,
        under accountKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        guard sealed.count == sealedByteCount, publicKey.count == 32 else { throw .malformed }
        return try AEAD.open(sealed, under: accountKey, binding: authenticatedData(publicKey, account, role))
    }

    private static func authenticatedData(_ publicKey: [UInt8], _ account: Identifier, _ role: Role) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor account private key v1")
        writer.identifier(account)
        writer.uint8(role.rawValue)
        writer.raw(publicKey)
        return writer.bytes
    }
}

/// A zone's key under a member's agreement key; see specs/zone.md.
package enum ZoneKeyEnvelope {
    /// A fresh public key, the zone key under it, and the tag.
    package static let byteCount = 80

    /// For whom, and at which point of the membership log, a zone key was wrapped.
    package struct Context: Equatable, Sendable {
        /// The zone's identifier, 32 bytes: the hash of its first log entry.
        package var zone: [UInt8]
        /// Which of the zone's keys this is, from 1 on.
        package var generation: UInt32
        /// The account for which the key was wrapped.
        package var member: Identifier
        /// The hash of the log's last entry when it was wrapped, 32 bytes.
        package var head: [UInt8]

        /// - Parameters:
        ///   - zone: 32 bytes.
        ///   - generation: of the zone key.
        ///   - head: 32 bytes.
        package init(zone: [UInt8], generation: UInt32, member: Identifier, head: [UInt8]) {
            self.zone = zone
            self.generation = generation
            self.member = member
            self.head = head
        }

        fileprivate var isWellFormed: Bool { zone.count == 32 && head.count == 32 }

        fileprivate var info: [UInt8] {
            var writer = ByteWriter()
            writer.field("tresor zone key v1")
            writer.raw(zone)
            writer.uint32(generation)
            writer.identifier(member)
            writer.raw(head)
            return writer.bytes
        }
    }

    /// - Parameters:
    ///   - zoneKey: 32 bytes.
    ///   - publicKey: the member's, X25519, 32 bytes.
    /// - Returns: ``byteCount`` bytes.
    /// - Throws: `EnvelopeError.malformed` for other lengths.
    package static func wrap(
        _ zoneKey: borrowing SecretBytes, to publicKey: [UInt8], of context: Context
    ) throws(EnvelopeError) -> [UInt8] {
        guard zoneKey.count == KeyEnvelope.keyByteCount, context.isWellFormed else { throw .malformed }
        return try PublicKeySeal.seal(zoneKey, to: publicKey, info: context.info)
    }

    /// - Throws: `EnvelopeError`: `notAuthentic` for another member, generation or point of the log, `malformed` for
    ///   other lengths.
    package static func open(
        _ wrapped: [UInt8], privateKey: borrowing SecretBytes, of context: Context
    ) throws(EnvelopeError) -> SecretBytes {
        guard wrapped.count == byteCount, context.isWellFormed else { throw .malformed }
        return try PublicKeySeal.open(wrapped, privateKey: privateKey, info: context.info)
    }

    /// What the membership log says of the key: whoever gets one can check that it is the one.
    package static func commitment(of zoneKey: borrowing SecretBytes, generation: UInt32) -> [UInt8] {
        var prefix = ByteWriter()
        prefix.field("tresor zone key commitment v1")
        prefix.uint32(generation)
        return Digest.sha256(prefix.bytes, then: zoneKey)
    }
}
