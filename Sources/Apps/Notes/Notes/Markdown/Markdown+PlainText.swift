extension Markdown {
    /// What a reader sees, without markup.
    ///
    /// Each block is a line, and so is each row of a table, whose cells are parted by tabs. Code keeps its lines.
    package static func plainText(_ blocks: [Block]) -> String {
        blocks.compactMap(plainText(of:)).joined(separator: "\n")
    }

    /// The first line that shows anything, at most 120 characters of it.
    ///
    /// A line is one of the source: what stands right below a title, without a blank line, is no part of it.
    ///
    /// Control characters and those that change the direction of what follows become U+FFFD: a title stands in lists
    /// and terminals.
    package static func title(_ blocks: [Block]) -> String {
        for block in blocks {
            guard let text = titleText(of: block) else { continue }
            for line in text.split(whereSeparator: \.isNewline) {
                let title = legible(line)
                if !title.isEmpty { return title }
            }
        }
        return ""
    }

    /// Inline source without its markup, on one line.
    package static func plainInline(_ text: String) -> String {
        guard text.utf8.contains(where: markup.contains) else { return text }
        return MarkdownText.plain(MarkdownLibrary.inlines(in: text))
    }

    private static let markup = Set("\\`*_[]<>&!~\r\n".utf8)
    private static let titleLength = 120
    /// A character can have any number of accents.
    private static let titleScalars = 1_000

    private static func titleText(of block: Block) -> String? {
        switch block.content {
        case .heading(_, let text), .paragraph(let text):
            guard text.utf8.contains(where: markup.contains) else { return text }
            return MarkdownText.plain(MarkdownLibrary.inlines(in: text), betweenLines: "\n")
        default: return plainText(of: block)
        }
    }

    private static func plainText(of block: Block) -> String? {
        switch block.content {
        case .heading(_, let text), .paragraph(let text): plainInline(text)
        case .code(_, let text): text
        case .table(let table): table.rows.map { $0.map(plainInline).joined(separator: "\t") }.joined(separator: "\n")
        case .html(let text): MarkdownText.withoutTags(text)
        case .attachment(_, let name): MarkdownText.singleLine(name)
        case .rule, .empty: nil
        }
    }

    static func legible(_ line: Substring) -> String {
        let scalars = line.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(titleScalars)
        var title = String.UnicodeScalarView()
        for scalar in scalars { title.append(legible(scalar)) }
        return MarkdownText.trimmed(String(String(title).prefix(titleLength)))
    }

    private static func legible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar == "\t" { return " " }
        if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl { return "\u{FFFD}" }
        return scalar
    }
}

extension MarkdownText {
    static func plain(_ inlines: [MarkdownInline], betweenLines lineBreak: String = " ") -> String {
        var result = ""
        for inline in inlines {
            switch inline {
            case .text(let text), .code(let text): result += text
            case .softBreak, .hardBreak: result += lineBreak
            case .html, .enterLink, .enterImage, .leaveLink, .leaveImage: break
            }
        }
        return result
    }

    /// The text between the tags, on one line.
    static func withoutTags(_ html: String) -> String {
        var text: [UInt8] = []
        var isInTag = false
        for byte in html.utf8 {
            switch byte {
            case UInt8(ascii: "<"): isInTag = true
            case UInt8(ascii: ">") where isInTag:
                isInTag = false
                text.append(UInt8(ascii: " "))
            default: if !isInTag { text.append(byte) }
            }
        }
        let words = text.split { isBlank($0) || (newline...carriageReturn).contains($0) }
        return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
}

extension Markdown {
    /// Inline source that shows exactly this text.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if markupOrPunctuation.contains(scalar) { escaped.unicodeScalars.append("\\") }
            escaped.unicodeScalars.append(scalar == "\n" || scalar == "\r" ? " " : scalar)
        }
        return escaped
    }

    private static let markupOrPunctuation = Set("\\`*_{}[]()<>#+-.!|~&:\"'".unicodeScalars)
}
