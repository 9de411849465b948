import Envelopes
import Linux
import Secrets

/// How many rounds of PBKDF2 take about a quarter of a second here, and never fewer than the suites demand.
enum Calibration {
    private static let wanted: UInt64 = 250_000_000
    private static let sample: UInt32 = 100_000

    static func rounds(_ suite: LockSuite) -> UInt32 {
        let salt = [UInt8](repeating: 0, count: suite.saltByteCount)
        let start = SystemClock.monotonicNanoseconds()
        guard let trial = try? SecretBytes.makeRandom(count: 16),
            (try? AppleNoteEnvelope.deriveKey(
                from: trial, salt: salt, rounds: sample, byteCount: suite.keyByteCount)) != nil
        else { return LockSuite.rounds.lowerBound }
        let elapsed = max(1, SystemClock.monotonicNanoseconds() - start)
        let fitting = wanted * UInt64(sample) / elapsed
        // Rounded, so that the number tells little of the machine.
        let rounded = fitting / 50_000 * 50_000
        return UInt32(clamping: max(UInt64(LockSuite.rounds.lowerBound), min(rounded, 10_000_000)))
    }
}
