import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

extension SecurityModule where Clock: ~Copyable {
    mutating func unlock(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        let kek = try verify(passcode)
        try keys.openPasscodeKeys(kek)
        try bringUpToDate(passcode)
    }

    /// Writes a keybag of an earlier version, or one at a lower cost, anew, while the passcode is at hand.
    ///
    /// Where the disk forbids it the device is unlocked all the same, and the next unlock tries again.
    private mutating func bringUpToDate(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        let logRounds = keys.keybag.passcode?.logRounds ?? cost.least
        guard keys.keybag.version < Keybag.version || logRounds < cost.least else { return }
        do { try commit(try rewrapped(keys.open, passcode: passcode)) } catch { if mustEnd { throw error } }
    }

    /// Refuses and wipes at once.
    ///
    /// Without a passcode nothing is protected by one, and the state stays unlocked.
    mutating func lock() {
        items.shut()
        if keys.keybag.passcode != nil { keys.shut() }
    }

    mutating func setPasscode(_ new: borrowing SecretBytes) throws(EnclaveRefusal) {
        guard keys.keybag.passcode == nil else { throw .passcodeAlreadySet }
        try checkLength(new)
        tries.beginAnew()
        try saveTries()
        var open = keys.open
        do {
            let akpu = KeyClass.items(.whenPasscodeSetThisDeviceOnly)
            open[akpu] = try OpenClassKey.makeRandom(for: akpu)
        } catch { throw .outOfMemory }
        try commit(try rewrapped(open, passcode: new), opening: open)
        keys.noteUnlocked()
        items.presence.passcodeGiven(at: seconds)
    }

    mutating func changePasscode(_ change: borrowing PasscodeReplacement) throws(EnclaveRefusal) {
        try checkLength(change.new)
        let kek = try verify(change.current)
        try keys.openPasscodeKeys(kek)
        try commit(try rewrapped(keys.open, passcode: change.new))
    }

    /// Rewraps everything under the device's own key; what exists only with a passcode is destroyed.
    mutating func removePasscode(_ current: borrowing SecretBytes) throws(EnclaveRefusal) {
        let kek = try verify(current)
        try keys.openPasscodeKeys(kek)
        var open = keys.open
        let gone = open.removeValue(forKey: .items(.whenPasscodeSetThisDeviceOnly)).map { [$0.id] } ?? []
        try commit(try keys.rewrappedWithoutPasscode(open, destroying: gone), opening: open)
        items.presence.beginAnew()
        items.passwords.removeAll()
    }

    /// The passcode is forgotten: every key that needed it is destroyed and replaced by a fresh one.
    mutating func reset() throws(EnclaveRefusal) {
        guard keys.keybag.passcode != nil else { throw .noPasscodeSet }
        try replaceKeys { $0.wrap == .passcode }
    }

    /// The owner's wish after ten wrong passcodes: no key is left.
    mutating func erase() throws(EnclaveRefusal) { try replaceKeys { _ in true } }

    private mutating func replaceKeys(_ isReplaced: (Keybag.Entry) -> Bool) throws(EnclaveRefusal) {
        let gone = keys.keybag.entries.filter(isReplaced)
        var open = keys.open
        do {
            for entry in gone {
                open[entry.keyClass] =
                    Keybag.permanentClasses.contains(entry.keyClass)
                    ? try OpenClassKey.makeRandom(for: entry.keyClass) : nil
            }
        } catch { throw .outOfMemory }
        try commit(try keys.rewrappedWithoutPasscode(open, destroying: gone.map(\.id)), opening: open)
        items.shut()
        items.presence.beginAnew()
        tries.beginAnew()
        // The keys are gone whatever the disk says of this. The count is nobody's without a passcode, and the next one
        // that is set begins with a fresh one.
        try? saveTries()
    }

    mutating func changeSettings(_ change: borrowing SettingsChange) throws(EnclaveRefusal) {
        let settings = change.settings
        guard settings.minimumPasscodeLength >= 1 else { throw .badRequest }
        _ = try verify(change.passcode)
        var next = keys.keybag
        next.settings = settings
        try commit(next)
    }

    mutating func forgetDestroyed(_ gone: [Identifier]) throws(EnclaveRefusal) {
        var next = keys.keybag
        next.destroyed.removeAll { gone.contains($0) }
        if next != keys.keybag { try commit(next) }
    }

    mutating func keepPromises(_ wanted: EnclavePromises) throws(EnclaveRefusal) {
        if let next = try keys.promising(wanted) { try commit(next) }
    }

    // MARK: one try

    /// Checks a passcode by the rules of specs/keybag.md: wait, recognise, count, and only then compute.
    ///
    /// - Returns: the key that wraps the passcode's class keys.
    mutating func verify(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) -> SecretBytes {
        guard let parameters = keys.keybag.passcode else { throw .noPasscodeSet }
        let delay = tries.remainingDelay(at: clock.milliseconds())
        guard delay == .zero else { throw .delayed(delay: delay) }
        let fingerprint = tries.fingerprint(of: passcode)
        if tries.isLastWrong(fingerprint) { throw .wrongPasscode(delay: .zero) }

        let former = tries.limiter
        tries.countTry()
        let checked: CheckedKey
        do { checked = try check(passcode, parameters) } catch {
            tries.takeBack(to: former)
            try? saveTries()
            throw error
        }
        guard checked.isRight else {
            let now = clock.milliseconds()
            tries.recordWrong(fingerprint, keys.policy, at: now)
            if tries.eraseIsDue && keys.keybag.settings.erasesAfterTenTries {
                try erase()
                throw .erased
            }
            throw .wrongPasscode(delay: tries.remainingDelay(at: now))
        }
        tries.beginAnew()
        try saveTries()
        items.presence.passcodeGiven(at: seconds)
        return checked.takeKEK()
    }

    /// The count goes to the disk before anything is computed.
    private mutating func check(
        _ passcode: borrowing SecretBytes, _ parameters: Keybag.PasscodeParameters
    ) throws(EnclaveRefusal) -> CheckedKey {
        try saveTries()
        let kek = try keys.derive(passcode, parameters)
        let right = try keys.isRight(kek)
        return CheckedKey(kek: kek, isRight: right)
    }

    private func checkLength(_ passcode: borrowing SecretBytes) throws(EnclaveRefusal) {
        var characters = 0
        passcode.withBytes { $0.forEachByte { if $0 & 0xc0 != 0x80 { characters += 1 } } }
        let minimum = max(1, keys.keybag.settings.minimumPasscodeLength)
        guard passcode.count > 0, characters >= Int(minimum) else { throw .passcodeTooShort(minimum: minimum) }
    }

    /// The keybag in which `open` are wrapped for this passcode, under a fresh salt and at the cost of today.
    private mutating func rewrapped(
        _ open: [KeyClass: OpenClassKey], passcode: borrowing SecretBytes
    ) throws(EnclaveRefusal) -> Keybag {
        let parameters = try cost.calibrated(atLeast: keys.keybag.passcode?.logRounds)
        return try keys.rewrapped(open, passcode: passcode, parameters)
    }
}

/// What came out of a passcode, and whether it opens the keybag.
private struct CheckedKey: ~Copyable {
    let kek: SecretBytes
    let isRight: Bool

    consuming func takeKEK() -> SecretBytes { kek }
}
