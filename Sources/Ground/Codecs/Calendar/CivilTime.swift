/// A date of the Gregorian calendar with its time, as a clock on the wall shows it.
package struct CivilTime: Equatable, Sendable {
    /// In microseconds.
    package static let second: Int64 = 1_000_000
    private static let secondsPerDay: Int64 = 86_400
    /// The years 1 to 9999, which four digits can say.
    package static let writable: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

    package let year: Int
    package let month: Int
    package let day: Int
    /// Of the day.
    package let seconds: Int64

    /// - Parameter wall: microseconds since 1970 as if the clock had stood in UTC; beyond the years 1 to 9999 the first
    ///   or the last of them.
    package init(wall: Int64) {
        let wall = min(max(wall, Self.writable.lowerBound), Self.writable.upperBound - 1)
        let total = Self.floorDivision(wall, Self.second)
        let number = Self.floorDivision(total, Self.secondsPerDay)
        seconds = total - number * Self.secondsPerDay
        let date = CivilCalendar.date(ofDay: Int(number))
        year = date.year
        month = date.month
        day = date.day
    }

    /// `2024-07-22`.
    package var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }
    /// `20:19`.
    package var hourAndMinute: String { "\(Self.padded(seconds / 3600, 2)):\(Self.padded(seconds / 60 % 60, 2))" }
    /// `20:19:56`.
    package var clock: String { "\(hourAndMinute):\(Self.padded(seconds % 60, 2))" }

    static func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    static func padded(_ number: some BinaryInteger, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
