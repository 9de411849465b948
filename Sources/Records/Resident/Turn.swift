/// The time that a part of long work may take before others have their turn.
package struct Turn {
    /// With the answer's own costs they wait less than 20 milliseconds.
    private static let length = Duration.milliseconds(12)
    private let end = SuspendingClock.now + length

    /// A turn that begins now.
    package init() {}

    /// Whether others have waited long enough: 12 milliseconds.
    package func isOver() -> Bool { SuspendingClock.now > end }
}
