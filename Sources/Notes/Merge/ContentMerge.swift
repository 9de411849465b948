/// Brings two edits of one block together, as far as they touch different things.
enum ContentMerge {
    /// Nil where both changed the same words, cell or property in different ways.
    ///
    /// - Parameter base: nil if both sides added the block.
    static func merge(
        base: Block.Content?, _ one: Block.Content, _ other: Block.Content
    ) -> Block.Content? {
        if one == other { return one }
        guard let base else { return nil }
        if let picked = ThreeWayMerge.pick(base: base, one, other) { return picked }
        switch (base, one, other) {
        case (.code(let info, let text), .code(let oneInfo, let oneText), .code(let otherInfo, let otherText)):
            guard let info = ThreeWayMerge.pick(base: info, oneInfo, otherInfo),
                let text = lines(base: text, oneText, otherText)
            else { return nil }
            return .code(info: info, text: text)
        case (.html(let text), .html(let oneText), .html(let otherText)):
            return lines(base: text, oneText, otherText).map { .html($0) }
        case (.table(let base), .table(let one), .table(let other)):
            return table(base: base, one, other).map { .table($0) }
        default:
            return prose(base: base, one, other)
        }
    }

    /// Paragraphs and headings turn into each other: a paragraph is a heading of level 0.
    private static func prose(base: Block.Content, _ one: Block.Content, _ other: Block.Content) -> Block.Content? {
        guard let base = Prose(base), let one = Prose(one), let other = Prose(other) else { return nil }
        guard let level = ThreeWayMerge.pick(base: base.level, one.level, other.level),
            let text = words(base: base.text, one.text, other.text)
        else { return nil }
        return level == 0 ? .paragraph(text: text) : .heading(level: level, text: text)
    }

    private struct Prose {
        let level: Int
        let text: String

        init?(_ content: Block.Content) {
            switch content {
            case .paragraph(let text): (level, self.text) = (0, text)
            case .heading(let level, let text): (self.level, self.text) = (level, text)
            default: return nil
            }
        }
    }

    private static func words(base: String, _ one: String, _ other: String) -> String? {
        if let picked = ThreeWayMerge.pick(base: base, one, other) { return picked }
        let pieces = Words.pieces(of:)
        return ThreeWayMerge.merge(base: pieces(base), pieces(one), pieces(other))?.joined()
    }

    private static func lines(base: String, _ one: String, _ other: String) -> String? {
        if let picked = ThreeWayMerge.pick(base: base, one, other) { return picked }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        return ThreeWayMerge.merge(base: lines(base), lines(one), lines(other))?.joined(separator: "\n")
    }

    /// Cell by cell while no side added or removed any, else row by row.
    private static func table(base: Table, _ one: Table, _ other: Table) -> Table? {
        let widths = Set([base, one, other].map(\.alignments.count))
        guard widths.count == 1 else { return nil }
        guard let alignments = cells(base: base.alignments, one.alignments, other.alignments, pick) else { return nil }
        let shapes = Set([base, one, other].map { $0.rows.map(\.count) })
        if shapes.count > 1 {
            let rows = ThreeWayMerge.merge(base: base.rows, one.rows, other.rows)
            return rows.map { Table(alignments: alignments, rows: $0) }
        }
        let rows = cells(base: base.rows, one.rows, other.rows) { cells(base: $0, $1, $2, words) }
        return rows.map { Table(alignments: alignments, rows: $0) }
    }

    private static func pick<Value: Equatable>(_ base: Value, _ one: Value, _ other: Value) -> Value? {
        ThreeWayMerge.pick(base: base, one, other)
    }

    /// Of three arrays of the same length; nil if any element is.
    private static func cells<Value>(
        base: [Value], _ one: [Value], _ other: [Value], _ merge: (Value, Value, Value) -> Value?
    ) -> [Value]? {
        let merged = zip(base, zip(one, other)).compactMap { merge($0, $1.0, $1.1) }
        return merged.count == base.count ? merged : nil
    }
}
