import EnclaveWire
import Foundation
import KeyEnvelopes
import Protection
import Secrets
import Testing

@testable import Enclave

// Items' own passwords: what one opens and makes, and for how long it is kept.
extension DeviceInProcess {
    /// An item with a password of its own, as the keychain keeps it.
    private struct Guarded {
        let binding: RowKeyBinding
        var classKey = Identifier(high: 0, low: 0)
        var wrapped: [UInt8] = []

        init(_ control: AccessControl = []) {
            binding = RowKeyBinding(
                keychain: .makeRandom(), item: .makeRandom(), kind: 1, protectionClass: .whenUnlocked,
                accessGroup: "user",
                accessControl: control.union(.applicationPassword).rawValue,
                password: [UInt8](repeating: 3, count: 32) + [15])
        }

        var encoded: [UInt8] {
            var writer = ByteWriter()
            binding.encode(into: &writer)
            return writer.bytes
        }

        func stored(_ connection: UInt64, _ operation: ProtectedOperation) -> StoredRowKey {
            StoredRowKey(
                binding: encoded, classKey: classKey, wrapped: wrapped, connection: connection,
                operation: operation, accessGroups: ["user"])
        }
    }

    private func give(
        _ text: String, _ item: Identifier, _ device: inout SecurityModule<TestClock>, connection: UInt64 = 1
    ) throws {
        try device.giveItemPassword(OwnPassword(password: secret(text), connection: connection, item: item))
    }

    /// Through the request, which is what uses a password up.
    private func make(
        _ item: inout Guarded, _ device: inout SecurityModule<TestClock>, connection: UInt64 = 1
    ) throws(EnclaveRefusal) {
        let reply = device.handle(.makeRowKey(binding: item.encoded, connection: connection))
        guard case .newKey(let new) = try reply.unlessRefused() else { throw .badRequest }
        item.classKey = new.classKey
        item.wrapped = new.wrapped
    }

    private func open(
        _ item: Guarded, _ device: inout SecurityModule<TestClock>, connection: UInt64 = 1,
        _ operation: ProtectedOperation = .read
    ) -> EnclaveRefusal? {
        refusal { _ = try device.openRowKey(item.stored(connection, operation)) }
    }

    private static let next = Identifier(high: 0, low: 0)

    @Test func `a password opens its item once, over its connection, and the right one alone`() throws {
        var device = try start()
        var item = Guarded()
        #expect(refusal { try make(&item, &device) } == .passwordRequired)
        try give("own", Self.next, &device)
        try make(&item, &device)
        #expect(open(item, &device) == .passwordRequired, "the making used it up")
        try give("other", item.binding.item, &device)
        #expect(open(item, &device) == .wrongItemPassword)
        #expect(open(item, &device) == .passwordRequired, "a wrong one is forgotten")
        try give("own", item.binding.item, &device, connection: 2)
        #expect(open(item, &device) == .passwordRequired)
        #expect(open(item, &device, connection: 2) == nil)
        #expect(open(item, &device, connection: 2) == .passwordRequired)
        // A lock forgets what was given.
        try give("own", item.binding.item, &device)
        device.lock()
        #expect(open(item, &device) == .passwordRequired)
    }

    @Test func `what is given for the next item opens none that is there`() throws {
        var device = try start()
        var item = Guarded()
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("own", Self.next, &device)
        #expect(open(item, &device) == .passwordRequired)
    }

    @Test func `a change opens and makes by one password, and leaves another item's`() throws {
        var device = try start()
        var items = [Guarded(), Guarded()]
        for number in items.indices {
            try give("own \(number)", Self.next, &device)
            try make(&items[number], &device)
        }
        for number in items.indices { try give("own \(number)", items[number].binding.item, &device) }
        for number in items.indices {
            #expect(open(items[number], &device, .change) == nil)
            try make(&items[number], &device)
        }
        #expect(open(items[0], &device) == .passwordRequired)
        // A key without a password uses none up.
        try give("own 0", items[0].binding.item, &device)
        let plain = RowKeyBinding(
            keychain: .makeRandom(), item: .makeRandom(), kind: 1, protectionClass: .whenUnlocked, accessGroup: "user",
            accessControl: 0)
        var writer = ByteWriter()
        plain.encode(into: &writer)
        _ = device.handle(.makeRowKey(binding: writer.bytes, connection: 1))
        #expect(open(items[0], &device) == nil)
    }

    @Test func `no connection pushes out what another gave`() throws {
        var device = try start()
        var item = Guarded()
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("own", item.binding.item, &device)
        for _ in 0..<100 { try give("x", .makeRandom(), &device, connection: 2) }
        #expect(open(item, &device) == nil)
    }

    @Test func `however many connections give, one with few keeps its own`() throws {
        var device = try start()
        var item = Guarded()
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("own", item.binding.item, &device)
        for number in 0..<4000 as Range<UInt64> { try give("x", .makeRandom(), &device, connection: 2 + number % 40) }
        #expect(device.items.passwords.count == GivenPasswords.limit)
        #expect(open(item, &device) == nil)
    }

    @Test func `each takes a block of the same size, and goes with its connection`() throws {
        var device = try start()
        var item = Guarded()
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("own", item.binding.item, &device)
        #expect(
            device.items.passwords.find(1, item.binding.item)?.bytes.lockedByteCount
                == GivenPasswords.blockByteCount)
        let isDone = device.handle(.forgetConnection(2)).isDoneReply()
        #expect(isDone)
        #expect(device.items.passwords.count == 1, "it was given over another connection")
        let isDoneToo = device.handle(.forgetConnection(1)).isDoneReply()
        #expect(isDoneToo)
        #expect(device.items.passwords.count == 0)
        #expect(open(item, &device) == .passwordRequired)
    }

    @Test func `a proof of presence goes with its connection`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        var item = Guarded(.devicePasscode)
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("own", item.binding.item, &device)
        try device.provePresence(
            PasscodeProof(
                passcode: secret("right"), connection: 1, item: item.binding.item,
                operation: .read))
        _ = device.handle(.forgetConnection(1))
        #expect(device.items.presence.verdicts.isEmpty)
        #expect(open(item, &device) == .presenceRequired)
    }

    @Test func `without presence no password is tried, and none is lost`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        var item = Guarded(.devicePasscode)
        try give("own", Self.next, &device)
        try make(&item, &device)
        try give("other", item.binding.item, &device)
        #expect(open(item, &device) == .presenceRequired, "not even a wrong one")
        try give("own", item.binding.item, &device)
        #expect(open(item, &device) == .presenceRequired)
        try device.provePresence(
            PasscodeProof(
                passcode: secret("right"), connection: 1, item: item.binding.item,
                operation: .read))
        #expect(open(item, &device) == nil)
        #expect(open(item, &device) == .presenceRequired)
    }
}

extension EnclaveReply {
    fileprivate consuming func isDoneReply() -> Bool { if case .done = consume self { true } else { false } }
}
