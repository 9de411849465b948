import NotesClient
import TerminalScreen

/// The note in the note's pane: its text as it is read, the part of it that is seen, and the row that keys mean.
struct OpenNote: Sendable {
    private(set) var summary: NoteSummary
    private let text: String
    private var rows: [MarkdownRow]
    private var (width, height): (Int, Int)
    /// The row that keys mean, and the first that is seen.
    private(set) var cursor = 0
    private var top = 0

    /// Bytes of a text that is laid out as Markdown; a longer one is shown as it stands, for speed.
    private static let longestLaidOut = 512 * 1024

    /// - Parameters:
    ///   - former: what the pane shows so far; where that is the same note, the same part of it is seen.
    ///   - view: the pane, where it is another.
    init(_ summary: NoteSummary, _ text: String, after former: OpenNote?, in view: TextView) {
        self.summary = summary
        self.text = text
        (width, height) = (view.width, view.height)
        rows = Self.rows(text, width)
        if let former, former.summary.id == summary.id { stay(where: former) }
    }

    private static func rows(_ text: String, _ width: Int) -> [MarkdownRow] {
        // A column is for the sign at the row that keys mean.
        guard text.utf8.count > longestLaidOut else { return MarkdownRow.rows(of: text, width: width - 1) }
        let lines = TextBuffer(text).lines
        let view = TextView(width: width - 1, height: .max)
        return view.rows(of: lines).map { MarkdownRow(line: view.draw($0, of: lines), source: $0.line) }
    }

    /// The same line of the source at the same height, or the nearest there is.
    private mutating func stay(where former: OpenNote) {
        guard former.rows.indices.contains(former.cursor) else { return }
        let line = former.rows[former.cursor].source
        let first = former.rows.firstIndex { $0.source == line } ?? former.cursor
        cursor = (rows.firstIndex { $0.source >= line } ?? rows.count - 1) + former.cursor - first
        top = cursor - (former.cursor - former.top)
        follow()
    }

    private mutating func follow() {
        cursor = min(max(0, cursor), max(0, rows.count - 1))
        top = min(max(top, cursor - height + 1), cursor)
        top = min(max(0, top), max(0, rows.count - height))
    }

    /// Takes what a list says of it.
    ///
    /// - Returns: false where that is another note, or the text is another by now.
    mutating func take(_ note: NoteSummary) -> Bool {
        guard summary.id == note.id, summary.revision == note.revision else { return false }
        summary = note
        return true
    }

    mutating func scroll(by rows: Int) {
        cursor += rows
        follow()
    }

    mutating func resize(_ pane: TextView) {
        let former = self
        (width, height) = (pane.width, pane.height)
        if width != former.width { rows = Self.rows(text, width) }
        stay(where: former)
    }

    // MARK: What keys mean

    private var row: MarkdownRow? { rows.indices.contains(cursor) ? rows[cursor] : nil }

    var isAtBox: Bool { row?.hasBox == true }

    /// Those of the row that keys mean.
    var links: [NoteLink] { row?.links ?? [] }

    /// The text with the box of the row ticked, or no longer; nil where there is none.
    ///
    /// All else stays, byte for byte.
    func ticked() -> [UInt8]? {
        guard let row, row.hasBox else { return nil }
        var bytes = Array(text.utf8)
        var start = 0
        for _ in 0..<row.source {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
            start = end + 1
        }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        guard let open = bytes[start..<end].firstIndex(of: UInt8(ascii: "[")), open + 2 < end else { return nil }
        bytes[open + 1] = bytes[open + 1] == UInt8(ascii: " ") ? UInt8(ascii: "x") : UInt8(ascii: " ")
        return bytes
    }

    // MARK: Drawing

    func draw(_ room: PaneRoom, _ dates: NoteDates) -> [StyledLine] {
        let seen = rows.indices.dropFirst(top).prefix(height).map { index in
            var line = StyledLine()
            line.append(room.isFocused && index == cursor ? ">" : " ", .bold)
            line.append(rows[index].line)
            line.pad(to: room.width)
            return line
        }
        let facts = [ScreenWords.changed(dates.minute(summary.modified)), summary.facts]
        let words = facts.filter { !$0.isEmpty }.joined(separator: " · ")
        return [room.heading(summary.titleWithPadlock), room.row(" " + words, .faint)] + seen
    }

    /// The pane without a text, which is still to come, or is locked.
    static func drawMissing(_ note: NoteSummary?, _ room: PaneRoom) -> [StyledLine] {
        var lines = [room.heading(note?.titleWords ?? "")]
        if note?.isShut == true {
            lines.append(room.row(""))
            let older = note?.hasOlderPassphrase == true ? [ScreenWords.noteOfOlderPassphrase] : []
            for (row, words) in (ScreenWords.lockedNote + older).enumerated() {
                lines.append(room.row(words, row == 0 ? .bold : .plain))
            }
        }
        return lines
    }
}
