/// What the clocks of a time zone showed and will show, from a file of the time zone database.
///
/// Source: RFC 9636, which calls these files TZif; tzfile(5) describes them as well. A file is taken whole or not at
/// all: each count, length, index and order is checked. One that counts leap seconds is refused: ours are seconds of
/// UTC without them.
package struct TimeZoneRules: Equatable, Sendable {
    /// More than any file of the database has: the longest are of 4 KB.
    package static let mostBytes = 64 * 1024

    /// When the clocks were changed, in seconds since 1970, one after the other.
    private let changes: [Int64]
    /// What each change led to, in seconds east of Greenwich.
    private let offsets: [Int]
    /// Before the first change: what the file's first type says (RFC 9636, section 3.2).
    private let first: Int
    /// From the last change on; nil where the file says nothing of that.
    private let yearly: YearlyRule?

    /// - Parameter bytes: a whole file.
    package init(_ bytes: [UInt8]) throws(TimeZoneFileError) {
        guard bytes.count <= Self.mostBytes else { throw .tooLong }
        var reader = TimeZoneFileReader(bytes)
        let header = try reader.header()
        let block: (changes: [Int64], offsets: [Int], first: Int)
        if header.version == 0 {
            block = try reader.block(header, timeSize: 4)
            yearly = nil
        } else {
            // The first block is for those who know times of four bytes alone, and says nothing that the second does
            // not.
            _ = try reader.take(header.byteCount(timeSize: 4))
            let second = try reader.header()
            guard second.version == header.version else { throw .version }
            block = try reader.block(second, timeSize: 8)
            yearly = try reader.footer()
        }
        changes = block.changes
        offsets = block.offsets
        first = block.first
        guard reader.isAtEnd else { throw .trailing }
    }

    /// What the clocks do each year, as POSIX writes it in the variable TZ: `CET-1CEST,M3.5.0,M10.5.0/3`.
    ///
    /// Nil for anything else.
    package init?(rule: String) {
        guard let rule = YearlyRule(Array(rule.utf8)[...]) else { return nil }
        (changes, offsets, first, yearly) = ([], [], 0, rule)
    }

    /// By how many seconds the clocks are ahead of UTC.
    ///
    /// - Parameter second: since 1970, UTC.
    package func offset(at second: Int64) -> Int {
        guard let last = changes.last, second < last else { return yearly?.offset(at: second) ?? offsets.last ?? first }
        // How many changes there were until then.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}

/// Why bytes are no file of the time zone database that can be taken.
package enum TimeZoneFileError: Error, Equatable {
    /// Longer than ``TimeZoneRules/mostBytes``.
    case tooLong
    /// It does not begin with `TZif`.
    case magic
    /// One that there is not, or the second header has another than the first.
    case version
    /// The bytes end before what they announce.
    case endsEarly
    /// There are no types, too many, or not as many of something as there must be.
    case counts
    /// The file counts leap seconds.
    case leapSeconds
    /// A change does not follow the one before it.
    case order
    /// A change leads to a type that is not there.
    case index
    /// A type is further from UTC than any clock, neither summer time nor none, or without a name.
    case type
    /// It is said of a type what cannot be of how its changes were written down.
    case indicator
    /// What follows the last change is not said as POSIX says it.
    case rule
    /// Something stands behind the end.
    case trailing
}
