import EnclaveWire
import KeyEnvelopes
package import Linux
package import Protection
import Secrets

/// What holds the keys of a device, and decides what may be opened with them.
///
/// One value, one thread, no waiting but for its own disk and KDF. Each of its parts owns a state, and changes it by
/// itself; what a request does to more than one of them stands here.
package struct SecurityModule<Clock: EnclaveClock & ~Copyable>: ~Copyable {
    let clock: Clock
    let landlock: UInt8
    var keys: ClassKeys
    var tries: TryCounter
    var items = ItemKeys()
    var cost: PasscodeCost
    /// What was found of the two copies of its files at the start.
    private var findings: DeviceCopies = []
    /// Nobody knows what the disk holds: after this answer the process ends, and the next start reads the truth.
    private(set) var mustEnd = false

    /// Opens the device in the enclave's folder, or makes it at the first start.
    package static func start(
        in folder: borrowing FileDescriptor, clock: consuming Clock, rootKey: some RootKeySource
    ) throws(EnclaveFailure) -> Files {
        do {
            let isThere =
                try NewDevice.isThere(DeviceFiles.Folder.first, in: folder)
                || NewDevice.isThere(DeviceFiles.Folder.spare, in: folder)
            if !isThere { try NewDevice.make(in: folder, rootKey: rootKey) }
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
        try load(files, landlock: landlock, cost: PasscodeCost(least: leastLogRounds))
    }

    static func load(
        _ files: consuming Files, landlock: UInt8, cost: PasscodeCost
    ) throws(EnclaveFailure) -> Self {
        var places = files.files
        let root = try places.chooseRoot()
        let keys = ClassKeys(
            root: try copy(root.key), stateKey: try deriveStateKey(root.key), file: places.keybagFile())
        let tries = TryCounter(places.triesFile(), fingerprintKey: try makeFingerprintKey())
        var module = SecurityModule(clock: files.clock, landlock: landlock, keys: keys, tries: tries, cost: cost)
        try module.readFiles()
        module.findings = places.allFindings()
        try module.keys.openDeviceKeys()
        return module
    }

    private mutating func readFiles() throws(EnclaveFailure) {
        try keys.load()
        let (hasPasscode, policy, now) = (keys.keybag.passcode != nil, keys.policy, clock.milliseconds())
        try tries.load(macKey: keys.stateKey, hasPasscode: hasPasscode, policy: policy, at: now)
    }

    private init(
        clock: consuming Clock, landlock: UInt8, keys: consuming ClassKeys, tries: consuming TryCounter,
        cost: PasscodeCost
    ) {
        self.clock = clock
        self.landlock = landlock
        self.keys = keys
        self.tries = tries
        self.cost = cost
    }

    /// What was found of the two copies of its files, and whether both are kept now.
    var copies: DeviceCopies {
        keys.hasSpare && tries.hasSpare ? findings : findings.union(.incomplete)
    }

    package var lockState: LockState { keys.lockState }

    /// Of the boot clock.
    var seconds: UInt64 { clock.milliseconds() / 1000 }

    /// Writes a new keybag and takes it over.
    ///
    /// - Parameter keys: those that are open from then on; nil for those that are.
    mutating func commit(
        _ next: Keybag, opening open: [KeyClass: OpenClassKey]? = nil
    ) throws(EnclaveRefusal) {
        do { try keys.commit(next, opening: open) } catch { throw refusal(of: error) }
    }

    mutating func saveTries() throws(EnclaveRefusal) {
        do { try tries.save(macKey: keys.stateKey) } catch { throw refusal(of: error) }
    }

    private mutating func refusal(of failure: EnclaveFailure) -> EnclaveRefusal {
        if failure == .undecided { mustEnd = true }
        return failure.refusal
    }
}

extension SecurityModule where Clock: ~Copyable {
    private static func deriveStateKey(_ root: borrowing SecretBytes) throws(EnclaveFailure) -> SecretBytes {
        do { return try DeviceKeys.deriveStateKey(root: root) } catch { throw .memory }
    }

    private static func copy(_ key: borrowing SecretBytes) throws(EnclaveFailure) -> SecretBytes {
        do { return try key.copy() } catch { throw .memory }
    }

    private static func makeFingerprintKey() throws(EnclaveFailure) -> SecretBytes {
        do { return try KeyEnvelope.makeKey() } catch { throw .memory }
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
