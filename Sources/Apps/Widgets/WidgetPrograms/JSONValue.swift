/// A value of JSON text.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])
}

/// A number as far as it is of use here.
struct JSONNumber: Equatable, Sendable {
    /// Nil where it was written with a fraction or an exponent, or is beyond 64 bits.
    var whole: Int64?
    /// Millionths, what is smaller dropped; nil where it was written with an exponent, or is beyond 64 bits.
    var millionths: Int64?
}

/// Reads JSON (RFC 8259) and nothing else: UTF-8 without a mark before it, each member once, one value.
struct JSONParser {
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    private var values = 0

    /// - Throws: `ProgramRefusal`, whose path is the number of the byte that is wrong.
    static func parse(_ bytes: [UInt8]) throws(ProgramRefusal) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value()
        parser.skipSpace()
        guard parser.offset == bytes.count else { throw parser.refusal("something follows the answer") }
        return value
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func refusal(_ reason: String) -> ProgramRefusal { ProgramRefusal("byte \(offset)", reason) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func value() throws(ProgramRefusal) -> JSONValue {
        skipSpace()
        values += 1
        guard values <= ProgramLimit.values else { throw refusal("more than \(ProgramLimit.values) values") }
        switch next {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"): return .number(try number())
        case .some(0x30...0x39): return .number(try number())
        case nil: throw refusal("ends too early")
        default: throw refusal("is no JSON")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(ProgramRefusal) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw refusal("is no JSON") }
        offset += word.utf8.count
        return value
    }

    /// Past an opening bracket; ``depth`` goes back where it closes.
    private mutating func enter() throws(ProgramRefusal) {
        depth += 1
        guard depth <= ProgramLimit.depth else { throw refusal("lies deeper than \(ProgramLimit.depth)") }
        offset += 1
        skipSpace()
    }

    /// - Returns: whether another element follows; else the bracket is closed.
    private mutating func goesOn(until bracket: UInt8) throws(ProgramRefusal) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: ","):
            offset += 1
            return true
        case bracket:
            offset += 1
            depth -= 1
            return false
        case nil: throw refusal("ends too early")
        default: throw refusal("is no JSON")
        }
    }

    private mutating func list() throws(ProgramRefusal) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        if next == UInt8(ascii: "]") {
            _ = try goesOn(until: UInt8(ascii: "]"))
            return .list([])
        }
        repeat { elements.append(try value()) } while try goesOn(until: UInt8(ascii: "]"))
        return .list(elements)
    }

    private mutating func object() throws(ProgramRefusal) -> JSONValue {
        try enter()
        var members: [String: JSONValue] = [:]
        if next == UInt8(ascii: "}") {
            _ = try goesOn(until: UInt8(ascii: "}"))
            return .object([:])
        }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw refusal(next == nil ? "ends too early" : "is no JSON") }
            let start = offset
            let name = try text()
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw refusal(next == nil ? "ends too early" : "is no JSON") }
            offset += 1
            // Readers differ in which of two counts: what is private for one would not be for another.
            if members.updateValue(try value(), forKey: name) != nil {
                throw ProgramRefusal("byte \(start)", "the member \(ProgramText.quoted(name)) stands there twice")
            }
        } while try goesOn(until: UInt8(ascii: "}"))
        return .object(members)
    }
}

// Texts and numbers.
extension JSONParser {
    private mutating func text() throws(ProgramRefusal) -> String {
        offset += 1
        var content: [UInt8] = []
        while true {
            let start = offset
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
            content += bytes[start..<offset]
            switch next {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else { throw refusal("is not UTF-8") }
                offset += 1
                return text
            case UInt8(ascii: "\\"): try escape(&content)
            case nil: throw refusal("ends too early")
            default: throw refusal("a line break or control character in a text has to be escaped")
            }
        }
    }

    private mutating func escape(_ content: inout [UInt8]) throws(ProgramRefusal) {
        offset += 1
        guard let byte = next else { throw refusal("ends too early") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(8)
        case UInt8(ascii: "f"): content.append(12)
        case UInt8(ascii: "n"): content.append(10)
        case UInt8(ascii: "r"): content.append(13)
        case UInt8(ascii: "t"): content.append(9)
        case UInt8(ascii: "u"):
            content += Array(String(Character(try scalar())).utf8)
            return
        default: throw refusal("is no JSON")
        }
        offset += 1
    }

    /// Behind `\`, at `u`: four digits, or a pair of surrogates.
    private mutating func scalar() throws(ProgramRefusal) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, bytes[offset...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            throw refusal("half a character")
        }
        offset += 1
        let second = try unit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw refusal("half a character") }
        return scalar
    }

    private mutating func unit() throws(ProgramRefusal) -> UInt32 {
        offset += 1
        let digits = bytes[offset...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ isHexadecimal($0) }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw refusal("is no JSON") }
        offset += 4
        return value
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private mutating func number() throws(ProgramRefusal) -> JSONNumber {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let whole = try digits()
        guard whole.count == 1 || whole.first != UInt8(ascii: "0") else { throw refusal("a number begins with 0") }
        var fraction: [UInt8]?
        if next == UInt8(ascii: ".") {
            offset += 1
            fraction = try digits()
        }
        var hasExponent = false
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            hasExponent = true
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            _ = try digits()
        }
        guard !hasExponent else { return JSONNumber() }
        let sign = isNegative ? "-" : ""
        let text = String(decoding: whole, as: UTF8.self)
        let small = Array(((fraction ?? []) + [UInt8](repeating: 0x30, count: 6)).prefix(6))
        return JSONNumber(
            whole: fraction == nil ? Int64(sign + text) : nil,
            millionths: Int64(sign + text + String(decoding: small, as: UTF8.self)))
    }

    private mutating func digits() throws(ProgramRefusal) -> [UInt8] {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
        guard offset > start else { throw refusal(next == nil ? "ends too early" : "is no JSON") }
        return Array(bytes[start..<offset])
    }
}
