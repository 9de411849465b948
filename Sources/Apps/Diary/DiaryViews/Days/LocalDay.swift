import Codecs

/// A day of the calendar on somebody's wall: no time, no zone.
///
/// The calendar is the Gregorian one, also for the years before it was introduced, from the year 1 to 9999; that is
/// what ISO 8601 writes with four digits, and what a database of time zones reckons with.
///
/// ```swift
/// let birthday = LocalDay(year: 2024, month: 2, day: 29)
/// birthday?.adding(days: 1)  // 2024-03-01
/// birthday?.adding(months: 12)  // 2025-02-28
/// ```
package struct LocalDay: Hashable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// Nil for what no calendar has, such as 30 February, or a year before 1 or after 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard let month = YearMonth(year: year, month: month), (1...month.dayCount).contains(day) else { return nil }
        self.init(month, day: day)
    }

    /// The day so many days after 1 January 1970.
    ///
    /// What lies outside the years 1 to 9999 becomes the first or last day.
    package init(dayNumber: Int) {
        let date = CivilCalendar.date(ofDay: dayNumber)
        year = date.year
        month = date.month
        day = date.day
    }

    /// The caller has looked whether the month has that day.
    init(_ month: YearMonth, day: Int) {
        year = month.year
        self.month = month.month
        self.day = day
    }

    /// Of 1 January 1, and of 31 December 9999.
    static let first = CivilCalendar.writableDays.lowerBound
    static let last = CivilCalendar.writableDays.upperBound

    /// Days since 1 January 1970; negative before.
    package var dayNumber: Int { CivilCalendar.dayNumber(year: year, month: month, day: day) }

    /// 1 for Monday to 7 for Sunday, as ISO 8601 counts them.
    package var weekday: Int {
        // 1 January 1970 was a Thursday.
        let remainder = (dayNumber + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    package var yearMonth: YearMonth { YearMonth(clampedYear: year, month: month) }

    package var isLeapDay: Bool { month == 2 && day == 29 }

    /// - Parameter days: how many days later; negative for earlier. The calendar's first and last day are the ends.
    package func adding(days: Int) -> LocalDay {
        let (sum, overflow) = dayNumber.addingReportingOverflow(days)
        return LocalDay(dayNumber: overflow ? (days < 0 ? Self.first : Self.last) : sum)
    }

    /// The same day of another month, or that month's last where it is shorter: a month after 31 January is the end of
    /// February.
    package func adding(months: Int) -> LocalDay {
        let other = yearMonth.adding(months: months)
        return LocalDay(other, day: min(day, other.dayCount))
    }
}

extension LocalDay: Comparable {
    package static func < (left: LocalDay, right: LocalDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension LocalDay: CustomStringConvertible {
    /// As ISO 8601 writes it: `2026-11-22`.
    package var description: String { "\(yearMonth)-\(padded(day, 2))" }
}
