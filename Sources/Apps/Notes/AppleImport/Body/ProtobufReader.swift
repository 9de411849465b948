/// Reads one message of protobuf's wire format, field by field.
///
/// Source: protobuf.dev/programming-guides/encoding. A message inside a message is a slice that gets a reader of its
/// own; readers of ours follow a fixed path, so that no input makes them recurse.
struct ProtobufReader {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
        /// A float or double, which no field that we want has.
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ message: ArraySlice<UInt8>) { rest = message }

    /// The next field, nil at the end.
    mutating func next() throws(BodyError) -> (field: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let field = tag >> 3
        switch tag & 7 {
        case 0: return (field, .number(try varint()))
        case 1:
            _ = try take(8)
            return (field, .fixed)
        case 2:
            guard let count = Int(exactly: try varint()) else { throw .malformed }
            return (field, .bytes(try take(count)))
        case 5:
            _ = try take(4)
            return (field, .fixed)
        default: throw .malformed
        }
    }

    /// The last message of field `number` in `message`, which is the one that counts.
    static func message(_ number: UInt64, in message: ArraySlice<UInt8>) throws(BodyError) -> ArraySlice<UInt8>? {
        var reader = ProtobufReader(message)
        var found: ArraySlice<UInt8>?
        while let (field, value) = try reader.next() {
            if field == number, case .bytes(let bytes) = value { found = bytes }
        }
        return found
    }

    private mutating func take(_ count: Int) throws(BodyError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func varint() throws(BodyError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed }
            guard shift < 63 || byte <= 1 else { throw .malformed }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw .malformed
    }
}

extension ProtobufReader.Value {
    /// A number as the signed 32 bits that Apple means.
    var int32: Int32? {
        guard case .number(let number) = self else { return nil }
        return Int32(truncatingIfNeeded: number)
    }

    /// A number as an index or a length.
    var count: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }

    var bytes: ArraySlice<UInt8>? {
        guard case .bytes(let bytes) = self else { return nil }
        return bytes
    }

    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
