import NotesClient
import TerminalScreen

/// A secret is being typed, for this: nothing of it is here but how long it is.
struct SecretPrompt: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
        /// The device's, at the lock screen.
        case passcode
        /// That of locked notes; it goes with this request.
        case passphrase(Ask)
    }

    /// Whether a finger does in its place.
    enum Finger: Equatable, Sendable {
        /// Nobody has looked yet.
        case unknown
        case none
        case offered
        /// The reader waits for one; what is typed meanwhile counts as well.
        case awaited
    }

    let purpose: Purpose
    /// Whether it is an older passphrase, from before a reset.
    var isOlder = false
    var finger = Finger.unknown

    /// What stands above the prompt where nothing else is to be told.
    var offer: String {
        switch finger {
        case .offered: ScreenWords.fingerOffered
        case .awaited: ScreenWords.fingerAwaited
        case .unknown, .none: ""
        }
    }

    var label: String {
        switch purpose {
        case .passcode: ScreenWords.passcodePrompt
        case .passphrase: isOlder ? ScreenWords.olderPassphrasePrompt : ScreenWords.passphrasePrompt
        }
    }

    /// The label, and a dot for each character, as many as there is room for; the caret stands behind them.
    func draw(on frame: inout Frame, length: Int, columns: Int) {
        Self.draw(label, on: &frame, length: length, columns: columns)
    }

    static func draw(_ label: String, on frame: inout Frame, length: Int, columns: Int) {
        let labelWidth = min(CellWidth.of(label), max(1, columns - leastDots))
        var line = StyledLine()
        line.append(label, .bold, width: labelWidth)
        line.append(String(repeating: "•", count: min(max(0, length), columns - labelWidth - 1)))
        let caret = line.width
        line.pad(to: columns)
        let row = frame.lines.count - 1
        frame.lines[row] = line
        frame.cursor = (row: row, column: min(caret, columns - 1))
    }

    /// However long the label is, so many columns stay for what is typed.
    private static let leastDots = 6
}
