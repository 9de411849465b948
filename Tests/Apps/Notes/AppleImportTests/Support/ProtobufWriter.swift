/// Writes protobuf's wire format, for bodies that the tests make.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    static func message(_ build: (inout ProtobufWriter) -> Void) -> [UInt8] {
        var writer = ProtobufWriter()
        build(&writer)
        return writer.bytes
    }

    mutating func number(_ field: UInt64, _ value: Int) {
        varint(field << 3)
        varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func field(_ field: UInt64, _ content: [UInt8]) {
        varint(field << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    mutating func text(_ field: UInt64, _ text: String) { self.field(field, Array(text.utf8)) }

    mutating func message(_ field: UInt64, _ build: (inout ProtobufWriter) -> Void) {
        self.field(field, Self.message(build))
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
