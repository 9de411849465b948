/// Markdown as blocks: what diaries use of it, everything else as its own text.
///
/// Headings, lists, ticks, quotes, rules and fenced code; inside of them bold, italic, code, links to the web and
/// pictures. What pages are made of, whatever they are written in.
///
/// ```swift
/// PageBlock.blocks(of: "# A day\n- [x] *done*") { _ in false }
/// ```
package enum PageBlock: Equatable, Sendable {
    /// Its lines.
    case paragraph([[PageInline]])
    /// - level: 1 for the largest; as many as there were `#`.
    case heading(level: Int, [PageInline])
    case rule
    /// Its lines.
    case quote([[PageInline]])
    /// Its items.
    case list(isNumbered: Bool, [[PageInline]])
    case code(String)

    /// The blocks of a text.
    ///
    /// - Parameter hasMedia: whether there is a file of a number; pictures of others stay text.
    package static func blocks(of text: String, hasMedia: @escaping (Int) -> Bool) -> [PageBlock] {
        var scan = BlockScan(hasMedia: hasMedia)
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            scan.add(line)
        }
        return scan.finish()
    }
}

/// What a line of Markdown is made of.
package enum PageInline: Equatable, Sendable {
    package enum Mark: Sendable { case emphasis, strong }

    case text(String)
    /// Each that begins ends, the innermost first.
    case begin(Mark)
    case end(Mark)
    case code(String)
    /// To the web alone.
    case link(label: String, target: String)
    /// A file of the entry.
    case media(number: Int, caption: String)
}

/// Goes through a text line by line.
private struct BlockScan {
    private enum Open { case paragraph, quote, bullets, numbers }

    private let hasMedia: (Int) -> Bool
    private var blocks: [PageBlock] = []
    private var open = Open.paragraph
    /// Of the open block.
    private var lines: [[PageInline]] = []
    private var code: [Substring]?

    init(hasMedia: @escaping (Int) -> Bool) { self.hasMedia = hasMedia }

    mutating func finish() -> [PageBlock] {
        endCode()
        close()
        return blocks
    }

    mutating func add(_ line: Substring) {
        let content = line.drop { $0 == " " || $0 == "\t" }
        if content.hasPrefix("```") || content.hasPrefix("~~~") {
            if code == nil {
                close()
                code = []
            } else {
                endCode()
            }
        } else if code != nil {
            code?.append(line)
        } else if content.isEmpty {
            close()
        } else if content.hasPrefix("#"), content.drop(while: { $0 == "#" }).first == " " {
            close()
            let level = content.prefix { $0 == "#" }.count
            blocks.append(.heading(level: level, inline(content.drop { $0 == "#" || $0 == " " })))
        } else if content.count >= 3, content.allSatisfy({ $0 == content.first }), "*-_".contains(content.prefix(1)) {
            close()
            blocks.append(.rule)
        } else if content.first == ">" {
            add(content.dropFirst().drop { $0 == " " }, to: .quote)
        } else if let text = Self.bullet(content) {
            add(text, to: .bullets)
        } else if let text = Self.number(content) {
            add(text, to: .numbers)
        } else {
            add(content, to: .paragraph)
        }
    }

    private mutating func add(_ text: Substring, to block: Open) {
        if open != block { close() }
        open = block
        lines.append(inline(text))
    }

    private mutating func close() {
        guard !lines.isEmpty else { return }
        let block: PageBlock =
            switch open {
            case .paragraph: .paragraph(lines)
            case .quote: .quote(lines)
            case .bullets: .list(isNumbered: false, lines)
            case .numbers: .list(isNumbered: true, lines)
            }
        blocks.append(block)
        lines = []
    }

    private mutating func endCode() {
        guard let lines = code else { return }
        blocks.append(.code(lines.joined(separator: "\n")))
        code = nil
    }

    private static func bullet(_ line: Substring) -> Substring? {
        guard let first = line.first, "-*+".contains(first), line.dropFirst().first == " " else { return nil }
        let text = line.dropFirst(2)
        if text.hasPrefix("[ ] ") { return "☐ " + text.dropFirst(4) }
        if text.hasPrefix("[x] ") || text.hasPrefix("[X] ") { return "☑ " + text.dropFirst(4) }
        return text
    }

    private static func number(_ line: Substring) -> Substring? {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        guard (1...9).contains(digits.count), rest.hasPrefix(". ") || rest.hasPrefix(") ") else { return nil }
        return rest.dropFirst(2)
    }

    private func inline(_ text: Substring) -> [PageInline] {
        var scan = InlineScan(text, hasMedia: hasMedia)
        return scan.parts()
    }
}
