import Localization
import QRCodes
import TerminalScreen
import Tresor

/// A secret as a QR code: a page of its own, which any key ends; it is black on white, whatever the terminal's colours.
enum SquarePage {
    static func read(_ record: Record, in screen: inout BrowserScreen) -> [Effect] {
        guard !screen.isColorless else {
            screen.message = localized("Colours are off here: 'tresor get NAME --qr' draws it without them.")
            return []
        }
        return screen.read(record, .showSquare(network: record.network))
    }

    static func show(_ reading: Reading, side: Int, in screen: inout BrowserScreen) -> [Effect] {
        // A lock may have come between the question and its answer.
        guard let wanted = screen.wanted, wanted.record.secretReference == reading.reference else {
            return [.forgetSecret]
        }
        screen.wanted = nil
        guard fits(side, &screen) else { return [.forgetSecret] }
        screen.page = .secret(
            ShownSecret(
                record: wanted.record, until: screen.now.uptime + BrowserScreen.showingTime,
                isFromDetails: wanted.isFromDetails, side: side))
        return [.clear]
    }

    /// The window has another size: what does not fit any more goes.
    static func resize(_ side: Int, in screen: inout BrowserScreen) -> [Effect] {
        fits(side, &screen) ? [.clear] : screen.hide()
    }

    /// Whether there is room for all of it and the last row; a part of a code is none, and that is said.
    private static func fits(_ side: Int, _ screen: inout BrowserScreen) -> Bool {
        let drawing = QRDrawing(side: side, .colors)
        guard screen.columns < drawing.columns || screen.rows < drawing.rows + 1 else { return true }
        let (width, height) = (drawing.columns, drawing.rows + 1)
        screen.message = localized("The QR code takes \(width) columns and \(height) rows: make the window larger.")
        return false
    }

    /// Where the driver draws it; nil while none is shown.
    static func area(in screen: BrowserScreen) -> SquareArea? {
        guard case .secret(let shown) = screen.page, let side = shown.side else { return nil }
        return SquareArea(row: 0, column: (screen.columns - QRDrawing(side: side, .colors).columns) / 2)
    }
}
