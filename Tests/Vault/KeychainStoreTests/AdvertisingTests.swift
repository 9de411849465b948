import KeychainStore
import Protection
import Secrets
import Testing
import Wire

@testable import TresorTesting

/// The identifier for advertising goes with a reset of the device and with its erasure, whatever comes in between.
@Suite struct AdvertisingAfterReset {
    private let keystore: MockKeystore
    private let store: KeychainStore

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_000_000 }
    }

    private func register() throws -> AppRegister {
        let register = AppRegister(store: store)
        try register.reload()
        return register
    }

    /// As the daemon does after each change of the keybag.
    private func followEnclave() throws {
        store.evictAllKeys()
        try store.purge(destroyed: keystore.destroyed)
        try register().renewAfterReset()
        keystore.forgetDestroyed()
    }

    /// A device with a passcode, whose owner let apps follow them.
    private func followed() throws -> AdvertisingIdentity {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try register().changeAdvertising(resets: true, allowsTracking: true)
        let before = try register().advertising()
        #expect(before.isTrackingAllowed)
        return before
    }

    private func expectAnother(than before: AdvertisingIdentity) throws {
        let after = try register().advertising()
        #expect(after.identifier != before.identifier && !after.isTrackingAllowed)
        #expect(after.identifier.bytes[6] >> 4 == 4 && after.identifier.bytes[8] >> 6 == 2, "UUID, version 4")
        #expect(try register().advertising() == after, "and it stays from then on")
    }

    @Test func `a forgotten passcode that is reset takes the identifier and the leave to track along`() throws {
        let before = try followed()
        try keystore.reset()
        try followEnclave()
        try expectAnother(than: before)
    }

    @Test func `an erasure does, too`() throws {
        let before = try followed()
        try keystore.erase()
        try followEnclave()
        try expectAnother(than: before)
    }

    @Test func `a program that was ended before it was renewed renews it at its next look`() throws {
        let before = try followed()
        try keystore.reset()
        store.evictAllKeys()
        try store.purge(destroyed: keystore.destroyed)
        keystore.forgetDestroyed()
        #expect(try store.wasReset())
        try expectAnother(than: before)
        #expect(try !store.wasReset())
    }

    @Test func `a purge that comes twice renews it once more, and no harm is done`() throws {
        let before = try followed()
        try keystore.reset()
        store.evictAllKeys()
        try store.purge(destroyed: keystore.destroyed)
        try followEnclave()
        try expectAnother(than: before)
    }

    @Test func `a passcode that is removed, changed, or set leaves it`() throws {
        let before = try followed()
        keystore.removePasscode()
        try followEnclave()
        #expect(try register().advertising() == before)
        try keystore.setPasscode(SecretBytes(text: "5678"))
        try followEnclave()
        #expect(try register().advertising() == before)
    }

    @Test func `a device that was reset before anybody asked has one afterwards`() throws {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        _ = try register().advertising()
        try keystore.reset()
        try followEnclave()
        #expect(try !register().advertising().isTrackingAllowed)
    }
}
