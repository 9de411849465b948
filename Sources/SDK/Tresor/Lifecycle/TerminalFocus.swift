/// A terminal's word on whether its window has the keyboard, taken out of what is typed.
///
/// The threat: what is shown stays on a screen that its user has turned away from. Terminals in the manner of xterm
/// send `CSI I` when their window gains the focus and `CSI O` when it loses it, once ``turnOn`` was written to them
/// (xterm's ctlseqs, "FocusIn/FocusOut"; in tmux only with `focus-events on`). One that does not is simply never
/// inactive.
///
/// A value without I/O. It cannot tell a terminal's word from the same bytes typed or pasted, so that the word must not
/// open anything: it only locks.
///
///     var focus = TerminalFocus()
///     let (events, rest) = focus.take(bytes)
public struct TerminalFocus: Equatable, Sendable {
    /// What to write to the terminal so that it reports.
    public static let turnOn = "\u{1B}[?1004h"
    /// What to write to the terminal so that it reports no more, before it is given back.
    public static let turnOff = "\u{1B}[?1004l"

    private var pending: [UInt8] = []

    /// At the beginning of what is typed.
    public init() {}

    /// Whether the last bytes may be the beginning of a report; what follows, or that nothing does for a twentieth of a
    /// second, decides.
    public var isUndecided: Bool { !pending.isEmpty }

    /// Divides what came from the terminal.
    ///
    /// - Parameter bytes: as they were read, in any pieces. No secret: while one is typed, do not call this.
    /// - Returns: the reports, and what is left as input, in order.
    public mutating func take(_ bytes: [UInt8]) -> (events: [AppLifecycle.Event], rest: [UInt8]) {
        var (events, rest): ([AppLifecycle.Event], [UInt8]) = ([], [])
        for byte in bytes {
            switch (pending.count, byte) {
            case (0, 0x1B), (1, UInt8(ascii: "[")): pending.append(byte)
            case (2, UInt8(ascii: "I")):
                events.append(.focusGained)
                pending = []
            case (2, UInt8(ascii: "O")):
                events.append(.focusLost)
                pending = []
            default:
                rest += pending
                pending = byte == 0x1B ? [byte] : []
                if byte != 0x1B { rest.append(byte) }
            }
        }
        return (events, rest)
    }

    /// What was kept back, when nothing has followed it: the Escape key.
    ///
    /// - Returns: input.
    public mutating func decide() -> [UInt8] {
        defer { pending = [] }
        return pending
    }
}
