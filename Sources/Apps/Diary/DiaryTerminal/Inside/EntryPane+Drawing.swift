import DiaryClient
import DiaryViews
import TerminalScreen

/// What a list looks like.
extension EntryPane {
    func draw(_ here: Surroundings) -> [StyledLine] {
        guard !lines.isEmpty else {
            return isLoaded ? [here.row(""), here.row(" " + emptyWords(in: here.language))] : []
        }
        // Only what is seen is built; a diary may have many thousands of lines.
        let places = self.places
        let height = (places.last.map { $0.row + $0.height } ?? 0) + (hasMore ? 1 : 0)
        let selected = places.first { $0.entry == row }?.row ?? 0
        let seen = here.visible(height, around: selected, height: here.size.bodyHeight)
        var drawn: [StyledLine] = []
        for (line, place) in zip(lines, places)
        where place.row < seen.upperBound && place.row + place.height > seen.lowerBound {
            let rows = draw(line, isSelected: place.entry == row, here)
            // An excerpt may stand where its entry is above the edge.
            drawn += rows.dropFirst(max(0, seen.lowerBound - place.row))
        }
        if hasMore { drawn.append(here.row("   …", .faint)) }
        return drawn
    }

    /// Which entry stands in this row of the page; nil for headings and beyond the last.
    func entry(at line: Int, _ here: Surroundings) -> Int? {
        let places = self.places
        let height = (places.last.map { $0.row + $0.height } ?? 0) + (hasMore ? 1 : 0)
        let selected = places.first { $0.entry == row }?.row ?? 0
        let at = here.visible(height, around: selected, height: here.size.bodyHeight).lowerBound + line
        return places.first { ($0.row..<$0.row + $0.height).contains(at) }?.entry
    }

    /// Where each line stands, and which entry it is.
    private var places: [(row: Int, height: Int, entry: Int?)] {
        var (top, count) = (0, 0)
        return lines.map { line in
            guard case .entry(let entry, _) = line else {
                defer { top += 1 }
                return (top, 1, nil)
            }
            let height = entry.excerpt == nil ? 1 : 2
            defer { (top, count) = (top + height, count + 1) }
            return (top, height, count)
        }
    }

    private func draw(_ line: Line, isSelected: Bool, _ here: Surroundings) -> [StyledLine] {
        switch line {
        case .section(let title): [here.row(" " + title, .bold)]
        case .day(let heading): [here.row("  " + heading, .faint)]
        case .entry(let entry, let clock):
            [EntryLine(entry, clock).draw(isSelected: isSelected, width: here.size.columns, here.language)]
                + (entry.excerpt.map { [here.row("          " + $0, .faint)] } ?? [])
        }
    }

    // MARK: Words

    func emptyWords(in language: DiaryLanguage) -> String {
        switch source {
        case .timeline: DiaryPhrase.noEntries.text(in: language)
        case .drafts, .tag, .chosen, .trash, .starred: ScreenPhrase.nothingHere.text(in: language)
        case .onThisDay: DiaryPhrase.nothingOnThisDay.text(in: language)
        case .search: DiaryPhrase.noHits.text(in: language)
        }
    }

    func title(in language: DiaryLanguage) -> String {
        let count = isLoaded ? " (\(total))" : ""
        return switch source {
        case .timeline: DiaryPhrase.timeline.text(in: language) + count
        case .drafts: DiaryPhrase.drafts.text(in: language) + count
        case .trash: ScreenPhrase.trash.text(in: language) + count
        case .starred: "★" + count
        case .onThisDay: DiaryPhrase.onThisDay.text(in: language)
        case .tag(let tag): "#" + tag + count
        case .search(let text): DiaryPhrase.search.text(in: language) + ": " + text + count
        case .chosen(let ids): ScreenPhrase.entries(ids.count, in: language)
        }
    }
}
