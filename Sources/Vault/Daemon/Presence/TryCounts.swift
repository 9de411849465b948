import Protection
import Wire

/// Counts wrong passwords for programs that check them themselves, each for its own group.
///
/// Their clock is not believed: whoever starts a program says what time it is there (time_namespaces(7)). This one's is
/// believed as long as it runs; when it starts, every wait begins anew, as the enclave's does. The count is kept by the
/// program as well, since nothing here outlives the daemon; the higher one holds.
///
/// A value without a clock.
struct TryCounts {
    /// Counts of one group, and of all: programs of ours find a place whatever others have taken.
    static let mostOfOne = 8
    static let most = 256

    private struct Name: Hashable {
        let group: String
        let text: String
    }

    private var limiters: [Name: TryLimiter] = [:]

    init() {}

    /// Counts a try before it is checked, unless the last ones demand to wait.
    ///
    /// - Parameters:
    ///   - isOurs: whether the group is that of a program of ours.
    ///   - known: what the program has kept of the count.
    ///   - now: milliseconds of a clock that counts suspended time and is never set.
    /// - Throws: `KeychainError` with reason `tooMany`.
    mutating func count(
        _ name: TryName, of group: String, isOurs: Bool = false, known: UInt32, at now: UInt64
    ) throws(KeychainError) -> TryReport {
        let key = Name(group: group, text: name.text)
        var limiter = limiters[key] ?? TryLimiter(failures: 0, policy: .apple2024, now: now)
        if limiters[key] == nil {
            let own = limiters.keys.count { $0.group == group }
            guard own < Self.mostOfOne, isOurs || limiters.count < Self.most else {
                throw KeychainError(.parameter, .tooMany)
            }
        }
        if known > limiter.failures { limiter = TryLimiter(failures: known, policy: .apple2024, now: now) }
        let wait = limiter.remainingDelay(at: now)
        if wait == .zero {
            limiter.countTry()
            // Until it is known how it went, it counts as wrong.
            limiter.recordFailure(policy: .apple2024, at: now)
        }
        limiters[key] = limiter
        return TryReport(failures: limiter.failures, wait: wait)
    }

    /// Says how a try went.
    mutating func end(_ name: TryName, of group: String, isRight: Bool, at now: UInt64) -> TryReport {
        let key = Name(group: group, text: name.text)
        if isRight { limiters[key] = nil }
        guard var limiter = limiters[key] else { return TryReport(failures: 0, wait: .zero) }
        let report = TryReport(failures: limiter.failures, wait: limiter.remainingDelay(at: now))
        limiters[key] = limiter
        return report
    }
}
