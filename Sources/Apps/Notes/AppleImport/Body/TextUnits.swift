/// Text as UTF-16 units, in which Apple counts.
enum TextUnits {
    /// Decodes UTF-8; a surrogate that stands in it alone stays one unit, so that later counts still fit.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        if let text = String(validating: bytes, as: UTF8.self) { return Array(text.utf16) }
        var units: [UInt16] = []
        var rest = bytes
        while let first = rest.first {
            if let surrogate = surrogate(rest) {
                units.append(surrogate)
                rest = rest.dropFirst(3)
                continue
            }
            let length = sequenceLength(first)
            if let text = String(validating: rest.prefix(length), as: UTF8.self) {
                units += text.utf16
                rest = rest.dropFirst(length)
            } else {
                units.append(0xFFFD)
                rest = rest.dropFirst()
            }
        }
        return units
    }

    /// The text of some units; a surrogate without its other half becomes U+FFFD.
    static func text(_ units: ArraySlice<UInt16>) -> String { String(decoding: units, as: UTF16.self) }

    /// Whether a cut before `position` would part the two halves of a character.
    static func splitsCharacter(_ units: [UInt16], at position: Int) -> Bool {
        guard position > 0, position < units.count else { return false }
        return UTF16.isLeadSurrogate(units[position - 1]) && UTF16.isTrailSurrogate(units[position])
    }

    /// A surrogate written like a character of three bytes, which UTF-8 forbids and lenient writers do.
    private static func surrogate(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        let three = Array(bytes.prefix(3))
        guard three.count == 3, three[0] == 0xED, three[1] & 0xE0 == 0xA0, three[2] & 0xC0 == 0x80 else { return nil }
        return 0xD000 | UInt16(three[1] & 0x3F) << 6 | UInt16(three[2] & 0x3F)
    }

    private static func sequenceLength(_ first: UInt8) -> Int {
        switch first {
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0...: 4
        default: 1
        }
    }
}
