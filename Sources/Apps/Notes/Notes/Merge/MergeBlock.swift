import Secrets

/// A block as a merge sees it: its source in parts, and what it stands in.
struct MergeBlock: Equatable {
    var id: Identifier
    /// The same quote or item has the same identity in all versions that are merged.
    var containers: [Block.Container]
    var parts: BlockParts

    init(id: Identifier, containers: [Block.Container], parts: BlockParts) {
        self.id = id
        self.containers = containers
        self.parts = parts
    }

    /// - Parameter blocks: a text whole; what its blocks stand in is found by reading it.
    static func blocks(of blocks: [SourceBlock]) -> [MergeBlock] {
        zip(blocks, Markdown.leaves(of: blocks)).map { block, leaf in
            MergeBlock(id: block.id, containers: leaf?.containers ?? [], parts: BlockParts(block.source))
        }
    }

    /// Whether a deletion elsewhere would lose something that was written since.
    func isEdited(since before: MergeBlock) -> Bool {
        parts.essence != before.parts.essence || parts.isChecked != before.parts.isChecked
    }

    /// Every property in bytes, for an order that is the same everywhere.
    var sortKey: [UInt8] { id.bytes + parts.source }
}

extension Block.Container {
    /// Of the quote or item itself, not of the item's list.
    var id: Identifier {
        switch self {
        case .quote(let id): id
        case .item(let item): item.id
        }
    }
}
