package import DiaryClient

/// What calendar and clock on the wall showed when something happened.
package struct LocalTime: Hashable, Sendable {
    package let day: LocalDay
    /// Seconds since that day's midnight, by the hands of the clock: 0 to 86,399.
    package let secondOfDay: Int
    /// By how many seconds that clock was ahead of UTC.
    package let offset: Int
    /// False where UTC stands in for a zone that nobody knows.
    package let isZoneKnown: Bool

    /// - Parameters:
    ///   - microseconds: since 1970, UTC. What lies outside the years 1 to 9999 is shown as their first or last day.
    ///   - zone: where the clock hung.
    package init(microseconds: Int64, zone: DiaryZone) {
        let second = floorDivided(microseconds, 1_000_000)
        offset = zone.offset(at: second)
        isZoneKnown = zone.isKnown
        // No sum overflows: there are a million microseconds in a second.
        let local = second + Int64(offset)
        let number = floorDivided(local, 86_400)
        day = LocalDay(dayNumber: Int(number))
        secondOfDay = Int(local - number * 86_400)
    }

    /// `14:05`.
    package var clock: String { "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2))" }

    /// `14:05`, or `14:05 UTC` where UTC stands in for a zone that nobody knows.
    package var label: String { isZoneKnown ? clock : "\(clock) UTC" }
}

extension EntryHead {
    /// When it happened, as it was there.
    ///
    /// Where nobody knows the zone any more, as it was in UTC.
    package var localTime: LocalTime { LocalTime(microseconds: date, zone: DiaryZone(timeZone)) }

    /// The day to which the entry belongs: that of the place where it was written.
    ///
    /// So an evening in Honolulu stays on its evening, also when it is read in Sydney, where it was tomorrow already.
    package var localDay: LocalDay { localTime.day }
}

/// Rounds towards the past, where `/` rounds towards 1970.
func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
