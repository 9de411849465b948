import Codecs
import TimeZones

/// Dates as lists and panes show them, in the time of whoever runs this program.
struct NoteDates: Sendable {
    /// By how many seconds the clock on the wall is ahead of UTC, at a second since 1970.
    let offset: @Sendable (Int64) -> Int

    static let utc = NoteDates { _ in 0 }

    static var local: NoteDates {
        let rules = TimeZoneDatabase.local
        return NoteDates { rules?.offset(at: $0) ?? 0 }
    }

    /// `2026-11-28`; empty for what nobody knows.
    ///
    /// - Parameter time: microseconds since 1970, UTC.
    func day(_ time: Int64) -> String {
        guard time != 0 else { return "" }
        let days = seconds(time).quotientAndRemainder(dividingBy: 86_400)
        return Self.day(days.remainder < 0 ? days.quotient - 1 : days.quotient)
    }

    /// `2026-11-28 14:03`.
    func minute(_ time: Int64) -> String {
        guard time != 0 else { return "" }
        let second = ((seconds(time) % 86_400) + 86_400) % 86_400
        return day(time) + " " + Self.two(second / 3600) + ":" + Self.two(second / 60 % 60)
    }

    private func seconds(_ time: Int64) -> Int64 {
        let seconds = time / 1_000_000
        return seconds + Int64(offset(seconds))
    }

    /// Days since 1970 as a date of the Gregorian calendar: Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", civil_from_days.
    private static func day(_ days: Int64) -> String {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        return "\(year)-\(two(month < 10 ? month + 3 : month - 9))-\(two(dayOfYear - (153 * month + 2) / 5 + 1))"
    }

    private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
