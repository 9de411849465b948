import Secrets

/// Finds where the values of a JSON file lie (RFC 8259), strictly: UTF-8, no name twice, nothing behind the end.
struct JSONScanner: ~Escapable {
    private static let deepest = 32
    private static let mostValues = 2_000_000

    private let file: RawSpan
    private var offset = 0
    private var depth = 0
    private var valueCount = 0

    @_lifetime(copy file)
    init(_ file: RawSpan) {
        self.file = file
        if file.byteCount >= 3, file.byte(at: 0) == 0xEF, file.byte(at: 1) == 0xBB, file.byte(at: 2) == 0xBF {
            offset = 3
        }
    }

    /// The one value of the file.
    mutating func document() throws(KeychainFormatError) -> JSONPlace {
        let value = try value()
        guard next() == nil else { throw failure(.malformed) }
        return value
    }

    private mutating func value() throws(KeychainFormatError) -> JSONPlace {
        let first = next()
        guard valueCount < Self.mostValues else { throw failure(.tooManyValues) }
        valueCount += 1
        let start = offset
        switch first {
        case UInt8(ascii: "{"): return try object(from: start)
        case UInt8(ascii: "["): return try array(from: start)
        case UInt8(ascii: "\""): return JSONPlace(content: .string, range: try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default:
            try number()
            return JSONPlace(content: .number, range: start..<offset)
        }
    }

    private mutating func object(from start: Int) throws(KeychainFormatError) -> JSONPlace {
        try enter()
        var members: [JSONMember] = []
        var names: Set<String> = []
        if !take(UInt8(ascii: "}")) {
            repeat {
                guard next() == UInt8(ascii: "\"") else { throw unexpected() }
                let line = offset
                let name = file.jsonText(in: try string())
                // Readers differ in which of two counts.
                guard names.insert(name).inserted else { throw failure(.repeatedName, at: line) }
                try expect(UInt8(ascii: ":"))
                members.append(JSONMember(name: name, value: try value()))
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
        depth -= 1
        return JSONPlace(content: .object(members), range: start..<offset)
    }

    private mutating func array(from start: Int) throws(KeychainFormatError) -> JSONPlace {
        try enter()
        var elements: [JSONPlace] = []
        if !take(UInt8(ascii: "]")) {
            repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
        }
        depth -= 1
        return JSONPlace(content: .array(elements), range: start..<offset)
    }

    /// Passes over a string, whose quotation mark is the next byte, and checks it.
    private mutating func string() throws(KeychainFormatError) -> Range<Int> {
        offset += 1
        let start = offset
        while let byte = current, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                try escape()
            } else if byte < 0x20 {
                throw failure(.malformed)
            } else if let count = scalarByteCount(byte) {
                offset += count
            } else {
                throw failure(.notUTF8)
            }
        }
        guard current != nil else { throw failure(.endsEarly) }
        offset += 1
        return start..<offset - 1
    }

    private mutating func escape() throws(KeychainFormatError) {
        guard let sign = peek(1) else { throw failure(.endsEarly) }
        guard sign == UInt8(ascii: "u") else {
            guard JSONEscape.byte(for: sign) != nil else { throw failure(.malformed) }
            return offset += 2
        }
        let first = try unit()
        guard (0xD800...0xDFFF).contains(first) else { return }
        guard first < 0xDC00, current == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u"),
            case let second = try unit(), (0xDC00...0xDFFF).contains(second)
        else { throw failure(.halfCharacter) }
    }

    private mutating func unit() throws(KeychainFormatError) -> UInt32 {
        guard offset + 6 <= file.byteCount else { throw failure(.endsEarly) }
        guard let value = JSONEscape.unit(in: file, at: offset) else { throw failure(.malformed) }
        offset += 6
        return value
    }

    /// Nil where no UTF-8 begins (Unicode, table 3-7).
    private func scalarByteCount(_ first: UInt8) -> Int? {
        let second: ClosedRange<UInt8>
        let count: Int
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: (second, count) = (0x80...0xBF, 2)
        case 0xE0: (second, count) = (0xA0...0xBF, 3)
        case 0xED: (second, count) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, count) = (0x80...0xBF, 3)
        case 0xF0: (second, count) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, count) = (0x80...0xBF, 4)
        case 0xF4: (second, count) = (0x80...0x8F, 4)
        default: return nil
        }
        guard let byte = peek(1), second.contains(byte) else { return nil }
        for distance in 2..<max(2, count) {
            guard let byte = peek(distance), (0x80...0xBF).contains(byte) else { return nil }
        }
        return count
    }

    /// RFC 8259, section 6: no leading zero, no plus, digits on both sides of the point.
    private mutating func number() throws(KeychainFormatError) {
        if current == UInt8(ascii: "-") { offset += 1 }
        let isZero = current == UInt8(ascii: "0")
        let start = offset
        try digits()
        guard !isZero || offset == start + 1 else { throw failure(.malformed) }
        if current == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(KeychainFormatError) {
        let start = offset
        while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
        guard offset > start else { throw unexpected() }
    }

    private mutating func literal(
        _ word: String, _ content: JSONPlace.Content
    ) throws(KeychainFormatError) -> JSONPlace {
        let start = offset
        for letter in word.utf8 {
            guard current == letter else { throw unexpected() }
            offset += 1
        }
        return JSONPlace(content: content, range: start..<offset)
    }
}

extension JSONScanner {
    private var current: UInt8? { peek(0) }

    private func peek(_ distance: Int) -> UInt8? {
        offset + distance < file.byteCount ? file.byte(at: offset + distance) : nil
    }

    /// The next byte that is no white space, which stays.
    private mutating func next() -> UInt8? {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
        return current
    }

    private mutating func enter() throws(KeychainFormatError) {
        guard depth < Self.deepest else { throw failure(.tooDeep) }
        depth += 1
        offset += 1
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(KeychainFormatError) {
        guard take(byte) else { throw unexpected() }
    }

    private func unexpected() -> KeychainFormatError { failure(current == nil ? .endsEarly : .malformed) }

    private func failure(_ problem: KeychainFormatError.Problem, at place: Int? = nil) -> KeychainFormatError {
        KeychainFormatError(problem, line: file.line(of: place ?? offset))
    }
}

/// What stands behind a backslash in a string.
enum JSONEscape {
    /// Nil for what is no escape of one letter.
    static func byte(for sign: UInt8) -> UInt8? {
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): sign
        case UInt8(ascii: "b"): 8
        case UInt8(ascii: "f"): 12
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: nil
        }
    }

    /// The four digits behind `\u`, which begins at `place`.
    static func unit(in file: RawSpan, at place: Int) -> UInt32? {
        var value: UInt32 = 0
        for offset in place + 2..<place + 6 {
            guard let digit = digit(file.byte(at: offset)) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
        default: nil
        }
    }
}

extension RawSpan {
    /// From 1.
    func line(of place: Int) -> Int {
        var line = 1
        for offset in 0..<min(place, byteCount) where byte(at: offset) == 0x0A { line += 1 }
        return line
    }

    /// Hands on, byte by byte, what a string says that was checked.
    func forEachByte<Failure: Error>(
        ofJSONIn range: Range<Int>, _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        var at = range.lowerBound
        while at < range.upperBound {
            let byte = byte(at: at)
            guard byte == UInt8(ascii: "\\") else {
                try body(byte)
                at += 1
                continue
            }
            if let plain = JSONEscape.byte(for: self.byte(at: at + 1)) {
                try body(plain)
                at += 2
                continue
            }
            var value = JSONEscape.unit(in: self, at: at) ?? 0xFFFD
            at += 6
            if (0xD800...0xDBFF).contains(value), let low = JSONEscape.unit(in: self, at: at) {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                at += 6
            }
            for byte in UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                try body(byte)
            }
        }
    }

    /// Not for secrets.
    func jsonText(in range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        forEachByte(ofJSONIn: range) { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
