package import Secrets

/// A QR code in a terminal's cells, with the quiet zone of four modules that ISO/IEC 18004 (6.3.8) wants around it.
package struct QRDrawing: Sendable {
    /// What the modules are drawn with.
    package enum Ink: Equatable, Sendable {
        /// Black on white, both said, so that it is the same on dark and on light terminals; two modules in a cell.
        case colors
        /// Cells alone, two of them a module, whose colours are the terminal's.
        ///
        /// - isInverted: whether what is light is drawn: for light letters on a dark ground.
        case cells(isInverted: Bool)
    }

    private static let quietZone = 4
    /// Black and white of the 6 × 6 × 6 cube, which no theme changes (xterm's ctlseqs, SGR 38 and 48).
    private static let blackOnWhite = Array("\u{1B}[38;5;16;48;5;231m".utf8)
    private static let plain = Array("\u{1B}[0m".utf8)

    private let ink: Ink
    /// Modules of a side, with the quiet zone.
    private let span: Int

    /// - Parameter side: of the code.
    package init(side: Int, _ ink: Ink) { (span, self.ink) = (side + 2 * Self.quietZone, ink) }

    /// Columns it takes.
    package var columns: Int { ink == .colors ? span : 2 * span }
    /// Rows it takes.
    package var rows: Int { ink == .colors ? (span + 1) / 2 : span }

    /// Appends one of its rows, counted from 0, without an end of the line.
    package func draw(
        row: Int, of code: borrowing QRCode, into output: inout SecretBuffer
    ) throws(SecretMemoryError) {
        switch ink {
        case .colors:
            try output.append(Self.blackOnWhite)
            for column in 0..<span {
                let isUpperDark = isDark(2 * row, column, in: code)
                let isLowerDark = isDark(2 * row + 1, column, in: code)
                let cell = isUpperDark ? (isLowerDark ? "█" : "▀") : isLowerDark ? "▄" : " "
                try output.append(Array(cell.utf8))
            }
            try output.append(Self.plain)
        case .cells(let isInverted):
            for column in 0..<span {
                let isDrawn = isDark(row, column, in: code) != isInverted
                try output.append(Array((isDrawn ? "██" : "  ").utf8))
            }
        }
    }

    private func isDark(_ row: Int, _ column: Int, in code: borrowing QRCode) -> Bool {
        code.isDark(row - Self.quietZone, column - Self.quietZone)
    }
}
