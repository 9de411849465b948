/// Packs bytes as gzip (RFC 1952) in stored blocks (RFC 1951, section 3.2.4), which needs no compressor.
enum Gzip {
    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            packed += littleEndian(count) + littleEndian(~count) + block
        } while !rest.isEmpty
        return packed + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// A packed zero that repeats itself 258 times for every 13 bits (RFC 1951, section 3.2.6).
    ///
    /// The checksum is wrong.
    static func bomb(repeats: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<repeats { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
        bits += Array(repeating: 0, count: 7 + 8)
        let packed = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { $0 | bits[start + $1] << $1 }
        }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + packed + Array(repeating: 0, count: 8)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
