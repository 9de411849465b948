/// Where two neighbours would grow together, were there no blank line between them.
///
/// Outside of tight lists there always is one. In a tight list it would make the list a loose one, so that it is
/// written only where CommonMark leaves no choice.
enum MarkdownSeparation {
    static func needsBlankLine(within nodes: [MarkdownNode]) -> Bool {
        zip(nodes, nodes.dropFirst()).contains { needsBlankLine(between: $0, and: $1) }
    }

    static func needsBlankLine(between first: MarkdownNode, and second: MarkdownNode) -> Bool {
        if case .quote = first, case .quote = second { return true }
        if case .leaf(let content) = first, endsWithBlankLine(content) { return true }
        switch second {
        case .quote: return false
        case .list(let list): return isParagraph(first) && !canInterruptParagraph(list)
        // A table may follow its paragraph: what stands before its head stays one.
        case .leaf(.table) where isParagraph(first): return false
        case .leaf(let content): return isContinuable(first) && continues(content)
        }
    }

    private static func isParagraph(_ node: MarkdownNode) -> Bool {
        switch node {
        case .leaf(.paragraph), .leaf(.attachment): true
        default: false
        }
    }

    /// Most HTML ends at a blank line only; comments, declarations and the like end by themselves.
    private static func endsWithBlankLine(_ content: Block.Content) -> Bool {
        guard case .html(let text) = content else { return false }
        let start = text.prefix(10).lowercased()
        return !["<!", "<?", "<script", "<pre", "<style", "<textarea"].contains { start.hasPrefix($0) }
    }

    /// Whether a line of text after it would belong to it: to a paragraph even out of the containers it stands in.
    private static func isContinuable(_ node: MarkdownNode) -> Bool {
        switch node {
        case .leaf(.paragraph), .leaf(.attachment), .leaf(.table): true
        case .leaf: false
        case .quote(let nodes): nodes.last.map(endsInParagraph) ?? false
        case .list(let list): list.items.last?.nodes.last.map(endsInParagraph) ?? (list.items.last?.isChecked != nil)
        }
    }

    private static func endsInParagraph(_ node: MarkdownNode) -> Bool {
        if case .leaf(.table) = node { return false }
        return isContinuable(node)
    }

    /// Whether a block starts with a line that could continue a paragraph or table.
    private static func continues(_ content: Block.Content) -> Bool {
        switch content {
        case .paragraph, .attachment: true
        case .heading(let level, let text): level <= 2 && MarkdownText.lines(of: text).count > 1
        case .table: true
        case .html(let text): MarkdownLibrary.events(in: "text\n" + text).first != .paragraph(text: "text")
        case .code, .rule, .empty: false
        }
    }

    /// An empty item would underline the paragraph, and a number other than one is text in it.
    private static func canInterruptParagraph(_ list: MarkdownList) -> Bool {
        guard let first = list.items.first, !first.nodes.isEmpty || first.isChecked != nil else { return false }
        return (list.start ?? 1) == 1
    }
}
