import Secrets

/// Makes flat blocks of a document's structure.
struct BlockBuilder {
    private(set) var blocks: [Block] = []
    /// The line on which each block begins, with the containers that it is the first to stand in.
    private(set) var lines: [Int] = []
    /// Where the outermost container begins that waits for its first block.
    private var opened: Int?
    private var containers: [Block.Container] = []
    private var frames: [Frame] = []

    private enum Frame {
        case list(id: Identifier, number: Int?, isTight: Bool)
        /// A quote or item; too deep ones are not kept. The count of blocks before it tells whether it is empty.
        case container(isKept: Bool, blocksBefore: Int)
    }

    mutating func add(_ event: MarkdownEvent, line: Int) {
        switch event {
        case .enterQuote: enter(.quote(id: .makeRandom()), line)
        case .enterList(let start, let isTight):
            frames.append(.list(id: .makeRandom(), number: start, isTight: isTight))
        case .enterItem: enterItem(line)
        case .leave: leave(line)
        case .heading(let level, let text): append(.heading(level: level, text: text), line)
        case .paragraph(let text): addParagraph(text, line)
        case .code(let info, let text): append(.code(info: info, text: withoutLastNewline(text)), line)
        case .html(let text): append(.html(withoutBlankLinesAtEnd(String(text.drop { $0 == " " }))), line)
        case .table(let table): append(.table(table), line)
        case .rule: append(.rule, line)
        }
    }

    private mutating func append(_ content: Block.Content, _ line: Int) {
        blocks.append(Block(containers: containers, content: content))
        lines.append(opened ?? line)
        opened = nil
    }

    private mutating func enter(_ container: Block.Container, _ line: Int) {
        opened = opened ?? line
        let isKept = containers.count < Markdown.maxDepth
        if isKept { containers.append(container) }
        frames.append(.container(isKept: isKept, blocksBefore: blocks.count))
    }

    private mutating func enterItem(_ line: Int) {
        guard case .list(let list, let number, let isTight)? = frames.popLast() else { return }
        frames.append(.list(id: list, number: number.map { $0 + 1 }, isTight: isTight))
        enter(.item(Block.Item(id: .makeRandom(), list: list, number: number, isTight: isTight)), line)
    }

    private mutating func leave(_ line: Int) {
        guard case .container(true, let before)? = frames.popLast() else { return }
        if blocks.count == before { append(.empty, line) }
        containers.removeLast()
    }

    private mutating func addParagraph(_ text: String, _ line: Int) {
        let text = takingCheckMark(text)
        guard !text.isEmpty else { return }
        append(Attachment.content(ofParagraph: text) ?? .paragraph(text: text), line)
    }

    /// The text without the mark, if this is the first paragraph of an item.
    private mutating func takingCheckMark(_ text: String) -> String {
        guard case .container(true, blocks.count)? = frames.last, case .item(var item)? = containers.last,
            item.isChecked == nil, let (isChecked, rest) = CheckMark.split(text)
        else { return text }
        item.isChecked = isChecked
        containers[containers.count - 1] = .item(item)
        return rest
    }

    /// HTML that nobody closed swallows the blank lines after it.
    private func withoutBlankLinesAtEnd(_ text: String) -> String {
        let content = MarkdownText.trimmed(text)
        let rest = text.utf8.dropFirst(content.utf8.count).prefix { $0 != MarkdownText.newline }
        return content + (String(rest) ?? "")
    }

    private func withoutLastNewline(_ text: String) -> String {
        text.utf8.last == MarkdownText.newline ? String(text.utf8.dropLast()) ?? text : text
    }
}

/// A paragraph that is nothing but a picture of an attachment, or a link to one.
private enum Attachment {
    static func content(ofParagraph text: String) -> Block.Content? {
        guard text.utf8.first == UInt8(ascii: "!") || text.utf8.first == UInt8(ascii: "["),
            text.contains(Markdown.attachmentScheme)
        else { return nil }
        let inlines = MarkdownLibrary.inlines(in: text)
        switch (inlines.first, inlines.last) {
        case (.enterImage(let url)?, .leaveImage?), (.enterLink(let url)?, .leaveLink?):
            guard isSingle(inlines), let id = identifier(url) else { return nil }
            return .attachment(id: id, name: MarkdownText.plain(inlines))
        default: return nil
        }
    }

    private static func identifier(_ url: String) -> Identifier? {
        guard url.hasPrefix(Markdown.attachmentScheme) else { return nil }
        return Identifier(String(url.dropFirst(Markdown.attachmentScheme.count)))
    }

    /// Whether what the first one opens is closed by the last one and no sooner.
    private static func isSingle(_ inlines: [MarkdownInline]) -> Bool {
        var depth = 0
        for inline in inlines.dropLast() {
            switch inline {
            case .enterLink, .enterImage: depth += 1
            case .leaveLink, .leaveImage: depth -= 1
            default: break
            }
            if depth == 0 { return false }
        }
        return true
    }
}
