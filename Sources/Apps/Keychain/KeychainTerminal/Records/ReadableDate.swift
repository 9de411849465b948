import Codecs
import Localization

/// Dates as people write them: `3 November 2026, 14:05`.
enum ReadableDate {
    /// Day and time of the clock.
    ///
    /// - Parameter wall: seconds since 1970 by the clock in whose time it is written.
    static func long(wall: Int64) -> String {
        let time = CivilTime(wall: clamped(wall))
        let month = name(time.month, of: months)
        return localized("\(time.day) \(month) \(time.year), \(time.hourAndMinute)")
    }

    /// The day alone, in twelve columns at most.
    static func short(wall: Int64) -> String {
        let time = CivilTime(wall: clamped(wall))
        let month = name(time.month, of: shortMonths)
        return localized("\(time.day) \(month) \(time.year)")
    }

    private static func clamped(_ wall: Int64) -> Int64 {
        let writable = CivilTime.writable
        return min(max(wall, writable.lowerBound / CivilTime.second), writable.upperBound / CivilTime.second - 1)
            * CivilTime.second
    }

    private static var months: String {
        localized("January February March April May June July August September October November December")
    }

    private static var shortMonths: String { localized("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec") }

    private static func name(_ month: Int, of names: String) -> String {
        let words = names.split(separator: " ")
        return words.indices.contains(month - 1) ? String(words[month - 1]) : ""
    }
}
