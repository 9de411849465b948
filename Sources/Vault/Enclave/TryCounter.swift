import KeyEnvelopes
import Protection
import Secrets

/// Wrong passcodes in a row: how many there were, on the disk and in force, and which was the last.
struct TryCounter: ~Copyable {
    private var file: SlotFile
    private(set) var limiter = TryLimiter(failures: 0, policy: .apple2024, now: 0)
    /// Recognises the last wrong passcode, which costs nothing when it is given again.
    private let fingerprintKey: SecretBytes
    private var lastWrong: [UInt8]?

    init(_ file: consuming SlotFile, fingerprintKey: consuming SecretBytes) {
        self.file = file
        self.fingerprintKey = fingerprintKey
    }

    var failures: UInt32 { limiter.failures }

    /// Whether the owner's wish to erase after ten wrong passcodes is due.
    var eraseIsDue: Bool { limiter.eraseIsDue }

    /// Whether the count is kept in both folders.
    var hasSpare: Bool { file.hasSpare }

    // MARK: the disk

    /// A counter that is lost in both slots costs its owner the longest wait, and not the device; who deletes it gains
    /// nothing.
    mutating func load(
        macKey: borrowing SecretBytes, hasPasscode: Bool, policy: DelayPolicy, at now: UInt64
    ) throws(EnclaveFailure) {
        if let failures = try stored(macKey) {
            limiter = TryLimiter(failures: failures, policy: policy, now: now)
            return
        }
        limiter = hasPasscode ? .lost(at: now) : TryLimiter(failures: 0, policy: policy, now: now)
        // On a full disk the next start finds it lost as well.
        do { try save(macKey: macKey) } catch {
            if case .storage = error { return }
            throw error
        }
    }

    /// Nil where it is lost.
    private mutating func stored(_ macKey: borrowing SecretBytes) throws(EnclaveFailure) -> UInt32? {
        do { return TryCount.decode(try file.load(macKey: macKey)) } catch {
            if case .damaged = error { return nil }
            throw error
        }
    }

    mutating func save(macKey: borrowing SecretBytes) throws(EnclaveFailure) {
        try file.save(TryCount.encode(limiter.failures), macKey: macKey)
    }

    // MARK: one try

    mutating func remainingDelay(at now: UInt64) -> Duration { limiter.remainingDelay(at: now) }

    func fingerprint(of passcode: borrowing SecretBytes) -> [UInt8] {
        DeviceKeys.fingerprint(of: passcode, under: fingerprintKey)
    }

    /// Whether the last wrong passcode had this fingerprint.
    func isLastWrong(_ fingerprint: [UInt8]) -> Bool {
        lastWrong.map { constantTimeEquals($0, fingerprint) } ?? false
    }

    mutating func countTry() { limiter.countTry() }

    /// Nothing was learned of the passcode: the try does not count.
    mutating func takeBack(to former: TryLimiter) { limiter = former }

    mutating func recordWrong(_ fingerprint: [UInt8], _ policy: DelayPolicy, at now: UInt64) {
        lastWrong = fingerprint
        limiter.recordFailure(policy: policy, at: now)
    }

    /// A right passcode was given, or there is none any more.
    mutating func beginAnew() {
        lastWrong = nil
        limiter.recordSuccess()
    }
}

/// The durable count of wrong passcodes, in a slot file of its own: it changes without a new keybag generation.
enum TryCount {
    static let purpose = "tries"
    static let slotByteCount = 128

    static func encode(_ failures: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.uint32(failures)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) -> UInt32? {
        bytes.withSpan { span in
            var reader = ByteReader(span)
            guard let failures = try? reader.uint32(), reader.remaining == 0 else { return nil }
            return failures
        }
    }
}
