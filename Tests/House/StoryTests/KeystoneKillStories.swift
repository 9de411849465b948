import Foundation
import Linux
import Testing
import Thoroughness

/// A kill at each step on the way to the disk, while something is changed on which everything hangs.
///
/// Whatever the step, the change is done or it is not, in both places that hold it.
@Suite(.serialized, .enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
struct KeystoneKillStories {
    private static let steps = KillSteps(every: 4)

    /// Kills a process at a step, at a later one, and so on, until `act` takes fewer.
    ///
    /// - Parameters:
    ///   - process: the one that is killed.
    ///   - act: the change; its outcome goes to `check`, with the name of the step.
    ///   - check: what must hold once the device has started again.
    /// - Returns: how often it was killed.
    private func killAtEachStep(
        of device: LiveDevice, _ process: (LiveDevice) throws -> Int32, steps: KillSteps = Self.steps,
        act: (String) throws -> LiveDevice.Outcome, check: (LiveDevice.Outcome, String) throws -> Void
    ) throws -> Int {
        try steps.each { kill, step in
            let injection = try CallInjection(into: try process(device), kill)
            let outcome = try act(step)
            let isHit = injection.hasEndedProcess()
            device.kill()
            injection.end()
            let end = try device.start()
            let log = (try? String(contentsOfFile: device.home.log, encoding: .utf8)) ?? ""
            #expect(end == nil, "step \(step): \(log.suffix(1000))")
            try check(outcome, step)
            return isHit
        }
    }

    private func copies(_ device: LiveDevice, _ name: String) throws -> [[UInt8]] {
        try ["device", "spare"].map { try FileSystem.read("\(device.folder)/enclave/\($0)/\(name)") }
    }

    private func expectSame(_ device: LiveDevice, _ step: String) throws {
        for name in ["root.key", "keybag", "tries"] {
            let both = try copies(device, name)
            #expect(both[0] == both[1], "step \(step): \(name)")
            guard name != "root.key" else { continue }
            let half = both[0].count / 2
            #expect(both[0].prefix(half) == both[0].suffix(half), "step \(step): slots of \(name)")
        }
    }

    @Test func `a change of the passcode that is cut short is done or not, in both folders of the enclave`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        var current = "start"
        try device.setPasscode(current)
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        let steps = try killAtEachStep(of: device, { Int32(try $0.status().enclaveProcess) }) { step in
            let next = "passcode \(step)"
            return try device.run("passcode", "change", input: Data("\(current)\n\(next)\n\(next)\n".utf8))
        } check: { outcome, step in
            try expectSame(device, step)
            let next = "passcode \(step)"
            let isChanged = try device.run("unlock", input: Data((next + "\n").utf8)).code == 0
            #expect(isChanged || outcome.code != 0, "step \(step) was acknowledged")
            if isChanged { current = next } else { try device.unlock(current) }
            #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8), "step \(step)")
        }
        print("a change of the passcode: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 5))
        // Each folder alone opens what is there, by the passcode that is in force.
        for folder in ["device", "spare"] {
            try device.stop()
            try FileManager.default.removeItem(atPath: "\(device.folder)/enclave/\(folder)")
            try device.start()
            try device.unlock(current)
            #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8), "\(folder)")
        }
    }

    @Test func `a reset that is cut short leaves the old keys in no place, or in force`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        let steps = try killAtEachStep(of: device, { Int32(try $0.status().enclaveProcess) }) { _ in
            try device.run("passcode", "reset", "--yes")
        } check: { outcome, step in
            try expectSame(device, step)
            let isReset = try device.status().enclave.hasPasscode == false
            #expect(isReset || outcome.code != 0, "step \(step) was acknowledged")
            if !isReset { try device.unlock() }
            let read = try device.run("keychain", "get", "--service", "s")
            #expect(read.code == (isReset ? 3 : 0), "step \(step): \(read.errors)")
            guard isReset else { return }
            try device.setPasscode()
            try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        }
        print("a reset: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 5))
    }

    @Test func `a wrong passcode counts, at whatever step the enclave ends`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("lock")
        let steps = try killAtEachStep(
            of: device, { Int32(try $0.status().enclaveProcess) }, steps: KillSteps(every: 1)
        ) { _ in
            try device.run("unlock", input: Data("9999\n".utf8))
        } check: { outcome, step in
            try expectSame(device, step)
            let failures = try device.status().enclave.failures
            // Cut before its first write, it has told nobody whether the passcode was right.
            #expect(failures == 1 || (failures == 0 && outcome.code != 6), "step \(step): \(failures)")
            try device.unlock()
            try device.run("lock")
        }
        print("a wrong passcode: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 4))
    }

    @Test func `a keychain's creation that is cut short is done or not, and its second copy opens it`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.run("keychain", "add", "--service", "first", input: Data("x".utf8))
        let steps = try killAtEachStep(of: device, { $0.daemon }) { step in
            try device.run("keychain", "keychains", "create", "Vault \(step)")
        } check: { outcome, step in
            let name = "Vault \(step)"
            let isThere = try device.run("keychain", "keychains", "list").text.contains(name)
            #expect(isThere || outcome.code != 0, "step \(step) was acknowledged")
            let service = "s\(step)"
            if !isThere { #expect(try device.run("keychain", "keychains", "create", name).code == 0, "step \(step)") }
            let added = try device.run(
                "keychain", "add", "--keychain", name, "--service", service, input: Data("y".utf8))
            #expect(added.code == 0, "step \(step): \(added.errors)")
            // Every row of our own is lost: the second copies take over.
            try device.stop()
            let database = StoppedDatabase(path: device.home.database)
            try database.rows("DELETE FROM table_key")
            try database.rows("DELETE FROM index_key")
            try device.start()
            #expect(try device.run("keychain", "get", "--service", service).output == Data("y".utf8), "step \(step)")
            #expect(try device.run("keychain", "get", "--service", "first").output == Data("x".utf8), "step \(step)")
            #expect(try device.run("doctor", "--data").code == 0, "step \(step)")
        }
        print("a keychain's creation: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 3))
    }

    @Test func `the first item of a class that is cut short leaves keys that both places open`() throws {
        let steps = try Self.steps.each { kill, step in
            let device = try LiveDevice(lettingTestIn: false)
            let injection = try CallInjection(into: device.daemon, kill)
            let outcome = try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
            let isHit = injection.hasEndedProcess()
            device.kill()
            injection.end()
            let end = try device.start()
            let log = (try? String(contentsOfFile: device.home.log, encoding: .utf8)) ?? ""
            #expect(end == nil, "step \(step): \(log.suffix(1000))")
            let read = try device.run("keychain", "get", "--service", "s")
            #expect(read.code == 0 || (read.code == 3 && outcome.code != 0), "step \(step): \(read.errors)")
            try device.run("keychain", "add", "--service", "next", input: Data("y".utf8))
            try device.stop()
            try StoppedDatabase(path: device.home.database).rows("DELETE FROM table_key")
            try device.start()
            #expect(try device.run("keychain", "get", "--service", "next").output == Data("y".utf8), "step \(step)")
            #expect(try device.run("doctor", "--data").code == 0, "step \(step)")
            return isHit
        }
        print("the first item of a class: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 4))
    }

    @Test func `a change of the passphrase that is cut short is done or not, and the second copy says the same`() throws
    {
        let device = try LiveDevice()
        var current = "start"
        try device.notes("passphrase", "set", input: "start\nstart\n")
        let note = try device.newNote("# Locked\n\nwords\n")
        #expect(try device.notes("lock", note).code == 0)
        func opens(_ passphrase: String) throws -> Bool {
            try device.notes("lock-now")
            return try device.notes("unlock", note, input: passphrase + "\n").code == 0
        }
        let steps = try killAtEachStep(of: device, { try $0.notesProcess() }) { step in
            try device.notes("passphrase", "change", input: "\(current)\nnext \(step)\nnext \(step)\n")
        } check: { outcome, step in
            let next = "next \(step)"
            let isChanged = try opens(next)
            #expect(isChanged || outcome.code != 0, "step \(step) was acknowledged")
            if isChanged { current = next }
            // The store's own record is lost: the second copy takes over, and it has nothing older.
            try device.stop()
            let database = StoppedDatabase(path: device.home.notesDatabase)
            try database.rows("UPDATE record SET sealed = zeroblob(length(sealed)) WHERE type = 4 AND tombstone = 0")
            try device.start()
            #expect(try opens(current), "step \(step): \(isChanged)")
            #expect(try device.notes("show", note).text.contains("words"), "step \(step)")
        }
        print("a change of the passphrase: killed \(steps) times")
        #expect(steps > Thoroughness.count(1, soak: 3))
    }
}
