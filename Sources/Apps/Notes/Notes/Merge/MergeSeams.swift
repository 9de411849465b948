import Secrets

/// What stands between the blocks of a merged note: line ends and blank lines.
struct MergeSeams {
    private let base: MergeVersion
    private let one: MergeVersion
    private let other: MergeVersion

    init(base: MergeVersion, _ one: MergeVersion, _ other: MergeVersion) {
        self.base = base
        self.one = one
        self.other = other
    }

    func joined(_ merged: [MergeBlock]) -> [SourceBlock] {
        var blocks = merged
        var isNew = [Bool](repeating: false, count: blocks.count)
        let lineEnd = usesReturns ? Array("\r\n".utf8) : Array("\n".utf8)
        for index in blocks.indices {
            guard index + 1 < blocks.count else {
                blocks[index].parts.tail = lastTail(of: blocks[index])
                continue
            }
            (blocks[index].parts.tail, isNew[index]) = tail(of: blocks[index], before: blocks[index + 1])
            if blocks[index].parts.tail.isEmpty { blocks[index].parts.tail = lineEnd }
        }
        return separated(blocks, where: isNew, by: lineEnd)
    }

    /// What stood between the two where they stood side by side; else the larger of what either stood apart by.
    private func tail(of block: MergeBlock, before next: MergeBlock) -> (tail: [UInt8], isNew: Bool) {
        let tails = [one, other].compactMap { side in
            side.next(after: block.id)?.id == next.id ? side[block.id]?.parts.tail : nil
        }
        if tails.count == 2 {
            let before = base.next(after: block.id)?.id == next.id ? base[block.id]?.parts.tail : nil
            return (ThreeWayMerge.pick(base: before ?? tails[0], tails[0], tails[1]) ?? longer(tails), false)
        }
        if let tail = tails.first { return (tail, false) }
        let known = [one, other].flatMap { side in
            [side[block.id]?.parts.tail, side.previous(before: next.id)?.parts.tail]
        }
        return (longer([block.parts.tail] + known.compactMap(\.self)), true)
    }

    /// How the text ends; a block that was not last on any side ends as it did.
    private func lastTail(of block: MergeBlock) -> [UInt8] {
        let ends = [one, other].map { $0.blocks.last?.parts.tail ?? [] }
        let end = ThreeWayMerge.pick(base: base.blocks.last?.parts.tail ?? ends[0], ends[0], ends[1]) ?? longer(ends)
        return end.allSatisfy { MarkdownText.isBlank($0) || MarkdownText.endsLine($0) } ? end : block.parts.tail
    }

    /// Two that came together newly get a blank line, if they would read as one.
    private func separated(_ merged: [MergeBlock], where isNew: [Bool], by lineEnd: [UInt8]) -> [SourceBlock] {
        var blocks = merged.map { SourceBlock(id: $0.id, source: $0.parts.source) }
        if isNew.contains(true) {
            let text = blocks.text
            let starts = Set(
                Markdown.starts(in: text, Markdown.outline(String(decoding: text, as: UTF8.self))).map(\.lowerBound))
            var offset = 0
            for index in blocks.indices {
                offset += blocks[index].source.count
                if isNew[index], !starts.contains(offset) { blocks[index].source += lineEnd }
            }
        }
        return blocks.filter { !$0.source.isEmpty }
    }

    private var usesReturns: Bool {
        let tail = (one.blocks + other.blocks).lazy.map(\.parts.tail).first { !$0.isEmpty }
        return tail?.starts(with: Array("\r\n".utf8)) ?? false
    }

    /// By its lines, then by its bytes, so that it does not matter which comes first.
    private func longer(_ tails: [[UInt8]]) -> [UInt8] {
        let ranked = tails.map { (lines: SourceLines($0).count, tail: $0) }
        let best = ranked.max { one, two in
            one.lines != two.lines ? one.lines < two.lines : one.tail.lexicographicallyPrecedes(two.tail)
        }
        return best?.tail ?? []
    }
}
