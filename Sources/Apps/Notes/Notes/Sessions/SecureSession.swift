import Resident

/// When a secure session ends: a value, told of events with their times, without a clock of its own.
///
/// Time without a person at a notes client is time in the background; suspended time counts. The rules: specs/notes.md.
package struct SecureSession: Equatable, Sendable {
    private enum State: Equatable {
        case closed
        case open(lastTouch: Instant, lastProof: Instant)
    }

    /// Two clocks at one moment: a session must outlive neither.
    package struct Instant: Equatable, Sendable {
        /// Milliseconds since the machine started, suspended time included.
        package var boot: UInt64
        /// Microseconds since 1970.
        package var wall: Int64

        package init(boot: UInt64, wall: Int64) {
            self.boot = boot
            self.wall = wall
        }

        init(_ clocks: ResidentClocks) { self.init(boot: clocks.boot, wall: clocks.wall) }
    }

    package enum Event: Equatable, Sendable {
        /// A passphrase was right, or the owner's biometrics were.
        case accepted(at: Instant)
        /// The person did something at a notes client; proven where it is one that had the passphrase.
        case touched(at: Instant, isProven: Bool = true)
        case lockNow
        case deviceLocked
        case suspended
        case time(Instant)
    }

    private var state = State.closed
    /// Milliseconds without a touch after which the session ends.
    package private(set) var limit: UInt64
    /// How many times as long it lasts by touches of clients that never had the passphrase: any program may say that
    /// somebody is at work.
    package static let unprovenLimits: UInt64 = 8

    /// - Parameter minutes: 3 on small and web clients, 8 on the desktop.
    package init(minutes: UInt8) { limit = Self.milliseconds(minutes) }

    /// From its last touch on it lasts so long, also where that was before.
    ///
    /// - Returns: whether that is shorter than it was; it gets no longer.
    package mutating func shorten(toMinutes minutes: UInt8) -> Bool {
        guard Self.milliseconds(minutes) < limit else { return false }
        limit = Self.milliseconds(minutes)
        return true
    }

    private static func milliseconds(_ minutes: UInt8) -> UInt64 { UInt64(minutes) * 60_000 }

    package var isOpen: Bool { state != .closed }

    /// Takes an event.
    ///
    /// - Returns: whether the session ended with it.
    package mutating func handle(_ event: Event) -> Bool {
        let wasOpen = isOpen
        switch event {
        case .accepted(let now): state = .open(lastTouch: now, lastProof: now)
        case .touched(let now, let isProven):
            expire(now)
            if case .open(_, let proof) = state { state = .open(lastTouch: now, lastProof: isProven ? now : proof) }
        case .lockNow, .deviceLocked, .suspended: state = .closed
        case .time(let now): expire(now)
        }
        return wasOpen && !isOpen
    }

    /// Milliseconds until it ends if nothing happens; nil while closed.
    package func remaining(at now: Instant) -> UInt64? {
        guard case .open(let last, let proof) = state else { return nil }
        let (whole, elapsed) = (limit * Self.unprovenLimits, Self.elapsed(from: last, to: now))
        let sinceProof = Self.elapsed(from: proof, to: now)
        return min(elapsed >= limit ? 0 : limit - elapsed, sinceProof >= whole ? 0 : whole - sinceProof)
    }

    private mutating func expire(_ now: Instant) {
        if remaining(at: now) == 0 { state = .closed }
    }

    /// The longer of the two clocks' times: a wall clock that was set ahead ends the session early, one that was set
    /// back does not prolong it.
    private static func elapsed(from start: Instant, to now: Instant) -> UInt64 {
        let boot = now.boot > start.boot ? now.boot - start.boot : 0
        let wall = now.wall > start.wall ? UInt64(now.wall - start.wall) / 1000 : 0
        return max(boot, wall)
    }
}
