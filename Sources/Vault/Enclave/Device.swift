import KeyEnvelopes
package import Linux
package import Protection
import Secrets
import EnclaveWire

/// The device: its root key, keybag, open class keys, tries and verdicts.
///
/// One value, one thread, no waiting but for its own disk and KDF.
///
/// Every change of the keybag is made on a copy, written to both slots, and only then taken over: a failed write leaves
/// the device as it was.
package struct Device<Clock: EnclaveClock & ~Copyable>: ~Copyable {
    let clock: Clock
    let root: SecretBytes
    let stateKey: SecretBytes
    var keybagFile: SlotFile
    var triesFile: SlotFile
    var keybag: Keybag
    var limiter: TryLimiter
    var open: [KeyClass: OpenClassKey] = [:]
    var wasUnlocked = false
    var verdicts: [Verdict] = []
    /// Keys of keychains with a passcode of their own, while they are open.
    var keychains = OpenKeychains()
    /// Items' own passwords that were given and not yet used.
    var passwords = GivenPasswords()
    /// In memory alone: after a restart no finger helps.
    var biometry = BiometryState()
    /// Recognises the last wrong passcode, which costs nothing when it is given again.
    let fingerprintKey: SecretBytes
    var lastWrong: [UInt8]?
    let landlock: UInt8
    /// The least cost of a passcode that is set, as the power of two of scrypt's N.
    let leastLogRounds: UInt8
    /// Milliseconds of a processor that one run at ``leastLogRounds`` takes; nil until it was measured.
    var millisecondsAtLeast: UInt64?
    /// What was found of the two copies of its files at the start.
    private var findings: DeviceCopies = []
    /// Nobody knows what the disk holds: after this answer the process ends, and the next start reads the truth.
    var mustEnd = false

    /// Opens the device in the enclave's folder, or makes it at the first start.
    ///
    /// A new device is made in a folder beside and renamed into place: there is a whole one or none.
    package static func start(
        in folder: borrowing FileDescriptor, clock: consuming Clock, rootKey: some RootKeySource
    ) throws(EnclaveFailure) -> Files {
        do {
            if try !isThere(DeviceFiles.Folder.first, in: folder) && !isThere(DeviceFiles.Folder.spare, in: folder) {
                try make(in: folder, rootKey: rootKey)
            }
            return Files(clock: clock, files: try DeviceFiles.open(in: folder, rootKey))
        } catch let error as LinuxError { throw .storage(error) } catch let failure as EnclaveFailure {
            throw failure
        } catch { throw .memory }
    }

    /// Everything that needs a path is open; the sandbox may close behind it.
    package struct Files: ~Copyable {
        let clock: Clock
        let files: DeviceFiles

        /// Keeps a second enclave off the folder: each would undo what the other writes.
        ///
        /// The lock ends with the process.
        borrowing func lock() throws(EnclaveFailure) {
            do {
                guard try files.first.keybag.file.lockExclusively() else { throw EnclaveFailure.inUse }
            } catch let error as LinuxError { throw .storage(error) } catch { throw .inUse }
        }
    }

    /// Reads the state and brings the device to "before first unlock", or to "unlocked" where no passcode is set.
    ///
    /// - Parameter leastLogRounds: lower for tests alone, where scrypt is compiled without optimisation.
    package static func load(
        _ files: consuming Files, landlock: UInt8, leastLogRounds: UInt8 = DeviceKeys.leastNewLogRounds
    ) throws(EnclaveFailure) -> Self {
        var places = files.files
        let root = try places.chooseRoot()
        var device = Device(
            places, clock: files.clock, root: try copy(root.key), stateKey: try deriveStateKey(root.key),
            fingerprintKey: try makeFingerprintKey(), landlock: landlock, leastLogRounds: leastLogRounds)
        device.keybag = try Keybag.decodeOrDamaged(try device.keybagFile.load(macKey: device.stateKey))
        try device.loadTries()
        device.findings = places.allFindings()
        try device.openDeviceKeys()
        do { if device.keybag.passcode == nil { try device.checkSeal() } } catch { throw damage(error) }
        return device
    }

    /// A counter that is lost in both slots costs its owner the longest wait, and not the device; who deletes it gains
    /// nothing.
    private mutating func loadTries() throws(EnclaveFailure) {
        let now = clock.milliseconds()
        if let failures = try storedTries() {
            limiter = TryLimiter(failures: failures, policy: policy, now: now)
            return
        }
        limiter = keybag.passcode == nil ? TryLimiter(failures: 0, policy: policy, now: now) : .lost(at: now)
        try storeTries(limiter.failures)
    }

    /// Nil where it is lost.
    private mutating func storedTries() throws(EnclaveFailure) -> UInt32? {
        do { return TryCount.decode(try triesFile.load(macKey: stateKey)) } catch {
            if case .damaged = error { return nil }
            throw error
        }
    }

    /// On a full disk the next start finds it lost as well.
    private mutating func storeTries(_ failures: UInt32) throws(EnclaveFailure) {
        do { try triesFile.save(TryCount.encode(failures), macKey: stateKey) } catch {
            if case .storage = error { return }
            throw error
        }
    }

    private init(
        _ files: DeviceFiles, clock: consuming Clock, root: consuming SecretBytes, stateKey: consuming SecretBytes,
        fingerprintKey: consuming SecretBytes, landlock: UInt8, leastLogRounds: UInt8
    ) {
        self.clock = clock
        self.root = root
        self.stateKey = stateKey
        self.fingerprintKey = fingerprintKey
        self.landlock = landlock
        self.leastLogRounds = leastLogRounds
        keybagFile = files.keybagFile()
        triesFile = files.triesFile()
        keybag = .empty
        limiter = TryLimiter(failures: 0, policy: .apple2024, now: 0)
    }

    /// What was found of the two copies of its files, and whether both are kept now.
    var copies: DeviceCopies {
        keybagFile.hasSpare && triesFile.hasSpare ? findings : findings.union(.incomplete)
    }

    var policy: DelayPolicy { keybag.settings.delayPolicy }

    package var lockState: LockState {
        if keybag.passcode == nil { return .unlocked }
        if open[.items(.whenUnlocked)] != nil { return .unlocked }
        return wasUnlocked ? .locked : .beforeFirstUnlock
    }

    private mutating func openDeviceKeys() throws(EnclaveFailure) {
        do {
            let kek = try DeviceKeys.deriveDeviceKEK(root: root, keybag: keybag.id)
            for entry in keybag.entries where entry.wrap == .device {
                open[entry.keyClass] = try OpenClassKey.unwrap(
                    entry, under: kek, keybag: keybag.id, version: keybag.version)
            }
        } catch { throw Self.damage(error) }
    }

    /// Want of memory is told as that: who is told of damage gives up a device that is whole.
    static func damage(_ error: EnvelopeError) -> EnclaveFailure {
        error == .memory ? .memory : .damaged(.keybag)
    }

    /// Writes a new keybag and takes it over.
    mutating func commit(_ next: Keybag) throws(EnclaveRefusal) {
        do { try keybagFile.save(next.encode(), macKey: stateKey) } catch { throw refusal(of: error) }
        keybag = next
    }

    private mutating func refusal(of failure: EnclaveFailure) -> EnclaveRefusal {
        if failure == .undecided { mustEnd = true }
        return failure.refusal
    }

    mutating func saveTries() throws(EnclaveRefusal) {
        do {
            try triesFile.save(TryCount.encode(limiter.failures), macKey: stateKey)
        } catch { throw refusal(of: error) }
    }
}

extension Device where Clock: ~Copyable {
    private static func deriveStateKey(_ root: borrowing SecretBytes) throws(EnclaveFailure) -> SecretBytes {
        do { return try DeviceKeys.deriveStateKey(root: root) } catch { throw .memory }
    }

    private static func copy(_ key: borrowing SecretBytes) throws(EnclaveFailure) -> SecretBytes {
        do { return try key.copy() } catch { throw .memory }
    }

    private static func makeFingerprintKey() throws(EnclaveFailure) -> SecretBytes {
        do { return try KeyEnvelope.makeKey() } catch { throw .memory }
    }

    /// Also where something else has its name.
    private static func isThere(_ name: String, in folder: borrowing FileDescriptor) throws -> Bool {
        do { return try openFolder(name, in: folder) != nil } catch let error as LinuxError where error.isOfDamagedFile
        {
            return true
        }
    }

    private static func openFolder(_ name: String, in folder: borrowing FileDescriptor) throws -> FileDescriptor? {
        do { return try folder.open(name, FileFlags.directory) } catch  where error.isMissing { return nil }
    }

    private static func make(in folder: borrowing FileDescriptor, rootKey: some RootKeySource) throws {
        let unfinished = DeviceFiles.Folder.first + ".new"
        if let leftover = try openFolder(unfinished, in: folder) {
            for name in [FileRootKey.name, Keybag.purpose, TryCount.purpose] { try leftover.remove(name) }
            try folder.remove(unfinished, isDirectory: true)
        }
        try folder.makeDirectory(unfinished)
        let device = try folder.open(unfinished, FileFlags.directory)
        let root = try rootKey.make()
        let stateKey = try DeviceKeys.deriveStateKey(root: root.key)
        let rootFile = try device.open(FileRootKey.name, FileFlags.create)
        try root.file.withBytes { (bytes) throws(LinuxError) in try rootFile.write(bytes, at: 0) }
        try rootFile.sync()
        var keybagFile = SlotFile(
            SlotFile.Place(try device.open(Keybag.purpose, FileFlags.create)), purpose: Keybag.purpose,
            slotByteCount: Keybag.slotByteCount)
        try keybagFile.save(try makeKeybag(root: root.key).encode(), macKey: stateKey)
        var triesFile = SlotFile(
            SlotFile.Place(try device.open(TryCount.purpose, FileFlags.create)), purpose: TryCount.purpose,
            slotByteCount: TryCount.slotByteCount)
        try triesFile.save(TryCount.encode(0), macKey: stateKey)
        try device.sync()
        try folder.rename(unfinished, to: DeviceFiles.Folder.first)
        try folder.sync()
    }

    private static func makeKeybag(root: borrowing SecretBytes) throws -> Keybag {
        let id = Identifier.makeRandom()
        let kek = try DeviceKeys.deriveDeviceKEK(root: root, keybag: id)
        var keybag = Keybag(
            id: id, passcode: nil, settings: .initial, entries: [], destroyed: [])
        for keyClass in Keybag.permanentClasses {
            let key = try OpenClassKey.makeRandom(for: keyClass)
            keybag.entries.append(try key.wrap(keyClass, .device, under: kek, keybag: id))
            if keyClass == Keybag.sealingClass { keybag.seal = try keybag.sealed(by: key) }
        }
        return keybag
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

extension Keybag {
    /// No key at all: what stands in a device's place until its keybag is read.
    fileprivate static let empty = Keybag(
        id: .zero, passcode: nil, settings: .initial, entries: [], destroyed: [])

    fileprivate static func decodeOrDamaged(_ bytes: [UInt8]) throws(EnclaveFailure) -> Keybag {
        do { return try decode(bytes) } catch { throw .damaged(.keybag) }
    }
}

extension EnclaveFailure {
    var refusal: EnclaveRefusal {
        switch self {
        case .storage(let error): .storage(errno: UInt32(error.code))
        case .damaged, .undecided, .inUse: .undecided
        case .memory: .outOfMemory
        }
    }
}
