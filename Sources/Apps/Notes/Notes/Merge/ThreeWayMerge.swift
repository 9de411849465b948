/// Brings two changed copies of a sequence together by what each changed.
enum ThreeWayMerge {
    /// Nil where both changed the same place in different ways.
    ///
    /// Changes that only touch are no overlap; two different insertions at one place are.
    static func merge<Element: Hashable>(base: [Element], _ one: [Element], _ other: [Element]) -> [Element]? {
        var result: [Element] = []
        var ones = changes(from: base, to: one)[...]
        var others = changes(from: base, to: other)[...]
        var next = 0
        while let change = earlier(ones.first, others.first) {
            let isOne = change == ones.first
            let isOther = change == others.first
            if isOne { ones.removeFirst() }
            if isOther { others.removeFirst() }
            if !(isOne && isOther), let rival = isOne ? others.first : ones.first, overlap(change, rival) { return nil }
            result += base[next..<change.range.lowerBound]
            result += change.replacement
            next = change.range.upperBound
        }
        return result + base[next...]
    }

    /// A single value that both may have set; nil where they set it differently.
    static func pick<Value: Equatable>(base: Value, _ one: Value, _ other: Value) -> Value? {
        if one == other || other == base { return one }
        return one == base ? other : nil
    }

    private struct Change<Element: Equatable>: Equatable {
        var range: Range<Int>
        var replacement: [Element]
    }

    private static func changes<Element: Hashable>(from base: [Element], to new: [Element]) -> [Change<Element>] {
        var changes: [Change<Element>] = []
        var start = (base: 0, new: 0)
        for pair in SequenceAlignment.pairs(base, new) + [(base.count, new.count)] {
            if start.base < pair.old || start.new < pair.new {
                changes.append(Change(range: start.base..<pair.old, replacement: Array(new[start.new..<pair.new])))
            }
            start = (pair.old + 1, pair.new + 1)
        }
        return changes
    }

    private static func earlier<Element>(_ one: Change<Element>?, _ other: Change<Element>?) -> Change<Element>? {
        guard let one, let other else { return one ?? other }
        let isEarlier =
            (one.range.lowerBound, one.range.upperBound) <= (other.range.lowerBound, other.range.upperBound)
        return isEarlier ? one : other
    }

    /// The rival starts at or after the change.
    private static func overlap<Element>(_ change: Change<Element>, _ rival: Change<Element>) -> Bool {
        rival.range.lowerBound < change.range.upperBound || rival.range == change.range
    }
}
