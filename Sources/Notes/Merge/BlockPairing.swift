/// Pairs the blocks of an edited note with those that they were.
struct BlockPairing {
    private let old: [Block]
    private let new: [Block]
    private var partners: [Int?]
    private var isTaken: [Bool]

    /// For each new block the index of the old one it continues, none twice.
    static func partners(from old: [Block], to new: [Block]) -> [Int?] {
        var pairing = BlockPairing(old: old, new: new)
        let anchors = SequenceAlignment.pairs(old.map(\.content), new.map(\.content))
        for anchor in anchors { pairing.pair(anchor.old, anchor.new) }
        pairing.pairMoved()
        pairing.pairChanged(between: anchors)
        return pairing.partners
    }

    private init(old: [Block], new: [Block]) {
        self.old = old
        self.new = new
        partners = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
    }

    private mutating func pair(_ oldIndex: Int, _ newIndex: Int) {
        partners[newIndex] = oldIndex
        isTaken[oldIndex] = true
    }

    /// Equal content that is left over once on each side was moved.
    private mutating func pairMoved() {
        var olds: [Block.Content: [Int]] = [:]
        for index in old.indices where !isTaken[index] { olds[old[index].content, default: []].append(index) }
        var news: [Block.Content: [Int]] = [:]
        for index in new.indices where partners[index] == nil { news[new[index].content, default: []].append(index) }
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
        let oldLikes = olds.map { Likeness(old[$0].content) }
        let newLikes = news.map { Likeness(new[$0].content) }
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
        for pair in SequenceAlignment.pairs(olds.map { old[$0].content.kind }, news.map { new[$0].content.kind }) {
            self.pair(olds[pair.old], news[pair.new])
        }
    }
}

/// How much two contents have in common.
private struct Likeness {
    private let kind: Block.Content.Kind
    private let words: [Substring: Int]
    private let count: Int

    init(_ content: Block.Content) {
        kind = content.kind
        let pieces = Words.pieces(of: String(content.text.unicodeScalars.prefix(Self.length)))
            .filter { !$0.allSatisfy(\.isWhitespace) }
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
