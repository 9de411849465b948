/// How deep the items of a list are, by what stands before their marks.
struct ListIndents {
    /// Of the marks from the top to the item before, each deeper than the one above.
    private var open: [Int] = []

    /// By how many columns a mark stands deeper than the one that it is below of: those of `- ` (CommonMark 5.2).
    ///
    /// Of numbers they are more there; whoever indents by two means the same.
    private static let step = 2
    private static let tab = 4

    /// - Parameter indent: columns before the item's mark.
    /// - Returns: from 0, below ``PageItem/levelCount``; at most one more than the last.
    mutating func level(_ indent: Int) -> Int {
        while let last = open.last, indent < last { open.removeLast() }
        let isDeeper = open.last.map { indent >= $0 + Self.step } ?? true
        if isDeeper, open.count < PageItem.levelCount { open.append(indent) }
        return open.count - 1
    }

    /// Columns of spaces and tabs; a tab goes on to the next multiple of four (CommonMark 2.2).
    static func width(_ blank: Substring) -> Int {
        blank.utf8.reduce(0) { $1 == UInt8(ascii: "\t") ? ($0 / tab + 1) * tab : $0 + 1 }
    }
}
