import DiaryFormats

/// Counts the items of a list and of the lists within it.
struct ListNumbers {
    /// Of the last item at each level from the top; nil where it has none.
    private var last: [Int?] = []

    /// The item's number in its own list; nil in one without numbers.
    ///
    /// - Parameter item: at most one level deeper than the one before.
    mutating func next(_ item: PageItem) -> Int? {
        let before = last.indices.contains(item.level) ? last[item.level] : nil
        let number = item.isNumbered ? (before ?? 0) + 1 : nil
        last = last.prefix(item.level) + [number]
        return number
    }
}
