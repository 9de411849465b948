import TerminalScreen

/// The room that a pane has on the screen, and whether it has the keys.
struct PaneRoom: Equatable, Sendable {
    let width: Int
    /// Rows below the heading.
    let height: Int
    let isFocused: Bool

    func row(_ text: String, _ style: Style = .plain) -> StyledLine { StyledLine(text, style, width: width) }

    func heading(_ title: String) -> StyledLine {
        row((isFocused ? ">" : " ") + title, isFocused ? .inverse : .bold)
    }

    /// What stands before a row of a list.
    func mark(_ isSelected: Bool) -> String { isSelected ? ">" : " " }

    func style(_ isSelected: Bool) -> Style { isSelected ? (isFocused ? .inverse : .bold) : .plain }

    /// The rows of a list that fit, with the selected one in the middle where that is possible.
    ///
    /// - Parameter rowHeight: rows of the screen that one of the list takes.
    func visible(_ count: Int, around row: Int, rowHeight: Int = 1) -> Range<Int> {
        let fitting = max(1, height / rowHeight)
        let first = max(0, min(row - fitting / 2, count - fitting))
        return first..<min(count, first + fitting)
    }

    /// A heading and as many rows as there is room for.
    func filled(_ lines: [StyledLine]) -> [StyledLine] {
        lines + Array(repeating: row(""), count: max(0, height + 1 - lines.count))
    }
}
