package import Envelopes
package import Secrets

/// Names an asset's file and holds what opens it; it stands in sealed records only.
package struct AssetReference: Equatable, Sendable {
    /// Names the file.
    package var asset: Identifier
    var key: [UInt8]
    var prefix: [UInt8]
    /// Of plaintext.
    package var byteCount: UInt64

    /// - Parameter byteCount: of plaintext.
    package init(_ key: borrowing AssetKey, byteCount: UInt64) {
        asset = key.asset
        self.key = key.withKey { $0.copyToArray() }
        prefix = key.prefix
        self.byteCount = byteCount
    }

    /// The key in locked memory, as it opens the file.
    ///
    /// - Throws: `SecretMemoryError`, `DecodingError`.
    package func makeKey() throws -> AssetKey {
        let secret = try key.withSpan { try SecretBytes(copying: $0) }
        guard let made = AssetKey.make(key: secret, prefix: prefix, asset: asset) else {
            throw DecodingError.invalid
        }
        return made
    }

    /// Writes 63 bytes: the name, the key, the prefix, and the length in 64 bits.
    package func encode(into writer: inout ByteWriter) {
        writer.identifier(asset)
        writer.raw(key)
        writer.raw(prefix)
        writer.uint64(byteCount)
    }

    /// - Throws: `DecodingError` where the bytes end early.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        asset = try reader.identifier()
        key = try reader.bytes(32)
        prefix = try reader.bytes(AssetKey.prefixByteCount)
        byteCount = try reader.uint64()
    }
}

extension AssetFolder {
    /// Begins a file under a fresh key.
    package func makeWriter() throws -> AssetWriter { try makeWriter(try AssetKey.makeRandom()) }

    /// Opens the file that a record names.
    package func makeReader(_ reference: AssetReference) throws -> AssetReader {
        try makeReader(try reference.makeKey(), byteCount: reference.byteCount)
    }

    /// Seals a file that is in memory as a whole.
    package func store(_ bytes: [UInt8]) throws -> AssetReference {
        let writer = try makeWriter()
        try bytes.withSpan { try writer.append($0) }
        try writer.finish()
        return writer.reference
    }
}

extension AssetWriter {
    /// What stands in the record that names the file.
    package var reference: AssetReference { withKey { AssetReference($0, byteCount: byteCount) } }
}
