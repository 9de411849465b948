import TerminalScreen

/// Which columns belong to which pane.
///
/// From 72 columns on there are three panes side by side, from 48 two, below that one.
struct ScreenLayout: Equatable, Sendable {
    let columns: Int
    let rows: Int

    /// Below this, only a sentence is shown.
    var isTooSmall: Bool { columns < 20 || rows < 6 }

    /// Rows between the head line and the last row, without the panes' headings.
    var bodyHeight: Int { max(1, rows - 3) }

    /// The panes that are seen while `focus` has the keys, from left to right, with their widths.
    func panes(focus: NotePanes.Pane) -> [(pane: NotePanes.Pane, width: Int)] {
        if columns >= 72 {
            let folders = min(max(14, columns / 6), 26)
            let list = min(max(24, columns * 3 / 10), 44)
            return [(.folders, folders), (.list, list), (.note, columns - folders - list - 2)]
        }
        guard columns >= 48 else { return [(focus, columns)] }
        return [(focus == .folders ? .folders : .list, 20), (.note, columns - 21)]
    }

    /// The part of the note's pane that holds its text; a row of facts stands above it.
    var note: TextView {
        let width = panes(focus: .note).last?.width ?? columns
        return TextView(width: width, height: bodyHeight - 1)
    }

    /// Rows of the whole width without anything in them; none for a count below 1.
    func blank(_ count: Int) -> [StyledLine] {
        Array(repeating: StyledLine("", width: columns), count: max(0, count))
    }

    /// A heading over the whole width, and a text below it.
    func draw(_ title: String, _ view: TextView, _ lines: [[Character]]) -> [StyledLine] {
        [StyledLine(" " + title, .inverse, width: columns)] + view.rows(of: lines).map { view.draw($0, of: lines) }
    }

    /// Lines in the middle of the screen, the first of them in bold.
    func centered(_ texts: [String]) -> [StyledLine] {
        var lines = blank((rows - texts.count) / 2)
        for (index, text) in texts.enumerated() {
            var line = StyledLine()
            line.pad(to: max(0, (columns - CellWidth.of(text)) / 2))
            line.append(text, index == 0 ? .bold : .plain, width: columns - line.width)
            lines.append(line)
        }
        return Array((lines + blank(rows - lines.count)).prefix(rows))
    }

    /// An editor and the help take the whole width.
    var editor: TextView { TextView(width: columns, height: bodyHeight) }
}
