import TerminalScreen

/// Rows of which a window shows some.
struct ScrolledRows: Equatable, Sendable {
    private let last: Int
    private let height: Int

    /// - Parameters:
    ///   - count: of all rows.
    ///   - height: of the window.
    init(_ count: Int, height: Int) {
        last = max(0, count - height)
        self.height = height
    }

    /// The first row to be seen, where this one was wanted.
    func top(_ wanted: Int) -> Int { min(wanted, last) }

    /// The first row to be seen after this key; nil for a key that does not scroll.
    func top(after key: Key, from top: Int) -> Int? {
        switch key {
        case .text("j"), .down: min(top + 1, last)
        case .text("k"), .up: max(top - 1, 0)
        case .pageDown, .text(" "): min(top + max(1, height - 1), last)
        case .pageUp: max(top - max(1, height - 1), 0)
        case .wheel(let notches): min(max(top + notches * 3, 0), last)
        case .text("g"), .home: 0
        case .text("G"), .end: last
        default: nil
        }
    }
}
