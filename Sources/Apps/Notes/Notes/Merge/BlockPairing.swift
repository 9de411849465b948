/// Pairs the blocks of an edited note with those that they were.
struct BlockPairing {
    private let old: [BlockParts]
    private let new: [BlockParts]
    private let oldEssences: [[UInt8]]
    private let newEssences: [[UInt8]]
    private var partners: [Int?]
    private var isTaken: [Bool]

    /// For each new block the index of the old one it continues, none twice.
    static func partners(from old: [SourceBlock], to new: [SourceBlock]) -> [Int?] {
        var pairing = BlockPairing(old: old.map { BlockParts($0.source) }, new: new.map { BlockParts($0.source) })
        let anchors = SequenceAlignment.pairs(pairing.oldEssences, pairing.newEssences)
        for anchor in anchors { pairing.pair(anchor.old, anchor.new) }
        pairing.pairMoved()
        pairing.pairChanged(between: anchors)
        return pairing.partners
    }

    private init(old: [BlockParts], new: [BlockParts]) {
        self.old = old
        self.new = new
        oldEssences = old.map(\.essence)
        newEssences = new.map(\.essence)
        partners = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
    }

    private mutating func pair(_ oldIndex: Int, _ newIndex: Int) {
        partners[newIndex] = oldIndex
        isTaken[oldIndex] = true
    }

    /// Equal content that is left over once on each side was moved.
    private mutating func pairMoved() {
        var olds: [[UInt8]: [Int]] = [:]
        for index in old.indices where !isTaken[index] { olds[oldEssences[index], default: []].append(index) }
        var news: [[UInt8]: [Int]] = [:]
        for index in new.indices where partners[index] == nil { news[newEssences[index], default: []].append(index) }
        for (content, places) in olds {
            guard places.count == 1, let place = places.first else { continue }
            guard let others = news[content], others.count == 1, let other = others.first else { continue }
            pair(place, other)
        }
    }

    private mutating func pairChanged(between anchors: [(old: Int, new: Int)]) {
        var start = (old: 0, new: 0)
        for anchor in anchors + [(old.count, new.count)] {
            let olds = (start.old..<anchor.old).filter { !isTaken[$0] }
            let news = (start.new..<anchor.new).filter { partners[$0] == nil }
            pairChanged(olds, news)
            start = (anchor.old + 1, anchor.new + 1)
        }
    }

    /// The pairs in order whose likeness is greatest in sum; for long stretches just those of one kind in order.
    private mutating func pairChanged(_ olds: [Int], _ news: [Int]) {
        guard !olds.isEmpty, !news.isEmpty else { return }
        let (cells, overflow) = olds.count.multipliedReportingOverflow(by: news.count)
        guard !overflow, cells <= Self.cellLimit else { return pairSameKinds(olds, news) }
        let oldLikes = olds.map { Likeness(old[$0]) }
        let newLikes = news.map { Likeness(new[$0]) }
        let width = news.count + 1
        var sums = [Int](repeating: 0, count: (olds.count + 1) * width)
        var scores = sums
        for row in olds.indices.reversed() {
            for column in news.indices.reversed() {
                let at = row * width + column
                scores[at] = oldLikes[row].score(newLikes[column])
                let paired = scores[at] > 0 ? scores[at] + sums[at + width + 1] : 0
                sums[at] = max(paired, sums[at + width], sums[at + 1])
            }
        }
        var row = 0
        var column = 0
        while row < olds.count, column < news.count {
            let at = row * width + column
            if scores[at] > 0, sums[at] == scores[at] + sums[at + width + 1] {
                pair(olds[row], news[column])
                row += 1
                column += 1
            } else if sums[at] == sums[at + width] {
                row += 1
            } else {
                column += 1
            }
        }
    }

    private static let cellLimit = 10_000

    private mutating func pairSameKinds(_ olds: [Int], _ news: [Int]) {
        for pair in SequenceAlignment.pairs(olds.map { old[$0].kind }, news.map { new[$0].kind }) {
            self.pair(olds[pair.old], news[pair.new])
        }
    }
}

/// How much two blocks have in common.
private struct Likeness {
    private let kind: BlockParts.Kind
    private let words: [[UInt8]: Int]
    private let count: Int

    init(_ parts: BlockParts) {
        kind = parts.kind
        let pieces = Words.pieces(of: Array(parts.content.prefix(Self.length)))
            .filter { !MarkdownText.isBlankLine($0[...]) }
        words = pieces.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        count = pieces.count
    }

    /// The start of a long text tells enough.
    private static let length = 1_000

    /// 0 for no relation; a kind in common counts a little, each per cent of common words as much again.
    func score(_ other: Likeness) -> Int {
        let common = words.reduce(0) { $0 + min($1.value, other.words[$1.key] ?? 0) }
        let percent = 200 * common / max(1, count + other.count)
        if kind == other.kind { return 10 + percent }
        return percent >= 50 ? percent : 0
    }
}
