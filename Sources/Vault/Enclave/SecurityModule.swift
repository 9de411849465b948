package import EnclaveWire
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

// Requests, and what is answered.
extension SecurityModule where Clock: ~Copyable {
    /// Answers one request.
    ///
    /// Nothing it is asked can make it fail in another way than by refusing.
    package mutating func handle(_ request: consuming EnclaveRequest) -> EnclaveReply {
        do {
            return try answer(request)
        } catch { return .refused(error) }
    }

    private mutating func answer(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> EnclaveReply {
        switch consume request {
        case .state: return .state(describe())
        case .unlock(let passcode): try unlock(passcode.bytes)
        case .lock: lock()
        case .setPasscode(let new): try setPasscode(new.bytes)
        case .changePasscode(let change): try changePasscode(change)
        case .removePasscode(let current): try removePasscode(current.bytes)
        case .reset: try reset()
        case .makeRowKey(let binding, let connection):
            let new = try items.makeRowKey(binding, for: connection, under: keys)
            items.usedPassword(binding, connection)
            return .newKey(new)
        case .openRowKey(let stored): return .key(EnclaveSecret(try items.openRowKey(stored, under: keys)))
        case .makeTableKey(let keychain, let protectionClass):
            return .newKey(try keys.makeTableKey(keychain, protectionClass))
        case .openTableKey(let stored): return .key(EnclaveSecret(try keys.openTableKey(stored)))
        case .makeIndexKey(let keychain, let protectionClass):
            return .newKey(try keys.makeIndexKey(keychain, protectionClass))
        case .openIndexKey(let stored): return .key(EnclaveSecret(try keys.openIndexKey(stored)))
        case .provePresence(let claim): try provePresence(claim)
        case .changeSettings(let change): try changeSettings(change)
        case .forgetDestroyed(let gone): try forgetDestroyed(gone)
        case .checkBiometry: try checkBiometry()
        case .biometryMatched(let match): try biometryMatched(match)
        case .biometryFailed: items.presence.fingerFailed()
        case .makeKeychainKey(let wanted): return .bytes(try makeKeychainKey(wanted))
        case .openKeychainKey(let given): if let record = try openKeychainKey(given) { return .bytes(record) }
        case .closeKeychainKey(let id): items.keychains.close(id)
        case .changeKeychainPasscode(let change): return .bytes(try changeKeychainPasscode(change))
        case .forgetKeychainKey(let id): items.keychains.forget(id)
        case .giveItemPassword(let password): try giveItemPassword(password)
        case .forgetConnection(let connection): items.forget(connection)
        case .openKeychains: return .identifiers(items.keychains.open)
        case .makePrivateKey(let binding, let connection):
            let new = try items.makePrivateKey(binding, for: connection, under: keys)
            items.usedPassword(binding, connection)
            return .newPrivateKey(new)
        case .usePrivateKey(let use): return try items.usePrivateKey(use, under: keys)
        case .enrolPresenceKey(let enrolment): return .bytes(try enrolPresenceKey(enrolment))
        case .provePresenceKey(let claim): try provePresenceKey(claim)
        case .promises: return .bytes([keys.keybag.promises.rawValue])
        case .keepPromises(let promises): try keepPromises(promises)
        case .witnessStore(let store): return .bytes(keys.witness(in: store))
        case .checkStore(let record): try keys.check(record)
        case .copies: return .bytes([UInt8(copies.rawValue >> 8), UInt8(copies.rawValue & 0xff)])
        }
        return .done
    }

    private mutating func describe() -> EnclaveState {
        let keybag = keys.keybag
        let delay = keybag.passcode == nil ? Duration.zero : tries.remainingDelay(at: clock.milliseconds())
        return EnclaveState(
            lock: lockState, hasPasscode: keybag.passcode != nil, keybag: keybag.id, generation: keys.generation,
            failures: tries.failures, delay: delay, settings: keybag.settings,
            logRounds: keybag.passcode?.logRounds ?? 0,
            timePerTry: keybag.passcode?.timePerTry ?? .zero,
            memory: EnclaveState.Memory(LockedMemory.kind), landlock: landlock, destroyed: keybag.destroyed)
    }

    /// Serves one socket until its other end goes away.
    package mutating func serve(_ socket: borrowing FileDescriptor) throws {
        let room = StreamFrame.enclaveLimit + StreamFrame.headerByteCount
        var input = try SecretBuffer(capacity: room)
        var output = try SecretBuffer(capacity: 2048)
        while case .moved = try socket.read(into: &input.storage, room: room - input.count) {
            while let end = try StreamFrame.byteCount(of: input.bytes, limit: StreamFrame.enclaveLimit),
                input.count >= end
            {
                output.removeAll()
                try reply(to: input.bytes.extracting(StreamFrame.headerByteCount..<end), into: &output)
                input.removeFirst(end)
                guard try socket.writeAll(output.bytes), !mustEnd else { return }
            }
        }
    }

    private mutating func reply(to payload: RawSpan, into output: inout SecretBuffer) throws(SecretMemoryError) {
        let reply: EnclaveReply
        var wipes = false
        do {
            let request = try EnclaveRequest.decode(payload)
            wipes = request.wipesWholeStack
            reply = handle(request)
        } catch is SecretMemoryError { reply = .refused(.outOfMemory) } catch { reply = .refused(.badRequest) }
        try reply.encode(into: &output)
        if wipes { Stack.wipe() } else { Stack.wipeShallow() }
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

extension EnclaveState.Memory {
    fileprivate init(_ kind: LockedMemory.Kind?) {
        switch kind {
        case nil: self = .untouched
        case .secret: self = .secret
        case .locked: self = .locked
        }
    }
}
