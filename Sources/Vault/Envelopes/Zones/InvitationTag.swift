package import KeyEnvelopes
package import Secrets

/// By what whoever has an invitation's link shows that, and which keys are its own; see specs/zone-members.md.
package struct InvitationTag: Equatable, Sendable {
    /// 32 bytes; compared with another tag in constant time.
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - secret: of the link, 32 bytes.
    ///   - invitation: the link's.
    ///   - zone: 32 bytes.
    ///   - account: that answers the link.
    ///   - publicKeys: the account's for signatures, background agreement, agreement, background signatures: 32 bytes
    ///     each, in this order.
    /// - Throws: `EnvelopeError.malformed` for other lengths.
    package static func make(
        under secret: borrowing SecretBytes, of invitation: Identifier, zone: [UInt8], account: Identifier,
        publicKeys: [[UInt8]]
    ) throws(EnvelopeError) -> InvitationTag {
        guard secret.count == 32, zone.count == 32, publicKeys.count == 4, publicKeys.allSatisfy({ $0.count == 32 })
        else { throw .malformed }
        let key = try KeyDerivation.derive(from: secret, salt: invitation.bytes, info: "tresor invitation v1")
        var writer = ByteWriter()
        writer.field("tresor invitation claim v1")
        writer.raw(zone)
        writer.identifier(account)
        for publicKey in publicKeys { writer.raw(publicKey) }
        return InvitationTag(bytes: KeyedHash.authenticate(writer.bytes, under: key))
    }

    package static func == (left: InvitationTag, right: InvitationTag) -> Bool {
        constantTimeEquals(left.bytes, right.bytes)
    }
}
