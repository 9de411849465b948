import Protection
package import Secrets

/// A key that shall live in tresord's memory for a while; see specs/wire.md.
package struct SessionOffer: ~Copyable {
    /// 16 or 32 bytes.
    package let key: SecretBytes
    /// After so long without an extension it is wiped; suspended time counts.
    package let lifetime: Duration

    /// - Parameter key: 16 or 32 bytes.
    package init(key: consuming SecretBytes, lifetime: Duration) {
        self.key = key
        self.lifetime = lifetime
    }

    /// - Throws: `DecodingError` for a key of another length; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let key = try reader.secretField(limit: 32)
        let lifetime = Duration.milliseconds(try reader.uint32())
        guard key.count == 16 || key.count == 32 else { throw DecodingError.invalid }
        self.init(key: key, lifetime: lifetime)
    }

    /// Writes the key behind its length, and the milliseconds.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(key)
        try buffer.uint32(UInt32(clamping: lifetime.wholeMilliseconds))
    }
}

/// A key under a session's, to be unwrapped.
package struct SessionKeyWrap: Equatable, Sendable {
    /// The number that opening the session gave, good on that connection alone.
    package var session: UInt64
    /// AES-KW (RFC 3394): 24 or 40 bytes.
    package var wrapped: [UInt8]

    /// - Parameter wrapped: 24 or 40 bytes.
    package init(session: UInt64, wrapped: [UInt8]) {
        self.session = session
        self.wrapped = wrapped
    }

    /// - Throws: `DecodingError` for a wrap of another length.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        session = try reader.uint64()
        wrapped = try reader.bytesField(limit: 40)
        guard wrapped.count == 24 || wrapped.count == 40 else { throw .invalid }
    }

    /// Writes the session's number and the wrap behind its length.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint64(session)
        try buffer.field(wrapped)
    }
}
