/// Reads JSON (RFC 8259), value by value, from bytes that may come from anybody.
package struct JSONReader {
    let bytes: [UInt8]
    /// Of the next byte.
    package private(set) var position: Int
    /// Where what it reads ends.
    let limit: Int
    let rules: JSONRules
    /// Arrays and objects that are open.
    private var depth = 0
    private var valueCount = 0
    /// Where the name of the last member began.
    private var nameStart = 0

    /// - Parameter range: of the bytes; nil for all.
    package init(_ bytes: [UInt8], in range: Range<Int>? = nil, rules: JSONRules = .tolerant) {
        self.bytes = bytes
        self.rules = rules
        let mark = rules.isTolerant && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = range?.lowerBound ?? mark
        limit = range?.upperBound ?? bytes.count
    }

    /// One value, and nothing behind it.
    package static func read(
        _ bytes: [UInt8], in range: Range<Int>? = nil, rules: JSONRules = .tolerant
    ) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes, in: range, rules: rules)
        let value = try reader.value()
        guard reader.next() == nil else { throw reader.failure(.trailing) }
        return value
    }

    /// The next byte that is no white space, which stays.
    package mutating func next() -> UInt8? {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
        return current
    }

    /// Reads the members of an object, whose values `value` reads or skips.
    package mutating func eachMember(
        _ value: (_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter(UInt8(ascii: "{"))
        if take(UInt8(ascii: "}")) { return depth -= 1 }
        repeat {
            guard next() == UInt8(ascii: "\"") else { throw unexpected() }
            nameStart = position
            let name = try string()
            try expect(UInt8(ascii: ":"))
            try value(name, &self)
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        depth -= 1
    }

    /// Reads the elements of an array, which `element` reads or skips.
    package mutating func eachElement(
        _ element: (_ reader: inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter(UInt8(ascii: "["))
        if take(UInt8(ascii: "]")) { return depth -= 1 }
        repeat { try element(&self) } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        depth -= 1
    }

    /// Reads a value whole.
    package mutating func value() throws(JSONError) -> JSONValue {
        let first = next()
        guard valueCount < rules.mostValues else { throw failure(.tooManyValues) }
        valueCount += 1
        switch first {
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try eachElement { (reader) throws(JSONError) in values.append(try reader.value()) }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(JSONError) -> JSONObject {
        var object = JSONObject()
        var names: Set<String> = []
        try eachMember { (name, reader) throws(JSONError) in
            let start = reader.nameStart
            object.members.append(JSONObject.Member(name: name, value: try reader.value()))
            // Readers differ in which of two counts: what is private for one would not be for another.
            guard reader.rules.isTolerant || names.insert(name).inserted else {
                throw JSONError(.repeatedName(name), at: start)
            }
        }
        return object
    }

    /// Passes over a value without building it.
    ///
    /// By tolerant rules it is not looked at what stands in its strings, so that one bad character costs no neighbour.
    package mutating func skip() throws(JSONError) {
        switch next() {
        case UInt8(ascii: "{"): try eachMember { (_, reader) throws(JSONError) in try reader.skip() }
        case UInt8(ascii: "["): try eachElement { (reader) throws(JSONError) in try reader.skip() }
        case UInt8(ascii: "\""): if rules.isTolerant { try skipString() } else { _ = try string() }
        case UInt8(ascii: "t"): _ = try literal("true", .null)
        case UInt8(ascii: "f"): _ = try literal("false", .null)
        case UInt8(ascii: "n"): _ = try literal("null", .null)
        default: _ = try number()
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[position..<limit].starts(with: word.utf8) else { throw failure(.malformed) }
        position += word.utf8.count
        return value
    }

    /// Past an opening bracket; ``depth`` goes back where it closes.
    private mutating func enter(_ bracket: UInt8) throws(JSONError) {
        guard next() == bracket else { throw unexpected() }
        guard depth < rules.deepest else { throw failure(.tooDeep) }
        depth += 1
        position += 1
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) { guard take(byte) else { throw unexpected() } }
}

// What tokens are read with.
extension JSONReader {
    /// Nil at the end.
    var current: UInt8? { position < limit ? bytes[position] : nil }

    /// Goes on behind so many bytes.
    mutating func advance(_ count: Int = 1) { position += count }

    /// Goes back to a place that was ``position``.
    mutating func back(to place: Int) { position = place }

    func failure(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: position) }

    /// Something else stands here than has to.
    func unexpected() -> JSONError { failure(current == nil ? .endsEarly : .malformed) }
}
