package import KeyEnvelopes
package import Secrets

/// The key of one asset, with what makes its nonces; see specs/asset.md.
package struct AssetKey: ~Copyable, Sendable {
    /// Of a nonce, before the chunk's number and the mark of the last.
    package static let prefixByteCount = 7
    let key: SecretBytes
    /// 7 bytes before each nonce's counter.
    package let prefix: [UInt8]
    /// Names the asset; a chunk of another one does not open under this key.
    package let asset: Identifier

    /// Nil unless the key has 32 bytes and the prefix 7.
    package static func make(key: consuming SecretBytes, prefix: [UInt8], asset: Identifier) -> AssetKey? {
        guard key.count == KeyEnvelope.keyByteCount, prefix.count == prefixByteCount else { return nil }
        return AssetKey(key: key, prefix: prefix, asset: asset)
    }

    /// A fresh key with a fresh prefix; one is good for one content alone.
    package static func makeRandom(asset: Identifier = .makeRandom()) throws(EnvelopeError) -> AssetKey {
        AssetKey(key: try KeyEnvelope.makeKey(), prefix: Random.bytes(count: prefixByteCount), asset: asset)
    }

    /// The 32 bytes, to be sealed into the record that names the asset.
    package borrowing func withKey<Result>(_ body: (RawSpan) -> Result) -> Result { key.withBytes { body($0) } }
}

/// The chunks of a file too large for a record.
package enum AssetEnvelope {
    /// Of plaintext; the last chunk may be shorter.
    package static let chunkByteCount = 1 << 20
    /// What a chunk is longer by when it is sealed.
    package static let overhead = GCM.tagCount

    /// - Parameters:
    ///   - chunk: ``chunkByteCount`` bytes; the last may be shorter.
    ///   - index: its place, from 0 on.
    ///   - isLast: bound to it, so that nobody cuts the asset short.
    /// - Throws: `EnvelopeError.malformed` for a chunk of a length that it may not have.
    package static func seal(
        _ chunk: RawSpan, at index: UInt32, isLast: Bool, under key: borrowing AssetKey
    ) throws(EnvelopeError) -> [UInt8] {
        guard isWellFormed(chunk.byteCount, index, isLast) else { throw .malformed }
        return try GCM.seal(
            chunk, nonce: nonce(key.prefix, index, isLast), under: key.key, binding: authenticatedData(key.asset))
    }

    /// - Throws: `EnvelopeError`: `notAuthentic` for a chunk of another place or asset, `malformed` for other lengths.
    package static func open(
        _ sealed: RawSpan, at index: UInt32, isLast: Bool, under key: borrowing AssetKey
    ) throws(EnvelopeError) -> [UInt8] {
        let count = sealed.byteCount - overhead
        guard isWellFormed(count, index, isLast) else { throw .malformed }
        return try GCM.open(
            sealed, nonce: nonce(key.prefix, index, isLast), under: key.key, binding: authenticatedData(key.asset))
    }

    /// Only an empty asset has an empty chunk.
    private static func isWellFormed(_ count: Int, _ index: UInt32, _ isLast: Bool) -> Bool {
        isLast ? (index == 0 ? 0 : 1)...chunkByteCount ~= count : count == chunkByteCount
    }

    private static func nonce(_ prefix: [UInt8], _ index: UInt32, _ isLast: Bool) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(prefix)
        writer.uint32(index)
        writer.bool(isLast)
        return writer.bytes
    }

    private static func authenticatedData(_ asset: Identifier) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor asset v1")
        writer.identifier(asset)
        return writer.bytes
    }
}
