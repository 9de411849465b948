package import KeyEnvelopes
package import Secrets

/// A zone's key under the one that came after it; see specs/zone-members.md, "Keyring".
///
/// A member needs the wrap of the last generation alone: from there links lead to all before.
package enum ZoneKeyLinkEnvelope {
    /// AES-KW of 32 bytes.
    package static let byteCount = 40

    /// - Parameters:
    ///   - former: the zone key of the generation before, 32 bytes.
    ///   - zoneKey: 32 bytes.
    /// - Returns: ``byteCount`` bytes.
    /// - Throws: `EnvelopeError.malformed` for other lengths.
    package static func wrap(
        _ former: borrowing SecretBytes, under zoneKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> [UInt8] {
        guard former.count == KeyEnvelope.keyByteCount else { throw .malformed }
        return try KeyWrap.wrap(former, under: zoneKey)
    }

    /// The zone key of the generation before; its commitment is still to be compared with the log's.
    ///
    /// - Throws: `EnvelopeError`: `notAuthentic` under another key, `malformed` for another length.
    package static func open(
        _ link: [UInt8], under zoneKey: borrowing SecretBytes
    ) throws(EnvelopeError) -> SecretBytes {
        guard link.count == byteCount else { throw .malformed }
        return try KeyWrap.unwrap(link, under: zoneKey)
    }
}
