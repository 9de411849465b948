import Codecs

/// Dates as people write them: `3 November 2026, 14:05`.
enum ReadableDate {
    /// Day and time of the clock.
    ///
    /// - Parameter wall: seconds since 1970 by the clock in whose time it is written.
    static func long(wall: Int64) -> String {
        let time = CivilTime(wall: clamped(wall))
        return "\(time.day) \(months[time.month - 1]) \(time.year), \(time.hourAndMinute)"
    }

    /// The day alone, in eleven columns at most.
    static func short(wall: Int64) -> String {
        let time = CivilTime(wall: clamped(wall))
        return "\(time.day) \(months[time.month - 1].prefix(3)) \(time.year)"
    }

    private static func clamped(_ wall: Int64) -> Int64 {
        let writable = CivilTime.writable
        return min(max(wall, writable.lowerBound / CivilTime.second), writable.upperBound / CivilTime.second - 1)
            * CivilTime.second
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
