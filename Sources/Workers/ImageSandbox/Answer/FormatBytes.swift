/// Big-endian fields, read with an end that can't be passed.
struct FormatReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }

    mutating func raw(_ count: Int) throws(ImageError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .badAnswer }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(ImageError) -> Value {
        try raw(Value.bitWidth / 8).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    /// A length of 32 bits that is at most `limit`, and so many bytes.
    mutating func field(limit: Int) throws(ImageError) -> [UInt8] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw .badAnswer }
        return Array(try raw(count))
    }

    func end() throws(ImageError) { guard remaining == 0 else { throw .badAnswer } }
}

/// The same, written.
struct FormatWriter {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ more: some Sequence<UInt8>) { bytes += more }

    mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Callers keep to the limits of the format, which are far below 4 GiB.
    mutating func field(_ more: [UInt8]) {
        integer(UInt32(clamping: more.count))
        raw(more)
    }
}
