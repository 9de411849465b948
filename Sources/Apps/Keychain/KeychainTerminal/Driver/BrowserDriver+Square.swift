import Localization
import QRCodes
import Secrets
import TerminalScreen
import Tresor

/// What the driver does with a secret that is shown as a QR code.
extension BrowserDriver {
    /// Makes the code and holds it.
    ///
    /// - Returns: how many modules a side has.
    func holdSquare(_ secret: borrowing SecretBytes, _ network: String?) throws(TresorError) -> Int {
        do {
            let code =
                if let network {
                    try QRCode(try WiFiText.make(network: network, password: secret))
                } else { try QRCode(secret) }
            let side = code.side
            shownSquare = consume code
            drawnSquare = nil
            return side
        } catch QRCodeError.empty {
            throw TresorError(.invalidParameter, localized("the secret is empty; nothing was drawn"))
        } catch QRCodeError.tooLong {
            let most = QRCode.longestText
            throw TresorError(
                .invalidParameter,
                localized("the secret is too long: a QR code has at most \(most) bytes; nothing was drawn"))
        } catch { throw TresorError(.outOfMemory, localized("no locked memory is left"), status: -108) }
    }

    func drawSquare() throws {
        guard let area = SquarePage.area(in: screen), area != drawnSquare else { return }
        var output = try SecretBuffer(capacity: 8192)
        switch shownSquare {
        case .some(let code):
            let drawing = QRDrawing(side: code.side, .colors)
            for row in 0..<drawing.rows {
                try output.append(Array("\u{1B}[\(area.row + row + 1);\(area.column + 1)H".utf8))
                try drawing.draw(row: row, of: code, into: &output)
            }
        case .none: return
        }
        _ = try session.write(output)
        drawnSquare = area
    }
}
