/// Writes a note's paragraphs as Markdown.
///
/// Each of Apple's paragraphs becomes a paragraph, heading or list item of its own, neighbouring monospaced ones one
/// fenced block; a line break inside a paragraph becomes a hard break. Read back, each line holds the text that Apple
/// shows. What Markdown cannot hold is left out: empty paragraphs, white space at the end of a line, the indent of a
/// paragraph that is no list item, a line break inside a heading (it becomes a space), underlining and colours.
struct MarkdownWriter {
    /// What stands in place of an attachment.
    enum Embedded: Equatable {
        /// Text in the middle of a line, such as a hashtag.
        case text(String)
        /// Blocks of Markdown between the text before and after.
        case blocks([[String]])
    }

    private enum Kind { case text, list, code }

    private struct Level {
        var indent: Int
        var isNumbered: Bool
        var number: Int
        var width: Int
    }

    private(set) var lines: [String] = []
    private var last: (kind: Kind, isQuoted: Bool)?
    private var levels: [Level] = []
    /// Whether the list in hand is marked by `*` and `1)`, to keep it apart from the one just before it.
    private var isAlternate = false
    private var code: (lines: [String], isQuoted: Bool)?
    private let embed: (AttachmentReference) -> Embedded

    /// Markdown for `paragraphs`; `embed` is asked once for each attachment, in their order.
    static func render(_ paragraphs: [Paragraph], embed: @escaping (AttachmentReference) -> Embedded) -> String {
        var writer = MarkdownWriter(embed: embed)
        for paragraph in paragraphs { writer.write(paragraph) }
        writer.endCode()
        return writer.lines.isEmpty ? "" : writer.lines.joined(separator: "\n") + "\n"
    }

    private init(embed: @escaping (AttachmentReference) -> Embedded) { self.embed = embed }

    private mutating func write(_ paragraph: Paragraph) {
        var spans: [InlineMarkdown.Span] = []
        for piece in paragraph.pieces {
            switch piece {
            case .text(let text, let style): spans.append(.init(text: text, style: style))
            case .attachment(let reference):
                switch embed(reference) {
                case .text(let text): spans.append(.init(text: text, style: InlineStyle()))
                case .blocks(let blocks):
                    writeText(spans, paragraph.style)
                    spans = []
                    for block in blocks { writeBlock(block, isQuoted: paragraph.style.isQuoted) }
                }
            }
        }
        writeText(spans, paragraph.style)
    }

    private mutating func writeText(_ spans: [InlineMarkdown.Span], _ style: ParagraphStyle) {
        if style.kind == .monospaced { return writeCode(spans, style) }
        let lines = SoftLines.split(spans).map(InlineMarkdown.render)
        guard lines.contains(where: { !$0.isEmpty }) else {
            endCode()
            levels = []
            return
        }
        let kept = Self.trimmed(lines)
        switch style.kind {
        case .title: writeHeading(kept, level: 1, style)
        case .heading: writeHeading(kept, level: 2, style)
        case .subheading: writeHeading(kept, level: 3, style)
        case .bullet, .numbered, .checklist: writeItem(kept, style)
        case .body, .monospaced: writeBlock(Self.broken(kept), isQuoted: style.isQuoted)
        }
    }

    private mutating func writeHeading(_ lines: [String], level: Int, _ style: ParagraphStyle) {
        var text = lines.filter { !$0.isEmpty }.joined(separator: " ")
        // A heading may end in signs of its own, which are no text.
        if text.hasSuffix("#") { text.insert("\\", at: text.index(before: text.endIndex)) }
        if text.hasPrefix(" ") || text.hasPrefix("\t") { text = MarkdownEscaping.escapeStart(of: text) }
        writeBlock([String(repeating: "#", count: level) + " " + text], isQuoted: style.isQuoted)
    }

    private mutating func writeItem(_ lines: [String], _ style: ParagraphStyle) {
        endCode()
        var style = style
        // Readers of GitHub's task lists do not see one inside a quote.
        if case .checklist = style.kind { style.isQuoted = false }
        let continues = !levels.isEmpty && last?.kind == .list && last?.isQuoted == style.isQuoted
        if !continues {
            levels = []
            isAlternate = last?.kind == .list && last?.isQuoted == style.isQuoted && !isAlternate
        }
        while let level = levels.last, level.indent > style.indent { levels.removeLast() }
        let sibling = levels.last?.indent == style.indent ? levels.popLast() : nil
        let isNumbered = style.kind == .numbered
        let number = sibling?.isNumbered == isNumbered ? (sibling?.number ?? 0) + 1 : 1
        let marker = marker(style.kind, number: number)
        let offset = String(repeating: " ", count: levels.reduce(0) { $0 + $1.width })
        let width = isNumbered ? marker.count : 2
        levels.append(Level(indent: style.indent, isNumbered: isNumbered, number: number, width: width))
        let hanging = offset + String(repeating: " ", count: width)
        let item = Self.broken(lines).enumerated().map { ($0.offset == 0 ? offset + marker : hanging) + $0.element }
        append(item, kind: .list, isQuoted: style.isQuoted, joined: continues)
    }

    private func marker(_ kind: ParagraphStyle.Kind, number: Int) -> String {
        let bullet = isAlternate ? "* " : "- "
        switch kind {
        case .numbered: return "\(number)" + (isAlternate ? ") " : ". ")
        case .checklist(let isDone): return bullet + (isDone ? "[x] " : "[ ] ")
        default: return bullet
        }
    }

    private mutating func writeCode(_ spans: [InlineMarkdown.Span], _ style: ParagraphStyle) {
        let lines = SoftLines.split(spans).map { line in
            line.map(\.text).joined().replacing("\0", with: "\u{FFFD}")
        }
        if code?.isQuoted != style.isQuoted { endCode() }
        if code == nil { code = ([], style.isQuoted) }
        code?.lines += lines
    }

    private mutating func endCode() {
        guard let (lines, isQuoted) = code else { return }
        code = nil
        guard let end = lines.lastIndex(where: { !$0.isEmpty }), let start = lines.firstIndex(where: { !$0.isEmpty })
        else { return }
        let longest = lines.map { InlineMarkdown.longestRun(of: "`", in: $0) }.max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        levels = []
        append([fence] + lines[start...end] + [fence], kind: .code, isQuoted: isQuoted, joined: false)
    }

    private mutating func writeBlock(_ lines: [String], isQuoted: Bool) {
        endCode()
        levels = []
        append(lines, kind: .text, isQuoted: isQuoted, joined: false)
    }

    /// Adds a block, apart from the one before it by an empty line unless it is the next item of the same list.
    private mutating func append(_ block: [String], kind: Kind, isQuoted: Bool, joined: Bool) {
        if let last, !joined { lines.append(last.isQuoted && isQuoted ? ">" : "") }
        lines += block.map { isQuoted ? ($0.isEmpty ? ">" : "> " + $0) : $0 }
        if kind != .list { isAlternate = false }
        last = (kind, isQuoted)
    }

    /// Without empty lines at either end, where Markdown has no hard break.
    private static func trimmed(_ lines: [String]) -> [String] {
        let kept = lines.drop { $0.isEmpty }
        return Array(kept.prefix((kept.lastIndex { !$0.isEmpty } ?? kept.startIndex) - kept.startIndex + 1))
    }

    /// The lines of one paragraph with hard breaks between them.
    private static func broken(_ lines: [String]) -> [String] {
        lines.enumerated().map { number, line in
            MarkdownEscaping.escapeStart(of: line) + (number + 1 < lines.count ? "\\" : "")
        }
    }
}

/// The lines inside a paragraph.
enum SoftLines {
    /// Cuts at Apple's line breaks (U+2028) and at others that text from elsewhere brings along.
    static func split(_ spans: [InlineMarkdown.Span]) -> [[InlineMarkdown.Span]] {
        var lines: [[InlineMarkdown.Span]] = [[]]
        for span in spans {
            let parts = span.text.split(omittingEmptySubsequences: false) { breaks.contains($0) }
            for (number, part) in parts.enumerated() {
                if number > 0 { lines.append([]) }
                guard !part.isEmpty else { continue }
                lines[lines.count - 1].append(.init(text: String(part), style: span.style))
            }
        }
        return lines
    }

    private static let breaks: Set<Character> = ["\u{2028}", "\u{2029}", "\r", "\n", "\r\n", "\u{B}", "\u{85}"]
}
