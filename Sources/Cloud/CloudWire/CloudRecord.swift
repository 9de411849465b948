package import Secrets

/// A record of a zone as it travels, sealed and signed by who wrote it; see specs/cloud.md, "Record, as it travels".
///
/// Its wrapped key, signature and sealed part stay in the body that it was read from: here is where they lie. Nobody
/// who carries a record opens them, and a sealed part can have 20 MiB.
package struct CloudRecord: Equatable, Sendable {
    /// Which of the writer's two keys for signatures has signed.
    package enum Key: Equatable, Sendable {
        case signing
        /// The one that is at hand while a device is locked.
        case backgroundSigning
    }

    /// Bytes of an Ed25519 signature.
    package static let signatureByteCount = 64
    /// Bytes of a record key under its zone's key.
    package static let wrappedKeyByteCount = 40
    /// Types from here on are of one device, and never leave it.
    package static let firstLocalType: UInt16 = 128

    private static let tombstoneFlag: UInt8 = 1
    private static let backgroundFlag: UInt8 = 2

    /// Kept for the record's life.
    package var name: Identifier
    /// What the content is; below ``firstLocalType``.
    package var type: UInt16
    /// Lets the server purge it; a reader believes the content alone.
    package var isTombstone: Bool
    /// Who of the writer's keys has signed.
    package var key: Key
    /// Of the zone key that the record's is wrapped under.
    package var generation: UInt32
    /// Greater with each write of the record.
    package var revision: UInt64
    /// The account that wrote it.
    package var writer: Identifier
    /// Of the membership log that the writer saw.
    package var head: Hash256
    /// Where the 40 bytes of the wrapped record key lie.
    package var wrappedKey: Range<Int>
    /// Where the 64 bytes of the writer's signature lie.
    package var signature: Range<Int>
    /// Where the sealed content lies.
    package var sealed: Range<Int>

    /// - Parameters:
    ///   - type: below 128.
    ///   - wrappedKey: 40 bytes of the source that encoding is given; so are the others.
    ///   - signature: 64 bytes.
    ///   - sealed: 92 to 20,971,520 bytes.
    package init(
        name: Identifier, type: UInt16, isTombstone: Bool, key: Key, generation: UInt32, revision: UInt64,
        writer: Identifier, head: Hash256, wrappedKey: Range<Int>, signature: Range<Int>, sealed: Range<Int>
    ) {
        self.name = name
        self.type = type
        self.isTombstone = isTombstone
        self.key = key
        self.generation = generation
        self.revision = revision
        self.writer = writer
        self.head = head
        self.wrappedKey = wrappedKey
        self.signature = signature
        self.sealed = sealed
    }

    /// A record that stands alone.
    ///
    /// - Parameter body: its bytes, in which the ranges lie.
    /// - Throws: `DecodingError` for anything but the canonical bytes of a record.
    package init(from body: RawSpan) throws(DecodingError) {
        var reader = ByteReader(body)
        try self.init(from: &reader)
        try reader.end()
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        name = try reader.name()
        type = try reader.uint16()
        guard type < Self.firstLocalType else { throw .invalid }
        let flags = try reader.uint8()
        guard flags <= Self.tombstoneFlag + Self.backgroundFlag else { throw .invalid }
        isTombstone = flags & Self.tombstoneFlag != 0
        key = flags & Self.backgroundFlag != 0 ? .backgroundSigning : .signing
        generation = try reader.uint32()
        revision = try reader.uint64()
        writer = try reader.name()
        head = try reader.hash()
        wrappedKey = try reader.range(Self.wrappedKeyByteCount)
        signature = try reader.range(Self.signatureByteCount)
        sealed = try reader.fieldRange(within: CloudLimits.leastSealed...CloudLimits.sealed)
    }

    /// The bytes that ``init(from:)`` reads.
    ///
    /// - Parameter source: the bytes in which the ranges lie, to their ends: the body that the record was read from, or
    ///   wherever its writer has put the sealed parts.
    package func encoded(from source: RawSpan) -> [UInt8] {
        var writer = ByteWriter(capacity: 187 + sealed.count)
        encode(from: source, into: &writer)
        return writer.bytes
    }

    func encode(from source: RawSpan, into bytes: inout ByteWriter) {
        bytes.identifier(name)
        bytes.uint16(type)
        bytes.uint8((isTombstone ? Self.tombstoneFlag : 0) + (key == .backgroundSigning ? Self.backgroundFlag : 0))
        bytes.uint32(generation)
        bytes.uint64(revision)
        bytes.identifier(writer)
        head.encode(into: &bytes)
        bytes.raw(source.extracting(wrappedKey))
        bytes.raw(source.extracting(signature))
        bytes.field(source.extracting(sealed))
    }
}
