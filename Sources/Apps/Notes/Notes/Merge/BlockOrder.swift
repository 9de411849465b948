import Secrets

/// In which order the blocks of two sides stand after a merge.
///
/// Blocks that both sides have and none moved are the backbone. Every other block stands where the side that added or
/// moved it has it: in the gap after the same backbone block.
struct BlockOrder {
    private let kept: Set<Identifier>
    private let base: [Identifier: Int]
    private let one: [MergeBlock]
    private let other: [MergeBlock]

    /// - Parameter kept: what the merge keeps; all of it stands in one side at least.
    static func merge(base: [MergeBlock], _ one: [MergeBlock], _ other: [MergeBlock], kept: Set<Identifier>)
        -> [Identifier]
    {
        BlockOrder(base: base, one, other, kept: kept).merged()
    }

    private init(base: [MergeBlock], _ one: [MergeBlock], _ other: [MergeBlock], kept: Set<Identifier>) {
        self.kept = kept
        self.base = Dictionary(zip(base.map(\.id), base.indices)) { first, _ in first }
        self.one = one.filter { kept.contains($0.id) }
        self.other = other.filter { kept.contains($0.id) }
    }

    private func merged() -> [Identifier] {
        let ones = Set(one.map(\.id))
        let others = Set(other.map(\.id))
        let stillOne = still(one)
        let stillOther = still(other)
        let backbone = stillOne.intersection(stillOther)
        // What only the other side moved stands where that has it; all else in both stands where the first has it.
        let ofOther = others.subtracting(backbone).filter { !ones.contains($0) || stillOne.contains($0) }
        let gapsOfOne = gaps(of: one, backbone) { !ofOther.contains($0) }
        let gapsOfOther = gaps(of: other, backbone) { ofOther.contains($0) }
        let spine: [MergeBlock?] = one.filter { backbone.contains($0.id) }
        var result: [Identifier] = []
        for (index, pair) in zip(gapsOfOne, gapsOfOther).enumerated() {
            let before = index > 0 ? spine[index - 1] : nil
            let after = index < spine.count ? spine[index] : nil
            result += Gap(before: before, after: after).joined(pair.0, pair.1).map(\.id)
            if let after { result.append(after.id) }
        }
        return result
    }

    /// The blocks of the base that are still in the order they had.
    private func still(_ side: [MergeBlock]) -> Set<Identifier> {
        let known = side.compactMap { block in base[block.id].map { (block.id, $0) } }
        return Set(SequenceAlignment.longestAscent(known.map(\.1)).map { known[$0].0 })
    }

    /// The blocks before, between and after those of the backbone.
    private func gaps(
        of side: [MergeBlock], _ backbone: Set<Identifier>, where isWanted: (Identifier) -> Bool
    ) -> [[MergeBlock]] {
        var gaps: [[MergeBlock]] = [[]]
        for block in side {
            if backbone.contains(block.id) {
                gaps.append([])
            } else if isWanted(block.id) {
                gaps[gaps.count - 1].append(block)
            }
        }
        return gaps
    }
}

/// A place at which both sides may have put blocks.
private struct Gap {
    let before: MergeBlock?
    let after: MergeBlock?

    /// Both runs, each in its order and in one piece, the one with the smaller identity first; but what belongs to the
    /// list or quote before the gap stays there, and likewise after it.
    func joined(_ one: [MergeBlock], _ other: [MergeBlock]) -> [MergeBlock] {
        guard let first = one.first, let second = other.first else { return one + other }
        let (one, other) = first.id.precedes(second.id) ? (one, other) : (other, one)
        let (oneHead, oneTail) = split(one)
        let (otherHead, otherTail) = split(other)
        return interleaved(oneHead, otherHead) { affinity($0, before) > affinity($1, before) }
            + interleaved(oneTail, otherTail) { affinity($0, after) < affinity($1, after) }
    }

    /// Cuts off the blocks that are closer to what follows the gap.
    private func split(_ run: [MergeBlock]) -> ([MergeBlock], [MergeBlock]) {
        let tail = run.reversed().prefix { affinity($0, after) > affinity($0, before) }.count
        return (Array(run.dropLast(tail)), Array(run.suffix(tail)))
    }

    /// Stays with a run until the other must come first.
    private func interleaved(_ one: [MergeBlock], _ other: [MergeBlock], mustPrecede: (MergeBlock, MergeBlock) -> Bool)
        -> [MergeBlock]
    {
        var result: [MergeBlock] = []
        var current = one[...]
        var waiting = other[...]
        while let block = current.first, let rival = waiting.first {
            if mustPrecede(rival, block) {
                swap(&current, &waiting)
                result.append(rival)
            } else {
                result.append(block)
            }
            current.removeFirst()
        }
        return result + current + waiting
    }

    /// How many containers two blocks share; half of one for the same list.
    private func affinity(_ block: MergeBlock, _ neighbour: MergeBlock?) -> Int {
        var shared = 0
        for pair in zip(block.containers, neighbour?.containers ?? []) {
            if pair.0.id == pair.1.id {
                shared += 2
                continue
            }
            if case (.item(let one), .item(let other)) = pair, one.list == other.list { shared += 1 }
            break
        }
        return shared
    }
}

extension Identifier {
    func precedes(_ other: Identifier) -> Bool { (high, low) < (other.high, other.low) }
}
