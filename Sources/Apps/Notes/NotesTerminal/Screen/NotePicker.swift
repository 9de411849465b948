import NotesClient
import TerminalScreen

/// A list over the panes, of which one is chosen: the files of a note, or its former texts.
struct NotePicker: Equatable, Sendable {
    enum Rows: Equatable, Sendable {
        case files([AttachmentSummary])
        case versions([VersionSummary])
        case links([NoteLink])
    }

    let note: NoteSummary
    let rows: Rows
    private(set) var row = 0

    /// - Parameter row: the one that is chosen, where it is listed anew.
    init(_ note: NoteSummary, _ rows: Rows, at row: Int? = nil) {
        self.note = note
        self.rows = rows
        if let row {
            self.row = min(row, max(0, count - 1))
        } else if case .versions(let all) = rows {
            // The latest of the former texts is wanted more often than the first.
            self.row = max(0, all.count - 1)
        }
    }

    var count: Int {
        switch rows {
        case .files(let all): all.count
        case .versions(let all): all.count
        case .links(let all): all.count
        }
    }

    var file: AttachmentSummary? {
        guard case .files(let all) = rows, all.indices.contains(row) else { return nil }
        return all[row]
    }

    var version: VersionSummary? {
        guard case .versions(let all) = rows, all.indices.contains(row) else { return nil }
        return all[row]
    }

    var link: NoteLink? {
        guard case .links(let all) = rows, all.indices.contains(row) else { return nil }
        return all[row]
    }

    /// - Parameter height: rows that are seen.
    /// - Returns: false where the key does not move anything.
    mutating func move(_ key: Key, height: Int) -> Bool {
        switch key {
        case .text("j"), .down: row += 1
        case .text("k"), .up: row -= 1
        case .pageDown, .text(" "): row += max(1, height - 1)
        case .pageUp: row -= max(1, height - 1)
        case .text("g"), .home: row = 0
        case .text("G"), .end: row = count - 1
        default: return false
        }
        row = min(max(0, row), max(0, count - 1))
        return true
    }

    func draw(_ layout: ScreenLayout, _ dates: NoteDates) -> [StyledLine] {
        let room = PaneRoom(width: layout.columns, height: layout.bodyHeight, isFocused: true)
        var lines = [room.heading(ScreenWords.heading(rows, note.titleWords))]
        if count == 0 { lines.append(room.row(ScreenWords.nothing(rows))) }
        for index in room.visible(count, around: row) {
            lines.append(room.row(room.mark(index == row) + words(index, dates), room.style(index == row)))
        }
        return room.filled(lines)
    }

    private func words(_ index: Int, _ dates: NoteDates) -> String {
        switch rows {
        case .files(let all): ScreenWords.line(all[index])
        case .versions(let all): ScreenWords.line(all[index], dates)
        case .links(let all): all[index].words
        }
    }
}

/// A text over the panes that is looked at: a former one of a note.
struct TextPage: Sendable {
    let note: NoteSummary
    let version: Int
    private let lines: [[Character]]
    private var view: TextView

    init(_ note: NoteSummary, version: Int, _ text: String, in view: TextView) {
        self.note = note
        self.version = version
        lines = TextBuffer(text).lines
        self.view = view
    }

    mutating func resize(_ view: TextView) {
        self.view.resize(width: view.width, height: view.height)
        self.view.scroll(by: 0, in: lines)
    }

    mutating func move(_ key: Key) -> Bool { view.move(key, in: lines) }

    func draw(_ layout: ScreenLayout) -> [StyledLine] {
        layout.draw(ScreenWords.heading(version, note.titleWords), view, lines)
    }
}

extension TextView {
    /// Scrolls by a key.
    ///
    /// - Returns: false where the key does not scroll.
    mutating func move(_ key: Key, in lines: [[Character]]) -> Bool {
        switch key {
        case .text("j"), .down: scroll(by: 1, in: lines)
        case .text("k"), .up: scroll(by: -1, in: lines)
        case .pageDown, .text(" "): scroll(by: height - 1, in: lines)
        case .pageUp: scroll(by: 1 - height, in: lines)
        case .home, .text("g"): scroll(by: -1_000_000, in: lines)
        case .end, .text("G"): scroll(by: 1_000_000, in: lines)
        default: return false
        }
        return true
    }
}
