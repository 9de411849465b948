import DiaryClient
import DiaryViews

/// A month, and the day in it that is selected.
struct CalendarPane: Sendable {
    private(set) var selected: LocalDay
    /// Nil until all entries in short are known.
    private(set) var calendar: MonthCalendar?
    /// What was written on the selected day.
    private(set) var ids: [String] = []
    private(set) var entries: [EntrySummary] = []

    init(_ day: LocalDay) { selected = day }

    var month: YearMonth { selected.yearMonth }

    /// Draws the month anew.
    ///
    /// - Returns: what to ask for, so that the selected day's entries can be told.
    mutating func draw(_ outline: Outline?, _ weekStart: WeekStart, today: LocalDay) -> [DiaryRequest] {
        guard let outline else {
            (calendar, ids, entries) = (nil, [], [])
            return []
        }
        calendar = MonthCalendar(month, of: outline.entries, weekStart: weekStart, today: today)
        ids = outline.ids(on: selected)
        entries.removeAll { !ids.contains($0.id) }
        return ids.prefix(20).filter { id in !entries.contains { $0.id == id } }.map { .find(id: $0) }
    }

    mutating func accept(_ entry: EntrySummary) {
        guard ids.contains(entry.id) else { return }
        entries.removeAll { $0.id == entry.id }
        entries.append(entry)
        entries.sort { ($0.head.date, $0.id) < ($1.head.date, $1.id) }
    }

    mutating func move(days: Int) { selected = selected.adding(days: days) }

    /// To the next month, or to the nearest in which something was written.
    mutating func move(months: Int, onlyWritten: Bool, _ outline: Outline?) {
        let written = months < 0 ? calendar?.previousMonth : calendar?.nextMonth
        if onlyWritten {
            guard let written else { return }
            selected = outline?.firstDay(of: written) ?? written.firstDay
        } else {
            selected = selected.adding(months: months)
        }
    }

    mutating func select(_ day: LocalDay) { selected = day }
}
