import Codecs

/// A month of a year, from January 1 to December 9999.
package struct YearMonth: Hashable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int

    /// Nil for what no calendar of four-digit years has.
    package init?(year: Int, month: Int) {
        guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
        self.year = year
        self.month = month
    }

    /// The caller's month is one; years beyond the ends become the end.
    init(clampedYear year: Int, month: Int) {
        self.year = min(max(year, 1), 9999)
        self.month = month
    }

    package static func isLeap(_ year: Int) -> Bool { CivilCalendar.isLeap(year) }

    /// 28 to 31.
    package var dayCount: Int { CivilCalendar.dayCount(of: month, in: year) }

    package var firstDay: LocalDay { LocalDay(self, day: 1) }

    /// - Parameter months: how many months later; negative for earlier. January 1 and December 9999 are the ends.
    package func adding(months: Int) -> YearMonth {
        let bounded = min(max(months, -200_000), 200_000)
        let number = min(max(year * 12 + month - 1 + bounded, 12), 9999 * 12 + 11)
        return YearMonth(clampedYear: number / 12, month: number % 12 + 1)
    }
}

extension YearMonth: Comparable {
    package static func < (left: YearMonth, right: YearMonth) -> Bool {
        (left.year, left.month) < (right.year, right.month)
    }
}

extension YearMonth: CustomStringConvertible {
    /// As ISO 8601 writes it: `2026-11`.
    package var description: String { "\(padded(year, 4))-\(padded(month, 2))" }
}

/// A number with zeros in front of it, which FoundationEssentials has no format for.
func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
