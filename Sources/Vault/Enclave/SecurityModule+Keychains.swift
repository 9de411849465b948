import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// The keys of keychains with a passcode of their own: which are open, and how often a wrong passcode was given.
///
/// In memory alone. A fresh enclave counts from zero, but is before first unlock, so that the device's passcode comes
/// first.
struct OpenKeychains {
    private static let limit = EnclaveLimits.openKeychains
    private var keys: [Identifier: OpenClassKey] = [:]
    private var limiters: [Identifier: TryLimiter] = [:]

    subscript(_ id: Identifier) -> OpenClassKey? { keys[id] }

    /// Ascending.
    var open: [Identifier] { keys.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }

    mutating func insert(_ key: OpenClassKey) throws(EnclaveRefusal) {
        guard keys[key.id] != nil || keys.count < Self.limit else { throw .badRequest }
        keys[key.id] = key
        limiters[key.id] = nil
    }

    mutating func close(_ id: Identifier) { keys[id] = nil }

    /// The keychain is gone, and with it who could guess its passcode.
    mutating func forget(_ id: Identifier) {
        keys[id] = nil
        limiters[id] = nil
    }

    mutating func closeAll() { keys.removeAll() }

    /// Counts a try before it is made.
    ///
    /// - Throws: `delayed` while a wait is running.
    mutating func countTry(_ id: Identifier, _ policy: DelayPolicy, at now: UInt64) throws(EnclaveRefusal) {
        guard limiters[id] != nil || limiters.count < Self.limit else { throw .badRequest }
        var limiter = limiters[id] ?? TryLimiter(failures: 0, policy: policy, now: now)
        let delay = limiter.remainingDelay(at: now)
        limiters[id] = limiter
        guard delay == .zero else { throw .delayed(delay: delay) }
        limiter.countTry()
        limiters[id] = limiter
    }

    /// - Returns: how long until the next try.
    mutating func recordFailure(_ id: Identifier, _ policy: DelayPolicy, at now: UInt64) -> Duration {
        limiters[id]?.recordFailure(policy: policy, at: now)
        return limiters[id]?.remainingDelay(at: now) ?? .zero
    }

    mutating func recordSuccess(_ id: Identifier) { limiters[id] = nil }
}

extension SecurityModule where Clock: ~Copyable {
    /// Makes a key under a passcode, and leaves it open.
    ///
    /// - Returns: a `KeychainKeyRecord`.
    mutating func makeKeychainKey(_ wanted: borrowing KeychainPasscode) throws(EnclaveRefusal) -> [UInt8] {
        guard lockState == .unlocked else { throw .locked }
        guard wanted.record.isEmpty else { throw .badRequest }
        guard wanted.passcode.count > 0 else { throw .passcodeTooShort(minimum: 1) }
        let key: OpenClassKey
        do { key = OpenClassKey(id: .makeRandom(), bytes: try KeyEnvelope.makeKey()) } catch { throw .outOfMemory }
        let record = try wrap(key, under: wanted.passcode, of: wanted.keychain)
        try items.keychains.insert(key)
        return record.encoded
    }

    /// - Returns: a record at a greater cost that takes the old one's place; nil where that cost is great enough.
    mutating func openKeychainKey(_ given: borrowing KeychainPasscode) throws(EnclaveRefusal) -> [UInt8]? {
        let key = try check(given.record, given.passcode, of: given.keychain)
        try items.keychains.insert(key)
        guard let logRounds = try? KeychainKeyRecord(given.record).logRounds, logRounds < cost.least else { return nil }
        return try? wrap(key, under: given.passcode, of: given.keychain).encoded
    }

    /// - Returns: the record that takes the old one's place.
    mutating func changeKeychainPasscode(
        _ wanted: borrowing KeychainPasscodeChange
    ) throws(EnclaveRefusal) -> [UInt8] {
        guard wanted.change.new.count > 0 else { throw .passcodeTooShort(minimum: 1) }
        let key = try check(wanted.record, wanted.change.current, of: wanted.keychain)
        let former = try? KeychainKeyRecord(wanted.record).logRounds
        return try wrap(key, under: wanted.change.new, of: wanted.keychain, atLeast: former).encoded
    }

    /// Whether it is the right passcode, by the device's rules on waiting.
    private mutating func check(
        _ encoded: [UInt8], _ passcode: borrowing SecretBytes, of keychain: Identifier
    ) throws(EnclaveRefusal) -> OpenClassKey {
        guard lockState == .unlocked else { throw .locked }
        let record: KeychainKeyRecord
        do { record = try KeychainKeyRecord(encoded) } catch { throw .notAuthentic }
        try items.keychains.countTry(record.id, keys.policy, at: clock.milliseconds())
        let kek: SecretBytes
        do {
            kek = try DeviceKeys.deriveKeychainKEK(
                passcode: passcode, salt: record.salt, logRounds: record.logRounds, root: keys.root, id: record.id)
        } catch { throw .outOfMemory }
        do {
            let purpose = KeyPurpose.keychainKey(id: record.id, keychain: keychain)
            let key = try KeyEnvelope.unwrap(record.wrapped, under: kek, as: purpose)
            items.keychains.recordSuccess(record.id)
            return OpenClassKey(id: record.id, bytes: key)
        } catch {
            guard error != .memory else { throw .outOfMemory }
            let now = clock.milliseconds()
            throw .wrongPasscode(delay: items.keychains.recordFailure(record.id, keys.policy, at: now))
        }
    }

    private mutating func wrap(
        _ key: OpenClassKey, under passcode: borrowing SecretBytes, of keychain: Identifier,
        atLeast former: UInt8? = nil
    ) throws(EnclaveRefusal) -> KeychainKeyRecord {
        let parameters = try cost.calibrated(atLeast: former)
        do {
            let kek = try DeviceKeys.deriveKeychainKEK(
                passcode: passcode, salt: parameters.salt, logRounds: parameters.logRounds, root: keys.root, id: key.id)
            let purpose = KeyPurpose.keychainKey(id: key.id, keychain: keychain)
            return KeychainKeyRecord(
                id: key.id, logRounds: parameters.logRounds, salt: parameters.salt,
                wrapped: try KeyEnvelope.wrap(key.bytes, under: kek, as: purpose))
        } catch { throw .outOfMemory }
    }
}
