import Secrets

/// Decodes base64 (RFC 4648, section 4) line by line into locked memory.
///
/// Foundation's decoder puts what it decodes on the heap, and here that may be a private key.
enum Base64Line {
    /// What RFC 7468, section 2, allows in every line but the last.
    static let count = 64

    /// Appends what the line says.
    ///
    /// - Returns: whether it ends with padding, so that it is the last; nil when it is no canonical base64.
    static func decode(_ line: RawSpan, into bytes: inout SecretBuffer) throws -> Bool? {
        guard line.byteCount > 0, line.byteCount % 4 == 0 else { return nil }
        let padding = paddingCount(line)
        for start in stride(from: 0, to: line.byteCount, by: 4) {
            let isLast = start + 4 == line.byteCount
            let used = isLast ? 4 - padding : 4
            var group: UInt32 = 0
            for index in 0..<4 {
                var value: UInt8 = 0
                if index < used {
                    guard let digit = self.value(line.byte(at: start + index)) else { return nil }
                    value = digit
                }
                group = group << 6 | UInt32(value)
            }
            // RFC 4648, section 3.5: bits that no byte takes up are zero.
            if isLast, padding > 0, group << (32 - 8 * UInt32(padding)) != 0 { return nil }
            for index in 0..<(used - 1) { try bytes.append(byte: UInt8(truncatingIfNeeded: group >> (16 - 8 * index))) }
        }
        return padding > 0
    }

    private static func paddingCount(_ line: RawSpan) -> Int {
        guard line.byte(at: line.byteCount - 1) == UInt8(ascii: "=") else { return 0 }
        return line.byte(at: line.byteCount - 2) == UInt8(ascii: "=") ? 2 : 1
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
