import Secrets

/// An entry of a zone's membership log and its signature, where they lie in a body; see specs/zone.md.
package struct CloudEntry: Equatable, Sendable {
    /// From 273 to 337 bytes.
    package var entry: Range<Int>
    /// 64 bytes, by the signing key of who changes the membership.
    package var signature: Range<Int>

    /// - Parameters:
    ///   - entry: 273 to 337 bytes of the source that encoding is given.
    ///   - signature: 64 bytes of it.
    package init(entry: Range<Int>, signature: Range<Int>) {
        self.entry = entry
        self.signature = signature
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        entry = try reader.fieldRange(within: CloudLimits.entry)
        signature = try reader.range(CloudRecord.signatureByteCount)
    }

    func encode(from source: RawSpan, into writer: inout ByteWriter) {
        writer.field(source.extracting(entry))
        writer.raw(source.extracting(signature))
    }
}

/// A zone key, wrapped for one member; see specs/zone.md.
package struct CloudWrap: Equatable, Sendable {
    /// Bytes of what HPKE gives for a key.
    package static let byteCount = 80

    /// Of the zone key that is wrapped.
    package var generation: UInt32
    /// Of the log when it was wrapped, to which the wrap is bound.
    package var head: Hash256
    /// Where its 80 bytes lie.
    package var wrap: Range<Int>

    /// - Parameters:
    ///   - head: not zeros.
    ///   - wrap: 80 bytes of the source that encoding is given.
    package init(generation: UInt32, head: Hash256, wrap: Range<Int>) {
        self.generation = generation
        self.head = head
        self.wrap = wrap
    }

    init(generation: UInt32, tail reader: inout ByteReader) throws(DecodingError) {
        self.generation = generation
        head = try reader.hash()
        wrap = try reader.range(Self.byteCount)
    }

    func encodeTail(from source: RawSpan, into writer: inout ByteWriter) {
        head.encode(into: &writer)
        writer.raw(source.extracting(wrap))
    }
}

/// The zone key of one generation, wrapped under that of the next: whoever has the newest comes to all before it.
package struct CloudLink: Equatable, Sendable {
    /// Bytes of a key under a key.
    package static let byteCount = 40

    /// Of the zone key under which the one before lies.
    package var generation: UInt32
    /// Where its 40 bytes lie.
    package var link: Range<Int>

    /// - Parameter link: 40 bytes of the source that encoding is given.
    package init(generation: UInt32, link: Range<Int>) {
        self.generation = generation
        self.link = link
    }

    init(from reader: inout ByteReader) throws(DecodingError) {
        generation = try reader.uint32()
        link = try reader.range(Self.byteCount)
    }

    func encode(from source: RawSpan, into writer: inout ByteWriter) {
        writer.uint32(generation)
        writer.raw(source.extracting(link))
    }
}
