package import KeyEnvelopes
package import Secrets

/// Keyed hashes by which an imported note is known again; see specs/notes-import.md.
///
/// A hash that anybody could compute would tell the name of a note whose title is hidden: one would guess names, and
/// compare. Whoever has not the key cannot.
package final class ImportKey {
    /// Of the key, in bytes.
    package static let byteCount = 32
    private let key: SecretBytes

    /// - Throws: `EnvelopeError.malformed` unless there are 32 bytes.
    package init(_ bytes: [UInt8]) throws(EnvelopeError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        do { key = try bytes.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) } } catch {
            throw .memory
        }
    }

    /// The bytes of a fresh key.
    package static func makeBytes() -> [UInt8] { Random.bytes(count: byteCount) }

    /// Names a note by its place.
    ///
    /// - Parameters:
    ///   - name: of the note in its source.
    ///   - source: whose name it is; nil where the name alone is like no other.
    /// - Returns: 32 bytes, as from the others.
    package func mark(ofNote name: String, in source: Identifier?) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor imported note v1")
        writer.identifier(source ?? .zero)
        writer.field(name)
        return KeyedHash.authenticate(writer.bytes, under: key)
    }

    /// Names a file by what it holds.
    ///
    /// - Parameter digest: SHA-256 of the file.
    package func mark(ofFile name: String, digest: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor imported file v1")
        writer.field(name)
        writer.raw(digest)
        return KeyedHash.authenticate(writer.bytes, under: key)
    }

    /// Names all that was imported of a note, so that one can tell whether its source has changed since.
    package func mark(ofState state: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.field("tresor imported state v1")
        writer.raw(state)
        return KeyedHash.authenticate(writer.bytes, under: key)
    }
}
