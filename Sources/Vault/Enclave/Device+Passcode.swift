import KeyEnvelopes
import Linux
import Protection
import Secrets
import EnclaveWire

extension Device where Clock: ~Copyable {
    mutating func unlock(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        let kek = try verify(passcode)
        try openPasscodeKeys(kek)
        try bringUpToDate(passcode)
    }

    /// Writes a keybag of an earlier version, or one at a lower cost, anew, while the passcode is at hand.
    ///
    /// Where the disk forbids it the device is unlocked all the same, and the next unlock tries again.
    private mutating func bringUpToDate(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        let cost = keybag.passcode?.logRounds ?? leastLogRounds
        guard keybag.version < Keybag.version || cost < leastLogRounds else { return }
        do { try commit(try rewrapped(open, passcode: passcode)) } catch { if mustEnd { throw error } }
    }

    /// Refuses and wipes at once.
    ///
    /// Without a passcode nothing is protected by one, and the state stays unlocked.
    mutating func lock() {
        verdicts.removeAll()
        keychains.closeAll()
        passwords.removeAll()
        guard keybag.passcode != nil else { return }
        for entry in keybag.entries where Self.isWipedAtLock(entry.keyClass) { open[entry.keyClass] = nil }
    }

    mutating func setPasscode(_ new: borrowing SecretBytes) throws(EnclaveRefusal) {
        guard keybag.passcode == nil else { throw .passcodeAlreadySet }
        try checkLength(new)
        limiter.recordSuccess()
        try saveTries()
        var keys = open
        do {
            let akpu = KeyClass.items(.whenPasscodeSetThisDeviceOnly)
            keys[akpu] = try OpenClassKey.makeRandom(for: akpu)
        } catch { throw .outOfMemory }
        try commit(try rewrapped(keys, passcode: new))
        open = keys
        wasUnlocked = true
        biometry.passcodeUnlocked(at: seconds)
    }

    mutating func changePasscode(_ change: borrowing PasscodeReplacement) throws(EnclaveRefusal) {
        try checkLength(change.new)
        try openPasscodeKeys(try verify(change.current))
        try commit(try rewrapped(open, passcode: change.new))
    }

    /// Rewraps everything under the device's own key; what exists only with a passcode is destroyed.
    mutating func removePasscode(_ current: borrowing SecretBytes) throws(EnclaveRefusal) {
        try openPasscodeKeys(try verify(current))
        var keys = open
        let akpu = KeyClass.items(.whenPasscodeSetThisDeviceOnly)
        let gone = keys.removeValue(forKey: akpu).map { [$0.id] } ?? []
        try commit(try rewrappedWithoutPasscode(keys, destroying: gone))
        open = keys
        verdicts.removeAll()
        passwords.removeAll()
        biometry = BiometryState()
    }

    /// The passcode is forgotten: every key that needed it is destroyed and replaced by a fresh one.
    mutating func reset() throws(EnclaveRefusal) {
        guard keybag.passcode != nil else { throw .noPasscodeSet }
        try replaceKeys { $0.wrap == .passcode }
    }

    /// The owner's wish after ten wrong passcodes: no key is left.
    mutating func erase() throws(EnclaveRefusal) { try replaceKeys { _ in true } }

    mutating func changeSettings(_ change: borrowing SettingsChange) throws(EnclaveRefusal) {
        let settings = change.settings
        guard settings.minimumPasscodeLength >= 1 else { throw .badRequest }
        _ = try verify(change.passcode)
        var next = keybag
        next.settings = settings
        try commit(next)
    }

    mutating func forgetDestroyed(_ keys: [Identifier]) throws(EnclaveRefusal) {
        var next = keybag
        next.destroyed.removeAll { keys.contains($0) }
        if next != keybag { try commit(next) }
    }

    /// Checks a passcode by the rules of specs/keybag.md: wait, recognise, count, and only then compute.
    ///
    /// - Returns: the key that wraps the passcode's class keys.
    mutating func verify(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) -> SecretBytes {
        guard let parameters = keybag.passcode else { throw .noPasscodeSet }
        let delay = limiter.remainingDelay(at: clock.milliseconds())
        guard delay == .zero else { throw .delayed(delay: delay) }
        let fingerprint = DeviceKeys.fingerprint(of: passcode, under: fingerprintKey)
        if let lastWrong, constantTimeEquals(lastWrong, fingerprint) { throw .wrongPasscode(delay: .zero) }

        let former = limiter
        limiter.countTry()
        let checked: CheckedKey
        do { checked = try check(passcode, parameters) } catch {
            // No verdict was reached, so nothing was learned of the passcode: the try does not count.
            limiter = former
            try? saveTries()
            throw error
        }
        guard checked.isRight else {
            lastWrong = fingerprint
            let now = clock.milliseconds()
            limiter.recordFailure(policy: policy, at: now)
            if limiter.eraseIsDue && keybag.settings.erasesAfterTenTries {
                try erase()
                throw .erased
            }
            throw .wrongPasscode(delay: limiter.remainingDelay(at: now))
        }
        lastWrong = nil
        limiter.recordSuccess()
        try saveTries()
        biometry.passcodeUnlocked(at: seconds)
        return checked.takeKEK()
    }

    /// The count goes to the disk before anything is computed.
    private mutating func check(
        _ passcode: borrowing SecretBytes, _ parameters: Keybag.PasscodeParameters
    ) throws(EnclaveRefusal) -> CheckedKey {
        try saveTries()
        let kek = try derive(passcode, parameters)
        let right = try isRight(kek)
        return CheckedKey(kek: kek, isRight: right)
    }

    private func isRight(_ kek: borrowing SecretBytes) throws(EnclaveRefusal) -> Bool {
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

    private func derive(
        _ passcode: borrowing SecretBytes, _ parameters: Keybag.PasscodeParameters
    ) throws(EnclaveRefusal) -> SecretBytes {
        do {
            return try DeviceKeys.derivePasscodeKEK(
                passcode: passcode, salt: parameters.salt, logRounds: parameters.logRounds, root: root,
                keybag: keybag.id)
        } catch { throw .outOfMemory }
    }

    private mutating func openPasscodeKeys(_ kek: borrowing SecretBytes) throws(EnclaveRefusal) {
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

    private func checkLength(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        var characters = 0
        passcode.withBytes { $0.forEachByte { if $0 & 0xc0 != 0x80 { characters += 1 } } }
        let minimum = max(1, keybag.settings.minimumPasscodeLength)
        guard passcode.count > 0, characters >= Int(minimum) else { throw .passcodeTooShort(minimum: minimum) }
    }

    /// The keybag in which `keys` are wrapped for this passcode, under a fresh salt.
    private mutating func rewrapped(
        _ keys: [KeyClass: OpenClassKey], passcode: borrowing SecretBytes
    ) throws(EnclaveRefusal) -> Keybag {
        let parameters = try calibrated(atLeast: keybag.passcode?.logRounds)
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
    private func rewrappedWithoutPasscode(
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

    private mutating func replaceKeys(_ isReplaced: (Keybag.Entry) -> Bool) throws(EnclaveRefusal) {
        let gone = keybag.entries.filter(isReplaced)
        var keys = open
        do {
            for entry in gone {
                keys[entry.keyClass] =
                    Keybag.permanentClasses.contains(entry.keyClass)
                    ? try OpenClassKey.makeRandom(for: entry.keyClass) : nil
            }
        } catch { throw .outOfMemory }
        try commit(try rewrappedWithoutPasscode(keys, destroying: gone.map(\.id)))
        open = keys
        verdicts.removeAll()
        keychains.closeAll()
        passwords.removeAll()
        biometry = BiometryState()
        lastWrong = nil
        limiter.recordSuccess()
        // The keys are gone whatever the disk says of this. The count is nobody's without a passcode, and the next one
        // that is set begins with a fresh one.
        try? saveTries()
    }

    /// A fresh salt, and the highest cost at which one try takes about 250 ms of a processor here.
    ///
    /// - Parameter former: the cost until now; a change never lowers it.
    mutating func calibrated(atLeast former: UInt8? = nil) throws(EnclaveRefusal) -> Keybag.PasscodeParameters {
        let salt = SystemRandom.makeBytes(count: DeviceKeys.saltByteCount)
        let measured = try measureLeastCost(salt)
        func milliseconds(_ logRounds: UInt8) -> UInt64 { measured << UInt64(logRounds - leastLogRounds) }
        var logRounds = max(leastLogRounds, former ?? 0)
        while milliseconds(logRounds + 1) <= 350 && logRounds < DeviceKeys.logRoundsRange.upperBound { logRounds += 1 }
        return Keybag.PasscodeParameters(
            salt: salt, logRounds: logRounds, millisecondsPerTry: UInt32(clamping: milliseconds(logRounds)))
    }

    /// Processor time, once in the life of the process: on a busy machine more time passes, and the cost must not be
    /// less for it.
    private mutating func measureLeastCost(_ salt: [UInt8]) throws(EnclaveRefusal) -> UInt64 {
        if let millisecondsAtLeast { return millisecondsAtLeast }
        do {
            let probe = try SecretBytes.makeRandom(count: 16)
            let begin = SystemClock.processorNanoseconds()
            _ = try DeviceKeys.derivePasscodeKEK(
                passcode: probe, salt: salt, logRounds: leastLogRounds, root: root, keybag: keybag.id)
            let measured = max(1, (SystemClock.processorNanoseconds() - begin) / 1_000_000)
            millisecondsAtLeast = measured
            return measured
        } catch { throw .outOfMemory }
    }

    private static func isWipedAtLock(_ keyClass: KeyClass) -> Bool { keyClass.availability == .whenUnlocked }
}

/// What came out of a passcode, and whether it opens the keybag.
private struct CheckedKey: ~Copyable {
    let kek: SecretBytes
    let isRight: Bool

    consuming func takeKEK() -> SecretBytes { kek }
}
