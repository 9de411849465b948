import EnclaveWire
import Foundation
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing

@testable import Enclave

/// What the enclave insists on, and what a passcode costs: over restarts, over versions, against who has the files.
@Suite(.serialized) struct PromiseTests {
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tresor-promise-" + Identifier.makeRandom().description
        try FileSystem.makeDirectories(path)
        TestClock.now = 0
    }

    /// - Parameter time: what a processor shall take for the least cost; nil to measure it.
    private func start(
        leastLogRounds: UInt8 = 15, taking time: Duration? = nil
    ) throws -> SecurityModule<TestClock> {
        let folder = try FileDescriptor.open(path, FileFlags.directory)
        return try .load(
            SecurityModule.start(in: folder, clock: TestClock(), rootKey: FileRootKey()), landlock: 0,
            cost: PasscodeCost(least: leastLogRounds, timeAtLeast: time))
    }

    private func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }

    private func refusal(_ body: () throws -> Void) -> EnclaveRefusal? {
        do {
            try body()
            return nil
        } catch { return error as? EnclaveRefusal }
    }

    private func cost(_ device: borrowing SecurityModule<TestClock>) throws -> UInt8 {
        let keybag = device.keys.keybag
        return try #require(keybag.passcode).logRounds
    }

    /// Writes another keybag, as whoever has the root key can.
    private func rewrite(_ device: borrowing SecurityModule<TestClock>, _ change: (inout Keybag) throws -> Void) throws
    {
        var keybag = device.keys.keybag
        try change(&keybag)
        let content = SlotContent(generation: device.keys.generation, content: keybag.encode())
        let slot = SlotFile.encode(content, purpose: Keybag.purpose, macKey: device.keys.stateKey)
        let padded = slot + [UInt8](repeating: 0, count: Keybag.slotByteCount - slot.count)
        try Data(padded + padded).write(to: URL(fileURLWithPath: path + "/device/keybag"))
    }

    /// The keybag as 0.1 left it: class keys under the purpose of that time, and nothing behind the destroyed.
    private func makeVersion1(_ device: borrowing SecurityModule<TestClock>, passcode: String) throws {
        let keybag = device.keys.keybag
        let parameters = try #require(keybag.passcode)
        let kek = try DeviceKeys.derivePasscodeKEK(
            passcode: secret(passcode), salt: parameters.salt, logRounds: parameters.logRounds, root: device.keys.root,
            keybag: device.keys.keybag.id)
        let id = device.keys.keybag.id
        try rewrite(device) { keybag in
            keybag.version = 1
            for (index, entry) in keybag.entries.enumerated() where entry.wrap == .passcode {
                let key = try OpenClassKey.unwrap(entry, under: kek, keybag: id, version: 2)
                let purpose = KeyPurpose.classKey(
                    keybag: id, id: entry.id, keyClass: entry.keyClass, wrap: .passcode, publicKey: entry.publicKey)
                keybag.entries[index].wrapped = try KeyEnvelope.wrap(key.bytes, under: kek, as: purpose)
            }
        }
    }

    @Test func `a promise is kept over a lock, a restart, another passcode and none`() throws {
        var device = try start()
        #expect(device.keys.keybag.promises == [])
        try device.keepPromises(.storeRecord)
        let generation = device.keys.generation
        try device.keepPromises(.storeRecord)
        #expect(device.keys.generation == generation, "the same once more writes nothing")
        try device.setPasscode(secret("one"))
        try device.keepPromises(.keychains)
        #expect(device.keys.keybag.promises == .all)
        device = try start()
        #expect(refusal { try device.keepPromises(.keychains) } == .locked)
        try device.unlock(secret("one"))
        try device.changePasscode(PasscodeReplacement(current: secret("one"), new: secret("two")))
        try device.removePasscode(secret("two"))
        device = try start()
        #expect(device.keys.keybag.promises == .all)
        // One that is none of the two is no request.
        #expect(throws: DecodingError.invalid) { try [UInt8]([33, 4]).withSpan { _ = try EnclaveRequest.decode($0) } }
        // What was bound by a key that is gone is bound by nothing.
        try device.setPasscode(secret("three"))
        try device.reset()
        #expect(device.keys.keybag.promises == .storeRecord)
        device = try start()
        #expect(device.keys.keybag.promises == .storeRecord)
    }

    @Test func `who has the root key and no passcode cannot take a promise back`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        try device.keepPromises(.all)
        let whole = try FileSystem.read(path + "/device/keybag")
        try rewrite(device) { $0.promises = [] }
        device = try start()
        #expect(refusal { try device.unlock(secret("right")) } == .notAuthentic)
        #expect(device.lockState == .beforeFirstUnlock)
        // As 0.1 wrote it nothing is promised, and nothing that the passcode wraps opens.
        try rewrite(device) { $0.version = 1 }
        device = try start()
        #expect(refusal { try device.unlock(secret("right")) } == .wrongPasscode(delay: .zero))
        try Data(whole).write(to: URL(fileURLWithPath: path + "/device/keybag"))
        device = try start()
        try device.unlock(secret("right"))
        // The seal of another moment does not fit the passcode of now.
        let former = device.keys.keybag.seal
        try device.changePasscode(PasscodeReplacement(current: secret("right"), new: secret("other")))
        try rewrite(device) { $0.seal = former }
        device = try start()
        #expect(refusal { try device.unlock(secret("other")) } == .notAuthentic)
    }

    @Test func `a keybag that 0.1 wrote opens, and becomes one of today at the next unlock`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        let ids = device.keys.keybag.entries.map(\.id)
        try makeVersion1(device, passcode: "right")
        device = try start()
        #expect(device.keys.keybag.version == 1)
        let generation = device.keys.generation
        #expect(refusal { try device.unlock(secret("wrong")) } == .wrongPasscode(delay: .zero))
        #expect(device.keys.keybag.version == 1)
        try device.unlock(secret("right"))
        #expect(device.keys.keybag.version == 2 && device.keys.generation == generation + 1)
        #expect(device.keys.keybag.entries.map(\.id) == ids)
        device = try start()
        try device.unlock(secret("right"))
        #expect(device.keys.generation == generation + 1, "once")
        #expect(device.keys.open.count == 11)
        try device.keepPromises(.all)
    }

    @Test func `a keybag that 0.1 wrote is changed in its own version while the passcode is not at hand`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        try makeVersion1(device, passcode: "right")
        device = try start()
        try rewrite(device) { $0.destroyed = [Identifier(high: 1, low: 2)] }
        device = try start()
        #expect(refusal { try device.keepPromises(.storeRecord) } == .locked)
        try device.forgetDestroyed([Identifier(high: 1, low: 2)])
        device = try start()
        #expect(device.keys.keybag.version == 1 && device.keys.keybag.destroyed.isEmpty)
        try device.unlock(secret("right"))
        #expect(device.keys.keybag.version == 2)
    }

    @Test func `the cost of a passcode rises at an unlock, and never falls`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        // As a busy machine once chose it.
        let low = try cost(device)
        device = try start(leastLogRounds: low + 1)
        try device.unlock(secret("right"))
        let raised = try cost(device)
        #expect(raised > low)
        // A change on a machine that would choose less.
        device = try start(taking: .milliseconds(100_000))
        try device.changePasscode(PasscodeReplacement(current: secret("right"), new: secret("new")))
        let changed = try cost(device)
        #expect(changed >= raised)
        device = try start()
        try device.unlock(secret("new"))
    }

    @Test func `what a processor works is measured, and gives the cost`() throws {
        var cost = PasscodeCost(least: 15)
        _ = try cost.calibrated()
        let measured = try #require(cost.timeAtLeast)
        #expect(measured > .zero)
        for (milliseconds, logRounds) in [(1, 20), (20, 19), (44, 17), (100, 16), (200, 15), (100_000, 15)] {
            cost = PasscodeCost(least: 15, timeAtLeast: .milliseconds(milliseconds))
            let chosen = try cost.calibrated().logRounds
            #expect(chosen == UInt8(logRounds), "\(milliseconds)")
        }
        cost = PasscodeCost(least: 15, timeAtLeast: .milliseconds(1))
        let kept = try cost.calibrated(atLeast: 20).logRounds
        #expect(kept == 20)
        #expect(DeviceKeys.leastNewLogRounds == 17)
    }

    @Test func `the record of a keychain's key is raised when it is opened, and never falls`() throws {
        let store = Identifier.makeRandom()
        var device = try start()
        let record = try device.makeKeychainKey(
            KeychainPasscode(keychain: store, record: [], passcode: secret("own")))
        let low = try KeychainKeyRecord(record).logRounds
        func given(_ record: [UInt8]) throws -> KeychainPasscode {
            KeychainPasscode(keychain: store, record: record, passcode: try secret("own"))
        }
        let same = try device.openKeychainKey(given(record))
        #expect(same == nil)
        device = try start(leastLogRounds: low + 1)
        let raised = try device.openKeychainKey(given(record))
        let dearer = try #require(raised)
        #expect(try KeychainKeyRecord(dearer).logRounds > low)
        #expect(try KeychainKeyRecord(dearer).id == KeychainKeyRecord(record).id)
        let again = try device.openKeychainKey(given(dearer))
        #expect(again == nil)
        device = try start(taking: .milliseconds(100_000))
        let changed = try device.changeKeychainPasscode(
            KeychainPasscodeChange(
                keychain: store, record: dearer, change: PasscodeReplacement(current: secret("own"), new: secret("new"))
            ))
        #expect(try KeychainKeyRecord(changed).logRounds == KeychainKeyRecord(dearer).logRounds)
    }

    @Test func `a store's record is known by its witness, and one without will do until it was promised`() throws {
        var device = try start()
        let store = Identifier.makeRandom()
        let generation = device.keys.generation
        let witness = device.keys.witness(in: store)
        func check(_ store: Identifier, _ generation: UInt64, _ witness: [UInt8]) -> EnclaveRefusal? {
            refusal { try device.keys.check(StoreRecord(store: store, generation: generation, witness: witness)) }
        }
        #expect(check(store, generation, witness) == nil)
        #expect(check(store, generation, []) == nil && check(store, 0, []) == nil)
        #expect(check(store, generation + 1, witness) == .notAuthentic)
        #expect(check(Identifier.makeRandom(), generation, witness) == .notAuthentic)
        try device.keepPromises(.storeRecord)
        #expect(check(store, generation, witness) == nil, "a record stays what it was")
        #expect(check(store, generation, []) == .notAuthentic && check(store, 0, []) == .notAuthentic)
    }
}
