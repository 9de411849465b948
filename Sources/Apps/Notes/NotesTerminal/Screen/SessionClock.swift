import NotesClient

/// What is known of the secure session, counted down on a clock of its own between two answers.
struct SessionClock: Equatable, Sendable {
    private(set) var isOpen = false
    private(set) var hasPassphrase = false
    /// In milliseconds of the driver's clock, which goes on while the machine sleeps.
    private(set) var end: UInt64?
    /// How long a touch makes it last: what the settings say, else the longest time that was ever left.
    private var length: UInt64 = 0

    /// Seconds; an answer that says more is not believed.
    private static let longest = 86_400
    /// Seconds before the end at which the person is warned.
    static let warning: UInt64 = 20

    mutating func set(_ session: SessionSummary, at now: UInt64) {
        isOpen = session.isOpen
        hasPassphrase = session.hasPassphrase
        let left = session.endsIn.map { UInt64(min(max($0, 0), Self.longest)) * 1000 }
        end = session.isOpen ? left.map { now + $0 } : nil
        length = max(length, left ?? 0)
    }

    /// The person did something, and tresor-notes knows it.
    mutating func touched(at now: UInt64) {
        if isOpen && end != nil { end = now + length }
    }

    mutating func set(minutes: Int?) {
        if let minutes { length = UInt64(min(max(minutes, 0), Self.longest / 60)) * 60_000 }
    }

    mutating func close() {
        isOpen = false
        end = nil
    }

    /// Nil where the session is closed or has no end.
    func secondsLeft(at now: UInt64) -> UInt64? {
        end.map { $0 > now ? ($0 - now + 999) / 1000 : 0 }
    }

    func isEnding(at now: UInt64) -> Bool { secondsLeft(at: now).map { $0 <= Self.warning } ?? false }

    /// `locks in 2:40`.
    func countdown(at now: UInt64) -> String? {
        secondsLeft(at: now).map { seconds in
            let rest = seconds % 60
            return "locks in \(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}
