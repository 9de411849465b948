import EnclaveWire
import Foundation
import Glibc
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing

@testable import Enclave

/// A clock that a test turns.
final class TestClock: EnclaveClock {
    nonisolated(unsafe) static var now: UInt64 = 0
    func milliseconds() -> UInt64 { TestClock.now }
}

/// The enclave's device in this process, on a folder of its own.
@Suite(.serialized) struct DeviceInProcess {
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tresor-enclave-" + Identifier.makeRandom().description
        try FileSystem.makeDirectories(path)
        TestClock.now = 0
    }

    func start() throws -> SecurityModule<TestClock> {
        let folder = try FileDescriptor.open(path, FileFlags.directory)
        return try .load(
            SecurityModule.start(in: folder, clock: TestClock(), rootKey: FileRootKey()), landlock: 0,
            leastLogRounds: 15)
    }

    func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }

    func refusal(_ body: () throws -> Void) -> EnclaveRefusal? {
        do {
            try body()
            return nil
        } catch { return error as? EnclaveRefusal }
    }

    @Test func `the whole delay table holds over restarts, and the tenth erases where the owner asked`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        try device.changeSettings(
            SettingsChange(
                passcode: secret("right"),
                settings: SecuritySettings(delayPolicy: .apple2024, erasesAfterTenTries: true, minimumPasscodeLength: 1)
            ))
        let ids = device.keys.keybag.entries.map(\.id)
        let minutes: [UInt64] = [0, 0, 0, 1, 5, 15, 60, 180, 480]
        for (number, wait) in minutes.enumerated() {
            #expect(
                refusal { try device.unlock(secret("wrong \(number)")) }
                    == .wrongPasscode(delay: .milliseconds(wait * 60_000)))
            guard wait > 0 else { continue }
            // Neither the right passcode nor a restart nor a clock set back helps before the time.
            TestClock.now += wait * 60_000 - 1
            #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(1)))
            device = try start()
            #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(wait * 60_000)))
            TestClock.now = 0
            #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(wait * 60_000)))
            TestClock.now += wait * 60_000
        }
        #expect(device.tries.failures == 9)
        #expect(refusal { try device.unlock(secret("the tenth")) } == .erased)
        #expect(device.keys.keybag.passcode == nil && device.lockState == .unlocked)
        #expect(Set(device.keys.keybag.destroyed) == Set(ids))
        #expect(Set(device.keys.keybag.entries.map(\.id)).isDisjoint(with: ids))
    }

    @Test func `without the owner's wish the tenth waits eight hours, and the passcode still opens`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        for number in 0..<12 {
            TestClock.now += 480 * 60_000
            _ = refusal { try device.unlock(secret("wrong \(number)")) }
        }
        #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(480 * 60_000)))
        TestClock.now += 480 * 60_000
        try device.unlock(secret("right"))
        #expect(device.tries.failures == 0)
    }

    @Test func `the same wrong passcode again costs nothing`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        for _ in 0..<10 { #expect(refusal { try device.unlock(secret("wrong")) } == .wrongPasscode(delay: .zero)) }
        #expect(device.tries.failures == 1)
    }

    @Test func `a try is counted on the disk before it is checked`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        _ = refusal { try device.unlock(secret("wrong")) }
        let bytes = try FileSystem.read(path + "/device/tries")
        let key = try DeviceKeys.deriveStateKey(root: device.keys.root)
        let slot = SlotFile.decode(Array(bytes.prefix(128)), purpose: "tries", macKey: key)
        #expect(slot.flatMap { TryCount.decode($0.content) } == 1)
    }

    @Test(arguments: [nil, [], [UInt8](repeating: 7, count: 256)] as [[UInt8]?])
    func `a lost count is the longest wait, and then the right passcode opens`(bytes: [UInt8]?) throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        try device.unlock(secret("right"))
        let file = path + "/device/tries"
        for place in [file, path + "/spare/tries"] {
            try FileManager.default.removeItem(atPath: place)
            if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: place)) }
        }
        device = try start()
        let wait: UInt64 = 480 * 60_000
        #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(wait)))
        TestClock.now += wait - 1
        #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(1)))
        // A restart begins it anew, and so does another loss.
        device = try start()
        #expect(refusal { try device.unlock(secret("right")) } == .delayed(delay: .milliseconds(wait)))
        TestClock.now += wait
        #expect(refusal { try device.unlock(secret("wrong")) } == .wrongPasscode(delay: .milliseconds(wait)))
        TestClock.now += wait
        try device.unlock(secret("right"))
        #expect(device.tries.failures == 0 && device.lockState == .unlocked)
        #expect(try FileSystem.status(file)?.byteCount == 256)
    }

    @Test func `a lost count without a passcode is none`() throws {
        _ = try start()
        for folder in ["device", "spare"] { try FileManager.default.removeItem(atPath: path + "/\(folder)/tries") }
        #expect(try start().tries.failures == 0)
    }

    @Test func `lock wipes the class keys that demand an unlocked device, and a restart those of ck`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        let all = Set(device.keys.open.keys)
        #expect(all == Set(KeyClass.all))
        device.lock()
        #expect(device.lockState == .locked && device.keys.open.keys.map(\.rawValue).sorted() == [3, 4, 7, 8, 10, 11])
        device = try start()
        #expect(device.lockState == .beforeFirstUnlock && device.keys.open.keys.map(\.rawValue).sorted() == [4, 8, 11])
        try device.unlock(secret("right"))
        #expect(device.lockState == .unlocked && Set(device.keys.open.keys) == all)
    }

    @Test func `no earlier wrapped class key is left in the file after any change of the passcode`() throws {
        var device = try start()
        var seen: [[UInt8]] = []
        func check(_ device: borrowing SecurityModule<TestClock>) throws {
            let bytes = Data(try FileSystem.read(path + "/device/keybag"))
            for wrapped in seen { #expect(bytes.range(of: Data(wrapped)) == nil) }
            for entry in device.keys.keybag.entries { #expect(bytes.range(of: Data(entry.wrapped.bytes)) != nil) }
            seen += device.keys.keybag.entries.map(\.wrapped.bytes)
        }
        try check(device)
        try device.setPasscode(secret("one"))
        try check(device)
        try device.changePasscode(PasscodeReplacement(current: secret("one"), new: secret("two")))
        try check(device)
        try device.removePasscode(secret("two"))
        try check(device)
        try device.setPasscode(secret("three"))
        try check(device)
        try device.reset()
        try check(device)
    }

    @Test func `an interrupted overwrite is finished at the next start`() throws {
        var device = try start()
        try device.setPasscode(secret("one"))
        let file = path + "/device/keybag"
        let before = try FileSystem.read(file)
        try device.changePasscode(PasscodeReplacement(current: secret("one"), new: secret("two")))
        let after = try FileSystem.read(file)
        let slot = Keybag.slotByteCount
        // The power fails at every byte of the first slot, and between the two.
        for cut in [0, 1, 17, 100, 700, slot - 1, slot] {
            try Data(after.prefix(cut) + before[cut...]).write(to: URL(fileURLWithPath: file))
            try Data(before).write(to: URL(fileURLWithPath: path + "/spare/keybag"))
            var restarted = try start()
            let isNew = (try? restarted.unlock(secret("two"))) != nil
            if !isNew { try restarted.unlock(secret("one")) }
            #expect(isNew == (cut >= 1000))
            let healed = try FileSystem.read(file)
            #expect(healed.prefix(slot).elementsEqual(healed.suffix(slot)))
            #expect(try FileSystem.read(path + "/spare/keybag") == healed)
        }
    }

    @Test func `a row key opens for its binding alone`() throws {
        var device = try start()
        var binding = RowKeyBinding(
            keychain: .makeRandom(), item: .makeRandom(), kind: 1, protectionClass: .whenUnlocked, accessGroup: "user",
            accessControl: 0)
        func encoded(_ binding: RowKeyBinding) -> [UInt8] {
            var writer = ByteWriter()
            binding.encode(into: &writer)
            return writer.bytes
        }
        let new = try device.makeRowKey(encoded(binding))
        func open(
            _ binding: RowKeyBinding, _ device: inout SecurityModule<TestClock>, groups: [String] = ["mail", "user"]
        ) -> EnclaveRefusal? {
            refusal {
                _ = try device.openRowKey(
                    StoredRowKey(
                        binding: encoded(binding), classKey: new.classKey, wrapped: new.wrapped, connection: 1,
                        operation: .read, accessGroups: groups))
            }
        }
        #expect(open(binding, &device) == nil)
        for groups in [[], ["mail"], ["use"], ["user."], ["User"]] {
            #expect(open(binding, &device, groups: groups) == .foreignGroup)
        }
        for change: (inout RowKeyBinding) -> Void in [
            { $0.item = .makeRandom() }, { $0.keychain = .makeRandom() }, { $0.kind = 2 }, { $0.accessGroup = "other" },
            { $0.accessControl = 1 },
        ] {
            var other = binding
            change(&other)
            #expect(open(other, &device) == .notAuthentic)
        }
        binding.protectionClass = .afterFirstUnlock
        #expect(open(binding, &device) == .unknownClassKey)
    }

    private func readOnlyFolder() throws -> DeviceFiles.Folder {
        func place(_ name: String) throws -> SlotFile.Place {
            SlotFile.Place(try FileDescriptor.open(path + "/device/" + name, O_RDONLY))
        }
        let root = try FileSystem.read(path + "/device/root.key").withSpan { try FileRootKey.decode($0) }
        return DeviceFiles.Folder(
            rootKey: try place("root.key"), keybag: try place("keybag"), tries: try place("tries"), root: root,
            isNew: false)
    }

    @Test func `a full or read-only disk changes nothing`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        let before = try FileSystem.read(path + "/device/keybag")
        var readOnly = try SecurityModule<TestClock>.load(
            SecurityModule.Files(clock: TestClock(), files: DeviceFiles(try readOnlyFolder())), landlock: 0)
        #expect(refusal { try readOnly.unlock(secret("right")) } == .storage(errno: UInt32(EBADF)))
        #expect(refusal { try readOnly.reset() } == .storage(errno: UInt32(EBADF)))
        #expect(readOnly.keys.keybag.passcode != nil && !readOnly.mustEnd)
        // No verdict was reached, so the try does not count.
        #expect(readOnly.tries.failures == 0)
        #expect(try FileSystem.read(path + "/device/keybag") == before)
    }
}
