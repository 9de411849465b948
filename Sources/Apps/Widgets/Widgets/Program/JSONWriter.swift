/// Writes JSON (RFC 8259), member by member.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ content: (inout JSONWriter) throws(WidgetCodingError) -> Void) throws(WidgetCodingError) {
        try between("{", "}", content)
    }

    mutating func list(_ content: (inout JSONWriter) throws(WidgetCodingError) -> Void) throws(WidgetCodingError) {
        try between("[", "]", content)
    }

    /// A member's name; its value follows.
    mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ text: String) { string(Array(text.utf8)) }

    /// - Parameter text: UTF-8.
    mutating func string(_ text: [UInt8]) {
        begin()
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                bytes += Array("\\u00".utf8)
                for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func number(_ number: Int64) { word(String(number)) }

    mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    mutating func null() { word("null") }

    /// Seconds since 1970, with a fraction where there is one.
    mutating func moment(_ moment: Moment) {
        let (seconds, fraction) = moment.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var text = (moment.microseconds < 0 ? "-" : "") + String(seconds)
        if fraction > 0 { text += "." + String(String(1_000_000 + fraction).dropFirst()) }
        word(text)
    }

    private mutating func word(_ text: String) {
        begin()
        bytes += Array(text.utf8)
    }

    private mutating func between(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        _ content: (inout JSONWriter) throws(WidgetCodingError) -> Void
    ) throws(WidgetCodingError) {
        begin()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        try content(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func begin() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
