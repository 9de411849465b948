import EnclaveWire
import KeychainStore
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Wire

/// What the owner says of keychains, through the command `tresor`: which there are, and which are open.
final class KeychainAdministration {
    private let device: DeviceOwner

    init(device: DeviceOwner) { self.device = device }

    func report() throws -> KeychainsReport {
        try device.keychains.report(open: device.openKeychains(), apps: device.apps)
    }

    /// Makes a keychain; one with a passcode of its own is open at first.
    func create(_ creation: borrowing KeychainCreation) throws {
        defer { finish() }
        let name = creation.name
        try device.keychains.checkNew(name)
        var record: [UInt8] = []
        switch creation.ownPasscode {
        case .some(let passcode):
            let wanted = try KeychainPasscode(
                keychain: device.keychains.storeID, record: [], passcode: passcode.copy())
            record = try device.record(.makeKeychainKey(wanted))
        case .none: break
        }
        do { try device.keychains.insert(name, record: record) } catch {
            // Nobody will ever open it again.
            if let made = try? KeychainKeyRecord(record).id { try? device.send(.forgetKeychainKey(made)) }
            throw error
        }
    }

    /// Removes a keychain and what is in it, as the owner says who is there.
    func delete(_ deletion: borrowing KeychainDeletion) throws {
        defer { finish() }
        let name = deletion.name
        let key = try? device.keychains.key(name)
        try device.administer(deletion.passcode) { try device.keychains.remove(name) }
        // The keychain is gone; an enclave that does not answer holds its key no more either.
        if let key { try? device.send(.forgetKeychainKey(key)) }
    }

    private func finish() {
        device.noteOpenKeychains()
        Stack.wipe()
    }

    func choose(_ name: String) throws { try device.keychains.choose(name) }

    func open(_ opening: borrowing KeychainOpening) throws {
        defer { finish() }
        let record = try device.keychains.record(opening.name)
        let given = try KeychainPasscode(
            keychain: device.keychains.storeID, record: record, passcode: opening.ownPasscode.copy())
        let dearer = try device.record(.openKeychainKey(given))
        // The same key at the cost of today; where the disk forbids it, it is open all the same.
        if !dearer.isEmpty { try? device.keychains.replace(opening.name, record: dearer) }
    }

    func close(_ name: String) throws {
        defer { finish() }
        let key = try device.keychains.key(name)
        try device.send(.closeKeychainKey(key))
    }

    func changePasscode(_ rekeying: borrowing KeychainRekeying) throws {
        defer { Stack.wipe() }
        let name = rekeying.name
        let wanted = try KeychainPasscodeChange(
            keychain: device.keychains.storeID, record: device.keychains.record(name),
            change: PasscodeReplacement(rekeying.change))
        let record = try device.record(.changeKeychainPasscode(wanted))
        try device.keychains.replace(name, record: record)
    }
}
