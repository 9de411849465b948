package import DiaryClient

/// On which day a week begins.
package enum WeekStart: Sendable, CaseIterable {
    case monday, sunday

    /// 1 for Monday to 7 for Sunday, in the order of a calendar's columns.
    package var weekdays: [Int] { self == .monday ? [1, 2, 3, 4, 5, 6, 7] : [7, 1, 2, 3, 4, 5, 6] }

    /// In which column a day stands, from 0.
    func column(of day: LocalDay) -> Int { self == .monday ? day.weekday - 1 : day.weekday % 7 }
}

/// A month as a grid of weeks, with what was written on each day.
///
/// An entry counts for the day of the place where it was written. Entries ahead count as well, because a
/// calendar shows days to come.
package struct MonthCalendar: Sendable, Equatable {
    package struct Day: Sendable, Equatable {
        package let day: LocalDay
        package let entryCount: Int
        /// Photos and other files.
        package let fileCount: Int
        /// Whether one of its entries has a star.
        package let isStarred: Bool
        package let isToday: Bool
    }

    package let month: YearMonth
    package let weekStart: WeekStart
    /// Four to six weeks of seven columns; nil where the week belongs to another month in part.
    package let weeks: [[Day?]]
    /// The nearest months before and after in which something was written; nil where there is none.
    package let previousMonth: YearMonth?
    package let nextMonth: YearMonth?

    package init(_ month: YearMonth, of entries: [EntryOutline], weekStart: WeekStart, today: LocalDay) {
        self.month = month
        self.weekStart = weekStart
        let dated = entries.map { (day: $0.localDay, entry: $0) }
        let byDay = Dictionary(grouping: dated.filter { $0.day.yearMonth == month }, by: \.day)
        let months = Set(dated.map(\.day.yearMonth))
        previousMonth = months.filter { $0 < month }.max()
        nextMonth = months.filter { $0 > month }.min()
        let lead = weekStart.column(of: month.firstDay)
        var cells = [Day?](repeating: nil, count: lead)
        for number in 1...month.dayCount {
            let day = LocalDay(month, day: number)
            let own = byDay[day, default: []].map(\.entry)
            cells.append(
                Day(
                    day: day, entryCount: own.count, fileCount: own.reduce(0) { $0 + $1.media },
                    isStarred: own.contains { $0.isStarred }, isToday: day == today))
        }
        cells += [Day?](repeating: nil, count: (7 - cells.count % 7) % 7)
        weeks = stride(from: 0, to: cells.count, by: 7).map { Array(cells[$0..<$0 + 7]) }
    }
}
