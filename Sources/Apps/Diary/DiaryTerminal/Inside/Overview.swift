import DiaryClient
import DiaryViews
import TerminalScreen

/// What is known of the whole diary besides its lists: read when a page needs it, forgotten when something changes.
struct Overview: Sendable {
    /// All entries in short, for calendar, map and statistics; nil until they are asked for.
    private(set) var outline: Outline?
    /// The statistics, made of these.
    private(set) var facts: [WritingStatistics.Fact]?
    private(set) var tags: [TagCount]?
    private(set) var templates: [DiaryTemplate]?

    /// What is to be asked for, so that a page can show what it is for.
    func requests(for page: PageStack.Page) -> [DiaryRequest] {
        switch page {
        case .calendar, .map, .statistics: outline == nil ? [.outline] : []
        case .tags: tags == nil ? [.tags] : []
        case .settings: [.status]
        case .templates: templates == nil ? [.templates] : []
        case .list, .entry, .files, .picture, .editor: []
        }
    }

    mutating func forget() { (outline, facts, tags, templates) = (nil, nil, nil, nil) }

    /// What counts entries is another by now.
    mutating func forgetCounts() { (outline, facts, tags) = (nil, nil, nil) }

    mutating func accept(_ tags: [TagCount]) { self.tags = tags }
    mutating func accept(_ templates: [DiaryTemplate]) { self.templates = templates }

    /// - Returns: false where the bytes are no outline.
    mutating func accept(outline json: [UInt8]) -> Bool {
        guard let outline = try? Outline(json: json) else { return false }
        self.outline = outline
        return true
    }

    /// Counts anew, as seen from today.
    mutating func count(_ here: Surroundings) {
        facts = outline.map { WritingStatistics($0.entries, seenFrom: here.viewpoint).facts(in: here.language) }
    }

    /// The page of statistics.
    func drawStatistics(_ here: Surroundings) -> [StyledLine] {
        guard let facts else { return [] }
        guard !facts.isEmpty else {
            return [here.row(""), here.row(" " + DiaryPhrase.noEntries.text(in: here.language))]
        }
        let columns = here.size.columns
        let width = min((facts.map { CellWidth.of($0.name) }.max() ?? 0) + 4, max(12, columns / 2))
        return [here.row("")]
            + facts.flatMap { fact in
                let view = TextView(width: max(8, columns - width - 1), height: 6)
                let texts = TextBuffer(fact.value).lines
                return view.rows(of: texts).enumerated().map { index, part in
                    var line = StyledLine()
                    line.append(index == 0 ? "  " + fact.name : "", .bold, width: width)
                    line.append(String(texts[part.line][part.range]), width: columns - width)
                    return line
                }
            }
    }
}
