package import Secrets

/// The bytes of a message; see specs/print-stream.md.
extension PrintMessage {
    /// Number and limit of a message's body.
    enum Kind: UInt8 {
        case cover = 1
        case month, entry, text, rule, picture, note, end, map, contents

        var limit: Int {
            switch self {
            case .cover: 16_384
            case .month: 256
            case .entry: 32_768
            // A span's own bytes may be one letter, beside nine of form and a link.
            case .text: PrintLimits.text + PrintLimits.spans * 9 + PrintLimits.links + 64
            case .rule: 0
            case .picture: PrintLimits.picture + PrintLimits.caption + 8
            case .note: PrintLimits.line + 4
            case .end: 4
            case .map: 196_608
            case .contents: PrintLimits.line + 4
            }
        }
    }

    /// Bytes before a body: kind and length.
    package static let headByteCount = 5

    /// How many bytes of body follow a head.
    ///
    /// - Throws: `invalid` for a kind that there is not, `tooLong` for more than one of it may have; `truncated`.
    package static func bodyByteCount(head: RawSpan) throws(DecodingError) -> Int {
        var reader = ByteReader(head)
        let kind = try kind(&reader)
        let count = Int(try reader.uint32())
        guard count <= kind.limit else { throw .tooLong }
        return count
    }

    /// Reads a message, head and body.
    ///
    /// - Throws: for everything that ``encoded`` does not write.
    package init(_ bytes: RawSpan) throws(DecodingError) {
        var reader = ByteReader(bytes)
        let kind = try Self.kind(&reader)
        let count = Int(try reader.uint32())
        guard count <= kind.limit else { throw .tooLong }
        guard count <= reader.remaining else { throw .truncated }
        switch kind {
        case .cover: self = .cover(try PrintCover(&reader))
        case .month: self = .month(try PrintMonth(&reader))
        case .entry: self = .entry(try PrintEntry(&reader))
        case .text: self = .text(try PrintText(&reader))
        case .rule: self = .rule
        case .picture: self = .picture(try PrintPicture(&reader))
        case .note: self = .note(try reader.line(PrintLimits.line, 1...))
        case .end: self = .end(entryCount: try reader.uint32())
        case .map: self = .map(try PrintMap(&reader))
        case .contents: self = .contents(try reader.line(PrintLimits.line, 1...))
        }
        try reader.end()
        guard bytes.byteCount == Self.headByteCount + count else { throw .invalid }
    }

    private static func kind(_ reader: inout ByteReader) throws(DecodingError) -> Kind {
        guard let kind = Kind(rawValue: try reader.uint8()) else { throw .invalid }
        return kind
    }

    /// Its bytes.
    ///
    /// The caller has kept to ``PrintLimits`` and cleaned texts by ``PrintWords``: other messages are refused by
    /// whoever reads them.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        let kind: Kind
        switch self {
        case .cover(let cover):
            kind = .cover
            cover.write(to: &writer)
        case .month(let month):
            kind = .month
            writer.uint16(month.year)
            writer.field(month.name)
        case .entry(let entry):
            kind = .entry
            writer.field(entry.heading)
            writer.field(entry.facts)
            writer.bool(entry.isStarred)
        case .text(let text):
            kind = .text
            text.write(to: &writer)
        case .rule: kind = .rule
        case .picture(let picture):
            kind = .picture
            writer.field(picture.caption)
            writer.field(picture.jpeg)
        case .note(let words):
            kind = .note
            writer.field(words)
        case .end(let count):
            kind = .end
            writer.uint32(count)
        case .map(let map):
            kind = .map
            map.write(to: &writer)
        case .contents(let title):
            kind = .contents
            writer.field(title)
        }
        var message = ByteWriter(capacity: writer.bytes.count + Self.headByteCount)
        message.uint8(kind.rawValue)
        message.field(writer.bytes)
        return message.bytes
    }
}

extension PrintLimits {
    /// Of all links of a text together.
    static let links = 262_144
}

extension PrintCover {
    private static let version: UInt8 = 2

    fileprivate init(_ reader: inout ByteReader) throws(DecodingError) {
        guard try reader.uint8() == Self.version, let paper = PrintPaper(rawValue: try reader.uint8()) else {
            throw .invalid
        }
        self.paper = paper
        language = try reader.line(PrintLimits.language, 2...)
        guard language.utf8.allSatisfy({ (97...122).contains($0) || $0 == UInt8(ascii: "-") }) else { throw .invalid }
        title = try reader.line(PrintLimits.line, 0...)
        let count = Int(try reader.uint8())
        guard count <= PrintLimits.coverLines else { throw .tooLong }
        lines = []
        for _ in 0..<count { lines.append(try reader.line(PrintLimits.line, 1...)) }
        brokenPicture = try reader.line(PrintLimits.line, 1...)
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.uint8(Self.version)
        writer.uint8(paper.rawValue)
        writer.field(language)
        writer.field(title)
        writer.uint8(UInt8(clamping: lines.count))
        for line in lines { writer.field(line) }
        writer.field(brokenPicture)
    }
}

extension PrintMonth {
    fileprivate init(_ reader: inout ByteReader) throws(DecodingError) {
        year = try reader.uint16()
        guard (1...9999).contains(year) else { throw .invalid }
        name = try reader.line(128, 1...)
    }
}

extension PrintEntry {
    fileprivate init(_ reader: inout ByteReader) throws(DecodingError) {
        heading = try reader.line(PrintLimits.line, 1...)
        facts = try reader.line(PrintLimits.facts, 0...)
        isStarred = try reader.bool()
    }
}

extension PrintPicture {
    fileprivate init(_ reader: inout ByteReader) throws(DecodingError) {
        caption = try reader.line(PrintLimits.caption, 0...)
        jpeg = try reader.bytesField(limit: PrintLimits.picture)
        guard !jpeg.isEmpty else { throw .invalid }
    }
}

extension PrintText {
    fileprivate init(_ reader: inout ByteReader) throws(DecodingError) {
        guard let kind = Kind(rawValue: try reader.uint8()) else { throw .invalid }
        level = try reader.uint8()
        marker = try reader.line(PrintLimits.marker, 0...)
        guard kind == .item ? level < PrintLimits.levels : level == 0 && marker.isEmpty else { throw .invalid }
        let count = Int(try reader.uint16())
        guard count > 0 else { throw .invalid }
        guard count <= PrintLimits.spans else { throw .tooLong }
        self.kind = kind
        spans = []
        var room = PrintLimits.text
        var linkRoom = PrintLimits.links
        for _ in 0..<count {
            let span = try PrintSpan(&reader, limit: room)
            room -= span.text.utf8.count
            linkRoom -= span.link.utf8.count
            guard linkRoom >= 0 else { throw .tooLong }
            // Two neighbours alike are one.
            if let last = spans.last, last.style == span.style, last.link == span.link { throw .invalid }
            spans.append(span)
        }
        if kind == .code, spans.count != 1 || !spans[0].style.isEmpty || !spans[0].link.isEmpty { throw .invalid }
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.uint8(kind.rawValue)
        writer.uint8(level)
        writer.field(marker)
        writer.uint16(UInt16(clamping: spans.count))
        for span in spans {
            writer.uint8(span.style.rawValue)
            writer.field(span.link)
            writer.field(span.text)
        }
    }
}

extension PrintSpan {
    fileprivate init(_ reader: inout ByteReader, limit: Int) throws(DecodingError) {
        style = Style(rawValue: try reader.uint8())
        link = try reader.stringField(limit: PrintLimits.link)
        text = try reader.stringField(limit: limit)
        guard style.isSubset(of: .all), link.isEmpty || PrintLink.isOne(link), !text.isEmpty,
            PrintWords.areLines(text)
        else { throw .invalid }
    }
}

extension ByteReader {
    /// A line of clean text.
    mutating func line(
        _ limit: Int, _ count: PartialRangeFrom<Int>
    ) throws(DecodingError) -> String {
        let text = try stringField(limit: limit)
        guard PrintWords.isLine(text), count.contains(text.utf8.count) else { throw .invalid }
        return text
    }
}
