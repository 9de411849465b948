import DiaryClient
import DiaryViews
import TerminalScreen

/// What each page looks like.
extension OpenDiary {
    // MARK: Lists

    func draw(_ pane: EntryPane) -> [StyledLine] {
        guard !pane.lines.isEmpty else {
            return pane.isLoaded ? [row(""), row(" " + emptyWords(pane))] : []
        }
        // Only what is seen is built; a diary may have many thousands of lines.
        let places = Self.places(of: pane)
        let height = (places.last.map { $0.row + $0.height } ?? 0) + (pane.hasMore ? 1 : 0)
        let selected = places.first { $0.entry == pane.row }?.row ?? 0
        let seen = visible(height, around: selected, height: size.bodyHeight)
        var lines: [StyledLine] = []
        for (line, place) in zip(pane.lines, places)
        where place.row < seen.upperBound && place.row + place.height > seen.lowerBound {
            let drawn = draw(line, isSelected: place.entry == pane.row)
            // An excerpt may stand where its entry is above the edge.
            lines += drawn.dropFirst(max(0, seen.lowerBound - place.row))
        }
        if pane.hasMore { lines.append(row("   …", .faint)) }
        return lines
    }

    /// Where each line of a list stands, and which entry it is.
    private static func places(of pane: EntryPane) -> [(row: Int, height: Int, entry: Int?)] {
        var (top, count) = (0, 0)
        return pane.lines.map { line in
            guard case .entry(let entry, _) = line else {
                defer { top += 1 }
                return (top, 1, nil)
            }
            let height = entry.excerpt == nil ? 1 : 2
            defer { (top, count) = (top + height, count + 1) }
            return (top, height, count)
        }
    }

    private func draw(_ line: EntryPane.Line, isSelected: Bool) -> [StyledLine] {
        switch line {
        case .section(let title): [row(" " + title, .bold)]
        case .day(let heading): [row("  " + heading, .faint)]
        case .entry(let entry, let clock):
            [draw(entry, clock, isSelected: isSelected, of: size.columns)]
                + (entry.excerpt.map { [row("          " + $0, .faint)] } ?? [])
        }
    }

    func emptyWords(_ pane: EntryPane) -> String {
        switch pane.source {
        case .timeline: DiaryPhrase.noEntries.text(in: language)
        case .drafts, .tag, .chosen, .trash, .starred: ScreenPhrase.nothingHere.text(in: language)
        case .onThisDay: DiaryPhrase.nothingOnThisDay.text(in: language)
        case .search: DiaryPhrase.noHits.text(in: language)
        }
    }

    func draw(_ entry: EntrySummary, _ clock: String, isSelected: Bool, of width: Int) -> StyledLine {
        let allMarks = Self.marks(of: entry, language)
        let marks = CellWidth.of(SafeText.line(allMarks)) < width / 2 ? allMarks : ""
        let opening = entry.opening.isEmpty ? ScreenPhrase.untitled.text(in: language) : entry.opening
        let style: Style = isSelected ? .inverse : .plain
        var line = StyledLine()
        let room = max(0, width - CellWidth.of(SafeText.line(marks)))
        line.append((isSelected ? " > " : "   ") + clock + "  " + opening, style, width: room)
        line.append(marks, style)
        return line
    }

    /// Star, photos, other files, tags and place, behind the first words.
    static func marks(of entry: EntrySummary, _ language: DiaryLanguage) -> String {
        let photos = entry.photoCount
        let others = entry.media.count - photos
        var marks = entry.head.isStarred ? " ★" : ""
        if photos > 0 { marks += " ▣\(photos)" }
        if others > 0 { marks += " ♪\(others)" }
        if let tag = entry.head.tags.first { marks += " #" + tag.prefix(12) }
        return marks.isEmpty ? "" : marks + " "
    }

    // MARK: Calendar

    func draw(_ pane: CalendarPane) -> [StyledLine] {
        guard let calendar = pane.calendar else { return [] }
        let width = 7 * MonthCalendar.Cell.width
        let margin = size.columns >= width + 2 ? " " : ""
        let days = calendar.lines(in: language).map { cells in
            var line = StyledLine()
            line.append(margin)
            for cell in cells {
                let room = min(CellWidth.of(cell.text), size.columns - line.width)
                line.append(cell.text, style(of: cell, pane), width: room)
            }
            return line
        }
        let list = dayLines(pane, width: size.columns >= width + 30 ? size.columns - width - 3 : size.columns)
        guard size.columns >= width + 30 else {
            return days.map { padded($0) } + [row("")] + list
        }
        return (0..<max(days.count, list.count)).map { index in
            var line = index < days.count ? days[index] : StyledLine()
            line.pad(to: width + 1)
            line.append("│ ", .faint)
            if index < list.count { line.append(list[index]) }
            line.pad(to: size.columns)
            return line
        }
    }

    private func padded(_ line: StyledLine) -> StyledLine {
        var line = line
        line.pad(to: size.columns)
        return line
    }

    private func style(of cell: MonthCalendar.Cell, _ pane: CalendarPane) -> Style {
        switch cell.role {
        case .title: .bold
        case .weekday: .faint
        case .blank: .plain
        case .day(let day): day.day == pane.selected ? .inverse : day.entryCount > 0 || day.isToday ? .bold : .plain
        }
    }

    /// The selected day, and what was written on it.
    private func dayLines(_ pane: CalendarPane, width: Int) -> [StyledLine] {
        var lines = [StyledLine(language.heading(pane.selected), .bold, width: width)]
        for entry in pane.entries {
            lines.append(draw(entry, entry.head.localTime.label, isSelected: false, of: width))
        }
        if pane.ids.count > pane.entries.count {
            let rest = pane.ids.count - pane.entries.count
            lines.append(StyledLine("   " + ScreenPhrase.more(rest, in: language), .faint, width: width))
        }
        return lines
    }

    // MARK: Map

    func draw(_ pane: MapPane) -> [StyledLine] {
        guard let map = pane.map else { return [] }
        var cells = map.lines.map { $0.map { String($0) } }
        for marker in map.markers where cells.indices.contains(marker.row) {
            guard cells[marker.row].indices.contains(marker.column) else { continue }
            cells[marker.row][marker.column] = String(marker.symbol)
        }
        let lines = cells.enumerated().map { index, row in
            draw(row, marked: map.markers.filter { $0.row == index }.map(\.column), pane.selected, index)
        }
        guard let place = pane.selectedPlace else {
            let words =
                pane.ids.isEmpty ? DiaryPhrase.noPlaces.text(in: language) : ScreenPhrase.noneHere.text(in: language)
            return lines + [row(" " + words)]
        }
        let words = " " + ScreenPhrase.entries(pane.selectedIDs.count, in: language) + " · " + place
        return lines + [row(words, .bold)]
    }

    /// A row of the map; markers stand out, and the selected one most.
    private func draw(_ cells: [String], marked: [Int], _ selected: MapMarker?, _ row: Int) -> StyledLine {
        var line = StyledLine()
        var start = 0
        for column in marked.sorted() {
            line.append(cells[start..<column].joined())
            let isSelected = selected?.row == row && selected?.column == column
            line.append(cells[column], isSelected ? .inverse : .bold)
            start = column + 1
        }
        line.append(cells[start...].joined())
        line.pad(to: size.columns)
        return line
    }

    // MARK: Statistics and tags

    func drawStatistics() -> [StyledLine] {
        guard let facts else { return [] }
        guard !facts.isEmpty else { return [row(""), row(" " + DiaryPhrase.noEntries.text(in: language))] }
        let width = min((facts.map { CellWidth.of($0.name) }.max() ?? 0) + 4, max(12, size.columns / 2))
        return [row("")]
            + facts.flatMap { fact in
                let view = TextView(width: max(8, size.columns - width - 1), height: 6)
                let texts = TextBuffer(fact.value).lines
                return view.rows(of: texts).enumerated().map { index, part in
                    var line = StyledLine()
                    line.append(index == 0 ? "  " + fact.name : "", .bold, width: width)
                    line.append(String(texts[part.line][part.range]), width: size.columns - width)
                    return line
                }
            }
    }

    func drawTags(_ selected: Int) -> [StyledLine] {
        guard let tags else { return [] }
        guard !tags.isEmpty else { return [row(""), row(" " + DiaryPhrase.noTags.text(in: language))] }
        return visible(tags.count, around: selected, height: size.bodyHeight).map { index in
            let isSelected = index == selected
            let count = " \(tags[index].count) "
            var line = StyledLine()
            let style: Style = isSelected ? .inverse : .plain
            line.append((isSelected ? " > #" : "   #") + tags[index].tag, style, width: size.columns - count.count)
            line.append(count, style)
            return line
        }
    }
}
