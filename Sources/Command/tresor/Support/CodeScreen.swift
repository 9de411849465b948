import Linux
import Localization
import QRCodes
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The terminal on which a secret is drawn as a QR code.
struct CodeScreen {
    private let ink: QRDrawing.Ink
    private let size: (columns: Int, rows: Int)?

    /// - Parameter inverted: whether light letters stand on a dark ground, where nothing says colours.
    /// - Throws: `Failure` where nobody looks: before the owner is asked for anything.
    init(inverted: Bool) throws {
        guard Terminal.isTerminal(1) else {
            throw Failure(
                Wire.ExitCode.usage, localized("this is no terminal to draw a QR code on; nothing was read"),
                hint: localized("'tresor get NAME | qrencode -o code.png' makes a picture of the secret"))
        }
        ink = TerminalLooks.here.cellColors == nil ? .cells(isInverted: inverted) : .colors
        size = Terminal.size(1)
    }

    /// Draws the secret, or of a Wi-Fi's password what phones join it by.
    func draw(_ secret: borrowing SecretBytes, of item: Item) throws {
        guard let network = item.wifiNetwork else {
            try draw(secret)
            return Output.error(localized("  whoever photographs it has the secret; 'clear' takes it away"))
        }
        try draw(try WiFiText.make(network: network, password: secret))
        let name = SafeText.line(network)
        Output.error(localized("  the camera of a phone joins the Wi-Fi \(name); 'clear' takes it away"))
    }

    private func draw(_ text: borrowing SecretBytes) throws {
        let code: QRCode
        do throws(QRCodeError) { code = try QRCode(text) } catch {
            switch error {
            case .empty: throw Failure(Wire.ExitCode.usage, localized("the secret is empty; nothing was drawn"))
            case .tooLong:
                let most = QRCode.longestText
                throw Failure(
                    Wire.ExitCode.usage,
                    localized("the secret is too long: a QR code has at most \(most) bytes; nothing was drawn"))
            case .memory: throw SecretMemoryError()
            }
        }
        let drawing = QRDrawing(side: code.side, ink)
        // A row for what is said below it, and one for the shell.
        try refuseSmall(drawing.columns, drawing.rows + 2)
        for row in 0..<drawing.rows {
            var line = try SecretBuffer(capacity: 1024)
            try drawing.draw(row: row, of: code, into: &line)
            try line.append(byte: UInt8(ascii: "\n"))
            guard try line.withBytes({ try StandardStream.output.write($0) }) else {
                throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more"))
            }
        }
        guard case .cells(let isInverted) = ink else { return }
        Output.error(
            isInverted
                ? localized("  drawn for light letters on a dark ground; without --invert for dark ones on a light one")
                : localized(
                    "  drawn for dark letters on a light ground; --invert draws it for light ones on a dark one"))
    }

    /// A part of a code is none.
    private func refuseSmall(_ columns: Int, _ rows: Int) throws {
        guard let size, size.columns < columns || size.rows < rows else { return }
        throw Failure(
            Wire.ExitCode.usage,
            localized(
                """
                the QR code takes \(columns) columns and \(rows) rows, and this terminal has \(size.columns) and \
                \(size.rows); nothing was drawn
                """),
            hint: localized("make the window larger, or its letters smaller"))
    }
}
