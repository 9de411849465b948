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
