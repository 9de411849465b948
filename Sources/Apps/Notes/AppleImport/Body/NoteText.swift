/// How a paragraph looks.
struct ParagraphStyle: Equatable {
    enum Kind: Equatable {
        case body, title, heading, subheading, monospaced, bullet, numbered
        case checklist(isDone: Bool)
    }

    var kind = Kind.body
    /// How far a list item is nested, from 0.
    var indent = 0
    var isQuoted = false

    static let deepestIndent = 15
}

/// How a stretch of text looks, as far as Markdown can say it.
struct InlineStyle: Equatable {
    var isBold = false
    var isItalic = false
    var isStruck = false
    var isCode = false
    var link: String?
}

/// What stands in place of a U+FFFC.
struct AttachmentReference: Equatable {
    var identifier: String
    /// Apple's name of its type, for example `com.apple.notes.table`.
    var type: String
}

/// A stretch of text in one style, or an attachment.
enum TextPiece: Equatable {
    case text(String, InlineStyle)
    case attachment(AttachmentReference)
}

struct Paragraph: Equatable {
    var style = ParagraphStyle()
    var pieces: [TextPiece] = []
}

/// The text of a note or of a table's cell, with its attribute runs.
///
/// Fields as apple_cloud_notes_parser (proto/notestore.proto, MIT) names them: text 2, runs 5; the others belong to
/// Apple's way of merging edits. Run lengths count UTF-16 units.
struct NoteText {
    private struct Run {
        var length = 0
        var paragraph = ParagraphStyle()
        var inline = InlineStyle()
        var attachment: AttachmentReference?
    }

    static let mostRuns = 2_000_000
    private static let newline: UInt16 = 0x0A
    fileprivate static let placeholder: UInt16 = 0xFFFC

    private var units: [UInt16] = []
    private var runs: [Run] = []

    /// Reads an unpacked body: NoteStoreProto.document(2), Document.note(3).
    init(document: [UInt8]) throws(BodyError) {
        guard let outer = try ProtobufReader.message(2, in: document[...]),
            let note = try ProtobufReader.message(3, in: outer)
        else { throw .malformed }
        try self.init(message: note)
    }

    /// Reads a Note message.
    init(message: ArraySlice<UInt8>) throws(BodyError) {
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            guard let bytes = value.bytes else { continue }
            if field == 2 { units = TextUnits.decode(bytes) }
            if field == 5 {
                let run = try Self.run(bytes)
                if run.length > 0 { runs.append(run) }
                guard runs.count <= Self.mostRuns else { throw .tooLarge }
            }
        }
    }

    /// The paragraphs with their pieces; neighbours of one style are one piece.
    var paragraphs: [Paragraph] {
        var result: [Paragraph] = []
        var current: Paragraph?
        var position = 0
        var counted = 0
        for run in runs + [Run(length: units.count)] where counted < units.count {
            counted += min(run.length, units.count - counted)
            let end = TextUnits.splitsCharacter(units, at: counted) ? counted + 1 : counted
            while position < end {
                let stop = units[position..<end].firstIndex(of: Self.newline) ?? end
                var paragraph = current ?? Paragraph(style: run.paragraph)
                // Held once only, so that it grows in place.
                current = nil
                paragraph.append(units[position..<stop], style: run.inline, attachment: run.attachment)
                if stop < end { result.append(paragraph) }
                current = stop < end ? nil : paragraph
                position = min(stop + 1, end)
            }
        }
        if let current { result.append(current) }
        return result
    }

    private static func run(_ message: ArraySlice<UInt8>) throws(BodyError) -> Run {
        var run = Run()
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            switch field {
            case 1: run.length = Int(max(0, value.int32 ?? 0))
            case 2: run.paragraph = try value.bytes.map { (bytes) throws(BodyError) in try style(bytes) } ?? .init()
            case 3: run.inline.isCode = try value.bytes.map { (bytes) throws(BodyError) in try isFixed(bytes) } ?? false
            case 5:
                let weight = value.int32 ?? 0
                run.inline.isBold = weight == 1 || weight == 3
                run.inline.isItalic = weight == 2 || weight == 3
            case 7: run.inline.isStruck = value.int32 == 1
            case 9: run.inline.link = value.text
            case 12: run.attachment = try value.bytes.map { (bytes) throws(BodyError) in try reference(bytes) }
            default: break
            }
        }
        return run
    }

    private static func style(_ message: ArraySlice<UInt8>) throws(BodyError) -> ParagraphStyle {
        var style = ParagraphStyle()
        var type: Int32 = -1
        var isDone = false
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            switch field {
            case 1: type = value.int32 ?? -1
            case 4: style.indent = Int(min(max(0, value.int32 ?? 0), Int32(ParagraphStyle.deepestIndent)))
            case 5:
                guard let checklist = value.bytes else { continue }
                isDone = try number(2, in: checklist) == 1
            case 8: style.isQuoted = (value.int32 ?? 0) > 0
            default: break
            }
        }
        style.kind = kind(type, isDone: isDone)
        return style
    }

    private static func number(_ field: UInt64, in message: ArraySlice<UInt8>) throws(BodyError) -> Int32? {
        var reader = ProtobufReader(message)
        var found: Int32?
        while let (number, value) = try reader.next() { if number == field { found = value.int32 } }
        return found
    }

    private static func kind(_ type: Int32, isDone: Bool) -> ParagraphStyle.Kind {
        switch type {
        case 0: .title
        case 1: .heading
        case 2: .subheading
        case 4: .monospaced
        case 100, 101: .bullet
        case 102: .numbered
        case 103: .checklist(isDone: isDone)
        default: .body
        }
    }

    private static func reference(_ message: ArraySlice<UInt8>) throws(BodyError) -> AttachmentReference {
        var reference = AttachmentReference(identifier: "", type: "")
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            if field == 1 { reference.identifier = value.text ?? "" }
            if field == 2 { reference.type = value.text ?? "" }
        }
        return reference
    }

    /// Whether a font is one of Apple's of fixed width.
    ///
    /// Notes has no inline code of its own; text that was pasted from an editor keeps its font.
    private static func isFixed(_ font: ArraySlice<UInt8>) throws(BodyError) -> Bool {
        guard let name = try ProtobufReader.message(1, in: font).map({ String(decoding: $0, as: UTF8.self) }) else {
            return false
        }
        return ["Menlo", "Courier", "Monaco", "SFMono", ".SFMono", ".AppleSystemUIFontMonospaced"].contains {
            name.hasPrefix($0)
        }
    }
}

extension Paragraph {
    fileprivate mutating func append(
        _ units: ArraySlice<UInt16>, style: InlineStyle, attachment: AttachmentReference?
    ) {
        let parts = units.split(separator: NoteText.placeholder, omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            // A placeholder that stands for nothing is no text either.
            if number > 0, let attachment { pieces.append(.attachment(attachment)) }
            if !part.isEmpty { append(TextUnits.text(part), style: style) }
        }
    }

    mutating func append(_ text: String, style: InlineStyle) {
        guard case .text(var before, style)? = pieces.last else { return pieces.append(.text(text, style)) }
        // Taken out first, so that the text grows in place.
        pieces.removeLast()
        before += text
        pieces.append(.text(before, style))
    }
}
