import EnclaveWire
import KeyEnvelopes
import Linux
import Secrets

/// How dear a try of a passcode is made, by what a processor takes here.
struct PasscodeCost {
    /// The least cost of a passcode that is set, as the power of two of scrypt's N.
    let least: UInt8
    /// Milliseconds of a processor that one run at ``least`` takes; nil until it was measured.
    private(set) var millisecondsAtLeast: UInt64?

    init(least: UInt8, millisecondsAtLeast: UInt64? = nil) {
        self.least = least
        self.millisecondsAtLeast = millisecondsAtLeast
    }

    /// A fresh salt, and the highest cost at which one try takes about 250 ms of a processor here.
    ///
    /// - Parameter former: the cost until now; a change never lowers it.
    mutating func calibrated(atLeast former: UInt8? = nil) throws(EnclaveRefusal) -> Keybag.PasscodeParameters {
        let salt = SystemRandom.makeBytes(count: DeviceKeys.saltByteCount)
        let measured = try measureLeast(salt)
        let least = self.least
        func milliseconds(_ logRounds: UInt8) -> UInt64 { measured << UInt64(logRounds - least) }
        var logRounds = max(least, former ?? 0)
        while milliseconds(logRounds + 1) <= 350 && logRounds < DeviceKeys.logRoundsRange.upperBound { logRounds += 1 }
        return Keybag.PasscodeParameters(
            salt: salt, logRounds: logRounds, millisecondsPerTry: UInt32(clamping: milliseconds(logRounds)))
    }

    /// Processor time, once in the life of the process: on a busy machine more time passes, and the cost must not be
    /// less for it.
    private mutating func measureLeast(_ salt: [UInt8]) throws(EnclaveRefusal) -> UInt64 {
        if let millisecondsAtLeast { return millisecondsAtLeast }
        do {
            let probe = try SecretBytes.makeRandom(count: KeyEnvelope.keyByteCount)
            let begin = SystemClock.processorNanoseconds()
            _ = try DeviceKeys.derivePasscodeKEK(
                passcode: probe, salt: salt, logRounds: least, root: probe, keybag: .zero)
            let measured = max(1, (SystemClock.processorNanoseconds() - begin) / 1_000_000)
            millisecondsAtLeast = measured
            return measured
        } catch { throw .outOfMemory }
    }
}
