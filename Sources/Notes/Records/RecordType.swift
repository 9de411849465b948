import Secrets

/// The types of records in a zone of notes; see specs/notes.md.
enum RecordType {
    static let header: UInt16 = 1
    static let body: UInt16 = 2
    /// The lock of one note: under which passphrase, and its key.
    static let lock: UInt16 = 3
    /// A passphrase: how its key is derived, and how one knows the right one.
    static let lockKey: UInt16 = 4
    static let attachment: UInt16 = 5
    static let version: UInt16 = 6
    /// Which versions a note has.
    static let history: UInt16 = 7
    static let settings: UInt16 = 8
    // From 128 on: records that never leave the device.
    static let draft: UInt16 = 128
    static let tries: UInt16 = 129
}

/// Every record's content begins with the version of its layout.
enum RecordLayout {
    static let version: UInt8 = 1
    /// No single text in a record is longer, in bytes.
    static let longestText = 256 << 20

    static func begin() -> ByteWriter {
        var writer = ByteWriter()
        writer.uint8(version)
        return writer
    }

    /// Reads a record's content from its version to its last byte.
    static func read<Content>(
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
    mutating func optionalIdentifier(_ value: Identifier?) { identifier(value ?? .zero) }
    mutating func int64(_ value: Int64) { uint64(UInt64(bitPattern: value)) }
}

extension ByteReader {
    mutating func optionalIdentifier() throws(DecodingError) -> Identifier? {
        let value = try identifier()
        return value == .zero ? nil : value
    }

    mutating func int64() throws(DecodingError) -> Int64 { Int64(bitPattern: try uint64()) }

    mutating func text() throws(DecodingError) -> String { try stringField(limit: RecordLayout.longestText) }

    /// A count of things of which each has at least `size` bytes: one that cannot be true is refused before room is
    /// made for it.
    mutating func count(ofSize size: Int) throws(DecodingError) -> Int {
        let count = Int(try uint32())
        guard count <= remaining / size else { throw .truncated }
        return count
    }
}
