import Secrets

/// Reads property lists in XML: exactly what Apple's DTD has (PropertyList-1.0.dtd), and of XML 1.0 no more than that.
///
/// A general XML reader knows entities, which grow without end, and documents elsewhere, which it fetches. Nothing here
/// is fetched: a document type is skipped, one that declares something is refused.
struct XMLPropertyListReader: ~Escapable {
    private var scanner: XMLScanner
    private var valueCount = 0

    static func read(_ bytes: RawSpan, into content: inout SecretBuffer) throws -> PropertyListValue {
        var reader = XMLPropertyListReader(scanner: XMLScanner(bytes))
        return try reader.readDocument(&content)
    }

    @_lifetime(copy scanner)
    private init(scanner: XMLScanner) { self.scanner = scanner }

    private mutating func readDocument(_ content: inout SecretBuffer) throws -> PropertyListValue {
        try scanner.skipProlog()
        let root = try scanner.openTag(isRoot: true)
        guard root.name == .plist, !root.isEmpty else { throw scanner.failure(.neither) }
        try scanner.skipSpaceAndComments()
        let value = try value(try scanner.openTag(), depth: 0, &content)
        try scanner.skipSpaceAndComments()
        try scanner.close(.plist)
        try scanner.skipSpaceAndComments()
        guard scanner.isAtEnd else { throw scanner.failure(.trailing) }
        return value
    }

    private mutating func value(
        _ tag: XMLScanner.Tag, depth: Int, _ content: inout SecretBuffer
    ) throws -> PropertyListValue {
        try count()
        switch tag.name {
        case .string: return .string(try text(tag, &content))
        case .data:
            let start = content.count
            if !tag.isEmpty { try Base64Text.decode(&scanner, into: &content) }
            return .data(content.content(since: start))
        case .integer: return .integer(try integer(try token(tag)))
        case .real: return .real(try real(try token(tag)))
        case .date:
            guard let date = CalendarDate.seconds(try token(tag)) else { throw scanner.failure(.date) }
            return .date(date)
        case .true, .false:
            if !tag.isEmpty { try scanner.close(tag.name) }
            return .bool(tag.name == .true)
        case .array, .dict:
            guard depth < PropertyList.depthLimit else { throw scanner.failure(.tooDeep) }
            return tag.name == .array
                ? .array(try array(tag, depth, &content)) : .dictionary(try dictionary(tag, depth, &content))
        case .plist, .key: throw scanner.failure(.markup)
        }
    }

    private mutating func count() throws(PropertyListError) {
        valueCount += 1
        guard valueCount <= PropertyList.valueLimit else { throw scanner.failure(.tooManyValues) }
    }

    private mutating func array(
        _ tag: XMLScanner.Tag, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        guard !tag.isEmpty else { return values }
        while true {
            try scanner.skipSpaceAndComments()
            guard try !scanner.closes(.array) else { return values }
            values.append(try value(try scanner.openTag(), depth: depth + 1, &content))
        }
    }

    private mutating func dictionary(
        _ tag: XMLScanner.Tag, _ depth: Int, _ content: inout SecretBuffer
    ) throws -> [String: PropertyListValue] {
        var fields: [String: PropertyListValue] = [:]
        guard !tag.isEmpty else { return fields }
        while true {
            try scanner.skipSpaceAndComments()
            guard try !scanner.closes(.dict) else { return fields }
            let key = try scanner.openTag()
            guard key.name == .key else { throw scanner.failure(.markup) }
            try count()
            let start = content.count
            _ = try text(key, &content)
            let name = String(
                decoding: content.bytes.extracting(start..<content.count).copyToArray(), as: UTF8.self)
            content.truncate(to: start)
            try scanner.skipSpaceAndComments()
            let read = try value(try scanner.openTag(), depth: depth + 1, &content)
            guard fields.updateValue(read, forKey: name) == nil else { throw scanner.failure(.duplicateKey) }
        }
    }

    private mutating func text(
        _ tag: XMLScanner.Tag, _ content: inout SecretBuffer
    ) throws -> PropertyListContent {
        let start = content.count
        if !tag.isEmpty {
            while let scalar = try scanner.character() { try content.append(scalar) }
            try scanner.close(tag.name)
        }
        return content.content(since: start)
    }

    /// What numbers and dates are written in: few plain characters, between spaces if need be.
    private mutating func token(_ tag: XMLScanner.Tag) throws -> [UInt8] {
        var token: [UInt8] = []
        guard !tag.isEmpty else { return token }
        scanner.skipSpace()
        while let byte = scanner.peek(), byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "<") {
            token.append(byte)
            _ = scanner.next()
            guard token.count <= 64 else { throw scanner.failure(.number) }
        }
        scanner.skipSpace()
        try scanner.close(tag.name)
        return token
    }

    /// Decimal, or hexadecimal behind 0x, as Apple's writers have it.
    private func integer(_ token: [UInt8]) throws(PropertyListError) -> Int64 {
        let text = String(decoding: token, as: UTF8.self)
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else {
            throw scanner.failure(.number)
        }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let plain = isHexadecimal ? String(digits.dropFirst(2)) : digits
        guard plain.utf8.first != UInt8(ascii: "-"), plain.utf8.first != UInt8(ascii: "+"),
            let value = Int64((isNegative ? "-" : "") + plain, radix: isHexadecimal ? 16 : 10)
        else { throw scanner.failure(.number) }
        return value
    }

    private func real(_ token: [UInt8]) throws(PropertyListError) -> Double {
        let isPlain = token.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || Array("+-.eE".utf8).contains(byte)
        }
        guard isPlain, let value = Double(String(decoding: token, as: UTF8.self)), value.isFinite else {
            throw scanner.failure(.number)
        }
        return value
    }
}
