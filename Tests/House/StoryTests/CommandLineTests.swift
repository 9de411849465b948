import Foundation
import Linux
import Testing
import Wire

/// What a person does at the command line, from a new device to a forgotten passcode.
@Suite(.serialized) struct CommandLine {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func passcode(_ lines: String...) -> Data { Data(lines.map { $0 + "\n" }.joined().utf8) }

    @Test func `a secret comes back byte for byte`() throws {
        let secrets = [
            Data("line one\nline two\n".utf8), Data([0, 1, 0, 255, 10]), Data("🔐 naïve".utf8),
            Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
        ]
        for (number, secret) in secrets.enumerated() {
            #expect(try device.run("keychain", "add", "--service", "s\(number)", input: secret).code == 0)
            let got = try device.run("keychain", "get", "--service", "s\(number)")
            #expect(got.code == 0 && got.output == secret)
        }
    }

    @Test func `an empty secret has to be asked for`() throws {
        #expect(try device.run("keychain", "add", "--service", "s").code == 64)
        #expect(try device.run("keychain", "add", "--service", "s", "--empty-secret").code == 0)
        #expect(try device.run("keychain", "get", "--service", "s").output.isEmpty)
        #expect(try device.run("keychain", "update", "--service", "s", input: Data("kept".utf8)).code == 0)
        #expect(try device.run("keychain", "update", "--service", "s", "--new-label", "l").code == 64)
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("kept".utf8))
    }

    @Test func `a change does not fall on whichever of several comes first`() throws {
        for account in ["anna", "bob"] {
            try device.run("keychain", "add", "--service", "s", "--account", account, input: Data(account.utf8))
        }
        #expect(try device.run("keychain", "update", "--service", "s", input: Data("new".utf8)).code == 64)
        for account in ["anna", "bob"] {
            #expect(try device.run("keychain", "get", "--account", account).output == Data(account.utf8))
        }
    }

    @Test func `output that cannot be written is no success`() throws {
        let list = Process()
        list.executableURL = URL(fileURLWithPath: LiveDevice.programs + "/tresor")
        list.arguments = ["status"]
        list.environment = ["TRESOR_HOME": device.folder]
        list.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        list.standardError = FileHandle.nullDevice
        try list.run()
        list.waitUntilExit()
        #expect(list.terminationStatus == 73)
    }

    @Test func `each failure has its exit code`() throws {
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        #expect(try device.run("keychain", "get", "--service", "none").code == 3)
        #expect(try device.run("keychain", "add", "--service", "s", input: Data("y".utf8)).code == 4)
        #expect(try device.run("lock").code == 7)
        #expect(try device.run("unlock").code == 7)
        #expect(try device.run("keychain", "add", input: Data("x".utf8)).code == 64)
        #expect(try device.run("nonsense").code == 64)
        #expect(try device.run("passcode", "set", input: passcode("a", "b")).code == 6)
        #expect(try device.run("passcode", "set", input: passcode("", "")).code == 64)
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
        try device.stop()
        #expect(try device.run("status").code == 69)
    }

    @Test func `a secret on the command line is refused and not repeated`() throws {
        for arguments in [
            ["keychain", "add", "--service", "s", "--secret", "hunter2"], ["unlock", "--passcode=hunter2"],
        ] {
            let refused = try device.run(arguments)
            #expect(refused.code == 64)
            #expect(!refused.errors.contains("hunter2") && !refused.text.contains("hunter2"))
        }
    }

    @Test func `classes open and shut with lock, restart and unlock`() throws {
        for name in ["whenUnlocked", "afterFirstUnlock", "always"] {
            let added = try device.run("keychain", "add", "--service", name, "--class", name, input: Data(name.utf8))
            #expect(added.code == 0)
            #expect(added.errors.contains("warning") == (name == "always"))
        }
        func codes() throws -> [Int32] {
            try ["whenUnlocked", "afterFirstUnlock", "always"].map {
                try device.run("keychain", "get", "--service", $0).code
            }
        }
        #expect(try device.run("passcode", "set", input: passcode("1234", "1234")).errors.contains("few"))
        #expect(try device.run("lock").code == 0)
        #expect(try codes() == [5, 0, 0])
        try device.restart()
        #expect(try codes() == [5, 5, 0])
        #expect(try device.run("unlock", input: passcode("9999")).code == 6)
        #expect(try device.run("unlock", input: passcode("1234")).code == 0)
        #expect(try codes() == [0, 0, 0])
    }

    @Test func `removing the passcode removes what exists only with one`() throws {
        #expect(
            try device.run(
                "keychain", "add", "--service", "p", "--class", "whenPasscodeSetThisDeviceOnly", input: Data("x".utf8)
            ).code == 7)
        try device.run("passcode", "set", input: passcode("long enough", "long enough"))
        #expect(
            try device.run(
                "keychain", "add", "--service", "p", "--class", "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly",
                input: Data("x".utf8)
            ).code == 0)
        try device.run("keychain", "add", "--service", "q", input: Data("y".utf8))
        let removed = try device.run("passcode", "remove", input: passcode("long enough"))
        #expect(removed.code == 0 && removed.text.contains("1 items"))
        #expect(try device.run("keychain", "get", "--service", "p").code == 3)
        #expect(try device.run("keychain", "get", "--service", "q").output == Data("y".utf8))
    }

    @Test func `a forgotten passcode costs what it protected, and no more`() throws {
        try device.run("passcode", "set", input: passcode("forgotten", "forgotten"))
        try device.run("keychain", "add", "--service", "lost", input: Data("x".utf8))
        try device.run("keychain", "add", "--service", "kept", "--class", "always", input: Data("y".utf8))
        try device.restart()
        let declined = try device.run("passcode", "reset", input: Data("no\n".utf8))
        #expect(declined.code == 64 && declined.text.contains("1 items of whenUnlocked"))
        #expect(try device.run("passcode", "reset", input: Data("destroy\n".utf8)).code == 0)
        #expect(try device.run("keychain", "get", "--service", "lost").code == 3)
        #expect(try device.run("keychain", "get", "--service", "kept").output == Data("y".utf8))
        #expect(try device.run("keychain", "get", "--service", "kept", "--json").text.contains("always"))
        #expect(try device.run("keychain", "add", "--service", "lost", input: Data("z".utf8)).code == 0)
    }

    @Test func `changing the passcode keeps every item`() throws {
        try device.run("passcode", "set", input: passcode("old one", "old one"))
        try device.run("keychain", "add", "--service", "s", input: Data("x".utf8))
        #expect(try device.run("passcode", "change", input: passcode("wrong", "new", "new")).code == 6)
        #expect(try device.run("passcode", "change", input: passcode("old one", "new one", "new one")).code == 0)
        try device.restart()
        #expect(try device.run("unlock", input: passcode("old one")).code == 6)
        #expect(try device.run("unlock", input: passcode("new one")).code == 0)
        #expect(try device.run("keychain", "get", "--service", "s").output == Data("x".utf8))
    }

    @Test func `update changes secret or names, and delete forgets`() throws {
        try device.run("keychain", "add", "--service", "s", "--account", "a", input: Data("x".utf8))
        #expect(try device.run("keychain", "update", "--service", "s", input: Data("y".utf8)).code == 0)
        #expect(
            try device.run("keychain", "update", "--service", "s", "--new-account", "b", "--keep-secret").code == 0)
        #expect(try device.run("keychain", "get", "--account", "b").output == Data("y".utf8))
        #expect(try device.run("keychain", "list").text == "password\ts\tb\t\twhenUnlocked\n")
        #expect(try device.run("keychain", "delete", "--service", "s").code == 0)
        #expect(try device.run("keychain", "list").text.isEmpty)
    }

    @Test func `settings of the enclave need the passcode`() throws {
        #expect(try device.run("settings", "--erase-after-ten", "on").code == 7)
        try device.run("passcode", "set", input: passcode("1234", "1234"))
        #expect(try device.run("settings", "--minimum-passcode", "6", input: passcode("0000")).code == 6)
        let changed = try device.run("settings", "--minimum-passcode", "6", input: passcode("1234"))
        #expect(changed.text.contains("minimum-passcode  6"))
        #expect(try device.run("passcode", "change", input: passcode("1234", "12345", "12345")).code == 64)
        #expect(try device.run("settings", "--idle-lock", "1").text.contains("idle-lock         1 s"))
        Thread.sleep(forTimeInterval: 1.6)
        #expect(try device.status().enclave.lock == .locked)
    }

    @Test func `the fourth wrong passcode costs a minute`() throws {
        try device.run("passcode", "set", input: passcode("right", "right"))
        try device.run("lock")
        for wrong in ["a", "b", "c"] {
            #expect(!(try device.run("unlock", input: passcode(wrong)).errors.contains("next try")))
        }
        // The same wrong one again costs nothing.
        try device.run("unlock", input: passcode("c"))
        #expect(try device.status().enclave.failures == 3)
        let fourth = try device.run("unlock", input: passcode("d"))
        #expect(fourth.code == 6 && fourth.errors.contains("1 minute"))
        let early = try device.run("unlock", input: passcode("right"))
        #expect(early.code == 6 && early.errors.contains("wait"))
        try device.restart()
        #expect(try device.run("unlock", input: passcode("right")).code == 6)
        #expect(try device.status().enclave.failures == 4)
    }

    @Test func `up stays until it is interrupted, and takes the daemon along`() throws {
        try device.stop()
        let up = Process()
        up.executableURL = URL(fileURLWithPath: LiveDevice.programs + "/tresor")
        up.arguments = ["up"]
        up.environment = ["TRESOR_HOME": device.folder]
        up.standardOutput = FileHandle.nullDevice
        try up.run()
        var daemon: Int32 = 0
        for _ in 0..<400 where daemon == 0 {
            usleep(10_000)
            daemon = Int32((try? device.status().daemonProcess) ?? 0)
        }
        #expect(daemon != 0 && up.isRunning)
        up.interrupt()
        up.waitUntilExit()
        #expect(up.terminationStatus == 0 && up.terminationReason == .exit)
        #expect(!ChildProcess.isRunning(daemon))
        #expect(try FileSystem.status(device.home.socket) == nil)
    }

    @Test func `a second daemon on the same home is refused`() throws {
        let mark = try FileSystem.read(device.home.lock)
        let second = Process()
        second.executableURL = URL(fileURLWithPath: LiveDevice.programs + "/tresord")
        second.environment = ["TRESOR_HOME": device.folder]
        second.standardError = FileHandle.nullDevice
        try second.run()
        second.waitUntilExit()
        #expect(second.terminationStatus == 7)
        #expect(try device.run("status").code == 0)
        // Who is ended where no lock is answered.
        #expect(try !mark.isEmpty && FileSystem.read(device.home.lock) == mark)
    }
}
