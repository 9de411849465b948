import Protection
import Testing

/// When a finger does for the passcode, by a clock in the test's hand.
@Suite struct BiometryRules {
    private static let hour: UInt64 = 3600
    private static let start: UInt64 = 1000

    private func unlocked() -> BiometryState {
        var state = BiometryState()
        state.passcodeUnlocked(at: Self.start)
        return state
    }

    private func refusal(_ state: BiometryState, after seconds: UInt64) -> BiometryState.Refusal? {
        state.refusal(of: .presence, at: Self.start + seconds)
    }

    @Test func `never after a restart`() {
        var state = BiometryState()
        #expect(state.refusal(of: .presence, at: 0) == .notUnlockedSinceStart)
        #expect(state.matched(for: .presence, at: 0) == .notUnlockedSinceStart)
        #expect(state == BiometryState())
        state.passcodeUnlocked(at: 0)
        #expect(state.refusal(of: .presence, at: 0) == nil)
    }

    @Test func `off after five failures in a row, until the passcode`() {
        var state = unlocked()
        for count in 1...5 {
            state.failed()
            #expect(refusal(state, after: 1) == (count < 5 ? nil : .tooManyFailures))
        }
        #expect(state.matched(for: .presence, at: Self.start + 1) == .tooManyFailures)
        #expect(refusal(state, after: 2) == .tooManyFailures)
        state.passcodeUnlocked(at: Self.start + 3)
        #expect(refusal(state, after: 3) == nil && state.failures == 0)
    }

    @Test func `a match between them begins the count of failures anew`() {
        var state = unlocked()
        for _ in 1...4 { state.failed() }
        #expect(state.matched(for: .presence, at: Self.start + 1) == nil)
        for _ in 1...4 { state.failed() }
        #expect(refusal(state, after: 2) == nil)
        state.failed()
        #expect(refusal(state, after: 2) == .tooManyFailures)
    }

    @Test func `not when the device was not unlocked for more than 48 hours`() {
        let state = unlocked()
        #expect(refusal(state, after: 48 * Self.hour - 1) == nil)
        #expect(refusal(state, after: 48 * Self.hour) == nil)
        #expect(refusal(state, after: 48 * Self.hour + 1) == .notUnlockedForTwoDays)
    }

    @Test func `a finger's unlock starts the 48 hours anew, one that came too late does not`() {
        var state = unlocked()
        #expect(state.matched(for: .presence, at: Self.start + 47 * Self.hour) == nil)
        #expect(refusal(state, after: 95 * Self.hour) == nil)
        #expect(refusal(state, after: 95 * Self.hour + 1) == .notUnlockedForTwoDays)
        let late = Self.start + 95 * Self.hour + 1
        #expect(state.matched(for: .presence, at: late) == .notUnlockedForTwoDays)
        #expect(state.refusal(of: .presence, at: late) == .notUnlockedForTwoDays)
    }

    /// Unlocked by a finger every forty hours, and last at `hours`.
    private func touched(lastAt hours: UInt64) -> BiometryState {
        var state = unlocked()
        for time in [40, 80, 120, hours] {
            #expect(state.matched(for: .presence, at: Self.start + time * Self.hour) == nil)
        }
        return state
    }

    @Test func `not when the passcode was unused for 156 hours and the finger for 4`() {
        // The finger's four hours are over long before: the passcode's age decides.
        let early = touched(lastAt: 150)
        #expect(refusal(early, after: 156 * Self.hour - 1) == nil)
        #expect(refusal(early, after: 156 * Self.hour) == .passcodeUnusedForLong)
        #expect(refusal(early, after: 156 * Self.hour + 1) == .passcodeUnusedForLong)
        // The passcode's 156 hours are over before: the finger's age decides.
        let late = touched(lastAt: 155)
        #expect(refusal(late, after: 156 * Self.hour + 1) == nil)
        #expect(refusal(late, after: 159 * Self.hour - 1) == nil)
        #expect(refusal(late, after: 159 * Self.hour) == .passcodeUnusedForLong)
        #expect(refusal(late, after: 159 * Self.hour + 1) == .passcodeUnusedForLong)
    }

    @Test func `with a finger every three hours the passcode stays unused as long as one likes`() {
        var state = unlocked()
        for round in 1...200 as ClosedRange<UInt64> {
            #expect(state.matched(for: .presence, at: Self.start + round * 3 * Self.hour) == nil)
        }
    }

    @Test func `not after a lock from afar, until the passcode`() {
        var state = unlocked()
        state.lockRemotely()
        #expect(refusal(state, after: 1) == .lockedRemotely)
        #expect(state.matched(for: .presence, at: Self.start + 1) == .lockedRemotely)
        state.passcodeUnlocked(at: Self.start + 2)
        #expect(refusal(state, after: 2) == nil)
    }

    @Test(arguments: [BiometryState.Purpose.passcodeChange, .erase])
    func neverForWhatOnlyThePasscodePermits(_ purpose: BiometryState.Purpose) {
        var state = unlocked()
        #expect(state.refusal(of: purpose, at: Self.start) == .passcodeOnly)
        #expect(state.matched(for: purpose, at: Self.start) == .passcodeOnly)
        #expect(state == unlocked())
    }

    @Test func `a clock that went back counts as a long time, and none overflows`() {
        let state = unlocked()
        #expect(state.refusal(of: .presence, at: Self.start - 1) == .notUnlockedForTwoDays)
        #expect(state.refusal(of: .presence, at: .max) == .notUnlockedForTwoDays)
        var failing = state
        for _ in 1...20 { failing.failed() }
        #expect(failing.failures == 5)
    }
}
