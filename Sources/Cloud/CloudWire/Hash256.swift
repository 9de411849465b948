import Secrets

/// 32 bytes that name a zone or the head of its log: a SHA-256, kept without an allocation of its own.
///
/// A batch has up to 4,096 wraps and 1,000 records, each with a head.
package struct Hash256: Hashable, Sendable {
    private let first: Identifier
    private let second: Identifier

    /// 32 bytes of zeros, which stand for none.
    package static let zero = Hash256(first: .zero, second: .zero)

    /// How many bytes it has.
    package static let byteCount = 32

    private init(first: Identifier, second: Identifier) {
        self.first = first
        self.second = second
    }

    /// Nil unless there are exactly 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let first = Identifier(Array(bytes[..<16])),
            let second = Identifier(Array(bytes[16...]))
        else { return nil }
        self.init(first: first, second: second)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] { first.bytes + second.bytes }

    init(from reader: inout ByteReader) throws(DecodingError) {
        self.init(first: try reader.identifier(), second: try reader.identifier())
    }

    func encode(into writer: inout ByteWriter) {
        writer.identifier(first)
        writer.identifier(second)
    }
}
