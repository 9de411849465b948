import Localization

/// Text files as other systems write them.
///
/// A mark of the byte order decides; else zero bytes tell UTF-16, and what is no UTF-8 is taken for Windows-1252, of
/// which Latin-1 is a part.
package enum TextDecoding {
    /// - Returns: the text in UTF-8, without a mark; and what a reader should know of it.
    package static func decode(_ bytes: [UInt8]) -> (bytes: [UInt8], remark: String?) {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return wide(bytes.dropFirst(4), isLittle: true) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return wide(bytes.dropFirst(4), isLittle: false) }
        if bytes.starts(with: [0xFF, 0xFE]) { return pairs(bytes.dropFirst(2), isLittle: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return pairs(bytes.dropFirst(2), isLittle: false) }
        if let isLittle = looksLikePairs(bytes) { return pairs(bytes[...], isLittle: isLittle) }
        if String(validating: bytes, as: UTF8.self) != nil { return (bytes: bytes, remark: nil) }
        guard isMostlyUTF8(bytes) else {
            let remark = localized("It is no UTF-8, and was read as Windows-1252 (Latin-1).")
            return (bytes: Array(windows(bytes).utf8), remark: remark)
        }
        let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
        return (bytes: repaired, remark: localized("Bytes of it that are no UTF-8 became U+FFFD."))
    }

    // MARK: Pairs and fours

    private static func pairs(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> (bytes: [UInt8], remark: String?) {
        let content = Array(bytes)
        let units = stride(from: 0, to: content.count - 1, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(content[index]), UInt16(content[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        let isWhole = content.count % 2 == 0 && String(validating: units, as: UTF16.self) != nil
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        return (bytes: text, remark: isWhole ? nil : localized("It is damaged UTF-16: parts of it became U+FFFD."))
    }

    private static func wide(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> (bytes: [UInt8], remark: String?) {
        let content = Array(bytes)
        var text = String.UnicodeScalarView()
        var isWhole = content.count % 4 == 0
        for index in stride(from: 0, to: content.count - 3, by: 4) {
            let four = content[index..<index + 4].map(UInt32.init)
            let value = (isLittle ? four.reversed() : four).reduce(0) { $0 << 8 | $1 }
            let scalar = Unicode.Scalar(value)
            isWhole = isWhole && scalar != nil
            text.append(scalar ?? "\u{FFFD}")
        }
        let remark = isWhole ? nil : localized("It is damaged UTF-32: parts of it became U+FFFD.")
        return (bytes: Array(String(text).utf8), remark: remark)
    }

    /// Western text in UTF-16 has a zero in nearly every pair; no other text has zeros at all.
    private static func looksLikePairs(_ bytes: [UInt8]) -> Bool? {
        guard bytes.count >= 4, bytes.count % 2 == 0 else { return nil }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let half = min(bytes.count, 4096) / 2
        if zeros.odd * 2 > half, zeros.even == 0 { return true }
        return zeros.even * 2 > half && zeros.odd == 0 ? false : nil
    }

    // MARK: Bytes

    /// Whether a few bytes are broken in a text that is otherwise UTF-8.
    private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
        var (good, broken) = (0, 0)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            if scalar == "\u{FFFD}" { broken += 1 } else { good += 1 }
        }
        return good > broken
    }

    /// Windows-1252: <https://encoding.spec.whatwg.org/#windows-1252>.
    private static func windows(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let isSpecial = (0x80...0x9F).contains(byte)
            text.append(isSpecial ? special[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    private static let special = Array(
        ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}"
            + "\u{17D}\u{8F}\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}"
            + "\u{203A}\u{153}\u{9D}\u{17E}\u{178}").unicodeScalars)
}
