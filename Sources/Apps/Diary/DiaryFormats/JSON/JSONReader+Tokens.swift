/// Strings and numbers.
extension JSONReader {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    mutating func string() throws(JSONError) -> String {
        let text = try content()
        guard text.contains(Self.backslash) else { return String(decoding: text, as: UTF8.self) }
        return try Self.unescaped(text)
    }

    mutating func skipString() throws(JSONError) { _ = try content() }

    /// What stands between the quotes, where no control character may.
    private mutating func content() throws(JSONError) -> ArraySlice<UInt8> {
        var index = position + 1
        while index < limit {
            switch bytes[index] {
            case Self.quote:
                let text = bytes[(position + 1)..<index]
                move(to: index + 1)
                return text
            case Self.backslash: index += 2
            case 0..<0x20: throw .malformed
            default: index += 1
            }
        }
        throw .malformed
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) throws(JSONError) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            guard text[index] == backslash else {
                result.append(text[index])
                index += 1
                continue
            }
            // The quote that ends a string is never behind an odd backslash, so that one byte follows at least.
            let escape = text[index + 1]
            index += 2
            if escape == UInt8(ascii: "u") {
                result += String(try scalar(text, &index)).utf8
            } else {
                guard let byte = shortEscapes[escape] else { throw .malformed }
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let shortEscapes: [UInt8: UInt8] = [
        quote: quote, backslash: backslash, UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8,
        UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    /// Behind `\u`: four digits, and for half of a pair the other half.
    private static func scalar(_ text: ArraySlice<UInt8>, _ index: inout Int) throws(JSONError) -> Unicode.Scalar {
        let first = try unit(text, &index)
        if let scalar = Unicode.Scalar(first) { return scalar }
        var ahead = index
        guard first < 0xDC00, text[ahead...].starts(with: [backslash, UInt8(ascii: "u")]) else { return "\u{FFFD}" }
        ahead += 2
        let second = try unit(text, &ahead)
        guard (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
        index = ahead
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func unit(_ text: ArraySlice<UInt8>, _ index: inout Int) throws(JSONError) -> UInt32 {
        guard text.endIndex - index >= 4 else { throw .malformed }
        var value: UInt32 = 0
        for byte in text[index..<(index + 4)] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 + UInt32(byte) - 48
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 + UInt32(byte) - 87
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 + UInt32(byte) - 55
            default: throw .malformed
            }
        }
        index += 4
        return value
    }

    /// RFC 8259, section 6: no leading zero, no plus, digits on both sides of the point.
    mutating func number() throws(JSONError) -> String {
        let start = position
        var index = position
        func byte() -> UInt8? { index < limit ? bytes[index] : nil }
        func digits() -> Int {
            let first = index
            while let digit = byte(), (48...57).contains(digit) { index += 1 }
            return index - first
        }
        if byte() == UInt8(ascii: "-") { index += 1 }
        let startsWithZero = byte() == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || (whole > 1 && !startsWithZero) else { throw .malformed }
        if byte() == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { throw .malformed }
        }
        if byte() == UInt8(ascii: "e") || byte() == UInt8(ascii: "E") {
            index += 1
            if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw .malformed }
        }
        move(to: index)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
