import Secrets

/// The few pieces of XML that property lists are made of, front to back over borrowed bytes.
struct XMLScanner: ~Escapable {
    /// The elements of Apple's DTD.
    enum Name: String { case plist, dict, array, key, string, data, date, integer, real, `true`, `false` }

    struct Tag {
        let name: Name
        /// `<array/>`: nothing follows that would close it.
        let isEmpty: Bool
    }

    private let bytes: RawSpan
    private var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.byteCount }

    func failure(_ reason: PropertyListError.Reason) -> PropertyListError { PropertyListError(reason, offset) }

    /// The byte order mark, the declaration, comments and the document type.
    mutating func skipProlog() throws(PropertyListError) {
        guard bytes.byteCount > 0 else { throw failure(.truncated) }
        if let first = peek(), first >= 0xFE || first == 0 { throw failure(.encoding) }
        _ = take([0xEF, 0xBB, 0xBF])
        if comes("<?xml") { try skipDeclaration() }
        try skipSpaceAndComments()
        if take("<!DOCTYPE") {
            try skipDocumentType()
            try skipSpaceAndComments()
        }
        guard comes("<") else { throw failure(.neither) }
    }

    /// `<?xml version="1.0" encoding="UTF-8"?>` (XML 1.0, production 23).
    private mutating func skipDeclaration() throws(PropertyListError) {
        guard take("<?xml") else { throw failure(.neither) }
        var names: [String] = []
        while true {
            let hasSpace = skipSpace()
            if take("?>") { break }
            guard hasSpace, let name = attributeName(), names.count < 3 else { throw failure(.markup) }
            let value = try quoted()
            let isGood =
                switch name {
                case "version": names.isEmpty && value == "1.0"
                case "encoding": names == ["version"] && value.utf8.count == 5 && value.uppercased() == "UTF-8"
                case "standalone": !names.isEmpty && !names.contains(name) && (value == "yes" || value == "no")
                default: false
                }
            guard isGood else { throw failure(name == "encoding" ? .encoding : .markup) }
            names.append(name)
        }
        guard names.first == "version" else { throw failure(.markup) }
    }

    /// Name and identifiers alone; what it names is not looked at.
    private mutating func skipDocumentType() throws(PropertyListError) {
        guard skipSpace(), take("plist") else { throw failure(.documentType) }
        guard skipSpace() || comes(">") else { throw failure(.documentType) }
        let literals = take("PUBLIC") ? 2 : take("SYSTEM") ? 1 : 0
        for _ in 0..<literals {
            guard skipSpace() else { throw failure(.documentType) }
            _ = try quoted()
        }
        skipSpace()
        guard take(">") else { throw failure(.documentType) }
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
        return offset > start
    }

    mutating func skipSpaceAndComments() throws(PropertyListError) {
        while true {
            skipSpace()
            guard take("<!--") else { return }
            while !comes("--") {
                guard offset < bytes.byteCount else { throw failure(.truncated) }
                guard let next = TextRules.scalar(in: bytes, at: offset) else { throw failure(.notText) }
                offset += next.count
            }
            guard take("-->") else { throw failure(.markup) }
        }
    }

    /// The next element's begin.
    mutating func openTag(isRoot: Bool = false) throws(PropertyListError) -> Tag {
        guard !isAtEnd else { throw failure(.truncated) }
        guard take("<") else { throw failure(isRoot ? .neither : .markup) }
        guard let name = elementName() else { throw failure(isRoot ? .neither : .markup) }
        if skipSpace(), isRoot, let attribute = attributeName() {
            guard attribute == "version", try quoted() == "1.0" else { throw failure(.attribute) }
            skipSpace()
        }
        if take("/>") { return Tag(name: name, isEmpty: true) }
        guard take(">") else { throw failure(isAtEnd ? .truncated : .attribute) }
        return Tag(name: name, isEmpty: false)
    }

    /// Whether an end tag comes next; it has to be this one's, and is taken.
    mutating func closes(_ name: Name) throws(PropertyListError) -> Bool {
        guard comes("</") else { return false }
        try close(name)
        return true
    }

    mutating func close(_ name: Name) throws(PropertyListError) {
        guard !isAtEnd else { throw failure(.truncated) }
        guard take("</"), elementName() == name else { throw failure(.markup) }
        skipSpace()
        guard take(">") else { throw failure(isAtEnd ? .truncated : .markup) }
    }

    /// The next character of a text; nil where a tag begins.
    mutating func character() throws(PropertyListError) -> Unicode.Scalar? {
        guard let byte = peek() else { throw failure(.truncated) }
        switch byte {
        case UInt8(ascii: "<"):
            // Comments and CDATA inside of texts: no writer makes them, and who reads a profile would miss them.
            guard !comes("<!"), !comes("<?") else { throw failure(.markup) }
            return nil
        case UInt8(ascii: "&"): return try reference()
        case 0x0D:
            // XML 1.0, 2.11: one line feed for each end of a line.
            offset += comes("\r\n") ? 2 : 1
            return "\n"
        default:
            // XML 1.0, 2.4.
            guard byte != UInt8(ascii: "]") || !comes("]]>") else { throw failure(.markup) }
            guard let next = TextRules.scalar(in: bytes, at: offset) else { throw failure(.notText) }
            offset += next.count
            return next.scalar
        }
    }

    /// One of XML's five entities, or a character by number.
    private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
        if take("&amp;") { return "&" }
        if take("&lt;") { return "<" }
        if take("&gt;") { return ">" }
        if take("&quot;") { return "\"" }
        if take("&apos;") { return "'" }
        guard take("&#") else { throw failure(.entity) }
        let radix = take("x") ? 16 : 10
        var value: UInt32 = 0
        var count = 0
        while let byte = peek(), byte != UInt8(ascii: ";") {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix, count < 8 else {
                throw failure(.entity)
            }
            value = value * UInt32(radix) + UInt32(digit)
            count += 1
            offset += 1
            guard value <= 0x10FFFF else { throw failure(.entity) }
        }
        guard count > 0, take(";"), let scalar = Unicode.Scalar(value), TextRules.allows(scalar) else {
            throw failure(.entity)
        }
        return scalar
    }
}

extension XMLScanner {
    func peek() -> UInt8? { offset < bytes.byteCount ? bytes.byte(at: offset) : nil }

    mutating func next() -> UInt8? {
        guard let byte = peek() else { return nil }
        offset += 1
        return byte
    }

    private func comes(_ expected: [UInt8]) -> Bool {
        expected.count <= bytes.byteCount - offset
            && expected.indices.allSatisfy { bytes.byte(at: offset + $0) == expected[$0] }
    }

    private func comes(_ text: String) -> Bool { comes(Array(text.utf8)) }

    private mutating func take(_ expected: [UInt8]) -> Bool {
        guard comes(expected) else { return false }
        offset += expected.count
        return true
    }

    private mutating func take(_ text: String) -> Bool { take(Array(text.utf8)) }

    private mutating func elementName() -> Name? { letters().flatMap(Name.init(rawValue:)) }

    /// Lower-case letters, of which all names here consist.
    private mutating func letters() -> String? {
        let start = offset
        while let byte = peek(), (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte), offset - start < 16 {
            offset += 1
        }
        return offset == start ? nil : String(decoding: bytes.extracting(start..<offset).copyToArray(), as: UTF8.self)
    }

    /// A name and the equals sign behind it.
    private mutating func attributeName() -> String? {
        guard let name = letters() else { return nil }
        skipSpace()
        guard take("=") else { return nil }
        skipSpace()
        return name
    }

    /// Between quotation marks of either kind; printable ASCII alone.
    private mutating func quoted() throws(PropertyListError) -> String {
        guard let mark = next(), mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
            throw failure(.markup)
        }
        let start = offset
        while let byte = peek(), byte != mark {
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"), offset - start < 256
            else { throw failure(.markup) }
            offset += 1
        }
        let text = String(decoding: bytes.extracting(start..<offset).copyToArray(), as: UTF8.self)
        guard next() == mark else { throw failure(.truncated) }
        return text
    }
}
