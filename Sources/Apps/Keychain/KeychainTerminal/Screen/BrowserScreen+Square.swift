import Localization
import QRCodes
import TerminalScreen
import Tresor

/// A secret as a QR code: a page of its own, which any key ends; it is black on white, whatever the terminal's colours.
extension BrowserScreen {
    mutating func readSquare(_ record: Record) -> [Effect] {
        guard !isColorless else {
            message = localized("Colours are off here: 'tresor get NAME --qr' draws it without them.")
            return []
        }
        return read(record, .showSquare(network: record.network))
    }

    mutating func show(_ reading: Reading, side: Int) -> [Effect] {
        // A lock may have come between the question and its answer.
        guard let wanted, wanted.record.secretReference == reading.reference else { return [.forgetSecret] }
        self.wanted = nil
        guard fits(side) else { return [.forgetSecret] }
        page = .secret(
            ShownSecret(
                record: wanted.record, until: now.uptime + Self.showingTime, isFromDetails: wanted.isFromDetails,
                side: side))
        return [.clear]
    }

    /// Whether there is room for all of it and the last row; a part of a code is none, and that is said.
    mutating func fits(_ side: Int) -> Bool {
        let drawing = QRDrawing(side: side, .colors)
        guard columns < drawing.columns || rows < drawing.rows + 1 else { return true }
        let (width, height) = (drawing.columns, drawing.rows + 1)
        message = localized("The QR code takes \(width) columns and \(height) rows: make the window larger.")
        return false
    }

    /// Where the driver draws it; nil while none is shown.
    var squareArea: SquareArea? {
        guard case .secret(let shown) = page, let side = shown.side else { return nil }
        return SquareArea(row: 0, column: (columns - QRDrawing(side: side, .colors).columns) / 2)
    }
}
