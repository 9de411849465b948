import EnclaveWire
import Foundation
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing

@testable import Enclave

// What a finger permits, by a clock in the test's hand.
extension DeviceInProcess {
    private static let hour: UInt64 = 3_600_000
    private static let fingers = [UInt8](repeating: 1, count: 32)

    /// An item's row key, wrapped under a binding with this access control.
    private struct Item {
        let binding: RowKeyBinding
        let stored: StoredRowKey

        init(
            _ device: borrowing SecurityModule<TestClock>, _ control: AccessControl,
            operation: ProtectedOperation = .read
        ) throws {
            binding = RowKeyBinding(
                keychain: .makeRandom(), item: .makeRandom(), kind: 1, protectionClass: .whenUnlocked,
                accessGroup: "user",
                accessControl: control.rawValue, enrolment: control.isBoundToEnrolment ? fingers : [])
            var writer = ByteWriter()
            binding.encode(into: &writer)
            let new = try device.makeRowKey(writer.bytes)
            stored = StoredRowKey(
                binding: writer.bytes, classKey: new.classKey, wrapped: new.wrapped, connection: 1,
                operation: operation, accessGroups: ["user"])
        }
    }

    private func match(
        _ item: Item, _ device: inout SecurityModule<TestClock>, fingers: [UInt8] = fingers, connection: UInt64 = 1
    ) -> EnclaveRefusal? {
        refusal {
            try device.biometryMatched(
                BiometryMatch(connection: connection, item: item.binding.item, operation: .read, enrolment: fingers))
        }
    }

    private func open(_ item: Item, _ device: inout SecurityModule<TestClock>) -> EnclaveRefusal? {
        refusal { _ = try device.openRowKey(item.stored) }
    }

    private func unlocked() throws -> SecurityModule<TestClock> {
        TestClock.now = Self.hour
        var device = try start()
        try device.setPasscode(secret("right"))
        return device
    }

    @Test func `a finger opens what takes one, once, and what is bound to fingers by those alone`() throws {
        var device = try unlocked()
        let any = try Item(device, .biometryAny), bound = try Item(device, .biometryCurrentSet)
        let passcode = try Item(device, .devicePasscode)
        #expect(open(any, &device) == .presenceRequired)
        #expect(match(any, &device) == nil && open(any, &device) == nil)
        #expect(open(any, &device) == .presenceRequired, "spent")
        #expect(match(any, &device, connection: 2) == nil && open(any, &device) == .presenceRequired, "another's")
        #expect(match(bound, &device) == nil && open(bound, &device) == nil)
        let others = [UInt8](repeating: 2, count: 32)
        #expect(match(bound, &device, fingers: others) == nil && open(bound, &device) == .enrolmentChanged)
        #expect(match(any, &device, fingers: others) == nil && open(any, &device) == nil)
        #expect(match(passcode, &device) == nil && open(passcode, &device) == .presenceRequired)
    }

    @Test func `the state to which an item is bound is authenticated with its key`() throws {
        var device = try unlocked()
        let item = try Item(device, .biometryCurrentSet)
        var other = item.binding
        other.enrolment = [UInt8](repeating: 2, count: 32)
        var writer = ByteWriter()
        other.encode(into: &writer)
        var stored = item.stored
        stored.binding = writer.bytes
        #expect(match(item, &device, fingers: other.enrolment) == nil)
        #expect(refusal { _ = try device.openRowKey(stored) } == .notAuthentic)
        // Without the state, or with one where there is none to be: no binding at all.
        for bytes in [Array(item.stored.binding.dropLast(32)), item.stored.binding + Self.fingers] {
            stored.binding = bytes
            #expect(refusal { _ = try device.openRowKey(stored) } == .badRequest)
        }
    }

    @Test func `no finger helps after a restart, until the passcode was given`() throws {
        var device = try unlocked()
        device = try start()
        #expect(refusal { try device.checkBiometry() } == .locked)
        try device.unlock(secret("right"))
        #expect(refusal { try device.checkBiometry() } == nil)
        device.lock()
        #expect(refusal { try device.checkBiometry() } == .locked)
    }

    @Test func `five failures in a row shut it, and the passcode opens it again`() throws {
        var device = try unlocked()
        let item = try Item(device, .biometryAny)
        for _ in 0..<4 { _ = device.handle(.biometryFailed) }
        #expect(match(item, &device) == nil, "a match begins the count anew")
        for _ in 0..<5 { _ = device.handle(.biometryFailed) }
        #expect(match(item, &device) == .biometryRefused(.tooManyFailures))
        #expect(refusal { try device.unlock(secret("wrong")) } == .wrongPasscode(delay: .zero))
        #expect(match(item, &device) == .biometryRefused(.tooManyFailures))
        try device.unlock(secret("right"))
        #expect(match(item, &device) == nil)
    }

    @Test func `forty-eight hours without an unlock, or 156 without the passcode and four without a finger`() throws {
        var device = try unlocked()
        let item = try Item(device, .biometryAny)
        let begin = TestClock.now
        TestClock.now = begin + 48 * Self.hour
        #expect(match(item, &device) == nil)
        TestClock.now += 48 * Self.hour + 1000
        #expect(match(item, &device) == .biometryRefused(.notUnlockedForTwoDays))
        // A finger each day, and never the passcode.
        try device.unlock(secret("right"))
        let passcode = TestClock.now
        for day in 1...6 {
            TestClock.now = passcode + UInt64(day) * 24 * Self.hour
            #expect(match(item, &device) == nil)
        }
        TestClock.now = passcode + 156 * Self.hour - 1000
        #expect(match(item, &device) == nil)
        TestClock.now += 4 * Self.hour - 1000
        #expect(match(item, &device) == nil, "a finger less than four hours ago")
        TestClock.now += 4 * Self.hour
        #expect(match(item, &device) == .biometryRefused(.passcodeUnusedForLong))
        try device.unlock(secret("right"))
        #expect(match(item, &device) == nil)
    }

    @Test func `no finger says who may read what, or changes the passcode`() throws {
        var device = try unlocked()
        let match = BiometryMatch(
            connection: 1, item: Identifier(high: 0, low: 0), operation: .administer,
            enrolment: Self.fingers)
        #expect(refusal { try device.biometryMatched(match) } == .badRequest)
        #expect(
            BiometryState.Purpose.allCases.filter {
                device.items.presence.refusalOfFinger(for: $0, at: device.seconds) == nil
            } == [
                .presence
            ])
    }
}
