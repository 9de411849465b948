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
    /// Its items, the first at the top; those at the top are all numbered or none is.
    case list([PageItem])
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

/// A line of a list, behind its mark.
package struct PageItem: Equatable, Sendable {
    /// How many items it is below of; at most one more than the item before.
    package let level: Int
    /// Of its neighbours at a level those alike are one list.
    package let isNumbered: Bool
    package let line: [PageInline]

    /// Deeper items stand at the deepest level.
    package static let levelCount = 6
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
    private enum Open { case paragraph, quote }

    private let hasMedia: (Int) -> Bool
    private var blocks: [PageBlock] = []
    private var open = Open.paragraph
    /// Of the open block.
    private var lines: [[PageInline]] = []
    /// Of the open list; of what is not a list none.
    private var items: [PageItem] = []
    private var indents = ListIndents()
    /// Whether a blank line has ended the list for all but items within items.
    private var isListLoose = false
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
            if items.isEmpty { close() } else { isListLoose = true }
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
            addItem(text, isNumbered: false, indent: ListIndents.width(line[..<content.startIndex]))
        } else if let text = Self.number(content) {
            addItem(text, isNumbered: true, indent: ListIndents.width(line[..<content.startIndex]))
        } else {
            add(content, to: .paragraph)
        }
    }

    private mutating func add(_ text: Substring, to block: Open) {
        if open != block || !items.isEmpty { close() }
        open = block
        lines.append(inline(text))
    }

    private mutating func addItem(_ text: Substring, isNumbered: Bool, indent: Int) {
        if items.isEmpty { close() }
        var level = indents.level(indent)
        if level == 0, let first = items.first, isListLoose || first.isNumbered != isNumbered {
            close()
            level = indents.level(indent)
        }
        isListLoose = false
        items.append(PageItem(level: level, isNumbered: isNumbered, line: inline(text)))
    }

    private mutating func close() {
        if !items.isEmpty { blocks.append(.list(items)) }
        if !lines.isEmpty { blocks.append(open == .quote ? .quote(lines) : .paragraph(lines)) }
        lines = []
        items = []
        indents = ListIndents()
        isListLoose = false
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
