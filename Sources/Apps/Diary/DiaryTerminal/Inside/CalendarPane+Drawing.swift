import DiaryClient
import DiaryViews
import TerminalScreen

/// What the calendar looks like.
extension CalendarPane {
    func draw(_ here: Surroundings) -> [StyledLine] {
        guard let calendar else { return [] }
        let columns = here.size.columns
        // There is no room for weeks; the arrows go from day to day all the same.
        if here.size.isLow { return dayLines(width: columns, here.language) }
        let width = 7 * MonthCalendar.Cell.width
        let margin = columns >= width + 2 ? " " : ""
        let days = calendar.lines(in: here.language).map { cells in
            var line = StyledLine()
            line.append(margin)
            for cell in cells {
                let room = min(CellWidth.of(cell.text), columns - line.width)
                line.append(cell.text, style(of: cell), width: room)
            }
            return line
        }
        let isWide = columns >= width + 30
        let list = dayLines(width: isWide ? columns - width - 3 : columns, here.language)
        guard isWide else { return days.map { Self.padded($0, to: columns) } + [here.row("")] + list }
        return (0..<max(days.count, list.count)).map { index in
            var line = index < days.count ? days[index] : StyledLine()
            line.pad(to: width + 1)
            line.append("│ ", .faint)
            if index < list.count { line.append(list[index]) }
            line.pad(to: columns)
            return line
        }
    }

    private static func padded(_ line: StyledLine, to columns: Int) -> StyledLine {
        var line = line
        line.pad(to: columns)
        return line
    }

    private func style(of cell: MonthCalendar.Cell) -> Style {
        switch cell.role {
        case .title: .bold
        case .weekday: .faint
        case .blank: .plain
        case .day(let day): day.day == selected ? .inverse : day.entryCount > 0 || day.isToday ? .bold : .plain
        }
    }

    /// The selected day, and what was written on it.
    private func dayLines(width: Int, _ language: DiaryLanguage) -> [StyledLine] {
        var lines = [StyledLine(language.heading(selected), .bold, width: width)]
        for entry in entries {
            let line = EntryLine(entry, entry.head.localTime.label)
            lines.append(line.draw(isSelected: false, width: width, language))
        }
        if ids.count > entries.count {
            let rest = ids.count - entries.count
            lines.append(StyledLine("   " + ScreenPhrase.more(rest, in: language), .faint, width: width))
        }
        return lines
    }
}
