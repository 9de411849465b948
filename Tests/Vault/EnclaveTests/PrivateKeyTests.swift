import EnclaveWire
import Foundation
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing

@testable import Enclave

// Private keys that do not leave: what lets them work, and what does not.
extension DeviceInProcess {
    /// A private key, as the keychain keeps it.
    private struct Resident {
        var binding: RowKeyBinding
        let new: NewPrivateKey
        var groups = ["mail", "user"]
        var operation = ProtectedOperation.use
        var connection: UInt64 = 1

        init(
            _ device: borrowing SecurityModule<TestClock>, _ control: AccessControl = [],
            class protectionClass: ProtectionClass = .whenUnlockedThisDeviceOnly
        ) throws {
            binding = RowKeyBinding(
                keychain: .makeRandom(), item: .makeRandom(), kind: 4, protectionClass: protectionClass,
                accessGroup: "user", accessControl: control.union(.privateKeyUsage).rawValue)
            new = try device.makePrivateKey(DeviceInProcess.encoded(binding))
        }

        var stored: StoredRowKey {
            StoredRowKey(
                binding: DeviceInProcess.encoded(binding), classKey: new.classKey, wrapped: new.wrapped,
                connection: connection, operation: operation, accessGroups: groups)
        }
    }

    private static let digest = [UInt8](repeating: 7, count: 32)

    private static func encoded(_ binding: RowKeyBinding) -> [UInt8] {
        var writer = ByteWriter()
        binding.encode(into: &writer)
        return writer.bytes
    }

    private func sign(
        _ key: Resident, _ device: inout SecurityModule<TestClock>, _ digest: [UInt8] = digest
    ) -> EnclaveRefusal? {
        refusal { _ = try device.usePrivateKey(PrivateKeyUse(stored: key.stored, work: .sign, input: digest)) }
    }

    private func agree(_ key: Resident, _ device: inout SecurityModule<TestClock>, _ other: [UInt8]) throws -> [UInt8]?
    {
        let use = PrivateKeyUse(stored: key.stored, work: .agree, input: other)
        guard case .key(let secret) = try device.usePrivateKey(use) else { return nil }
        return secret.bytes.withBytes { $0.copyToArray() }
    }

    private func prove(
        _ key: Resident, _ device: inout SecurityModule<TestClock>, _ operation: ProtectedOperation = .use,
        connection: UInt64 = 1
    ) throws {
        try device.provePresence(
            PasscodeProof(
                passcode: secret("right"), connection: connection, item: key.binding.item,
                operation: operation))
    }

    private func withPasscode() throws -> SecurityModule<TestClock> {
        var device = try start()
        try device.setPasscode(secret("right"))
        return device
    }

    @Test func `a private key works, also after a restart, and agrees with a key from elsewhere`() throws {
        var device = try start()
        let key = try Resident(device)
        let other = try ResidentKey.makeRandom()
        device = try start()
        #expect(sign(key, &device) == nil)
        var theirs: [UInt8]?
        if let shared = try ResidentKey.agree(with: key.new.publicKey, scalar: other.scalar) {
            theirs = shared.withBytes { $0.copyToArray() }
        }
        #expect(theirs?.count == 32)
        #expect(try agree(key, &device, other.publicKey) == theirs)
    }

    @Test func `a private key is no row key, and a row key no private key`() throws {
        var device = try start()
        let key = try Resident(device)
        #expect(refusal { _ = try device.openRowKey(key.stored) } == .badRequest)
        #expect(refusal { _ = try device.makeRowKey(Self.encoded(key.binding)) } == .badRequest)
        // Nor does it help to leave the flag out: the wrap says what it is of.
        var plain = key
        plain.binding.accessControl = 0
        plain.operation = .read
        #expect(refusal { _ = try device.openRowKey(plain.stored) } == .notAuthentic)
        #expect(refusal { _ = try device.makePrivateKey(Self.encoded(plain.binding)) } == .badRequest)
        plain.operation = .use
        #expect(sign(plain, &device) == .badRequest)
        var row = plain
        let rowKey = try device.makeRowKey(Self.encoded(plain.binding))
        row.binding.accessControl = AccessControl.privateKeyUsage.rawValue
        var stored = row.stored
        stored.wrapped = rowKey.wrapped
        let use = PrivateKeyUse(stored: stored, work: .sign, input: Self.digest)
        #expect(refusal { _ = try device.usePrivateKey(use) } == .notAuthentic)
    }

    @Test func `a private key works for its binding alone`() throws {
        var device = try withPasscode()
        let key = try Resident(device, .userPresence)
        for change: (inout RowKeyBinding) -> Void in [
            { $0.item = .makeRandom() }, { $0.keychain = .makeRandom() }, { $0.kind = 3 }, { $0.accessGroup = "mail" },
            { $0.accessControl = AccessControl.privateKeyUsage.rawValue },
        ] {
            var other = key
            change(&other.binding)
            #expect(sign(other, &device) == .notAuthentic)
        }
        var otherClass = key
        otherClass.binding.protectionClass = .afterFirstUnlockThisDeviceOnly
        #expect(sign(otherClass, &device) == .unknownClassKey)
        // Another key under this one's binding: what is wrapped decides.
        let other = try Resident(device)
        var swapped = key.stored
        swapped.wrapped = other.new.wrapped
        let use = PrivateKeyUse(stored: swapped, work: .sign, input: Self.digest)
        #expect(refusal { _ = try device.usePrivateKey(use) } == .notAuthentic)
    }

    @Test func `a private key works for its group alone`() throws {
        var device = try start()
        var key = try Resident(device)
        for groups in [[], ["mail"], ["use"], ["user."], ["User"]] {
            key.groups = groups
            #expect(sign(key, &device) == .foreignGroup)
        }
    }

    @Test func `a proof is good for one use on one key over one connection, and for use alone`() throws {
        var device = try withPasscode()
        let key = try Resident(device, .userPresence), other = try Resident(device, .userPresence)
        #expect(sign(key, &device) == .presenceRequired)
        for operation in [ProtectedOperation.read, .change, .administer] {
            try prove(key, &device, operation)
            #expect(sign(key, &device) == .presenceRequired)
            var asked = key
            asked.operation = operation
            #expect(sign(asked, &device) == .badRequest)
        }
        try prove(key, &device, connection: 2)
        #expect(sign(key, &device) == .presenceRequired)
        try prove(other, &device)
        #expect(sign(key, &device) == .presenceRequired)
        try prove(key, &device)
        #expect(sign(key, &device) == nil)
        #expect(sign(key, &device) == .presenceRequired, "spent")
        #expect(sign(other, &device) == nil)
    }

    @Test func `an input of a wrong length costs no proof`() throws {
        var device = try withPasscode()
        let key = try Resident(device, .userPresence)
        try prove(key, &device)
        for count in [0, 19, 21, 31, 33, 65] {
            #expect(sign(key, &device, [UInt8](repeating: 7, count: count)) == .badRequest)
        }
        for count in [0, 32, 33, 64, 66] {
            #expect(
                refusal { _ = try agree(key, &device, [UInt8](repeating: 4, count: count)) } == .badRequest)
        }
        #expect(sign(key, &device) == nil)
        var offCurve = key.new.publicKey
        offCurve[64] ^= 1
        try prove(key, &device)
        #expect(refusal { _ = try agree(key, &device, offCurve) } == .badRequest)
    }

    @Test func `a lock shuts the keys of its classes, for use and for making`() throws {
        var device = try withPasscode()
        let shut = try Resident(device), open = try Resident(device, class: .afterFirstUnlockThisDeviceOnly)
        device.lock()
        #expect(sign(shut, &device) == .locked)
        #expect(sign(open, &device) == nil)
        #expect(refusal { _ = try Resident(device) } == .locked)
        // What a backup carries is no place for a key that never leaves.
        #expect(refusal { _ = try Resident(device, class: .afterFirstUnlock) } == .badRequest)
        try device.unlock(secret("right"))
        #expect(sign(shut, &device) == nil)
        device = try start()
        #expect(sign(open, &device) == .locked)
    }
}
