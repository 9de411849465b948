package import Secrets

/// The server's answer to a batch that was done; see specs/cloud.md, "Modify".
package struct Modified: Equatable, Sendable {
    private static let purpose = "tresor cloud modified v1"

    /// The last number that the zone has given.
    package var sequence: UInt64
    /// How many entries the zone's log has, from 1 to 65,536.
    package var length: UInt64
    /// Of that log.
    package var head: Hash256
    /// One for each record of the batch, in its order: each above the one before.
    package var tags: [UInt64]

    /// - Parameters:
    ///   - length: 1 to 65,536.
    ///   - head: not zeros.
    ///   - tags: at most 1,000, which rise, from 1 to `sequence`.
    package init(sequence: UInt64, length: UInt64, head: Hash256, tags: [UInt64]) {
        self.sequence = sequence
        self.length = length
        self.head = head
        self.tags = tags
    }

    /// - Parameter body: an answer's bytes.
    /// - Throws: `DecodingError` for anything but the canonical bytes of an answer.
    package init(from body: RawSpan) throws(DecodingError) {
        var reader = ByteReader(body)
        try reader.purpose(Self.purpose)
        sequence = try reader.uint64()
        length = try reader.logLength()
        head = try reader.hash()
        var last: UInt64 = 0
        let newest = sequence
        tags = try reader.list(limit: CloudLimits.records) { (reader) throws(DecodingError) in
            let tag = try reader.uint64()
            guard tag > last, tag <= newest else { throw .invalid }
            last = tag
            return tag
        }
        try reader.end()
    }

    /// The bytes that ``init(from:)`` reads.
    package var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 80 + 8 * tags.count)
        writer.field(Self.purpose)
        writer.uint64(sequence)
        writer.uint64(length)
        head.encode(into: &writer)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.uint64(tag) }
        return writer.bytes
    }
}
