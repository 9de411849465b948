import Localization

/// Reads XML and HTML piece by piece, from bytes that may come from anybody.
///
/// It expands nothing: the five entities of XML, numbers and HTML's names become one character each, whatever a
/// document declares. One that declares entities of its own is refused where ``isStrict`` is said, else they stay as
/// they stand.
struct MarkupScanner {
    enum Token: Equatable {
        case start(String, [String: String], isEmpty: Bool)
        case end(String)
        /// Bytes of the text, and whether they stand for themselves.
        case text(Range<Int>, isLiteral: Bool)
    }

    let bytes: [UInt8]
    private(set) var position: Int
    let limit: Int
    /// Whether what is not well formed is an error, as in XML; HTML takes everything.
    let isStrict: Bool

    private static let longestName = 100
    private static let mostAttributes = 500

    init(_ bytes: [UInt8], in range: Range<Int>? = nil, isStrict: Bool) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        limit = range?.upperBound ?? bytes.count
        self.isStrict = isStrict
    }

    private func byte(_ index: Int) -> UInt8? { index < limit ? bytes[index] : nil }

    static var malformed: NoteFormatError {
        NoteFormatError(.malformed, localized("It is not well formed: cut short, or damaged."))
    }

    /// Nil at the end.
    mutating func next() throws(NoteFormatError) -> Token? {
        while position < limit {
            guard bytes[position] == UInt8(ascii: "<") else { return text() }
            switch byte(position + 1) {
            case UInt8(ascii: "!"): if let token = try declaration() { return token }
            case UInt8(ascii: "?"): try skip(past: Array("?>".utf8))
            case UInt8(ascii: "/"): return try endTag()
            case let byte? where Self.isLetter(byte): return try startTag()
            default:
                if isStrict { throw Self.malformed }
                let start = position
                position += 1
                return .text(start..<position, isLiteral: true)
            }
        }
        return nil
    }

    private mutating func text() -> Token {
        let start = position
        while position < limit, bytes[position] != UInt8(ascii: "<") { position += 1 }
        return .text(start..<position, isLiteral: false)
    }

    /// A comment, a document type or literal text; nil for what says nothing.
    private mutating func declaration() throws(NoteFormatError) -> Token? {
        if has("<!--") {
            position += 4
            try skip(past: Array("-->".utf8))
        } else if has("<![CDATA[") {
            let start = position + 9
            position = start
            try skip(past: Array("]]>".utf8))
            let end = position >= 3 && position <= limit && has("]]>", at: position - 3) ? position - 3 : position
            return .text(start..<max(start, end), isLiteral: true)
        } else {
            let start = position
            try skip(past: [UInt8(ascii: ">")])
            if isStrict, bytes[start..<position].contains(UInt8(ascii: "[")) {
                throw NoteFormatError(.malformed, localized("It declares entities of its own, which are not read."))
            }
        }
        return nil
    }

    private func has(_ text: StaticString, at index: Int? = nil) -> Bool {
        let index = index ?? position
        let wanted = Array("\(text)".utf8)
        return index + wanted.count <= limit && Array(bytes[index..<index + wanted.count]) == wanted
    }

    /// To the end where it never comes, unless that is an error.
    private mutating func skip(past wanted: [UInt8]) throws(NoteFormatError) {
        guard let first = wanted.first else { return }
        while position < limit {
            if bytes[position] == first, position + wanted.count <= limit,
                bytes[position..<position + wanted.count].elementsEqual(wanted)
            {
                position += wanted.count
                return
            }
            position += 1
        }
        if isStrict { throw Self.malformed }
    }

    private mutating func endTag() throws(NoteFormatError) -> Token? {
        position += 2
        let name = try name()
        try skip(past: [UInt8(ascii: ">")])
        return .end(name)
    }

    private mutating func startTag() throws(NoteFormatError) -> Token {
        position += 1
        let name = try name()
        var attributes: [String: String] = [:]
        while true {
            skipBlanks()
            guard let next = byte(position) else {
                if isStrict { throw Self.malformed }
                return .start(name, attributes, isEmpty: false)
            }
            if next == UInt8(ascii: ">") {
                position += 1
                return .start(name, attributes, isEmpty: false)
            }
            if next == UInt8(ascii: "/") {
                position += 1
                guard byte(position) == UInt8(ascii: ">") else { continue }
                position += 1
                return .start(name, attributes, isEmpty: true)
            }
            guard attributes.count < Self.mostAttributes else { throw Self.malformed }
            let (key, value) = try attribute()
            if attributes[key] == nil { attributes[key] = value }
        }
    }

    private mutating func attribute() throws(NoteFormatError) -> (key: String, value: String) {
        let start = position
        while let byte = byte(position), !Self.isBlank(byte), !"=>/".utf8.contains(byte) { position += 1 }
        // A lone sign is taken, so that the scan goes on.
        if position == start { position += 1 }
        guard position - start <= Self.longestName || !isStrict else { throw Self.malformed }
        let key = String(decoding: bytes[start..<position].prefix(Self.longestName), as: UTF8.self).lowercased()
        skipBlanks()
        guard byte(position) == UInt8(ascii: "=") else { return (key: key, value: "") }
        position += 1
        skipBlanks()
        guard let quote = byte(position) else { return (key: key, value: "") }
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { position += 1 }
        let begin = position
        while let byte = byte(position), isQuoted ? byte != quote : !Self.isBlank(byte) && byte != UInt8(ascii: ">") {
            position += 1
        }
        let value = MarkupEntities.decode(bytes[begin..<position])
        if isQuoted {
            if position >= limit, isStrict { throw Self.malformed }
            position = min(limit, position + 1)
        }
        return (key: key, value: value)
    }

    private mutating func name() throws(NoteFormatError) -> String {
        let start = position
        while let byte = byte(position), !Self.isBlank(byte), !"/>".utf8.contains(byte) { position += 1 }
        guard position - start <= Self.longestName else { throw Self.malformed }
        return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
    }

    private mutating func skipBlanks() { while let byte = byte(position), Self.isBlank(byte) { position += 1 } }

    /// Goes on behind the end tag of an element whose content is no markup.
    mutating func skipContent(of name: String) {
        let wanted = Array("</\(name)".utf8)
        while position < limit {
            if bytes[position] == UInt8(ascii: "<"), position + wanted.count <= limit,
                zip(bytes[position..<position + wanted.count], wanted).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            {
                return
            }
            position += 1
        }
    }

    /// What a text token says.
    func string(_ range: Range<Int>, isLiteral: Bool) -> String {
        isLiteral ? String(decoding: bytes[range], as: UTF8.self) : MarkupEntities.decode(bytes[range])
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
}
