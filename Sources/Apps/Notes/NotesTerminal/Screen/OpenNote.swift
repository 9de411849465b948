import NotesClient
import TerminalScreen

/// The note in the note's pane: its text, and the part of it that is seen.
struct OpenNote: Sendable {
    private(set) var summary: NoteSummary
    private let lines: [[Character]]
    private var view: TextView

    /// - Parameters:
    ///   - former: what the pane shows so far; where that is the same note, the same part of it is seen.
    ///   - view: the pane, where it is another.
    init(_ summary: NoteSummary, _ text: String, after former: OpenNote?, in view: TextView) {
        self.summary = summary
        lines = TextBuffer(text).lines
        self.view = former?.summary.id == summary.id ? former?.view ?? view : view
        // An edit may have made it shorter.
        self.view.scroll(by: 0, in: lines)
    }

    /// Takes what a list says of it.
    ///
    /// - Returns: false where that is another note, or the text is another by now.
    mutating func take(_ note: NoteSummary) -> Bool {
        guard summary.id == note.id, summary.revision == note.revision else { return false }
        summary = note
        return true
    }

    mutating func scroll(by rows: Int) { view.scroll(by: rows, in: lines) }

    mutating func resize(_ pane: TextView) { view.resize(width: pane.width, height: pane.height) }

    // MARK: Drawing

    func draw(_ room: PaneRoom) -> [StyledLine] {
        [room.heading(summary.titleWithPadlock), room.row(" " + summary.facts, .faint)]
            + view.rows(of: lines).map { view.draw($0, of: lines) }
    }

    /// The pane without a text, which is still to come, or is locked.
    static func drawMissing(_ note: NoteSummary?, _ room: PaneRoom) -> [StyledLine] {
        var lines = [room.heading(note?.titleWords ?? "")]
        if note?.isShut == true {
            lines.append(room.row(""))
            for (row, words) in ScreenWords.lockedNote.enumerated() {
                lines.append(room.row(words, row == 0 ? .bold : .plain))
            }
        }
        return lines
    }
}
