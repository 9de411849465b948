package import Secrets

/// What only an enrolled security key opens, as it is kept: that it opens is the proof.
///
/// See specs/security-key.md.
package struct PresenceKeyRecord: Equatable, Sendable {
    /// A version, the key's identifier, and its wrapped secret: 77 bytes.
    package static let byteCount = 1 + 16 + WrappedKey.byteCount
    private static let version: UInt8 = 1

    /// Random.
    package var id: Identifier
    /// A random key, which has no other use.
    package var wrapped: WrappedKey

    /// - Parameter id: random; by it requests name the security key.
    package init(id: Identifier, wrapped: WrappedKey) {
        self.id = id
        self.wrapped = wrapped
    }

    /// 77 bytes.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(Self.version)
        writer.identifier(id)
        writer.raw(wrapped.bytes)
        return writer.bytes
    }

    /// - Throws: `DecodingError` unless it is the one form of a record.
    package init(_ bytes: [UInt8]) throws(DecodingError) {
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.uint8() == Self.version else { throw .invalid }
            let id = try reader.identifier()
            guard let wrapped = WrappedKey(try reader.bytes(WrappedKey.byteCount)) else { throw .invalid }
            try reader.end()
            return PresenceKeyRecord(id: id, wrapped: wrapped)
        }
    }
}
