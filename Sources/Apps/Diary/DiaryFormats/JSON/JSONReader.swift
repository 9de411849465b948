/// Why bytes are no JSON that we read.
enum JSONError: Error, Equatable {
    case malformed, tooDeep, tooManyValues
}

/// Reads JSON (RFC 8259), value by value, from bytes that may come from anybody.
///
/// UTF-8 that is broken becomes U+FFFD, as does half of a surrogate pair.
struct JSONReader {
    /// Levels of arrays and objects.
    static let deepest = 64
    /// Values of one tree; each takes some hundred bytes at most.
    static let mostValues = 1_000_000

    let bytes: [UInt8]
    private(set) var position: Int
    /// Where what it reads ends.
    let limit: Int
    private var left = mostValues

    /// - Parameter range: of the bytes; nil for all, with or without a byte order mark.
    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = range?.lowerBound ?? mark
        limit = range?.upperBound ?? bytes.count
    }

    /// One value, and nothing behind it.
    static func read(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes, in: range)
        let value = try reader.value(depth: 0)
        guard reader.next() == nil else { throw .malformed }
        return value
    }

    /// The next byte that is no white space, which stays.
    mutating func next() -> UInt8? {
        while position < limit {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    /// Goes on behind a token.
    mutating func move(to index: Int) { position = index }

    mutating func expect(_ byte: UInt8) throws(JSONError) { guard take(byte) else { throw .malformed } }

    /// Reads the members of an object, whose values `value` reads or skips.
    mutating func eachMember(
        _ value: (_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try expect(UInt8(ascii: "{"))
        if take(UInt8(ascii: "}")) { return }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw .malformed }
            let name = try string()
            try expect(UInt8(ascii: ":"))
            try value(name, &self)
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Reads the elements of an array, which `element` reads or skips.
    mutating func eachElement(
        _ element: (_ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try expect(UInt8(ascii: "["))
        if take(UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
    }

    mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.deepest else { throw .tooDeep }
        guard left > 0 else { throw .tooManyValues }
        left -= 1
        switch next() {
        case UInt8(ascii: "{"):
            var object = JSONObject()
            try eachMember { (name, reader) throws(JSONError) in
                object.members.append(JSONObject.Member(name: name, value: try reader.value(depth: depth + 1)))
            }
            return .object(object)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try eachElement { (reader) throws(JSONError) in values.append(try reader.value(depth: depth + 1)) }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    /// Passes over a value without building it.
    mutating func skip(depth: Int) throws(JSONError) {
        guard depth <= Self.deepest else { throw .tooDeep }
        switch next() {
        case UInt8(ascii: "{"):
            try eachMember { (_, reader) throws(JSONError) in try reader.skip(depth: depth + 1) }
        case UInt8(ascii: "["):
            try eachElement { (reader) throws(JSONError) in try reader.skip(depth: depth + 1) }
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): _ = try literal("true", .null)
        case UInt8(ascii: "f"): _ = try literal("false", .null)
        case UInt8(ascii: "n"): _ = try literal("null", .null)
        default: _ = try number()
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[position..<limit].starts(with: word.utf8) else { throw .malformed }
        position += word.utf8.count
        return value
    }
}
