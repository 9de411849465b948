/// Dates as ISO 8601 writes them: a day, or a day and a time, with or without an offset.
///
/// The calendar is the Gregorian one throughout. Source of the day count: Howard Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms".
package enum ISODate {
    private static let microsecondsPerSecond: Int64 = 1_000_000
    private static let secondsPerDay: Int64 = 86_400

    /// Microseconds since 1970; nil for anything else.
    ///
    /// A time without an offset is taken for UTC.
    package static func parse(_ text: String) -> Int64? {
        var reader = DigitReader(text)
        guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
            reader.take("-"), let day = reader.number(digits: 2), year >= 1, (1...12).contains(month),
            (1...days(in: month, of: year)).contains(day)
        else { return nil }
        let midnight = dayNumber(year, month, day) * secondsPerDay
        if reader.isAtEnd { return midnight * microsecondsPerSecond }
        guard reader.take("T") || reader.take("t") || reader.take(" "), let time = reader.time(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        return (midnight + time.seconds - offset) * microsecondsPerSecond + time.microseconds
    }

    /// `2024-01-31T10:20:30.000001Z`; the fraction only where there is one.
    package static func format(_ microseconds: Int64) -> String {
        let fraction = floorRemainder(microseconds, microsecondsPerSecond)
        let seconds = (microseconds - fraction) / microsecondsPerSecond
        let time = floorRemainder(seconds, secondsPerDay)
        let date = civil((seconds - time) / secondsPerDay)
        let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        let rest = fraction == 0 ? "" : "." + padded(fraction, 6)
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(clock)\(rest)Z"
    }

    /// Whether ``format(_:)`` writes what ``parse(_:)`` reads: the years 1 to 9999.
    package static func isWritable(_ microseconds: Int64) -> Bool {
        (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(microseconds)
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
        let era = (year - floorRemainder(year, 400)) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let dayOfEra = floorRemainder(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year: year, month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func floorRemainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
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

    mutating func number(digits count: Int) -> Int64? {
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

    /// Hours and minutes; seconds and a fraction may be missing, digits after the sixth are dropped.
    mutating func time() -> (seconds: Int64, microseconds: Int64)? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24, minute < 60 else {
            return nil
        }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if take(":") {
            // A leap second counts as the one before it.
            guard let read = number(digits: 2), read <= 60 else { return nil }
            second = min(read, 59)
            if take(".") || take(",") {
                guard let read = microseconds() else { return nil }
                fraction = read
            }
        }
        return (seconds: hour * 3600 + minute * 60 + second, microseconds: fraction)
    }

    private mutating func microseconds() -> Int64? {
        guard let first = digit() else { return nil }
        var number = first
        var count = 1
        while let digit = digit() {
            guard count < 6 else { continue }
            number = number * 10 + digit
            count += 1
        }
        for _ in count..<6 { number *= 10 }
        return number
    }

    /// Seconds east of UTC; 0 where nothing is said.
    mutating func offset() -> Int64? {
        _ = take(" ")
        if isAtEnd || take("Z") || take("z") { return 0 }
        let isWest = rest.first == "-"
        guard take("+") || take("-"), let hours = number(digits: 2), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = isAtEnd ? 0 : number(digits: 2), minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}
