import Linux
package import Secrets

/// What opens the diary when the password is forgotten: 16 random bytes, as 28 letters and digits to be written down.
///
/// Crockford's Base32: no I, L, O or U, so that nothing is mistaken for 1 or 0 (crockford.com/base32.html). 26 digits
/// for the bytes, whose last has two bits of zeros, and two that check them; in groups of four.
package enum RecoveryKey {
    package static let byteCount = 16
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let digits = 26

    package static func makeRandom() throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes.makeRandom(count: byteCount)
    }

    /// As it is shown: `XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XXXX`.
    package static func text(_ key: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        var buffer = try SecretBuffer(capacity: 64)
        try key.withBytes { (bytes) throws(SecretMemoryError) in
            var accumulator: UInt32 = 0
            var bits = 0
            var written = 0
            var reader = ByteReader(bytes)
            for _ in 0...byteCount {
                // Zeros behind the last byte make the last digit whole.
                accumulator = accumulator << 8 | UInt32((try? reader.uint8()) ?? 0)
                bits += 8
                while bits >= 5 && written < digits {
                    bits -= 5
                    try append(UInt8(accumulator >> UInt32(bits) & 31), at: written, to: &buffer)
                    written += 1
                }
            }
            let sum = checksum(bytes)
            try append(UInt8(sum >> 5), at: digits, to: &buffer)
            try append(UInt8(sum & 31), at: digits + 1, to: &buffer)
        }
        return buffer.finish()
    }

    /// Reads what was typed: in any case, with or without separators, O for 0 and I or L for 1.
    ///
    /// - Returns: nil for what is no recovery key, which a mistyped one is in 1,023 of 1,024 cases.
    package static func parse(_ typed: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes? {
        var buffer = try SecretBuffer(capacity: 32)
        var values: UInt32 = 0
        var bits = 0
        var count = 0
        var sum = 0
        let isWellFormed = try typed.withBytes { (bytes) throws(SecretMemoryError) -> Bool in
            var reader = ByteReader(bytes)
            while let byte = try? reader.uint8() {
                if separators.contains(byte) { continue }
                guard let value = value(of: byte), count < digits + 2 else { return false }
                if count >= digits {
                    sum = sum << 5 | Int(value)
                } else {
                    values = values << 5 | UInt32(value)
                    bits += 5
                    if bits >= 8 {
                        bits -= 8
                        try buffer.append(byte: UInt8(truncatingIfNeeded: values >> UInt32(bits)))
                    }
                    values &= 0xFF
                }
                count += 1
            }
            // What is left of the last digit has to be zeros.
            return count == digits + 2 && values & 3 == 0
        }
        guard isWellFormed, buffer.count == byteCount else { return nil }
        let key = buffer.finish()
        guard key.withBytes({ checksum($0) }) == sum else { return nil }
        return key
    }

    private static let separators = Array("- \t\r\n".utf8)

    private static func append(_ value: UInt8, at place: Int, to buffer: inout SecretBuffer) throws(SecretMemoryError) {
        if place > 0 && place % 4 == 0 { try buffer.append(byte: UInt8(ascii: "-")) }
        try buffer.append(byte: alphabet[Int(value)])
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper).map(UInt8.init)
        }
    }

    /// Ten bits that tell a slip of the pen: each place weighs otherwise, so that swapped digits are seen.
    private static func checksum(_ bytes: RawSpan) -> Int {
        var sum = 1
        var reader = ByteReader(bytes)
        while let byte = try? reader.uint8() { sum = (sum * 37 + Int(byte) + 1) % 1021 }
        return sum
    }
}
