/// Finds what two sequences have in common, in order.
///
/// Exact (a longest common subsequence) for what is short. Longer stretches are first cut at the elements that occur
/// once in each (Bram Cohen's patience diff); only where nothing is unique in a long stretch are elements paired
/// greedily. So the time stays near linear, whatever the input.
struct SequenceAlignment {
    private let old: [Int]
    private let new: [Int]
    private var pairs: [(old: Int, new: Int)] = []
    private var cellBudget = 1 << 24

    /// Pairs of indices of equal elements, both ascending.
    static func pairs<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [(old: Int, new: Int)] {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        var alignment = SequenceAlignment(old: old.map(number), new: new.map(number))
        alignment.align()
        return alignment.pairs.sorted { $0.old < $1.old }
    }

    /// The longest part of a permutation that ascends, as indices.
    static func longestAscent(_ values: [Int]) -> [Int] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : -1
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var ascent: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            ascent.append(index)
            index = before[index]
        }
        return ascent.reversed()
    }

    private init(old: [Int], new: [Int]) {
        self.old = old
        self.new = new
    }

    private mutating func align() {
        var open = [(0..<old.count, 0..<new.count)]
        while let (olds, news) = open.popLast() {
            let (olds, news) = trimmed(olds, news)
            if olds.isEmpty || news.isEmpty { continue }
            if fits(olds, news, 1 << 16) {
                alignExactly(olds, news)
                continue
            }
            let anchors = anchors(olds, news)
            if anchors.isEmpty {
                if fits(olds, news, 1 << 22) { alignExactly(olds, news) } else { alignGreedily(olds, news) }
                continue
            }
            var start = (olds.lowerBound, news.lowerBound)
            for anchor in anchors {
                open.append((start.0..<anchor.old, start.1..<anchor.new))
                start = (anchor.old + 1, anchor.new + 1)
            }
            open.append((start.0..<olds.upperBound, start.1..<news.upperBound))
            pairs += anchors
        }
    }

    /// Pairs what is equal at both ends; returns what is between.
    private mutating func trimmed(_ olds: Range<Int>, _ news: Range<Int>) -> (Range<Int>, Range<Int>) {
        let length = min(olds.count, news.count)
        var head = 0
        while head < length, old[olds.lowerBound + head] == new[news.lowerBound + head] {
            pairs.append((olds.lowerBound + head, news.lowerBound + head))
            head += 1
        }
        var tail = 0
        while tail < length - head, old[olds.upperBound - tail - 1] == new[news.upperBound - tail - 1] {
            tail += 1
            pairs.append((olds.upperBound - tail, news.upperBound - tail))
        }
        return (olds.lowerBound + head..<olds.upperBound - tail, news.lowerBound + head..<news.upperBound - tail)
    }

    private mutating func fits(_ olds: Range<Int>, _ news: Range<Int>, _ limit: Int) -> Bool {
        let (cells, overflow) = olds.count.multipliedReportingOverflow(by: news.count)
        guard !overflow, cells <= limit, cells <= cellBudget else { return false }
        cellBudget -= cells
        return true
    }

    /// Elements that occur once in each range, as far as they ascend in both.
    private func anchors(_ olds: Range<Int>, _ news: Range<Int>) -> [(old: Int, new: Int)] {
        let oldPlaces = uniquePlaces(old, olds)
        let newPlaces = uniquePlaces(new, news)
        let common = oldPlaces.compactMap { value, place in newPlaces[value].map { (old: place, new: $0) } }
            .sorted { $0.old < $1.old }
        return Self.longestAscent(common.map(\.new)).map { common[$0] }
    }

    private func uniquePlaces(_ values: [Int], _ range: Range<Int>) -> [Int: Int] {
        var places: [Int: Int?] = [:]
        for index in range { places.updateValue(places[values[index]] == nil ? index : nil, forKey: values[index]) }
        return places.compactMapValues(\.self)
    }

    /// The textbook table of lengths of common subsequences, from the end.
    private mutating func alignExactly(_ olds: Range<Int>, _ news: Range<Int>) {
        let width = news.count + 1
        var lengths = [Int32](repeating: 0, count: (olds.count + 1) * width)
        for row in olds.indices.reversed() {
            let cell = (row - olds.lowerBound) * width
            for column in news.indices.reversed() {
                let at = cell + column - news.lowerBound
                lengths[at] =
                    old[row] == new[column] ? lengths[at + width + 1] + 1 : max(lengths[at + width], lengths[at + 1])
            }
        }
        var row = olds.lowerBound
        var column = news.lowerBound
        while row < olds.upperBound, column < news.upperBound {
            let at = (row - olds.lowerBound) * width + column - news.lowerBound
            if old[row] == new[column] {
                pairs.append((row, column))
                row += 1
                column += 1
            } else if lengths[at + width] >= lengths[at + 1] {
                row += 1
            } else {
                column += 1
            }
        }
    }

    /// Each new element takes the next equal old one.
    private mutating func alignGreedily(_ olds: Range<Int>, _ news: Range<Int>) {
        var places: [Int: [Int]] = [:]
        for index in olds.reversed() { places[old[index], default: []].append(index) }
        var next = olds.lowerBound
        for index in news {
            while let place = places[new[index]]?.last, place < next { places[new[index]]?.removeLast() }
            guard let place = places[new[index]]?.popLast() else { continue }
            pairs.append((place, index))
            next = place + 1
        }
    }
}
