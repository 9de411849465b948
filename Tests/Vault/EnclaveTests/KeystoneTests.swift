import CTestSupport
import EnclaveWire
import Foundation
import Glibc
import KeyEnvelopes
import Linux
import Protection
import Secrets
import Testing

@testable import Enclave

/// What every key of a device hangs on lies twice: one damage anywhere costs nothing, and is told.
@Suite(.serialized) struct Keystones {
    enum Damage: CaseIterable {
        case bit, cut, empty, gone, zeros, folderInItsPlace, grown
    }

    /// A device with the passcode "right" and one wrong try, made once: to compute a key takes a second.
    private static let template = Result { () throws -> String in
        let path = NSTemporaryDirectory() + "tresor-keystones-" + Identifier.makeRandom().description
        try FileSystem.makeDirectories(path)
        let folder = try FileDescriptor.open(path, FileFlags.directory)
        var device = try SecurityModule<TestClock>.load(
            SecurityModule.start(in: folder, clock: TestClock(), rootKey: FileRootKey()), landlock: 0,
            leastLogRounds: 15)
        try device.setPasscode(secret("right"))
        try? device.unlock(secret("wrong"))
        return path
    }

    private static let folders = ["device", "spare"]
    private static let files = ["root.key", "keybag", "tries"]
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tresor-keystones-" + Identifier.makeRandom().description
        try FileSystem.makeDirectories(path)
        TestClock.now = 0
    }

    private func start(_ folder: String? = nil) throws -> SecurityModule<TestClock> {
        let folder = try FileDescriptor.open(folder ?? path, FileFlags.directory)
        return try .load(
            SecurityModule.start(in: folder, clock: TestClock(), rootKey: FileRootKey()), landlock: 0,
            leastLogRounds: 15)
    }

    private func secret(_ text: String) throws -> SecretBytes { try Self.secret(text) }

    private static func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }

    private func useTemplate() throws {
        for folder in Self.folders {
            try FileManager.default.copyItem(
                atPath: try Self.template.get() + "/" + folder, toPath: path + "/" + folder)
        }
    }

    private func failure(_ body: () throws -> Void) -> EnclaveFailure? {
        do {
            try body()
            return nil
        } catch { return error as? EnclaveFailure }
    }

    private func read(_ name: String) throws -> [UInt8] { try FileSystem.read(path + "/" + name) }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    private func contents() throws -> [String: [UInt8]] {
        var all: [String: [UInt8]] = [:]
        for folder in Self.folders {
            for file in Self.files { all[folder + "/" + file] = try read(folder + "/" + file) }
        }
        return all
    }

    /// A damage that no slot of the file survives.
    private func damage(_ name: String, _ kind: Damage) throws {
        var bytes = try read(name)
        let half = bytes.count / 2
        switch kind {
        case .bit:
            bytes[20] ^= 1
            if !name.hasSuffix("root.key") { bytes[half + 20] ^= 1 }
            try write(bytes, name)
        case .cut: try write(Array(bytes.prefix(10)), name)
        case .empty: try write([], name)
        case .gone: #expect(unlink(path + "/" + name) == 0)
        case .zeros: try write([UInt8](repeating: 0, count: bytes.count), name)
        case .folderInItsPlace:
            #expect(unlink(path + "/" + name) == 0)
            #expect(mkdir(path + "/" + name, 0o700) == 0)
        case .grown:
            bytes.insert(7, at: 0)
            try write(bytes, name)
        }
    }

    @Test func `both folders hold the same, from the first start on`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        #expect(device.copies == [])
        let all = try contents()
        for file in Self.files { #expect(all["device/" + file] == all["spare/" + file]) }
        #expect(all["device/root.key"]?.count == 53)
        #expect(try FileSystem.status(path + "/spare")?.mode == 0o700)
        for name in all.keys { #expect(try FileSystem.status(path + "/" + name)?.mode == 0o600) }
    }

    @Test(arguments: Damage.allCases, folders)
    func `any one damaged file costs nothing, is told, and is whole again`(_ kind: Damage, folder: String) throws {
        try useTemplate()
        let before = try contents()
        for (file, finding, inSpare) in [
            ("root.key", DeviceCopies.rootKey, .spareRootKey), ("keybag", .keybag, .spareKeybag),
            ("tries", .tries, .spareTries),
        ] as [(String, DeviceCopies, DeviceCopies)] {
            try damage(folder + "/" + file, kind)
            let device = try start()
            #expect(device.copies == (folder == "device" ? finding : inSpare), "\(file)")
            #expect(device.tries.failures == 1, "\(file)")
            #expect(try contents() == before, "\(file)")
            #expect(try start().copies == [])
        }
    }

    @Test(arguments: folders) func `a whole folder that is gone is made anew from the other`(_ folder: String) throws {
        try useTemplate()
        var device = try start()
        let before = try contents()
        for _ in 0..<2 {
            try FileManager.default.removeItem(atPath: path + "/" + folder)
            device = try start()
            #expect(device.copies == (folder == "device" ? [.rootKey, .keybag, .tries] : []))
            #expect(try contents() == before)
        }
        // A file in a folder's place.
        try FileManager.default.removeItem(atPath: path + "/" + folder)
        try write([1], folder)
        device = try start()
        #expect(try contents() == before)
        #expect(try read(folder + ".odd") == [1])
        try device.unlock(secret("right"))
    }

    @Test func `damage in different files of both folders is made good crosswise`() throws {
        try useTemplate()
        var device = try start()
        let before = try contents()
        for (first, second) in [("root.key", "keybag"), ("keybag", "tries"), ("tries", "root.key")] {
            try damage("device/" + first, .zeros)
            try damage("spare/" + second, .bit)
            device = try start()
            #expect(try contents() == before)
        }
        try device.unlock(secret("right"))
    }

    @Test func `what is lost in both is named, and nothing is changed`() throws {
        try useTemplate()
        var device = try start()
        for (file, told) in [("root.key", EnclaveFailure.Damage.rootKey), ("keybag", .keybag)] {
            let before = try contents()
            for kind in [Damage.bit, .zeros, .empty] {
                for folder in Self.folders { try damage(folder + "/" + file, kind) }
                let damaged = try contents()
                #expect(failure { _ = try start() } == .damaged(told))
                #expect(try contents() == damaged)
                for (name, bytes) in before { try write(bytes, name) }
            }
            for folder in Self.folders { #expect(unlink("\(path)/\(folder)/\(file)") == 0) }
            #expect(failure { _ = try start() } == .damaged(told))
            for folder in Self.folders { #expect(try FileSystem.status("\(path)/\(folder)/\(file)") == nil) }
            for (name, bytes) in before { try write(bytes, name) }
        }
        device = try start()
        try device.unlock(secret("right"))
    }

    /// As 0.1 left it: a root key without a check, and no second folder.
    private func makeOld() throws {
        try useTemplate()
        try FileManager.default.removeItem(atPath: path + "/spare")
        try write(Array("TRRK".utf8) + [1] + Array(try read("device/root.key")[5..<37]), "device/root.key")
    }

    @Test func `a device of an earlier version gets its second folder, and keeps its file of the root key`() throws {
        try makeOld()
        let old = try read("device/root.key")
        var device = try start()
        #expect(device.copies == [])
        #expect(try read("device/root.key") == old)
        #expect(try read("spare/root.key").count == 53)
        #expect(try read("spare/keybag") == read("device/keybag"))
        try device.unlock(secret("right"))
        // Without a check a changed key is known by what it does not open.
        var changed = old
        changed[20] ^= 1
        try write(changed, "device/root.key")
        device = try start()
        #expect(device.copies == .rootKey)
        #expect(try read("device/root.key") == read("spare/root.key"))
        try device.unlock(secret("right"))
    }

    @Test func `where nothing tells which of the two is damaged, both are named`() throws {
        try makeOld()
        var changed = try read("device/root.key")
        changed[20] ^= 1
        try write(changed, "device/root.key")
        #expect(failure { _ = try start() } == .damaged(.rootKeyOrKeybag))
        #expect(failure { _ = try start() }?.exitCode == 18)
        #expect(try read("device/root.key") == changed)
    }

    @Test func `the folder of another device is left as it is`() throws {
        var device = try start()
        try device.setPasscode(secret("right"))
        let other = path + "/other"
        try FileSystem.makeDirectories(other)
        var stranger = try start(other)
        try stranger.setPasscode(secret("theirs"))
        try FileManager.default.removeItem(atPath: path + "/spare")
        try FileManager.default.copyItem(atPath: other + "/spare", toPath: path + "/spare")
        let before = try contents()
        device = try start()
        #expect(device.copies == [.spareOfAnother, .incomplete])
        try device.unlock(secret("right"))
        try device.changePasscode(PasscodeReplacement(current: secret("right"), new: secret("new")))
        let after = try contents()
        for file in Self.files { #expect(after["spare/" + file] == before["spare/" + file]) }
        // Their root key alone in the first folder: ours is the one that opens the keybags.
        try FileManager.default.removeItem(atPath: path + "/spare")
        device = try start()
        try write(try FileSystem.read(other + "/device/root.key"), "device/root.key")
        device = try start()
        #expect(device.copies == .rootKeyOfAnother)
        #expect(try read("device/root.key") == FileSystem.read(other + "/device/root.key"))
        try device.unlock(secret("new"))
    }

    @Test func `an older copy undoes neither a try nor a change, in whichever folder it lies`() throws {
        for folder in Self.folders {
            var device = try start()
            if device.keys.keybag.passcode == nil { try device.setPasscode(secret("old")) }
            let older = try contents()
            try device.changePasscode(PasscodeReplacement(current: secret("old"), new: secret("new")))
            for number in 0..<3 { try? device.unlock(secret("wrong \(number)")) }
            for file in Self.files { try write(older[folder + "/" + file] ?? [], folder + "/" + file) }
            device = try start()
            #expect(device.tries.failures == 3)
            #expect(throws: EnclaveRefusal.wrongPasscode(delay: .milliseconds(60_000))) {
                try device.unlock(secret("old"))
            }
            let all = try contents()
            for file in Self.files { #expect(all["device/" + file] == all["spare/" + file]) }
            TestClock.now += 60_000
            try device.changePasscode(PasscodeReplacement(current: secret("new"), new: secret("old")))
        }
    }

    @Test func `what is destroyed is destroyed in both`() throws {
        let changes: [(String, (inout SecurityModule<TestClock>) throws -> Void)] = [
            ("change", { try $0.changePasscode(PasscodeReplacement(current: secret("p"), new: secret("p"))) }),
            ("remove", { try $0.removePasscode(secret("p")) }), ("reset", { try $0.reset() }),
            ("erase", { try $0.erase() }),
        ]
        for (name, change) in changes {
            var device = try start()
            if device.keys.keybag.passcode == nil { try device.setPasscode(secret("p")) }
            let wraps = device.keys.keybag.entries.filter { $0.wrap == .passcode }.map(\.wrapped.bytes)
            #expect(!wraps.isEmpty)
            try change(&device)
            for (file, bytes) in try contents() {
                for wrap in wraps { #expect(Data(bytes).range(of: Data(wrap)) == nil, "\(name): \(file)") }
            }
        }
    }

    /// The files of a folder; `sealed` is one that takes no more bytes, and can be emptied.
    private func folder(_ name: String, sealed: String? = nil) throws -> DeviceFiles.Folder {
        func place(_ file: String) throws -> SlotFile.Place {
            guard file == sealed else {
                return SlotFile.Place(try FileDescriptor.open("\(path)/\(name)/\(file)", FileFlags.readWrite))
            }
            let bytes = try read(name + "/" + file)
            let raw = unsafe bytes.withUnsafeBufferPointer { unsafe ct_sealed_file($0.baseAddress, $0.count) }
            try #require(raw >= 0)
            return SlotFile.Place(FileDescriptor(owning: raw))
        }
        let root = try read(name + "/root.key").withSpan { try FileRootKey.decode($0) }
        return DeviceFiles.Folder(
            rootKey: try place("root.key"), keybag: try place("keybag"), tries: try place("tries"), root: root,
            isNew: false)
    }

    @Test(arguments: ["keybag", "tries"])
    func `a copy that cannot be written is emptied, and keeps nobody out`(_ file: String) throws {
        var whole = try start()
        try whole.setPasscode(secret("right"))
        let spare = try folder("spare", sealed: file)
        var device = try SecurityModule<TestClock>.load(
            SecurityModule.Files(clock: TestClock(), files: DeviceFiles(try folder("device"), spare: spare)),
            landlock: 0,
            leastLogRounds: 15)
        #expect(device.copies == [])
        try device.unlock(secret("right"))
        try device.changePasscode(PasscodeReplacement(current: secret("right"), new: secret("new")))
        #expect(device.copies == .incomplete)
        // Nothing older is left in it.
        #expect(try (file == "keybag" ? spare.keybag : spare.tries).file.byteCount() == 0)
        // It is the same as if it were empty at the next start.
        try write([], "spare/" + file)
        device = try start()
        #expect(device.copies.subtracting([.spareKeybag, .spareTries]) == [])
        try device.unlock(secret("new"))
        #expect(try read("spare/" + file) == read("device/" + file))
    }

    @Test func `a reset of which only the count cannot be written is done, and says so`() throws {
        var whole = try start()
        try whole.setPasscode(secret("right"))
        try? whole.unlock(secret("wrong"))
        let ids = whole.keys.keybag.entries.filter { $0.wrap == .passcode }.map(\.id)
        var device = try SecurityModule<TestClock>.load(
            SecurityModule.Files(clock: TestClock(), files: DeviceFiles(try folder("device", sealed: "tries"))),
            landlock: 0,
            leastLogRounds: 15)
        #expect(throws: EnclaveRefusal.storage(errno: UInt32(EPERM))) { try device.saveTries() }
        try device.reset()
        #expect(device.keys.keybag.passcode == nil && device.lockState == .unlocked && !device.mustEnd)
        #expect(Set(device.keys.keybag.destroyed) == Set(ids))
        // The next passcode begins with a count of its own.
        device = try start()
        #expect(device.keys.keybag.passcode == nil && device.tries.failures == 1)
        try device.setPasscode(secret("new"))
        device = try start()
        #expect(device.tries.failures == 0)
        try device.unlock(secret("new"))
    }

    /// A clock at whose second question from now on a file cannot be written any more.
    private final class BreakingClock: EnclaveClock {
        nonisolated(unsafe) static var questions: Int?
        nonisolated(unsafe) static var file: Int32 = -1
        nonisolated(unsafe) static var now: UInt64 = 0

        func milliseconds() -> UInt64 {
            Self.questions = Self.questions.map { $0 + 1 }
            if Self.questions == 2 {
                let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
                dup2(null, Self.file)
                close(null)
            }
            return Self.now
        }
    }

    @Test func `the tenth wrong passcode erased, also where the count cannot be written then`() throws {
        var whole = try start()
        try whole.setPasscode(secret("right"))
        try whole.changeSettings(
            SettingsChange(
                passcode: secret("right"),
                settings: SecuritySettings(delayPolicy: .apple2024, erasesAfterTenTries: true, minimumPasscodeLength: 1)
            ))
        for number in 0..<9 {
            try? whole.unlock(secret("wrong \(number)"))
            TestClock.now += 480 * 60_000
        }
        let files = try folder("device")
        let count = whole.keys.keybag.entries.count
        BreakingClock.file = files.tries.file.raw
        var device = try SecurityModule<BreakingClock>.load(
            SecurityModule.Files(clock: BreakingClock(), files: DeviceFiles(files)), landlock: 0, leastLogRounds: 15)
        #expect(device.tries.failures == 9)
        BreakingClock.now += 480 * 60_000
        // The first question is for the delay; between it and the second the try is counted on the disk.
        BreakingClock.questions = 0
        #expect(throws: EnclaveRefusal.erased) { try device.unlock(secret("wrong")) }
        #expect(device.keys.keybag.passcode == nil && device.keys.keybag.destroyed.count == count)
        #expect(throws: EnclaveRefusal.storage(errno: UInt32(EBADF))) { try device.saveTries() }
    }
}
