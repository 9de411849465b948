import Testing

@testable import DiaryViews

/// Days of the calendar, and arithmetic with them.
@Suite struct LocalDayTests {
    @Test func `each day of four hundred years follows the one before`() throws {
        var expected = try #require(LocalDay(year: 1800, month: 1, day: 1))
        let start = expected.dayNumber
        for number in start..<start + 146_097 {
            let day = LocalDay(dayNumber: number)
            #expect(day == expected && day.dayNumber == number)
            let next =
                LocalDay(year: day.year, month: day.month, day: day.day + 1)
                ?? LocalDay(year: day.year, month: day.month + 1, day: 1)
            expected = try #require(next ?? LocalDay(year: day.year + 1, month: 1, day: 1))
        }
        #expect(expected.description == "2200-01-01")
    }

    @Test func `each year from 1 to 9999 begins where the one before ends`() throws {
        for year in 1...9999 {
            let first = try #require(LocalDay(year: year, month: 1, day: 1))
            let last = try #require(LocalDay(year: year, month: 12, day: 31))
            let isLeap = LocalDay(year: year, month: 2, day: 29) != nil
            #expect(last.dayNumber - first.dayNumber == (isLeap ? 365 : 364))
            #expect(isLeap == ((year % 4 == 0 && year % 100 != 0) || year % 400 == 0))
            #expect(LocalDay(dayNumber: first.dayNumber) == first && LocalDay(dayNumber: last.dayNumber) == last)
            if year < 9999 { #expect(last.adding(days: 1).year == year + 1) }
        }
    }

    /// Numbers and days of the week from Python's `datetime.date`.
    @Test(arguments: [
        ("0001-01-01", -719_162, 1), ("1582-10-15", -141_427, 5), ("1900-02-28", -25_509, 3), ("1969-12-31", -1, 3),
        ("1970-01-01", 0, 4), ("2000-02-29", 11_016, 2), ("2026-11-22", 20_779, 7), ("9999-12-31", 2_932_896, 5),
    ])
    func `known days`(text: String, number: Int, weekday: Int) {
        let day = LocalDay(dayNumber: number)
        #expect(day.description == text)
        #expect(day.dayNumber == number)
        #expect(day.weekday == weekday)
    }

    @Test func `what no calendar has is no day`() {
        for (year, month, day) in [
            (0, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31),
            (2026, 2, 29), (1900, 2, 29), (Int.max, Int.max, Int.max), (Int.min, Int.min, Int.min),
        ] {
            #expect(LocalDay(year: year, month: month, day: day) == nil)
        }
    }

    @Test(arguments: [
        ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2024-02-29", 12, "2025-02-28"),
        ("2024-02-29", 48, "2028-02-29"), ("2026-01-15", -1, "2025-12-15"), ("2026-03-31", -13, "2025-02-28"),
        ("0001-01-31", -1, "0001-01-31"), ("9999-12-31", 1, "9999-12-31"), ("2026-01-01", Int.max, "9999-12-01"),
        ("2026-01-31", Int.min, "0001-01-31"),
    ])
    func `months are added`(text: String, months: Int, expected: String) throws {
        #expect(try day(text).adding(months: months).description == expected)
    }

    @Test func `the calendar's ends are ends`() throws {
        #expect(try day("2026-01-01").adding(days: .max).description == "9999-12-31")
        #expect(try day("1960-01-01").adding(days: .min).description == "0001-01-01")
        #expect(try day("2024-02-28").adding(days: 1).isLeapDay)
        #expect(try day("2023-12-31") < day("2024-01-01"))
        #expect(try !(day("2024-01-31") < day("2024-01-05")))
    }
}
