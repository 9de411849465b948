package import Secrets

/// The desktop's clipboard for a dialogue in plain lines, which must not write a terminal's control sequence for it.
package struct PlainClipboard: ~Copyable {
    private var loan: ClipboardLoan?
    /// When it is cleared, in milliseconds of uptime; nil while nothing was copied.
    package private(set) var due: UInt64?

    /// Milliseconds after which it is cleared.
    private static let time: UInt64 = 45_000

    /// Nothing is copied yet.
    package init() {}

    /// Copies a secret, to be cleared after 45 seconds.
    ///
    /// - Parameter now: in milliseconds of uptime.
    /// - Returns: false where there is no clipboard, or its program fails.
    package mutating func copy(_ secret: borrowing SecretBytes, at now: UInt64) -> Bool {
        guard let desktop = try? DesktopClipboard.find(), let lent = try? desktop.lend(secret) else { return false }
        loan?.endBehindAnother()
        (loan, due) = (lent, now + Self.time)
        return true
    }

    /// Clears what is due.
    ///
    /// - Returns: whether it was cleared now.
    package mutating func clear(at now: UInt64) -> Bool {
        guard let due, due <= now else { return false }
        return clear()
    }

    /// Clears what was copied; done at a lock and at the end, however that comes.
    ///
    /// - Returns: whether there was anything.
    @discardableResult package mutating func clear() -> Bool {
        guard due != nil else { return false }
        loan?.end()
        (loan, due) = (nil, nil)
        return true
    }
}
