import Tresor

/// Which one-time code is shown, and for which one was asked since its page was opened.
struct CodeWatch: Equatable, Sendable {
    private(set) var shown: ShownCode?
    private var asked: PersistentReference?

    mutating func show(_ code: ShownCode) { (shown, asked) = (code, code.reference) }

    /// No page shows a code any more.
    ///
    /// - Returns: whether one was shown.
    mutating func drop() -> Bool {
        defer { (shown, asked) = (nil, nil) }
        return shown != nil
    }

    /// Drops a code that is over, or another's than the page's.
    ///
    /// - Parameter now: in milliseconds of uptime.
    mutating func dropOver(_ reference: PersistentReference, at now: UInt64) -> Bool {
        guard let code = shown, code.until <= now || code.reference != reference else { return false }
        (shown, asked) = (nil, nil)
        return true
    }

    /// Whether to ask for a code now: once, where none is shown.
    mutating func ask(_ reference: PersistentReference) -> Bool {
        guard shown == nil, asked != reference else { return false }
        asked = reference
        return true
    }
}
