import TerminalScreen

/// How much room there is, and what fills it.
extension BrowserScreen {
    /// Below this, only a sentence is shown.
    var isTooSmall: Bool { columns < 20 || rows < 6 }
    /// Rows between the head's two lines and the last row.
    var bodyHeight: Int { max(1, rows - 3) }
    /// The same without the rows of a one-time code.
    var detailHeight: Int { max(1, bodyHeight - codeRows) }
    /// The same without the list's headings.
    var listHeight: Int { max(1, rows - 4) }

    /// Rows of a secret that is shown: no message, which has three rows at most, ever covers one of them.
    var secretHeight: Int { max(1, rows - 5) }

    /// Where the driver writes the secret; nil while none is shown.
    var secretArea: SecretArea? {
        guard case .secret(let shown) = page, shown.side == nil, !isTooSmall else { return nil }
        return SecretArea(row: 2, column: 1, width: columns - 2, height: secretHeight, top: shown.top)
    }

    func frame() -> Frame { BrowserDrawing(self).frame() }
}
