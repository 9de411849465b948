/// Tells, at most once a second, that the owner pressed a key: an idle lock must not come while somebody types.
///
/// What a terminal sends by itself, such as a report of the focus, is no key.
package struct OwnerPulse {
    private let tell: () -> Void
    private var last: UInt64?

    /// Milliseconds between two tellings.
    package static let interval: UInt64 = 1000

    /// - Parameter tell: called when a key was pressed, and none in the second before was told.
    package init(_ tell: @escaping () -> Void) { self.tell = tell }

    /// - Parameter now: milliseconds of a clock that only goes forward.
    package mutating func keyPressed(at now: UInt64) {
        if let last, now >= last, now - last < Self.interval { return }
        last = now
        tell()
    }
}
