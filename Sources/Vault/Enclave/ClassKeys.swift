import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// The class keys of a device: the keybag that has them wrapped, its file, and those that are open now.
///
/// Every change of the keybag is made on a copy, written to both slots, and only then taken over: a failed write leaves
/// everything as it was.
struct ClassKeys: ~Copyable {
    let root: SecretBytes
    /// Authenticates the state's files.
    let stateKey: SecretBytes
    private var file: SlotFile
    private(set) var keybag = Keybag.empty
    private(set) var open: [KeyClass: OpenClassKey] = [:]
    private var wasUnlocked = false

    init(root: consuming SecretBytes, stateKey: consuming SecretBytes, file: consuming SlotFile) {
        self.root = root
        self.stateKey = stateKey
        self.file = file
    }

    var policy: DelayPolicy { keybag.settings.delayPolicy }
    var generation: UInt64 { file.generation }
    /// Whether the keybag is kept in both folders.
    var hasSpare: Bool { file.hasSpare }

    var lockState: LockState {
        if keybag.passcode == nil { return .unlocked }
        if open[.items(.whenUnlocked)] != nil { return .unlocked }
        return wasUnlocked ? .locked : .beforeFirstUnlock
    }

    // MARK: the file

    /// Reads the keybag; no key is open yet.
    mutating func load() throws(EnclaveFailure) {
        keybag = try Keybag.decodeOrDamaged(try file.load(macKey: stateKey))
    }

    /// Writes a new keybag and takes it over.
    ///
    /// - Parameter keys: those that are open from then on; nil for those that are.
    mutating func commit(_ next: Keybag, opening keys: [KeyClass: OpenClassKey]? = nil) throws(EnclaveFailure) {
        try file.save(next.encode(), macKey: stateKey)
        keybag = next
        if let keys { open = keys }
    }

    // MARK: opening and shutting

    /// Opens what needs no passcode; where none is set, the seal can be checked now.
    mutating func openDeviceKeys() throws(EnclaveFailure) {
        do {
            let kek = try DeviceKeys.deriveDeviceKEK(root: root, keybag: keybag.id)
            for entry in keybag.entries where entry.wrap == .device {
                open[entry.keyClass] = try OpenClassKey.unwrap(
                    entry, under: kek, keybag: keybag.id, version: keybag.version)
            }
            if keybag.passcode == nil { try checkSeal(by: open) }
        } catch {
            // Want of memory is told as that: who is told of damage gives up a device that is whole.
            throw error == .memory ? .memory : .damaged(.keybag)
        }
    }

    mutating func openPasscodeKeys(_ kek: borrowing SecretBytes) throws(EnclaveRefusal) {
        var keys = open
        do {
            for entry in keybag.entries where entry.wrap == .passcode {
                keys[entry.keyClass] = try OpenClassKey.unwrap(
                    entry, under: kek, keybag: keybag.id, version: keybag.version)
            }
            try checkSeal(by: keys)
        } catch {
            // Want of memory says nothing about the keys.
            throw error == .memory ? .outOfMemory : .notAuthentic
        }
        open = keys
        wasUnlocked = true
    }

    /// A passcode was set: the device is as after an unlock.
    mutating func noteUnlocked() { wasUnlocked = true }

    /// Wipes what demands an unlocked device.
    mutating func shut() {
        for entry in keybag.entries where entry.keyClass.availability == .whenUnlocked { open[entry.keyClass] = nil }
    }

    /// The keychain class's key, if it is open now.
    func key(_ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> OpenClassKey {
        if let key = open[.items(protectionClass)] { return key }
        throw protectionClass.needsPasscode && keybag.passcode == nil ? .noPasscodeSet : .locked
    }

    /// The same, for something wrapped before: the key it names must be the one in force.
    func key(_ protectionClass: ProtectionClass, named id: Identifier) throws(EnclaveRefusal) -> OpenClassKey {
        guard keybag.entry(.items(protectionClass))?.id == id else {
            throw keybag.destroyed.contains(id) ? .destroyed : .unknownClassKey
        }
        return try key(protectionClass)
    }

    // MARK: the passcode

    func derive(
        _ passcode: borrowing SecretBytes, _ parameters: Keybag.PasscodeParameters
    ) throws(EnclaveRefusal) -> SecretBytes {
        do {
            return try DeviceKeys.derivePasscodeKEK(
                passcode: passcode, salt: parameters.salt, logRounds: parameters.logRounds, root: root,
                keybag: keybag.id)
        } catch { throw .outOfMemory }
    }

    /// Whether this is the key that wraps what the passcode protects.
    func isRight(_ kek: borrowing SecretBytes) throws(EnclaveRefusal) -> Bool {
        guard let entry = keybag.entries.first(where: { $0.wrap == .passcode }) else { return false }
        do {
            _ = try OpenClassKey.unwrap(entry, under: kek, keybag: keybag.id, version: keybag.version)
            return true
        } catch {
            // Want of memory says nothing about the passcode.
            if error == .memory { throw .outOfMemory }
            return false
        }
    }

    // MARK: another keybag

    /// The keybag in which `keys` are wrapped for this passcode, under a fresh salt.
    func rewrapped(
        _ keys: [KeyClass: OpenClassKey], passcode: borrowing SecretBytes, _ parameters: Keybag.PasscodeParameters
    ) throws(EnclaveRefusal) -> Keybag {
        let passcodeKEK = try derive(passcode, parameters)
        let deviceKEK = try deriveDeviceKEK()
        var next = keybag
        next.version = Keybag.version
        next.passcode = parameters
        next.entries = []
        for (keyClass, key) in keys.sorted(by: { $0.key < $1.key }) {
            next.entries.append(
                Keybag.needsPasscode(keyClass)
                    ? try wrap(key, keyClass, .passcode, under: passcodeKEK)
                    : try wrap(key, keyClass, .device, under: deviceKEK))
        }
        try next.seal(by: keys, formerly: keybag.entry(Keybag.sealingClass)?.id)
        return next
    }

    /// The keybag in which no key needs a passcode.
    func rewrappedWithoutPasscode(
        _ keys: [KeyClass: OpenClassKey], destroying gone: [Identifier]
    ) throws(EnclaveRefusal) -> Keybag {
        let deviceKEK = try deriveDeviceKEK()
        var next = keybag
        next.version = Keybag.version
        next.passcode = nil
        next.destroyed += gone
        guard next.destroyed.count <= EnclaveLimits.destroyedKeys else { throw .badRequest }
        next.entries = []
        for (keyClass, key) in keys.sorted(by: { $0.key < $1.key }) {
            next.entries.append(try wrap(key, keyClass, .device, under: deviceKEK))
        }
        try next.seal(by: keys, formerly: keybag.entry(Keybag.sealingClass)?.id)
        return next
    }

    private func wrap(
        _ key: OpenClassKey, _ keyClass: KeyClass, _ wrap: Keybag.Wrap, under kek: borrowing SecretBytes
    ) throws(EnclaveRefusal) -> Keybag.Entry {
        do { return try key.wrap(keyClass, wrap, under: kek, keybag: keybag.id) } catch { throw .outOfMemory }
    }

    private func deriveDeviceKEK() throws(EnclaveRefusal) -> SecretBytes {
        do { return try DeviceKeys.deriveDeviceKEK(root: root, keybag: keybag.id) } catch { throw .outOfMemory }
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
