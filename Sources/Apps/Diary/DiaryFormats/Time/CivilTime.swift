/// A date of the Gregorian calendar with its time, as a clock on the wall shows it.
///
/// Source of the day count: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
struct CivilTime: Equatable {
    static let second: Int64 = 1_000_000
    private static let secondsPerDay: Int64 = 86_400
    /// The years 1 to 9999, which four digits can say.
    private static let writable: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

    let year: Int64
    let month: Int64
    let day: Int64
    /// Of the day.
    let seconds: Int64

    /// - Parameter wall: microseconds since 1970 as if the clock had stood in UTC; beyond the years 1 to 9999 the first
    ///   or the last of them.
    init(wall: Int64) {
        let wall = min(max(wall, Self.writable.lowerBound), Self.writable.upperBound - 1)
        let total = Self.floorDivision(wall, Self.second)
        let number = Self.floorDivision(total, Self.secondsPerDay)
        seconds = total - number * Self.secondsPerDay
        let shifted = number + 719_468
        let era = Self.floorDivision(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }

    /// `2024-07-22`.
    var date: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }
    /// `20:19`.
    var hourAndMinute: String { "\(Self.padded(seconds / 3600, 2)):\(Self.padded(seconds / 60 % 60, 2))" }

    /// `2024-07-22T20:19:56Z`, without the fraction, which Day One does not write.
    static func iso(_ microseconds: Int64) -> String {
        let time = CivilTime(wall: microseconds)
        return "\(time.date)T\(time.hourAndMinute):\(padded(time.seconds % 60, 2))Z"
    }

    /// Microseconds of `2024-07-22T20:19:56.5+02:00`; nil for anything else.
    ///
    /// A time without an offset is taken as it is, and so is one whose seconds are missing.
    static func parse(_ text: String) -> Int64? {
        var reader = DigitReader(text)
        guard let year = reader.number(4), year > 0, reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
        else { return nil }
        let midnight = dayNumber(year, month, day) * secondsPerDay * second
        if reader.isAtEnd { return midnight }
        guard reader.take("T") || reader.take(" "), let time = reader.time(), let offset = reader.offset(),
            reader.isAtEnd
        else { return nil }
        let result = midnight + time - offset * second
        return writable.contains(result) ? result : nil
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01; years are counted from March, so that the leap day is the last.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivision(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

/// Reads numbers of fixed width.
private struct DigitReader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text.unicodeScalars[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int64? {
        guard let scalar = rest.first, ("0"..."9").contains(scalar) else { return nil }
        rest.removeFirst()
        return Int64(scalar.value) - 48
    }

    /// Microseconds of the day; a leap second counts as the one before it.
    mutating func time() -> Int64? {
        guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
        var seconds: Int64 = 0
        var fraction: Int64 = 0
        if take(":") {
            guard let read = number(2), read <= 60 else { return nil }
            seconds = min(read, 59)
            if take(".") {
                guard let read = microseconds() else { return nil }
                fraction = read
            }
        }
        return (hour * 3600 + minute * 60 + seconds) * CivilTime.second + fraction
    }

    /// Digits after the sixth are dropped.
    private mutating func microseconds() -> Int64? {
        guard var number = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 6 {
                number = number * 10 + digit
                count += 1
            }
        }
        for _ in count..<6 { number *= 10 }
        return number
    }

    /// Seconds east of UTC; 0 where nothing is said.
    mutating func offset() -> Int64? {
        if isAtEnd || take("Z") { return 0 }
        let sign: Int64 = rest.first == "-" ? -1 : 1
        guard take("+") || take("-"), let hours = number(2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = isAtEnd ? 0 : number(2), minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * sign
    }
}
