package import KeyEnvelopes
package import Secrets

/// Where a sealed part of an item belongs; see specs/keychain-item.md.
package struct ItemIdentity: Equatable, Sendable {
    /// The store that the item lies in, by its identifier.
    package var keychain: Identifier
    /// Names the item.
    package var item: Identifier
    /// An `ItemKind`.
    package var kind: UInt8
    /// A `ProtectionClass`.
    package var protectionClass: UInt8
    /// Whether the item may go to the owner's other devices.
    package var isSynchronizable: Bool
    /// Whether it is what is left of a deleted item: then there is no secret.
    package var isTombstone: Bool
    /// Whether it lies in the trash; the attributes are bound to that, and the secret stays as it was sealed.
    package var isTrashed: Bool
    /// Random, new with each secret: both parts of an item carry the same, so that halves of two writes never pass as
    /// one.
    package var tamperCheck: Identifier

    /// - Parameter tamperCheck: random, new with each secret.
    package init(
        keychain: Identifier, item: Identifier, kind: UInt8, protectionClass: UInt8, isSynchronizable: Bool,
        isTombstone: Bool, isTrashed: Bool = false, tamperCheck: Identifier
    ) {
        self.keychain = keychain
        self.item = item
        self.kind = kind
        self.protectionClass = protectionClass
        self.isSynchronizable = isSynchronizable
        self.isTombstone = isTombstone
        self.isTrashed = isTrashed
        self.tamperCheck = tamperCheck
    }

    /// What the row says of it in one number: 0 an item, 1 a tombstone, 2 an item in the trash.
    package var mark: UInt8 { isTombstone ? 1 : isTrashed ? 2 : 0 }

    /// Of a secret that is to open whether or not its item lies in the trash.
    fileprivate var untrashed: ItemIdentity {
        var identity = self
        identity.isTrashed = false
        return identity
    }

    fileprivate func authenticatedData(_ purpose: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.field(purpose)
        writer.identifier(keychain)
        writer.identifier(item)
        writer.uint8(kind)
        writer.uint8(protectionClass)
        writer.bool(isSynchronizable)
        writer.uint8(mark)
        writer.identifier(tamperCheck)
        return writer.bytes
    }
}

/// The two sealed parts of a keychain item.
package enum KeychainItemEnvelope {
    /// The plaintext of a secret is its length and its bytes, filled with zeros to a multiple of this many bytes.
    package static let padding = 64

    /// - Parameter attributes: the canonical encoding of specs/attributes.md.
    package static func sealMetadata(
        _ attributes: RawSpan, under key: borrowing SecretBytes, of item: ItemIdentity
    ) throws(EnvelopeError) -> [UInt8] {
        try AEAD.seal(attributes, under: key, binding: item.authenticatedData("tresor keychain metadata v1"))
    }

    /// - Returns: the canonical encoding of the attributes.
    /// - Throws: `EnvelopeError.notAuthentic` for another item, class or mark than it was sealed for.
    package static func openMetadata(
        _ sealed: [UInt8], under key: borrowing SecretBytes, of item: ItemIdentity
    ) throws(EnvelopeError) -> SecretBytes {
        try AEAD.open(sealed, under: key, binding: item.authenticatedData("tresor keychain metadata v1"))
    }

    /// Pads a secret and seals it, so that its length is told to ``padding`` bytes alone.
    ///
    /// - Throws: `EnvelopeError.memory` where no locked memory is left.
    package static func sealSecret(
        _ secret: borrowing SecretBytes, under key: borrowing SecretBytes, of item: ItemIdentity
    ) throws(EnvelopeError) -> [UInt8] {
        do {
            let unpadded = 4 + secret.count
            let padded = (unpadded + padding - 1) / padding * padding
            var plaintext = try SecretBuffer(capacity: padded)
            try plaintext.field(secret)
            try plaintext.appendZeros(count: padded - unpadded)
            return try AEAD.seal(
                plaintext.bytes, under: key, binding: item.untrashed.authenticatedData("tresor keychain secret v1"))
        } catch { throw .memory }
    }

    /// - Throws: `EnvelopeError.malformed` when what was sealed is not in the canonical padded form.
    package static func openSecret(
        _ sealed: [UInt8], under key: borrowing SecretBytes, of item: ItemIdentity
    ) throws(EnvelopeError) -> SecretBytes {
        let plaintext = try AEAD.open(
            sealed, under: key, binding: item.untrashed.authenticatedData("tresor keychain secret v1"))
        do {
            return try plaintext.withBytes { span in
                guard span.byteCount % padding == 0 else { throw EnvelopeError.malformed }
                var reader = ByteReader(span)
                let secret = try reader.secretField(limit: span.byteCount)
                guard reader.remaining < padding else { throw EnvelopeError.malformed }
                while reader.remaining > 0 {
                    guard try reader.uint8() == 0 else { throw EnvelopeError.malformed }
                }
                return secret
            }
        } catch is SecretMemoryError { throw .memory } catch { throw .malformed }
    }
}

/// Search without reading: a keyed hash of an attribute's value.
///
/// See specs/blind-index.md.
package enum BlindIndex {
    /// Of one tag, in bytes.
    package static let tagByteCount = 16

    /// - Parameters:
    ///   - message: what is searched for, bound to its kind and attribute by the caller's encoding.
    ///   - key: the store's index key, 32 bytes.
    /// - Returns: the first 16 bytes of HMAC-SHA256.
    package static func tag(of message: [UInt8], under key: borrowing SecretBytes) -> [UInt8] {
        Array(KeyedHash.authenticate(message, under: key).prefix(tagByteCount))
    }

    /// The tags of several messages; the key is prepared once for all of them.
    package static func tags(of messages: [[UInt8]], under key: borrowing SecretBytes) -> [[UInt8]] {
        KeyedHash.authenticate(messages, under: key).map { Array($0.prefix(tagByteCount)) }
    }
}
