package import Secrets

/// Every record's content begins with the version of its layout.
package enum RecordLayout {
    static let version: UInt8 = 1
    /// No single text in a record is longer, in bytes.
    static let longestText = 256 << 20

    /// Begins a record's content with the version of its layout.
    package static func begin() -> ByteWriter {
        var writer = ByteWriter()
        writer.uint8(version)
        return writer
    }

    /// Reads a record's content from its version to its last byte.
    package static func read<Content>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(DecodingError) -> Content
    ) throws(DecodingError) -> Content {
        try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            guard try reader.uint8() == version else { throw .invalid }
            let content = try body(&reader)
            try reader.end()
            return content
        }
    }
}

extension ByteWriter {
    /// All zeros where there is none.
    package mutating func optionalIdentifier(_ value: Identifier?) { identifier(value ?? .zero) }
    /// As its two's complement, 8 bytes big-endian.
    package mutating func int64(_ value: Int64) { uint64(UInt64(bitPattern: value)) }
}

extension ByteReader {
    /// 16 bytes, of which all zeros stand for none.
    package mutating func optionalIdentifier() throws(DecodingError) -> Identifier? {
        let value = try identifier()
        return value == .zero ? nil : value
    }

    /// 8 bytes big-endian, two's complement.
    package mutating func int64() throws(DecodingError) -> Int64 { Int64(bitPattern: try uint64()) }

    /// UTF-8 behind its length, at most 256 MiB.
    package mutating func text() throws(DecodingError) -> String { try stringField(limit: RecordLayout.longestText) }

    /// A count of things of which each has at least `size` bytes: one that cannot be true is refused before room is
    /// made for it.
    package mutating func count(ofSize size: Int) throws(DecodingError) -> Int {
        let count = Int(try uint32())
        guard count <= remaining / size else { throw .truncated }
        return count
    }
}
