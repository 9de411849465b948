import Secrets

/// Merges two notes that were edited apart, by their common ancestor.
///
/// What either side added, deleted, moved or ticked happens to the result, block by block; an edit beats a deletion.
/// Edits of one block are joined word by word, code by lines. Where both changed the same words, both blocks are kept,
/// one after the other. Blocks are put together as their lines were typed: what is between two that stood side by side
/// stays, and two that come together newly get a blank line where they would grow into one. The result does not depend
/// on which side is called mine.
package enum BlockMerge {
    /// - Returns: the merged blocks, and whether a block is there twice because its two edits could not be joined.
    package static func merge(
        base: [SourceBlock], mine: [SourceBlock], theirs: [SourceBlock]
    ) -> (blocks: [SourceBlock], hasConflict: Bool) {
        if mine == theirs || theirs == base { return (mine, false) }
        if mine == base { return (theirs, false) }
        let isInOrder = precedes(mine, theirs)
        var sides = Sides(base: base, isInOrder ? mine : theirs, isInOrder ? theirs : mine)
        return sides.merged()
    }

    /// An order of notes that does not ask whose they are: by the first difference.
    private static func precedes(_ mine: [SourceBlock], _ theirs: [SourceBlock]) -> Bool {
        guard let (one, other) = zip(mine, theirs).first(where: { $0 != $1 }) else { return mine.count < theirs.count }
        return (one.id.bytes + one.source).lexicographicallyPrecedes(other.id.bytes + other.source)
    }
}

/// The three versions, the two new ones in an order of their own.
private struct Sides {
    private let base: MergeVersion
    private let one: MergeVersion
    private let other: MergeVersion
    private var names: Set<Identifier>

    init(base: [SourceBlock], _ one: [SourceBlock], _ other: [SourceBlock]) {
        let start = MergeBlock.blocks(of: base)
        let first = BlockIdentity.carryContainers(from: start, to: MergeBlock.blocks(of: one))
        let second = BlockIdentity.carryContainers(from: start, to: MergeBlock.blocks(of: other))
        self.base = MergeVersion(start)
        self.one = MergeVersion(first)
        self.other = MergeVersion(SameAddition.named(second, as: first, since: Set(base.map(\.id))))
        names = Set((base + one + other).map(\.id))
    }

    mutating func merged() -> (blocks: [SourceBlock], hasConflict: Bool) {
        let kept = Set((one.blocks + other.blocks).map(\.id).filter(isKept))
        var blocks: [MergeBlock] = []
        var hasConflict = false
        for id in BlockOrder.merge(base: base.blocks, one.blocks, other.blocks, kept: kept) {
            let versions = merged(id)
            hasConflict = hasConflict || versions.count > 1
            blocks += versions
        }
        return (MergeSeams(base: base, one, other).joined(gathered(blocks, depth: 0)), hasConflict)
    }

    /// Deleted on one side means deleted, unless the other side edited or ticked it.
    private func isKept(_ id: Identifier) -> Bool {
        guard let before = base[id] else { return true }
        if let one = one[id], let other = other[id] { return one.id == other.id }
        guard let left = one[id] ?? other[id] else { return false }
        return left.isEdited(since: before)
    }

    /// One block, or both where they cannot be joined; the first side's keeps the identity.
    private mutating func merged(_ id: Identifier) -> [MergeBlock] {
        let path = ContainerMerge.path(base: base[id], one[id], other[id])
        guard let first = one[id] ?? other[id] else { return [] }
        let second = other[id] ?? first
        let before = one[id] == nil || other[id] == nil ? first : base[id]
        if let parts = ContentMerge.merge(base: before?.parts, first.parts, second.parts) {
            return [MergeBlock(id: id, containers: path, parts: parts)]
        }
        return [
            MergeBlock(id: id, containers: path, parts: first.parts),
            MergeBlock(id: name(for: second), containers: path, parts: second.parts),
        ]
    }

    /// An identity for a second copy that every device derives alike.
    private mutating func name(for block: MergeBlock) -> Identifier {
        var hash = Fingerprint()
        hash.add(block.sortKey)
        repeat { hash.add([0]) } while !names.insert(hash.identifier).inserted
        return hash.identifier
    }

    /// Blocks of one item or quote that came apart, because one side moved it while the other added to it, come
    /// together at the first of them.
    private func gathered(_ blocks: [MergeBlock], depth: Int) -> [MergeBlock] {
        let isNested = blocks.contains { $0.containers.count > depth }
        guard isNested, depth < Markdown.maxDepth, blocks.count > 1 else { return blocks }
        var groups: [[MergeBlock]] = []
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
struct MergeVersion {
    let blocks: [MergeBlock]
    private let places: [Identifier: Int]

    /// A second block of the same identity, which no writer makes, is not taken for the first.
    init(_ blocks: [MergeBlock]) {
        self.blocks = blocks
        places = Dictionary(zip(blocks.map(\.id), blocks.indices)) { first, _ in first }
    }

    subscript(id: Identifier) -> MergeBlock? { places[id].map { blocks[$0] } }

    /// What follows a block; nil for the last one and for one that is not there.
    func next(after id: Identifier) -> MergeBlock? {
        guard let place = places[id], place + 1 < blocks.count else { return nil }
        return blocks[place + 1]
    }

    func previous(before id: Identifier) -> MergeBlock? {
        guard let place = places[id], place > 0 else { return nil }
        return blocks[place - 1]
    }
}

/// What both sides wrote alike at one place is there once: an edit and the draft of it, for example.
private enum SameAddition {
    private struct Place: Hashable {
        /// The block before it that was there before.
        let after: Identifier?
        let content: [UInt8]
        let lead: [UInt8]
    }

    static func named(_ other: [MergeBlock], as one: [MergeBlock], since base: Set<Identifier>) -> [MergeBlock] {
        let (ones, onePlaces) = additions(one, base)
        let (others, otherPlaces) = additions(other, base)
        var result = other
        var taken = Set(other.map(\.id))
        for pair in SequenceAlignment.pairs(onePlaces, otherPlaces) where !taken.contains(one[ones[pair.old]].id) {
            result[others[pair.new]].id = one[ones[pair.old]].id
            taken.insert(one[ones[pair.old]].id)
        }
        return result
    }

    private static func additions(_ blocks: [MergeBlock], _ base: Set<Identifier>) -> ([Int], [Place]) {
        var last: Identifier?
        var indices: [Int] = []
        var places: [Place] = []
        for (index, block) in blocks.enumerated() {
            if base.contains(block.id) {
                last = block.id
            } else {
                indices.append(index)
                places.append(Place(after: last, content: block.parts.content, lead: block.parts.lead))
            }
        }
        return (indices, places)
    }
}
