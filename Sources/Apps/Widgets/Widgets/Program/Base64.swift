/// Bytes as text (RFC 4648, section 4): one text for each, with its padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = 0
            for place in 0..<3 { group = group << 8 | (place < count ? Int(bytes[index + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? alphabet[group >> (18 - 6 * place) & 63] : padding)
            }
            index += 3
        }
        return text
    }

    /// - Returns: nil for any other text than ``encode(_:)`` gives.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padded = text.suffix(2).count { $0 == padding }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (group, count) = (0, 0)
        for byte in text.dropLast(padded) {
            guard let value = value(of: byte) else { return nil }
            group = group << 6 | value
            count += 1
            if count % 4 == 0 {
                for shift in [16, 8, 0] { bytes.append(UInt8(group >> shift & 255)) }
                group = 0
            }
        }
        switch padded {
        case 1:
            // 18 bits, of which 16 are the bytes'.
            guard group & 3 == 0 else { return nil }
            bytes += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
        case 2:
            guard group & 15 == 0 else { return nil }
            bytes.append(UInt8(group >> 4 & 255))
        default: break
        }
        return bytes
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
