import Secrets

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
