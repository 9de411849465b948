/// Turns frames into what a terminal understands, drawing only the rows that have changed.
package struct ScreenPainter {
    private var shown: Frame?
    /// Rows of which nothing is known, because something else was drawn on them.
    private var unknown: Set<Int> = []
    /// The rows that the last frame was painted on.
    package private(set) var painted: Set<Int> = []

    /// Nothing was drawn yet, so the first frame is drawn in full.
    package init() {}

    /// Nothing is known of what the terminal shows: the next frame is drawn in full.
    package mutating func forget() { shown = nil }

    /// Nothing is known of what the terminal shows in these rows: the next frame draws them.
    package mutating func forget(rows: [Int]) { unknown.formUnion(rows) }

    /// ECMA-48: erase in display, of the alternate screen; what scrolled away before it is not touched.
    package static let clear = "\u{1B}[0m\u{1B}[2J\u{1B}[H"

    /// What to write to the terminal so that it shows a frame; nothing where it does already.
    package mutating func paint(_ frame: Frame) -> String {
        painted = []
        guard frame != shown || !unknown.isEmpty else { return "" }
        var output = "\u{1B}[?25l"
        for (row, line) in frame.lines.enumerated() where !isShown(line, at: row) {
            painted.insert(row)
            output += "\u{1B}[\(row + 1);1H\u{1B}[2K"
            // Each piece goes to its column, so that a width on which the terminal disagrees shifts nothing else.
            for span in line.spans {
                output += "\u{1B}[\(span.column + 1)G\(Self.begin(span.style))\(span.text)\u{1B}[0m"
            }
        }
        if let cursor = frame.cursor { output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
        shown = frame
        unknown = []
        return output
    }

    private func isShown(_ line: StyledLine, at row: Int) -> Bool {
        guard let shown, !unknown.contains(row), shown.lines.indices.contains(row) else { return false }
        return shown.lines[row] == line
    }

    /// Select graphic rendition.
    private static func begin(_ style: Style) -> String {
        switch style {
        case .plain: ""
        case .bold: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        case .inverse: "\u{1B}[7m"
        case .warning: "\u{1B}[1;7m"
        }
    }
}
