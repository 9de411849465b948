import DiaryClient
import ShippedCatalogues
import Testing

@testable import DiaryViews

/// Months as grids.
@Suite struct CalendarTests {
    init() throws { try ShippedCatalogue.keepAll() }

    @Test func `each month of four hundred years has its days once, each in its column`() throws {
        for number in 1800 * 12..<2200 * 12 {
            let month = try #require(YearMonth(year: number / 12, month: number % 12 + 1))
            for start in WeekStart.allCases {
                let calendar = MonthCalendar(month, of: [], weekStart: start, today: LocalDay(dayNumber: 0))
                let days = calendar.weeks.flatMap { $0.compactMap(\.self) }.map(\.day.day)
                let isWhole = days == Array(1...month.dayCount) && calendar.weeks.allSatisfy { $0.count == 7 }
                let isAligned = calendar.weeks.allSatisfy { week in
                    zip(week, start.weekdays).allSatisfy { $0 == nil || $0?.day.weekday == $1 }
                }
                let hasNoEmptyWeek = calendar.weeks.allSatisfy { $0.contains { $0 != nil } }
                if !isWhole || !isAligned || !hasNoEmptyWeek { Issue.record("\(month) \(start)") }
            }
        }
    }

    @Test func `entries and files count for the day of their own place`() throws {
        let entries = [
            try outline("2026-11-22 00:10", "Pacific/Kiritimati", files: 2),
            try outline("2026-11-22 23:50", "Pacific/Honolulu", files: 1, isStarred: true),
            try outline("2026-11-30 23:30", "Pacific/Honolulu"),
            try outline("2026-11-21 12:00", "Of/Nowhere"),
        ]
        let month = try day("2026-11-01").yearMonth
        let calendar = MonthCalendar(month, of: entries, weekStart: .monday, today: try day("2026-11-22"))
        let days = calendar.weeks.flatMap { $0.compactMap(\.self) }
        #expect(days.map(\.entryCount).reduce(0, +) == 4)
        #expect(
            days[21]
                == MonthCalendar.Day(
                    day: try day("2026-11-22"), entryCount: 2, fileCount: 3, isStarred: true, isToday: true))
        #expect(days[20].entryCount == 1 && !days[20].isStarred && !days[20].isToday)
        #expect(days[29].entryCount == 1)
    }

    @Test func `the nearest months with entries are known`() throws {
        let entries = [
            try outline("2019-02-01"), try outline("2026-09-30 23:59"),
            try outline("2026-11-05"), try outline("2031-01-01"), try outline("2040-01-01"),
        ]
        let month = try day("2026-11-01").yearMonth
        let calendar = MonthCalendar(month, of: entries, weekStart: .monday, today: try day("2026-11-22"))
        #expect(calendar.previousMonth?.description == "2026-09")
        #expect(calendar.nextMonth?.description == "2031-01")
        let last = MonthCalendar(
            try day("2040-01-01").yearMonth, of: entries, weekStart: .monday, today: try day("2026-11-22"))
        #expect(last.previousMonth?.description == "2031-01" && last.nextMonth == nil)
    }

    @Test func `each line is as wide as the grid, in each language`() throws {
        let many = try (1...12).map { _ in try outline("2026-11-07", isStarred: true) }
        for language in DiaryLanguage.allCases {
            for number in 0..<24 {
                let month = try day("2026-01-01").yearMonth.adding(months: number)
                let calendar = MonthCalendar(
                    month, of: many, weekStart: language.usualWeekStart, today: try day("2026-11-07"))
                for line in calendar.lines(in: language) { #expect(line.map(\.text).joined().count == 42) }
            }
        }
    }

    @Test func `a month in four languages`() throws {
        let entries =
            try [outline("2026-11-01"), outline("2026-11-03", isStarred: true)]
            + (0..<2).map { _ in try outline("2026-11-22", isStarred: true) } + [outline("2026-11-30")]
            + (0..<3).map { _ in try outline("2026-11-10") } + (0..<10).map { _ in try outline("2026-11-14") }
        let month = try day("2026-11-01").yearMonth
        let today = try day("2026-11-22")
        let text = DiaryLanguage.allCases.map {
            MonthCalendar(month, of: entries, weekStart: $0.usualWeekStart, today: today).plainLines(in: $0)
        }
        try expectGolden(text.map { $0.joined(separator: "\n") }.joined(separator: "\n\n"), "view-calendar")
    }
}
