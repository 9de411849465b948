import Codecs

/// What clocks showed, by rules that the caller has: FoundationEssentials knows no time zone but GMT.
///
///     let clock = ZoneClock { zone, second in DiaryZone(zone).offset(at: second) }
package struct ZoneClock {
    private static let longestName = 64
    private let offset: (_ zone: String, _ second: Int64) -> Int

    /// - Parameter offset: seconds by which a zone's clocks were ahead of UTC at a second since 1970; 0 for a zone that
    ///   nobody knows.
    package init(_ offset: @escaping (_ zone: String, _ second: Int64) -> Int) { self.offset = offset }

    /// Whether a text could name a zone: `Europe/Oslo`, `Etc/GMT+5`, `GMT+0200`.
    static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { byte in
            (48...58).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "/_+-".utf8.contains(byte)
        }
        return isPlain && (1...longestName).contains(text.utf8.count)
    }

    /// Microseconds by which clocks were ahead of UTC at a date in microseconds since 1970; less than a day.
    func ahead(in zone: String, at date: Int64) -> Int64 {
        let seconds = offset(zone, date / CivilTime.second)
        return Int64(min(max(seconds, -86_400), 86_400)) * CivilTime.second
    }

    /// When a clock showed a time, in microseconds since 1970, UTC.
    ///
    /// Of an hour that there was twice the first; of one that there was not, as if the clock had not been put forward.
    ///
    /// - Parameter wall: microseconds since 1970 as if the clock had stood in UTC, within the years 1 to 9999.
    func date(wall: Int64, in zone: String) -> Int64 {
        let day = 86_400 * CivilTime.second
        let before = ahead(in: zone, at: wall - day)
        if ahead(in: zone, at: wall - before) == before { return wall - before }
        let after = ahead(in: zone, at: wall + day)
        return ahead(in: zone, at: wall - after) == after ? wall - after : wall - before
    }

    /// What the clock showed at a date.
    func wall(_ date: Int64, in zone: String) -> CivilTime {
        let (wall, isOver) = date.addingReportingOverflow(ahead(in: zone, at: date))
        return CivilTime(wall: isOver ? date : wall)
    }
}
