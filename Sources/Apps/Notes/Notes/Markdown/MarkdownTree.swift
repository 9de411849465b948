import Secrets

/// Blocks regrouped by what they stand in, for writing.
enum MarkdownNode {
    case leaf(Block.Content)
    case quote([MarkdownNode])
    case list(MarkdownList)
}

struct MarkdownList {
    /// The first number of an ordered list.
    var start: Int?
    /// Whether no blank line may stand between its items and between the blocks of each.
    var isTight: Bool
    var items: [MarkdownItem]
}

struct MarkdownItem {
    var isChecked: Bool?
    var nodes: [MarkdownNode]
}

enum MarkdownTree {
    static func nodes(of blocks: [Block]) -> [MarkdownNode] { nodes(of: blocks[...], depth: 0) }

    /// Neighbours with the same quote, list or item stand in it together.
    private static func nodes(of blocks: ArraySlice<Block>, depth: Int) -> [MarkdownNode] {
        var nodes: [MarkdownNode] = []
        var rest = blocks
        while let first = rest.first {
            guard let container = container(of: first, at: depth) else {
                if let content = writable(first.content) { nodes.append(.leaf(content)) }
                rest = rest.dropFirst()
                continue
            }
            let group = rest.prefix { self.container(of: $0, at: depth).map { isTogether(container, $0) } ?? false }
            rest = rest.dropFirst(group.count)
            switch container {
            case .quote: nodes.append(.quote(self.nodes(of: group, depth: depth + 1)))
            case .item(let item): nodes.append(.list(list(from: item, group, depth: depth)))
            }
        }
        return nodes
    }

    private static func container(of block: Block, at depth: Int) -> Block.Container? {
        depth < min(block.containers.count, Markdown.maxDepth) ? block.containers[depth] : nil
    }

    private static func isTogether(_ one: Block.Container, _ other: Block.Container) -> Bool {
        switch (one, other) {
        case (.quote(let one), .quote(let other)): one == other
        case (.item(let one), .item(let other)): one.list == other.list && (one.number == nil) == (other.number == nil)
        default: false
        }
    }

    private static func list(from first: Block.Item, _ blocks: ArraySlice<Block>, depth: Int) -> MarkdownList {
        var list = MarkdownList(start: first.number, isTight: true, items: [])
        var rest = blocks
        while let block = rest.first, case .item(let item)? = container(of: block, at: depth) {
            let group = rest.prefix { other in
                guard case .item(let next)? = container(of: other, at: depth) else { return false }
                return next.id == item.id
            }
            rest = rest.dropFirst(group.count)
            let nodes = protected(nodes(of: group, depth: depth + 1), isChecked: item.isChecked)
            list.isTight = list.isTight && item.isTight && !MarkdownSeparation.needsBlankLine(within: nodes)
            list.items.append(MarkdownItem(isChecked: item.isChecked, nodes: nodes))
        }
        return list
    }

    /// Text that only looks like a check mark gets a backslash.
    private static func protected(_ nodes: [MarkdownNode], isChecked: Bool?) -> [MarkdownNode] {
        guard isChecked == nil, case .leaf(.paragraph(let text))? = nodes.first else { return nodes }
        let line = MarkdownText.lines(of: text).first ?? ""
        return CheckMark.split(line) == nil ? nodes : [.leaf(.paragraph(text: "\\" + text))] + nodes.dropFirst()
    }

    /// Nil for what has nothing to write.
    private static func writable(_ content: Block.Content) -> Block.Content? {
        switch content {
        case .empty: nil
        case .paragraph(let text): MarkdownText.lines(of: text).isEmpty ? nil : content
        case .html(let text): MarkdownText.trimmed(text).isEmpty ? nil : content
        case .table(let table): table.alignments.isEmpty || table.rows.isEmpty ? nil : content
        case .heading, .code, .rule, .attachment: content
        }
    }
}
