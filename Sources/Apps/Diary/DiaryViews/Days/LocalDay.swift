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
        // Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days: years begin in March, so
        // that the leap day is the last; 400 of them are 146,097 days.
        let days = min(max(dayNumber, Self.first), Self.last) + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The caller has looked whether the month has that day.
    init(_ month: YearMonth, day: Int) {
        year = month.year
        self.month = month.month
        self.day = day
    }

    /// Of 1 January 1, and of 31 December 9999.
    static let first = -719_162
    static let last = 2_932_896

    /// Days since 1 January 1970; negative before.
    package var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

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
