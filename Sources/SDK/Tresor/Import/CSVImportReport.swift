/// What became of the rows of an import.
///
/// It holds row numbers and names of columns, and nothing else of the file.
public struct CSVImportReport: Sendable {
    /// How many logins and secure notes were added, or would be in a dry run.
    public internal(set) var added = 0
    /// How many items were added, or would be, for what has no place in a login.
    public internal(set) var carriedApart: [CSVPart: Int] = [:]
    /// The items that were not added because they are there already, by row.
    public internal(set) var duplicates: [CSVDuplicate]
    /// The bad rows that were skipped.
    public let skipped: [CSVError]
    /// In how many rows a column had content that no item carries.
    public let leftOut: [String: Int]

    init(_ plan: CSVPlan) {
        duplicates = plan.duplicates
        skipped = plan.badRows
        leftOut = plan.leftOut
    }

    mutating func countAdded(_ item: CSVItem) {
        if item.part == .entry { added += 1 } else { carriedApart[item.part, default: 0] += 1 }
    }

    /// The rows of which at least one item was not added, ascending.
    public var duplicateRows: [Int] { Set(duplicates.map(\.row)).sorted() }
}

/// An item of an import that was not added: its primary key was taken, or the login was known by another address.
public struct CSVDuplicate: Hashable, Sendable {
    /// What took the key.
    public enum Origin: Hashable, Sendable {
        /// An item that the keychain had before, with the same secret or another one; nil where it could not be read.
        case keychainItem(sameSecret: Bool?)
        /// An earlier row of the file, with the same secret or another one.
        case earlierRow(Int, sameSecret: Bool)
    }

    /// The row, 1 being the first below the header.
    public let row: Int
    /// The line on which it begins.
    public let line: Int
    /// Which item of the row.
    public let part: CSVPart
    /// What took its key.
    public let origin: Origin
    /// Whether the keychain's item has another address, as its protocol, port or path: the same login all the same.
    public let hasAnotherAddress: Bool

    init(_ item: CSVItem, of origin: Origin, hasAnotherAddress: Bool = false) {
        row = item.row
        line = item.line
        part = item.part
        self.origin = origin
        self.hasAnotherAddress = hasAnotherAddress
    }
}
