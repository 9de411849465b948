/// Strings and numbers.
extension JSONReader {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Reads a string, whose quotation mark is the next byte.
    package mutating func string() throws(JSONError) -> String {
        guard next() == Self.quote else { throw unexpected() }
        advance()
        var content: [UInt8] = []
        while true {
            let start = position
            while let byte = current, byte >= 0x20, byte != Self.quote, byte != Self.backslash { advance() }
            let plain = bytes[start..<position]
            switch current {
            case Self.quote:
                let text = try content.isEmpty ? decoded(plain) : decoded(content + plain)
                advance()
                return text
            case Self.backslash:
                content += plain
                try readEscape(into: &content)
            case nil: throw failure(.endsEarly)
            default: throw failure(.controlCharacter)
            }
        }
    }

    /// Passes over a string up to its end, whatever its escapes are.
    mutating func skipString() throws(JSONError) {
        advance()
        while let byte = current, byte != Self.quote {
            guard byte >= 0x20 else { throw failure(.controlCharacter) }
            advance(byte == Self.backslash ? 2 : 1)
        }
        guard current == Self.quote else { throw failure(.endsEarly) }
        advance()
    }

    private func decoded(_ text: some Collection<UInt8>) throws(JSONError) -> String {
        if rules.isTolerant { return String(decoding: text, as: UTF8.self) }
        guard let text = String(validating: text, as: UTF8.self) else { throw failure(.notUTF8) }
        return text
    }

    private static let shortEscapes: [UInt8: UInt8] = [
        quote: quote, backslash: backslash, UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8,
        UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    private mutating func readEscape(into content: inout [UInt8]) throws(JSONError) {
        advance()
        guard current != UInt8(ascii: "u") else {
            content += Array(String(Character(try scalar())).utf8)
            return
        }
        guard let escape = current, let byte = Self.shortEscapes[escape] else { throw unexpected() }
        content.append(byte)
        advance()
    }

    /// Behind `\`, at `u`: four digits, or a pair of surrogates.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let behindFirst = position
        if first < 0xDC00, bytes[position..<limit].starts(with: [Self.backslash, UInt8(ascii: "u")]) {
            advance()
            let second = try unit()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        guard rules.isTolerant else { throw failure(.halfCharacter) }
        back(to: behindFirst)
        return "\u{FFFD}"
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        advance()
        let digits = bytes[position..<limit].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Self.isHexadecimal($0) }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure(.malformed) }
        advance(4)
        return value
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// RFC 8259, section 6: no leading zero, no plus, digits on both sides of the point.
    mutating func number() throws(JSONError) -> String {
        let start = position
        if current == UInt8(ascii: "-") { advance() }
        let whole = try digits()
        guard whole.count == 1 || whole.first != UInt8(ascii: "0") else { throw failure(.leadingZero) }
        if current == UInt8(ascii: ".") {
            advance()
            _ = try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            advance()
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { advance() }
            _ = try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) -> ArraySlice<UInt8> {
        let start = position
        while let byte = current, (0x30...0x39).contains(byte) { advance() }
        guard position > start else { throw unexpected() }
        return bytes[start..<position]
    }
}
