import Secrets

/// Merges two notes that were edited apart, by their common ancestor.
///
/// What either side added, deleted, moved or ticked happens to the result, block by block; an edit beats a deletion.
/// Edits of one block are joined word by word (code by lines, tables by cells). Where both changed the same words, both
/// blocks are kept, one after the other. The result does not depend on which side is called mine.
package enum BlockMerge {
    /// - Returns: the merged blocks, and whether a block is there twice because its two edits could not be joined.
    package static func merge(
        base: [Block], mine: [Block], theirs: [Block]
    ) -> (blocks: [Block], hasConflict: Bool) {
        if mine == theirs || theirs == base { return (mine, false) }
        if mine == base { return (theirs, false) }
        let isInOrder = precedes(mine, theirs)
        var sides = Sides(base: base, isInOrder ? mine : theirs, isInOrder ? theirs : mine)
        return sides.merged()
    }

    /// An order of notes that does not ask whose they are: by the first difference.
    private static func precedes(_ mine: [Block], _ theirs: [Block]) -> Bool {
        guard let (one, other) = zip(mine, theirs).first(where: { $0 != $1 }) else { return mine.count < theirs.count }
        return one.sortKey.lexicographicallyPrecedes(other.sortKey)
    }
}

/// The three versions, the two new ones in an order of their own.
private struct Sides {
    private let base: Version
    private let one: Version
    private let other: Version
    private let containers: ContainerMerge
    private var names: Set<Identifier>

    init(base: [Block], _ one: [Block], _ other: [Block]) {
        self.base = Version(base)
        self.one = Version(one)
        self.other = Version(other)
        containers = ContainerMerge(base: base, one, other)
        names = Set((base + one + other).map(\.id))
    }

    mutating func merged() -> (blocks: [Block], hasConflict: Bool) {
        let kept = Set((one.blocks + other.blocks).map(\.id).filter(isKept))
        var blocks: [Block] = []
        var hasConflict = false
        for id in BlockOrder.merge(base: base.blocks, one.blocks, other.blocks, kept: kept) {
            let versions = merged(id)
            hasConflict = hasConflict || versions.count > 1
            blocks += versions
        }
        return (gathered(blocks, depth: 0), hasConflict)
    }

    /// Deleted on one side means deleted, unless the other side edited or ticked it.
    private func isKept(_ id: Identifier) -> Bool {
        guard let before = base[id] else { return true }
        if let one = one[id], let other = other[id] { return one.id == other.id }
        guard let left = one[id] ?? other[id] else { return false }
        return left.content != before.content || left.checks != before.checks
    }

    /// One block, or both where they cannot be joined; the first side's keeps the identity.
    private mutating func merged(_ id: Identifier) -> [Block] {
        let path = containers.path(base: base[id], one[id], other[id])
        guard let first = one[id] ?? other[id] else { return [] }
        let second = other[id] ?? first
        let before = one[id] == nil || other[id] == nil ? first.content : base[id]?.content
        if let content = ContentMerge.merge(base: before, first.content, second.content) {
            return [Block(id: id, containers: path, content: content)]
        }
        let copy = name(for: second)
        return [
            Block(id: id, containers: path, content: first.content),
            Block(id: copy, containers: path, content: second.content),
        ]
    }

    /// An identity for a second copy that every device derives alike.
    private mutating func name(for block: Block) -> Identifier {
        var hash = Fingerprint()
        hash.add(block.sortKey)
        repeat { hash.add([0]) } while !names.insert(hash.identifier).inserted
        return hash.identifier
    }

    /// Blocks of one item or quote that came apart, because one side moved it while the other added to it, come
    /// together at the first of them.
    private func gathered(_ blocks: [Block], depth: Int) -> [Block] {
        let isNested = blocks.contains { $0.containers.count > depth }
        guard isNested, depth < Markdown.maxDepth, blocks.count > 1 else { return blocks }
        var groups: [[Block]] = []
        var places: [Identifier: Int] = [:]
        for block in blocks {
            guard depth < block.containers.count else {
                groups.append([block])
                continue
            }
            let container = block.containers[depth].id
            if let place = places[container] {
                groups[place].append(block)
            } else {
                places[container] = groups.count
                groups.append([block])
            }
        }
        return groups.flatMap { gathered($0, depth: depth + 1) }
    }
}

/// A note with its blocks by identity.
private struct Version {
    let blocks: [Block]
    private let places: [Identifier: Int]

    /// A second block of the same identity, which no writer makes, is not taken for the first.
    init(_ blocks: [Block]) {
        self.blocks = blocks
        places = Dictionary(zip(blocks.map(\.id), blocks.indices)) { first, _ in first }
    }

    subscript(id: Identifier) -> Block? { places[id].map { blocks[$0] } }
}

extension Block {
    /// Every property in bytes, for an order that is the same everywhere.
    fileprivate var sortKey: [UInt8] {
        var key = id.bytes + [UInt8(content.kind.rawValue)] + Array(content.text.utf8) + [0]
        for container in containers {
            key += container.id.bytes
            guard case .item(let item) = container else { continue }
            key += item.list.bytes + Array("\(item.number ?? -1) \(item.checkRank) \(item.isTight)".utf8)
        }
        return key
    }

    fileprivate var checks: [Bool?] {
        containers.compactMap { container in
            guard case .item(let item) = container else { return nil }
            return .some(item.isChecked)
        }
    }
}

extension Block.Item {
    fileprivate var checkRank: Int { isChecked.map { $0 ? 2 : 1 } ?? 0 }
}

/// FNV-1a with 64 bits, over the bytes and over their complements (draft-eastlake-fnv): names, not secrets.
private struct Fingerprint {
    private var high: UInt64 = 0xCBF2_9CE4_8422_2325
    private var low: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low = (low ^ UInt64(~byte)) &* 0x0000_0100_0000_01B3
        }
    }

    var identifier: Identifier { Identifier(high: high, low: low) }
}
