import DiaryClient
import DiaryViews
import TerminalScreen

/// An entry in one line of a list: what the clock showed, its first words, and marks for the rest.
struct EntryLine: Sendable {
    private let entry: EntrySummary
    private let clock: String

    init(_ entry: EntrySummary, _ clock: String) { (self.entry, self.clock) = (entry, clock) }

    func draw(isSelected: Bool, width: Int, _ language: DiaryLanguage) -> StyledLine {
        let marks = CellWidth.of(SafeText.line(allMarks)) < width / 2 ? allMarks : ""
        let opening = entry.opening.isEmpty ? ScreenPhrase.untitled.text(in: language) : entry.opening
        let style: Style = isSelected ? .inverse : .plain
        var line = StyledLine()
        let room = max(0, width - CellWidth.of(SafeText.line(marks)))
        line.append((isSelected ? " > " : "   ") + clock + "  " + opening, style, width: room)
        line.append(marks, style)
        return line
    }

    /// Star, photos, other files and the first tag, behind the first words.
    private var allMarks: String {
        let photos = entry.photoCount
        let others = entry.media.count - photos
        var marks = entry.head.isStarred ? " ★" : ""
        if photos > 0 { marks += " ▣\(photos)" }
        if others > 0 { marks += " ♪\(others)" }
        if let tag = entry.head.tags.first { marks += " #" + tag.prefix(12) }
        return marks.isEmpty ? "" : marks + " "
    }
}
