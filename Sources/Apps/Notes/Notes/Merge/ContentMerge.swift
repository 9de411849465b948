/// Brings two edits of one block together, as far as they touch different things.
enum ContentMerge {
    /// Nil where both changed the same words in different ways; the tail is the first side's.
    ///
    /// A lead or a mark that both changed is no conflict, since nobody's words are in it: the first side's lead counts,
    /// and what one of them ticked is ticked.
    ///
    /// - Parameter base: nil if both sides added the block.
    static func merge(base: BlockParts?, _ one: BlockParts, _ other: BlockParts) -> BlockParts? {
        guard let content = content(base: base, one, other) else { return nil }
        var merged = one
        merged.content = content
        merged.lead = ThreeWayMerge.pick(base: base?.lead ?? one.lead, one.lead, other.lead) ?? one.lead
        merged.check =
            ThreeWayMerge.pick(base: base?.check ?? one.check, one.check, other.check)
            ?? (other.isChecked == true ? other.check : one.check)
        return merged
    }

    private static func content(base: BlockParts?, _ one: BlockParts, _ other: BlockParts) -> [UInt8]? {
        if one.content == other.content { return one.content }
        guard let base else { return nil }
        if let picked = ThreeWayMerge.pick(base: base.content, one.content, other.content) { return picked }
        let isByLine = [base, one, other].allSatisfy { [.code, .html].contains($0.kind) }
        let pieces = isByLine ? lines : Words.pieces
        return ThreeWayMerge.merge(base: pieces(base.content), pieces(one.content), pieces(other.content))
            .map { Array($0.joined()) }
    }

    private static func lines(of source: [UInt8]) -> [[UInt8]] {
        let lines = SourceLines(source)
        return (0..<lines.count).map { Array(lines[$0]) }
    }
}
