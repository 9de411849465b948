import Linux

/// The time that a part of long work may take before others have their turn.
package struct Turn {
    /// With the answer's own costs they wait less than 20 milliseconds.
    private static let nanoseconds: UInt64 = 12_000_000
    private let end = SystemClock.monotonicNanoseconds() + nanoseconds

    /// A turn that begins now.
    package init() {}

    /// Whether others have waited long enough: 12 milliseconds.
    package func isOver() -> Bool { SystemClock.monotonicNanoseconds() > end }
}
