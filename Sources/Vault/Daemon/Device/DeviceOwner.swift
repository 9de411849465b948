import EnclaveWire
import KeychainStore
import Linux
import Logging
import Protection
import Secrets
import StoreTables
import Wire

/// The enclave, the store and what keeps them in step: the one place that knows what follows from a passcode request.
final class DeviceOwner {
    private let home: Home
    private let enclaveProgram: String
    let log: Logger
    private(set) var enclave: EnclaveClient
    private(set) var store: KeychainStore
    let apps: AppRegister
    let keychains: KeychainRegister
    let securityKeys: SecurityKeyRegister
    private var settings: Settings
    private(set) var lineage: KeychainStore.Lineage
    private(set) var since: Int64
    let sessions = SessionItems(clock: SystemClock.bootMilliseconds)
    /// Milliseconds since the machine started, by which tries are counted; another in tests alone.
    let clock: () -> UInt64
    /// The files by whose names the device was opened.
    private var files: StandingFiles
    /// Whether one of them, or of the store's, stands under its name no more; then nothing is acknowledged.
    private(set) var isReplaced = false
    /// Whether holders must wipe what they hold: the loop tells them, and takes the mark away.
    var mustEvictHolders = false

    init(home: Home, enclaveProgram: String, clock: @escaping () -> UInt64, log: Logger) throws {
        self.home = home
        self.clock = clock
        self.enclaveProgram = enclaveProgram
        self.log = log
        let (settings, wasDamaged) = try Settings.load(home.settings)
        self.settings = settings
        if wasDamaged {
            log.error(
                """
                settings.json could not be read and is kept as settings.json.damaged; the strictest settings hold: set \
                yours anew with 'tresor settings'
                """)
        }
        try Self.refuseOrphanedStore(home)
        files = try StandingFiles(home.standing)
        enclave = try EnclaveClient.started(enclaveProgram, folder: home.enclave)
        since = SystemClock.wallMicroseconds()
        do {
            store = try KeychainStore(
                path: home.database, keystore: enclave, tellMended: { log.error("\($0)") },
                clock: SystemClock.wallMicroseconds)
            apps = AppRegister(store: store)
            keychains = KeychainRegister(store: store)
            securityKeys = SecurityKeyRegister(store: store)
            lineage = try store.lineage(to: enclave)
        } catch let error as KeychainError where error.reason == .damagedStore {
            enclave.end()
            throw DaemonFailure.damaged(home.database)
        } catch let newer as NewerStore {
            enclave.end()
            throw DaemonFailure.newer(home.database, format: newer.format, version: HomeVersion.read(home))
        }
        guard lineage != .foreign else {
            enclave.end()
            throw DaemonFailure.foreignEnclave(home.enclave)
        }
        try FileSystem.setMode(home.database, 0o600)
        store.stateSince = since
        settled = enclave.lockState
        keychains.demandsBinding = { [unowned self] in demandsBinding() }
        reportLineage()
        try markStore()
        HomeVersion.note(Version.text, in: home)
        // A full disk must not keep a device from starting: what it forbids now is done later.
        isBehindEnclave =
            try !enclave.state.destroyed.isEmpty || store.isRetagging() || store.wasReset()
            || !store.hasRecorded(generation: enclave.state.generation)
        followEnclave()
        reloadApps()
    }

    /// Reads the registered apps and the further keychains anew; where that fails, none is known.
    private func reloadApps() {
        appsAreStale = false
        store.settleSpareItems()
        do { try keychains.reload() } catch {
            log.error("the further keychains cannot be read", metadata: ["error": "\(error)"])
            appsAreStale = true
        }
        do { try apps.reload() } catch {
            apps.forget()
            appsAreStale = true
            log.error("the registered apps cannot be read", metadata: ["error": "\(error)"])
        }
        if keychains.hasRefused { log.error("a keychain's record is not what this device wrote; it is refused") }
        keepPromises()
    }

    /// Whether the registered apps could not be read; tried again when the enclave is followed.
    private(set) var appsAreStale = false

    /// Says who may read what, which takes the owner's passcode where one is set.
    func administer(_ passcode: borrowing SecretBytes?, _ change: () throws -> Void) throws {
        if enclave.hasPasscode {
            switch passcode {
            case .some(let passcode):
                try provePresence(
                    PasscodeProof(
                        passcode: passcode.copy(), connection: 0, item: Identifier(high: 0, low: 0),
                        operation: .administer))
            case .none: throw KeychainError(.authenticationFailed, .presenceRequired, lockState: enclave.lockState)
            }
        }
        try change()
    }

    /// From now on a store that is missing is missed.
    private func markStore() throws {
        guard try FileSystem.status(home.storeMark) == nil else { return }
        do { try FileSystem.replace(home.storeMark, with: []) } catch  where error.isOutOfSpace {
            log.warning("the disk is full")
        }
    }

    func noteReplaced() { isReplaced = true }

    /// Refuses what would be written into files that have no name any more.
    func refuseReplaced() throws {
        if !isReplaced { isReplaced = try !files.areStanding() }
        guard !isReplaced else { throw KeychainError(.notAvailable, .storeReplaced) }
    }

    /// The same behind what the enclave has done.
    private func refuseReplacedMeanwhile() throws {
        // Where the names cannot be looked up now, the next request looks again.
        if (try? files.areStanding()) == false { isReplaced = true }
        guard !isReplaced else { throw KeychainError(.notAvailable, .storeReplaced) }
    }

    var idleLock: Duration { settings.idleLock }
    var lockState: LockState { enclave.lockState }

    /// Wipes first: the enclave, then the caches here, then what is left on the stack and in the log of the database.
    func lock() throws {
        store.evictKeysOfUnlockedDevice()
        sessions.closeAll()
        mustEvictHolders = true
        openKeychainKeys = []
        // Without an enclave there is no key: that is locked, too.
        do { try forward { try enclave.lock() } } catch { guard enclave.isGone else { throw error } }
        settle()
        store.evictKeys()
        if store.needsScrub {
            // The keys are gone whatever the disk says; what it still holds is ciphertext, and is tried again.
            do { try store.scrub() } catch {
                log.error("deleted bytes could not be overwritten yet", metadata: ["error": "\(error)"])
            }
        }
        store.releaseMemory()
        IdleMemory.releaseFreed()
        Stack.wipe()
        guard enclave.hasPasscode else {
            store.evictAllKeys()
            throw KeychainError(.authenticationFailed, .noPasscodeSet, lockState: enclave.lockState)
        }
    }

    /// A request about the passcode or the settings, and everything that follows from it.
    ///
    /// - Parameter isDecision: whether the owner decides something by it, as by all but an unlocking: then the state
    ///   that comes of it is the one that counts, whatever was rolled back before.
    func perform(_ request: consuming EnclaveRequest, isDecision: Bool = true) throws {
        let generation = enclave.state.generation
        defer { Stack.wipe() }
        do {
            try forward(request)
        } catch {
            settle(after: generation, isDecision: isDecision)
            throw error
        }
        settle(after: generation, isDecision: isDecision)
        try refuseReplacedMeanwhile()
    }

    /// What the enclave has done is done, whatever our own disk says: the store follows, now or later.
    private func settle(after generation: UInt64, isDecision: Bool = true) {
        settle()
        store.evictKeys()
        guard enclave.state.generation != generation else { return }
        // What a replaced class key sealed must not be opened by a cache that outlived it.
        store.evictAllKeys()
        if !enclave.state.destroyed.isEmpty {
            sessions.closeAll()
            mustEvictHolders = true
        }
        // The owner has acted on the state that is: from here on it is the one that counts. An enclave that a right
        // passcode made write its state anew is no act, but one that erased itself is none of the store's past.
        if isDecision || !enclave.state.destroyed.isEmpty { lineage = .together }
        isBehindEnclave = true
        followEnclave()
        reloadApps()
    }

    /// Whether the store does not know yet of a keybag's change.
    var isBehindEnclave = false

    /// Records the enclave's generation and purges what was destroyed; tried again later where the disk forbids it.
    func followEnclave() {
        if appsAreStale && !enclave.isGone { reloadApps() }
        guard isBehindEnclave, !enclave.isGone else { return }
        do {
            try recordGeneration()
            try purgeDestroyed()
            isBehindEnclave = false
            // What the destroyed keys had bound is bound anew before anything is promised of it.
            reloadApps()
        } catch let error as KeychainError where error.reason == .locked {
            // New tags need an unlocked device; the next unlock goes on.
        } catch {
            log.error("the store could not follow the enclave yet", metadata: ["error": "\(error)"])
        }
    }

    /// Refuses while a reset has not reached the store: what it renews must not be told as it was before.
    func refuseUnfinishedReset() throws {
        guard isBehindEnclave, !enclave.state.destroyed.isEmpty else { return }
        followEnclave()
        guard enclave.state.destroyed.isEmpty else { throw KeychainError(.notAvailable, .storage) }
    }

    private var settled: LockState?
    private func settle() {
        guard settled != enclave.lockState else { return }
        settled = enclave.lockState
        defer { if apps.isComplete != (enclave.lockState != .beforeFirstUnlock) { reloadApps() } }
        if !enclave.lockState.permits(ProtectionClass.whenUnlocked) {
            sessions.closeAll()
            mustEvictHolders = true
        }
        since = SystemClock.wallMicroseconds()
        store.stateSince = since
    }

    func provePresence(_ claim: consuming PasscodeProof) throws {
        // Ten wrong passcodes here erase as anywhere, with all that follows.
        try perform(.provePresence(claim))
    }

    /// Whether a finger may stand for the owner now.
    func mayAskForFinger() throws { try forward { try enclave.send(.checkBiometry) } }

    func fingerMatched(_ match: BiometryMatch) throws { try forward { try enclave.send(.biometryMatched(match)) } }

    func fingerFailed() throws { try forward { try enclave.send(.biometryFailed) } }

    private func purgeDestroyed() throws {
        let destroyed = enclave.state.destroyed
        guard try !destroyed.isEmpty || store.isRetagging() || store.wasReset() else { return }
        try store.purge(destroyed: destroyed)
        try apps.renewAfterReset()
        guard !destroyed.isEmpty else { return }
        try forward(.forgetDestroyed(destroyed))
        try recordGeneration()
    }

    /// A rollback stays on record until the owner acts.
    func recordGeneration() throws {
        guard lineage == .together else { return }
        let witness = try enclave.record(.witnessStore(store.storeID))
        try store.record(keybag: enclave.state.keybag, generation: enclave.state.generation, witness: witness)
    }

    func setIdleLock(after time: Duration) throws { try change { $0.idleLock = time } }

    var trashDays: UInt32 { settings.trashDays }
    func setTrashTime(days: UInt32) throws { try change { $0.trashDays = days } }

    private func change(_ edit: (inout Settings) -> Void) throws {
        var next = settings
        edit(&next)
        do { try next.save(home.settings) } catch let error as LinuxError {
            // The last step, the folder's sync, may have failed: then the new file has the name, for now.
            guard let standing = try? Settings.load(home.settings).0, standing == settings else {
                settings = (try? Settings.load(home.settings).0) ?? settings
                throw KeychainError(.notAvailable, .undecided)
            }
            throw KeychainError(.notAvailable, error.isOutOfSpace ? .diskFull : .storage)
        }
        settings = next
    }

    func status() throws -> DaemonStatus {
        try forward { try enclave.refresh() }
        return DaemonStatus(
            enclave: DeviceState(enclave.state), since: since, idleLock: settings.idleLock,
            daemonProcess: UInt32(CurrentProcess.id), enclaveProcess: UInt32(enclave.process.id),
            itemsPerClass: try store.itemsPerClass(), quarantined: try store.quarantined(),
            rollback: lineage.rollback,
            version: Version.text)
    }

    /// The enclave has ended: everything it opened is forgotten.
    func forgetEnclave() {
        log.error("the enclave has ended; a fresh one is started")
        sessions.closeAll()
        mustEvictHolders = true
        openKeychainKeys = []
        store.evictAllKeys()
        enclave.giveUp()
    }

    /// A fresh enclave starts before first unlock.
    func replaceEnclave() throws {
        enclave = try EnclaveClient.started(enclaveProgram, folder: home.enclave)
        store.replaceKeystore(enclave)
        lineage = try store.lineage(to: enclave)
        reportLineage()
        guard lineage != .foreign else { throw DaemonFailure.foreignEnclave(home.enclave) }
        isBehindEnclave = true
        followEnclave()
        settle()
        reloadApps()
        Stack.wipe()
    }

    func end() {
        sessions.closeAll()
        store.evictAllKeys()
        if store.needsScrub { try? store.scrub() }
        enclave.end()
        Stack.wipe()
    }

    /// The record of a keychain's key that the enclave made.
    func record(_ request: consuming EnclaveRequest) throws -> [UInt8] {
        let record: [UInt8]
        do { record = try enclave.record(request) } catch { throw meaning(of: error) }
        try refuseReplacedMeanwhile()
        return record
    }

    /// The same for a request that brings the device's passcode, with everything that follows from a wrong one.
    func record(judging request: consuming EnclaveRequest) throws -> [UInt8] {
        let generation = enclave.state.generation
        defer { Stack.wipe() }
        do {
            let record = try enclave.record(request)
            try forward { try enclave.refresh() }
            settle(after: generation)
            try refuseReplacedMeanwhile()
            return record
        } catch {
            let meaning = meaning(of: error)
            try? enclave.refresh()
            settle(after: generation)
            throw meaning
        }
    }

    /// A connection has ended, and what was kept for it goes with it.
    func forget(_ connection: Connection) {
        sessions.closeAll(of: connection.id)
        guard connection.isKnownToEnclave, !enclave.isGone else { return }
        connection.isKnownToEnclave = false
        connection.gavePassword = 0
        try? enclave.send(.forgetConnection(connection.id))
    }

    /// Passwords that were given over a connection which goes on.
    func forgetGiven(_ connection: Connection) {
        connection.gavePassword = 0
        try? enclave.send(.forgetConnection(connection.id))
    }

    /// What the enclave does without a change that its state tells of.
    func send(_ request: consuming EnclaveRequest) throws {
        do { try enclave.send(request) } catch { throw meaning(of: error) }
    }

    /// The keychains with a passcode of their own that are open; see ``noteOpenKeychains()``.
    var openKeychainKeys: Set<Identifier> = []
    /// Whether subscribers are to hear of the state again: something of what they show has gone with a keychain.
    var mustTellState = false

    func forward(_ request: consuming EnclaveRequest) throws {
        do { try enclave.perform(request) } catch let refusal { throw meaning(of: refusal) }
    }

    private func forward(_ body: () throws -> Void) throws {
        do { try body() } catch { throw meaning(of: error) }
    }
}
