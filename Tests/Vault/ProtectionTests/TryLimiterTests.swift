import Protection
import Testing

/// The delays between tries, by a clock in the test's hand.
@Suite struct TryLimiterByTheClock {
    private static let minute: UInt64 = 60_000

    private static let tables: [(policy: DelayPolicy, minutes: [UInt64])] = [
        (.apple2024, [0, 0, 0, 1, 5, 15, 60, 180, 480, 480, 480]),
        (.apple2017, [0, 0, 0, 0, 1, 5, 15, 15, 60, 480, 480]),
    ]

    private func fail(_ limiter: inout TryLimiter, _ policy: DelayPolicy, at now: UInt64) {
        limiter.countTry()
        limiter.recordFailure(policy: policy, at: now)
    }

    @Test(arguments: tables)
    func theWholeTableIsKept(_ table: (policy: DelayPolicy, minutes: [UInt64])) {
        var now: UInt64 = 1000
        var limiter = TryLimiter(failures: 0, policy: table.policy, now: now)
        for minutes in table.minutes {
            #expect(limiter.remainingDelay(at: now) == .zero)
            fail(&limiter, table.policy, at: now)
            #expect(limiter.remainingDelay(at: now) == .milliseconds(minutes * Self.minute))
            if minutes > 0 { #expect(limiter.remainingDelay(at: now + minutes * Self.minute - 1) == .milliseconds(1)) }
            now += minutes * Self.minute
        }
    }

    @Test(arguments: tables)
    func aRestartBeginsTheCurrentWaitAnew(_ table: (policy: DelayPolicy, minutes: [UInt64])) {
        for (failures, minutes) in table.minutes.enumerated() {
            var limiter = TryLimiter(failures: UInt32(failures + 1), policy: table.policy, now: 5)
            #expect(limiter.remainingDelay(at: 5) == .milliseconds(minutes * Self.minute))
        }
    }

    @Test func `a clock set back shortens nothing`() {
        var limiter = TryLimiter(failures: 4, policy: .apple2024, now: 1_000_000)
        #expect(limiter.remainingDelay(at: 1_030_000) == .milliseconds(30_000))
        #expect(limiter.remainingDelay(at: 0) == .milliseconds(30_000))
        #expect(limiter.remainingDelay(at: 10_000) == .milliseconds(20_000))
    }

    @Test func `a clock set far ahead ends the wait, and does not overflow`() {
        var limiter = TryLimiter(failures: 9, policy: .apple2024, now: 0)
        #expect(limiter.remainingDelay(at: .max) == .zero)
    }

    @Test func `success forgets`() {
        var limiter = TryLimiter(failures: 8, policy: .apple2024, now: 0)
        limiter.recordSuccess()
        #expect(limiter.failures == 0 && limiter.remainingDelay(at: 0) == .zero && !limiter.eraseIsDue)
    }

    @Test func `erasure is due with the tenth, not before`() {
        var limiter = TryLimiter(failures: 0, policy: .apple2024, now: 0)
        for count in 1...10 {
            fail(&limiter, .apple2024, at: 0)
            #expect(limiter.eraseIsDue == (count == 10))
        }
    }

    @Test func `the count does not wrap around`() {
        var limiter = TryLimiter(failures: .max, policy: .apple2024, now: 0)
        limiter.countTry()
        #expect(limiter.failures == .max)
    }
}

@Suite struct Rules {
    @Test(arguments: ProtectionClass.allCases)
    func aClassIsReadAsItsNameSays(_ protectionClass: ProtectionClass) {
        #expect(LockState.unlocked.permits(protectionClass))
        #expect(LockState.locked.permits(protectionClass) == (protectionClass.availability != .whenUnlocked))
        #expect(LockState.beforeFirstUnlock.permits(protectionClass) == (protectionClass.availability == .always))
        #expect(ProtectionClass(code: protectionClass.code) == protectionClass)
        #expect(ProtectionClass(name: protectionClass.name) == protectionClass)
    }

    @Test func `Apple's names of classes are known`() {
        #expect(
            ProtectionClass(name: "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly") == .afterFirstUnlockThisDeviceOnly
        )
        #expect(ProtectionClass(name: "kSecAttrAccessible") == nil)
    }

    @Test func `a passcode's strength is that of its characters`() {
        var meter = PasscodeStrength.Meter()
        for byte in Array("ab12cé".utf8) { meter.add(byte) }
        let strength = meter.finish()
        #expect(strength.length == 6 && strength.alphabet == 1036 && !strength.isShort)
        for (text, alphabet) in [("123456", 10), ("abc", 26), ("Abc", 52), ("ABC1", 36), ("a b", 59)] {
            var meter = PasscodeStrength.Meter()
            for byte in Array(text.utf8) { meter.add(byte) }
            #expect(meter.finish().alphabet == alphabet, "\(text)")
        }
        #expect(PasscodeStrength.describe(seconds: 10_000 * 0.25) == "42 minutes")
        // Six lower-case letters and digits at 80 ms: the documented five and a half years.
        var six = PasscodeStrength.Meter()
        for byte in Array("abc123".utf8) { six.add(byte) }
        #expect(PasscodeStrength.describe(seconds: six.finish().searchSeconds(secondsPerTry: 0.08)) == "5.5 years")
    }
}
