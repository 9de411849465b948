extension MonthCalendar {
    /// A piece of a line of text; the caller gives it its colour.
    package struct Cell: Sendable, Equatable {
        package enum Role: Sendable, Equatable {
            case title, weekday, blank
            case day(Day)
        }

        /// Of a terminal's columns, as many as `Cell.width`, but the title, which fills the line.
        package let text: String
        package let role: Role

        /// Columns of a day.
        package static let width = 6
    }

    /// The month as lines of plain text, 42 columns wide: its name, the days of the week, and a line for each week.
    ///
    /// A day with entries has a dot behind its number, or a star if one of them has; behind that, their number if there
    /// are several (`+` from ten). Today stands in brackets.
    ///
    /// ```
    ///  Mo    Di    Mi    Do    Fr    Sa    So
    ///                                       1•
    ///   2     3★    4   [ 5•3]  6     7     8
    /// ```
    package func lines(in language: DiaryLanguage) -> [[Cell]] {
        let title = language.heading(month)
        let space = max(0, 7 * Cell.width - title.count)
        let centred = Self.blank(space / 2) + title + Self.blank(space - space / 2)
        let head = weekStart.weekdays.map {
            Cell(text: " \(language.shortName(ofWeekday: $0))   ", role: .weekday)
        }
        let rows = weeks.map { week in
            week.map { day in
                day.map { Cell(text: Self.text(of: $0), role: .day($0)) }
                    ?? Cell(text: Self.blank(Cell.width), role: .blank)
            }
        }
        return [[Cell(text: centred, role: .title)], head] + rows
    }

    /// The lines without roles and without blanks at their ends.
    package func plainLines(in language: DiaryLanguage) -> [String] {
        lines(in: language).map { line in
            var text = line.map(\.text).joined()
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    private static func text(of day: Day) -> String {
        let mark = day.isStarred ? "★" : "•"
        let marks =
            switch day.entryCount {
            case 0: ""
            case 1: mark
            case 2...9: "\(mark)\(day.entryCount)"
            default: "\(mark)+"
            }
        let number = day.day.day < 10 ? " \(day.day.day)" : "\(day.day.day)"
        let edge = day.isToday ? (open: "[", close: "]") : (open: " ", close: " ")
        let text = edge.open + number + marks + edge.close
        return text + blank(Cell.width - text.count)
    }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}
