import EnclaveWire
import KeyEnvelopes
import Linux
import Secrets

/// How dear a try of a passcode is made, by what a processor takes here.
struct PasscodeCost {
    /// The least cost of a passcode that is set, as the power of two of scrypt's N.
    let least: UInt8
    /// How long a processor works for one run at ``least``, in whole milliseconds; nil until it was measured.
    private(set) var timeAtLeast: Duration?

    init(least: UInt8, timeAtLeast: Duration? = nil) {
        self.least = least
        self.timeAtLeast = timeAtLeast
    }

    /// A fresh salt, and the highest cost at which one try takes about 250 ms of a processor here.
    ///
    /// - Parameter former: the cost until now; a change never lowers it.
    mutating func calibrated(atLeast former: UInt8? = nil) throws(EnclaveRefusal) -> Keybag.PasscodeParameters {
        let salt = SystemRandom.makeBytes(count: DeviceKeys.saltByteCount)
        let measured = try measureLeast(salt)
        let least = self.least
        func time(_ logRounds: UInt8) -> Duration {
            let runs = 1 << Int(logRounds - least)
            return measured * runs
        }
        var logRounds = max(least, former ?? 0)
        while time(logRounds + 1) <= Self.dearest && logRounds < DeviceKeys.logRoundsRange.upperBound { logRounds += 1 }
        return Keybag.PasscodeParameters(
            salt: salt, logRounds: logRounds, timePerTry: time(logRounds))
    }

    /// What a try may take at most where there is a choice: each step is twice the one before.
    private static var dearest: Duration { .milliseconds(350) }

    /// Processor time, once in the life of the process: on a busy machine more time passes, and the cost must not be
    /// less for it.
    private mutating func measureLeast(_ salt: [UInt8]) throws(EnclaveRefusal) -> Duration {
        if let timeAtLeast { return timeAtLeast }
        do {
            let probe = try SecretBytes.makeRandom(count: KeyEnvelope.keyByteCount)
            let begin = SystemClock.processorNanoseconds()
            _ = try DeviceKeys.derivePasscodeKEK(
                passcode: probe, salt: salt, logRounds: least, root: probe, keybag: .zero)
            let taken = (SystemClock.processorNanoseconds() - begin) / 1_000_000
            let measured = Duration.milliseconds(max(1, taken))
            timeAtLeast = measured
            return measured
        } catch { throw .outOfMemory }
    }
}
