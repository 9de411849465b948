import DiaryClient
import DiaryViews
import TerminalScreen

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

    // MARK: Keys

    mutating func press(_ key: Key, _ outline: Outline?, _ here: Surroundings) -> [PageWish] {
        switch key {
        case .text("h"), .left: move(days: -1)
        case .text("l"), .right: move(days: 1)
        case .text("k"), .up: move(days: -7)
        case .text("j"), .down: move(days: 7)
        case .text("["), .pageUp: move(months: -1, onlyWritten: false, outline)
        case .text("]"), .pageDown: move(months: 1, onlyWritten: false, outline)
        case .text("{"): move(months: -1, onlyWritten: true, outline)
        case .text("}"): move(months: 1, onlyWritten: true, outline)
        case .text("."), .home: select(here.viewpoint.today)
        case .enter: return PageWish.open(ids, known: entries)
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        return update(outline, here).map { .ask($0) }
    }

    /// Draws the month anew, as it is seen from here.
    mutating func update(_ outline: Outline?, _ here: Surroundings) -> [DiaryRequest] {
        draw(outline, here.language.usualWeekStart, today: here.viewpoint.today)
    }

    /// Selects the day of this number in the month.
    ///
    /// - Returns: what to ask for; nil where there is no such day.
    mutating func select(dayOfMonth number: Int, _ outline: Outline?, _ here: Surroundings) -> [DiaryRequest]? {
        guard let day = LocalDay(year: month.year, month: month.month, day: number) else { return nil }
        select(day)
        return update(outline, here)
    }
}
