/// Text as a page can take it: no control characters, no noncharacters, and line ends of one kind.
package enum PrintWords {
    /// One line of it; line ends and tabulators become spaces.
    ///
    /// - Parameter limit: in bytes; what is longer is cut, at a character where one fits.
    package static func line(_ text: String, limit: Int = PrintLimits.line) -> String {
        shortened(cleaned(text) { $0 == "\n" || $0 == "\t" ? " " : $0 }, limit)
    }

    /// Lines of it.
    package static func lines(_ text: String) -> String { cleaned(text) { $0 } }

    static func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 != "\n" && $0 != "\t" && isClean($0) }
    }

    static func areLines(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isClean) }

    private static func cleaned(_ text: String, _ replace: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\n" where previous == "\r": break
            case "\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}": result.append(replace("\n"))
            case _ where isClean(scalar): result.append(replace(scalar))
            default: result.append("\u{FFFD}")
            }
        }
        return String(result)
    }

    /// The other separators of lines would be line ends that nobody has counted; cairo takes no text with what Unicode
    /// calls a noncharacter (The Unicode Standard, 23.7).
    private static func isClean(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10: true
        case 0..<32, 127..<160, 0x2028, 0x2029, 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }

    /// The longest beginning of no more bytes: of characters, where the first of them fits.
    package static func shortened(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        while end < text.endIndex {
            let next = text.index(after: end)
            guard text.utf8.distance(from: text.startIndex, to: next) <= limit else { break }
            end = next
        }
        if end > text.startIndex { return String(text[..<end]) }
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += scalar.utf8.count
            guard count <= limit else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}

/// Addresses of the web, in the characters that a PDF takes as they are.
package enum PrintLink {
    /// The address with all other characters percent-encoded (RFC 3986, section 2.1); empty for one that is none of the
    /// web's, or too long.
    package static func encoded(_ address: String) -> String {
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return "" }
        var result = ""
        for byte in address.utf8 {
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result.utf8.count <= PrintLimits.link ? result : ""
    }

    static func isOne(_ text: String) -> Bool { !text.isEmpty && encoded(text) == text }

    /// Unreserved and reserved characters without quotation marks and brackets, which end a string in a PDF or in what
    /// cairo is told.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-._~:/?#@!$&*+,;=%".utf8.contains(byte)
        }
    }
}
