/// How long to wait after how many wrong passcodes.
public enum DelayPolicy: UInt8, CaseIterable, Sendable {
    /// The newer of the two published tables, with waits up to eight hours.
    case apple2024 = 1
    /// The older one.
    case apple2017 = 2

    /// `apple-2024` or `apple-2017`.
    public var name: String {
        switch self {
        case .apple2024: "apple-2024"
        case .apple2017: "apple-2017"
        }
    }

    /// The policy of this ``name``; nil for any other text.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }

    /// Minutes to wait after the fourth, fifth … ninth wrong passcode.
    ///
    /// From the tenth on it is eight hours each time: a device is never shut for good.
    private var minutesFromFourth: [UInt64] {
        switch self {
        case .apple2024: [1, 5, 15, 60, 180, 480]
        case .apple2017: [0, 1, 5, 15, 15, 60]
        }
    }

    /// How long to wait after `failures` wrong passcodes in a row.
    package func delay(afterFailures failures: UInt32) -> Duration {
        guard failures >= 4 else { return .zero }
        guard failures < 10 else { return .seconds(480 * 60) }
        return .seconds(minutesFromFourth[Int(failures) - 4] * 60)
    }
}

/// Counts wrong passcodes and says when the next may be tried.
///
/// A value: time comes in, nothing goes out but answers.
///
/// The order of a try: ask ``remainingDelay(at:)``; ``countTry()`` and make the count durable; check the passcode; then
/// ``recordFailure(at:)`` or ``recordSuccess()``. A crash in between leaves the try counted.
package struct TryLimiter: Equatable, Sendable {
    /// After so many wrong passcodes in a row the device erases itself, where the owner has asked for that.
    package static let triesBeforeErase: UInt32 = 10

    /// Wrong ones in a row, and one that was counted and whose outcome is not known.
    package private(set) var failures: UInt32
    /// Milliseconds.
    private var remaining: UInt64
    private var lastSeen: UInt64

    /// After a start.
    ///
    /// The wait of the current period begins again, as documented: no clock is trusted over a restart.
    ///
    /// - Parameters:
    ///   - failures: the durable count.
    ///   - now: milliseconds of a clock that counts suspend and is never set.
    package init(failures: UInt32, policy: DelayPolicy, now: UInt64) {
        self.failures = failures
        remaining = policy.delay(afterFailures: failures).wholeMilliseconds
        lastSeen = now
    }

    /// Where the durable count is lost: as after ten wrong passcodes, the longest wait there is.
    ///
    /// The next wrong one erases, where the owner has asked for that.
    package static func lost(at now: UInt64) -> TryLimiter {
        TryLimiter(failures: triesBeforeErase, policy: .apple2024, now: now)
    }

    /// How long until the next try.
    ///
    /// A clock that went back shortens nothing.
    package mutating func remainingDelay(at now: UInt64) -> Duration {
        if now > lastSeen { remaining -= min(remaining, now - lastSeen) }
        lastSeen = now
        return .milliseconds(remaining)
    }

    /// Counts a try before it is checked, so that a crash in between gives none for free.
    package mutating func countTry() { failures = failures == .max ? .max : failures + 1 }

    /// The try that was counted was wrong: the wait begins.
    ///
    /// - Parameter now: milliseconds of the clock of ``remainingDelay(at:)``.
    package mutating func recordFailure(policy: DelayPolicy, at now: UInt64) {
        lastSeen = now
        remaining = policy.delay(afterFailures: failures).wholeMilliseconds
    }

    /// The try that was counted was right: neither count nor wait is left.
    package mutating func recordSuccess() {
        failures = 0
        remaining = 0
    }

    /// Whether the owner's wish to erase after ten wrong passcodes is due.
    package var eraseIsDue: Bool { failures >= Self.triesBeforeErase }
}
