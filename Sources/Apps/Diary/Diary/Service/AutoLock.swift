import Resident

/// When an open diary locks by itself: nobody is at work, the machine was suspended, or its last window is gone.
struct AutoLock {
    /// In which a window that lost its connection comes back, in milliseconds.
    private static let returning: UInt64 = 1500
    /// How many times as long the diary stays open by clients that have not signed in.
    private static let unproven: UInt64 = 8

    private let clocks: ResidentClocks
    private var suspension: SuspensionWatch
    private var lastTouch: UInt64
    /// When somebody signed in, or a client that has done so said that somebody is at work.
    private var lastProof: UInt64
    /// Since when the last window is gone that the diary was seen by.
    private var windowLost: UInt64?

    init(_ clocks: ResidentClocks) {
        self.clocks = clocks
        suspension = SuspensionWatch(clocks)
        lastTouch = clocks.boot
        lastProof = lastTouch
    }

    /// Somebody is at work, as a client says.
    ///
    /// Any program may say so: by itself it keeps the diary open for some times as long, and not for ever.
    ///
    /// - Parameter hasProven: whether that client has given the password.
    mutating func touch(hasProven: Bool) {
        lastTouch = clocks.boot
        if hasProven { lastProof = lastTouch }
    }

    /// Seconds until the diary locks.
    ///
    /// - Parameter minutes: as its owner chose; nil where it is shut.
    /// - Returns: nil where it is shut, or never locks by itself.
    func locksIn(_ minutes: UInt16?) -> Int? {
        guard let minutes, minutes > 0 else { return nil }
        let limit = UInt64(minutes) * 60_000
        let (now, end) = (clocks.boot, min(lastTouch + limit, lastProof + limit * Self.unproven))
        return now < end ? Int((end - now + 999) / 1000) : 0
    }

    /// Whether it is to lock by the clocks; to be asked in each turn.
    ///
    /// - Parameter minutes: as its owner chose; nil where it is shut.
    mutating func isOverdue(_ minutes: UInt16?) -> Bool {
        let wasSuspended = suspension.takeSuspension()
        guard minutes != nil else { return false }
        return wasSuspended || locksIn(minutes) == 0
    }

    /// A window was lost.
    mutating func loseWindow() { windowLost = clocks.boot }

    /// A window is there, or there is nothing to be seen by one.
    mutating func forgetLostWindow() { windowLost = nil }

    /// Whether a window that was lost may be back any moment.
    var awaitsWindow: Bool { windowLost != nil }

    /// A window locks as it ends; one that was killed can't, and one that connects anew is back by then.
    var isAbandoned: Bool { windowLost.map { clocks.boot >= $0 + Self.returning } ?? false }
}
