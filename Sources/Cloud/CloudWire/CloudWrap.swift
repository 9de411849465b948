import Secrets

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
