/// Dates of property lists: seconds since 2001, and `2026-12-31T23:59:59Z` in XML (RFC 3339 in this one form).
enum CalendarDate {
    /// The years 0001 to 9999.
    static let range = -63_114_076_800.0...252_423_993_599.0

    /// Nil for everything but a day and a second that there are.
    static func seconds(_ text: [UInt8]) -> Double? {
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        guard text.count == pattern.count else { return nil }
        var numbers = [0]
        for (byte, expected) in zip(text, pattern) {
            if expected == UInt8(ascii: "0") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                numbers[numbers.count - 1] = 10 * numbers[numbers.count - 1] + Int(byte - UInt8(ascii: "0"))
            } else {
                guard byte == expected else { return nil }
                numbers.append(0)
            }
        }
        let (year, month, day, hour) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard year >= 1, (1...12).contains(month), (1...dayCount(year, month)).contains(day), hour < 24,
            numbers[4] < 60, numbers[5] < 60
        else { return nil }
        let days = dayNumber(year, month, day) - dayNumber(2001, 1, 1)
        return Double(days * 86400 + hour * 3600 + numbers[4] * 60 + numbers[5])
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// In the Gregorian calendar, also before there was one.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = year - 1
        let months = (1..<month).reduce(0) { $0 + dayCount(year, $1) }
        return years * 365 + years / 4 - years / 100 + years / 400 + months + day
    }
}
