import Conformance
import Foundation
import Linux
import Secrets
import Testing
import Tresor
import Wire

/// Somebody has every file of a stopped device, its root key too, and no passcode: what they can write is refused, and
/// reported.
///
/// They are played by a program that shares no code with ours.
@Suite(.serialized, .enabled(if: Thief.isThere, "the thief needs python3 with the package cryptography"))
struct ThiefStories {
    private func keychains(_ device: LiveDevice, _ arguments: String..., input: String = "") throws
        -> LiveDevice.Outcome
    {
        try device.run(["keychain", "keychains"] + arguments, input: Data(input.utf8))
    }

    private func add(_ device: LiveDevice, _ service: String, to keychain: String? = nil) throws -> Int32 {
        try device.run(
            ["keychain", "add", "--service", service] + (keychain.map { ["--keychain", $0] } ?? []),
            input: Data("x".utf8)
        ).code
    }

    /// A device with a keychain under a passcode of its own, locked and stopped.
    private func makeDevice() throws -> LiveDevice {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(try keychains(device, "create", "Vault", "--own-passcode", input: "own\nown\n").code == 0)
        #expect(try keychains(device, "create", "Plain").code == 0)
        #expect(try add(device, "old", to: "Vault") == 0)
        try device.stop()
        return device
    }

    private func log(_ device: LiveDevice) throws -> String {
        String(decoding: try FileSystem.read(device.home.log), as: UTF8.self)
    }

    @Test func `a keychain's own passcode cannot be stripped off`() throws {
        let device = try makeDevice()
        let thief = Thief(device)
        #expect(try thief.run("list").contains("tresor.keychain Vault 02"), "what the thief can read")
        try thief.run("write", "tresor.keychain", "Vault", "-")
        try device.start()
        try device.unlock()
        #expect(try add(device, "new", to: "Vault") == 8)
        #expect(try add(device, "other", to: "Plain") == 0)
        #expect(try device.run("keychain", "get", "--service", "old", "--keychain", "Vault").code != 0)
        let opened = try keychains(device, "unlock", "Vault", input: "own\n")
        #expect(opened.code == 8, "\(opened)")
        let status = try device.run("status")
        #expect(status.code == 8 && status.text.contains("damaged"), "\(status)")
        #expect(try log(device).contains("a keychain's record is not what this device wrote"))
        // The owner, who is there, removes it and goes on.
        #expect(try keychains(device, "delete", "Vault", "--with-items", input: "1234\n").code == 0)
        #expect(try device.run("status").code == 0)
    }

    @Test func `promises of the keybag cannot be taken back`() throws {
        let device = try makeDevice()
        let thief = Thief(device)
        let whole = try FileSystem.read(device.folder + "/enclave/device/keybag")
        for change in [["promises", "0"], ["version1"]] {
            try thief.run(change)
            try thief.run("write", "tresor.keychain", "Vault", "-")
            try device.start()
            #expect(throws: (any Error).self) { try device.unlock() }
            #expect(try device.status().enclave.lock == .beforeFirstUnlock)
            try device.stop()
            try Data(whole).write(to: URL(fileURLWithPath: device.folder + "/enclave/device/keybag"))
        }
    }

    @Test func `which keychain takes new items is not the thief's to say`() throws {
        let device = try makeDevice()
        try device.start()
        try device.unlock()
        #expect(try keychains(device, "default", "Vault").code == 0)
        try device.stop()
        let thief = Thief(device)
        for change in [
            ["write", "tresor.keychain.default", "", "6c6f67696e"], ["remove", "tresor.keychain.default", ""],
        ] {
            try thief.run(change)
            // Else it comes back from its second copy.
            try FileManager.default.removeItem(atPath: device.home.keychainFolder + "/spare")
            try device.start()
            try device.unlock()
            #expect(try add(device, "new") == 8)
            try device.stop()
        }
    }

    @Test func `what the thief removes of our own comes back from its second copy`() throws {
        let device = try makeDevice()
        try device.start()
        try device.unlock()
        #expect(try keychains(device, "default", "Vault").code == 0)
        try device.stop()
        try Thief(device).run("remove", "tresor.keychain.default", "")
        try device.start()
        try device.unlock()
        #expect(try add(device, "new") == 5, "Vault is shut, and takes it")
        #expect(try log(device).contains("of Tresor's own was damaged or missing"))
        #expect(try keychains(device, "unlock", "Vault", input: "own\n").code == 0)
        #expect(try add(device, "new") == 0)
        #expect(try device.run("keychain", "get", "--service", "new", "--keychain", "Vault").code == 0)
    }

    @Test func `the generation that shows a rollback cannot be written`() throws {
        let device = try makeDevice()
        let older = device.folder + "/older.sqlite"
        try FileManager.default.copyItem(atPath: device.home.database, toPath: older)
        try device.start()
        try device.unlock()
        for passcode in ["2345", "1234"] {
            let former = passcode == "2345" ? "1234" : "2345"
            try device.succeed("passcode", "change", input: Data("\(former)\n\(passcode)\n\(passcode)\n".utf8))
        }
        try device.stop()
        let thief = Thief(device)
        let (generation, witness) = (try thief.run("meta", "generation"), try thief.run("meta", "generation_witness"))
        #expect(witness.count == 65)
        try FileManager.default.removeItem(atPath: device.home.database)
        try FileManager.default.moveItem(atPath: older, toPath: device.home.database)
        try device.start()
        #expect(try device.run("status").text.contains("the store is older"))
        try device.stop()
        // The number of today in the store of yesterday: without its witness, with yesterday's, and none at all.
        let number = String(try #require(UInt64(generation.trimmingCharacters(in: .newlines), radix: 16)))
        let former = try thief.run("meta", "generation_witness").trimmingCharacters(in: .newlines)
        for change in [[number], [number, former], ["0"]] {
            try thief.run(["generation"] + change)
            try device.start()
            let status = try device.run("status")
            #expect(status.code == 8 && status.text.contains("written by somebody else"), "\(status)")
            try device.unlock()
            #expect(try device.run("status").code == 8, "an unlocking is no decision of the owner's")
            try device.stop()
        }
    }

    @Test func `a keybag of 0.1 that is put back does not make a stripped record a good one`() throws {
        let device = try LiveDevice(starting: false)
        try Thief.unpack(Thief.formerHome, to: device.folder)
        let former = try FileSystem.read(device.folder + "/enclave/device/keybag")
        try device.start()
        try device.unlock("seven slow boats 3")
        // Each change of the passcode is a generation: the store is of a later day than the keybag from here on.
        let other = "eight slow boats 3"
        for (old, new) in [("seven slow boats 3", other), (other, "seven slow boats 3")] {
            try device.succeed("passcode", "change", input: Data("\(old)\n\(new)\n\(new)\n".utf8))
        }
        try device.stop()
        for folder in ["device", "spare"] {
            try Data(former).write(to: URL(fileURLWithPath: "\(device.folder)/enclave/\(folder)/keybag"))
        }
        try Thief(device).run("write", "tresor.keychain", "Vault", "-")
        try device.start()
        #expect(try device.run("status").code == 8)
        try device.unlock("seven slow boats 3")
        #expect(try add(device, "new", to: "Vault") == 8)
        // The owner acts, and the device is one again: what was refused stays refused, also after a start.
        try device.succeed(
            "passcode", "change", input: Data("seven slow boats 3\n\(other)\n\(other)\n".utf8))
        #expect(try add(device, "new", to: "Vault") == 8)
        try device.stop()
        try device.start()
        try device.unlock(other)
        #expect(try add(device, "new", to: "Vault") == 8)
    }

    @Test func `a home of 0.1 opens unchanged, and is bound from its first unlock on`() throws {
        let device = try LiveDevice(starting: false)
        try Thief.unpack(Thief.formerHome, to: device.folder)
        let thief = Thief(device)
        let records = try thief.run("list").split(separator: "\n").filter { $0.hasPrefix("tresor.keychain") }
        #expect(records.count == 2 && records.contains("tresor.keychain Plain -"))
        let cost = try #require(Int(try thief.run("cost").trimmingCharacters(in: .newlines)))
        #expect(try device.start() == nil)
        #expect(try device.run("status").code == 0)
        try device.unlock("seven slow boats 3")
        #expect(try device.run("status").code == 0)
        #expect(try device.run("keychain", "get", "--service", "s1.whenUnlocked").code == 0)
        let opened = try keychains(device, "unlock", "Vault", input: "cellar key 5\n")
        #expect(opened.code == 0, "\(opened)")
        #expect(try add(device, "new", to: "Vault") == 0)
        try device.stop()
        let bound = try thief.run("list").split(separator: "\n").filter { $0.hasPrefix("tresor.keychain") }
        #expect(bound.count == 3 && bound.allSatisfy { $0.split(separator: " ").last?.hasPrefix("02") == true })
        #expect(try #require(Int(try thief.run("cost").trimmingCharacters(in: .newlines))) >= cost)
        try thief.run("write", "tresor.keychain", "Vault", "-")
        try device.start()
        try device.unlock("seven slow boats 3")
        #expect(try add(device, "newer", to: "Vault") == 8)
        #expect(try device.run("status").code == 8)
    }
}

/// Plays whoever has a device's files and no passcode: `vectors/thief.py`.
struct Thief {
    private static let python = ProcessInfo.processInfo.environment["TRESOR_PYTHON"] ?? "/usr/bin/python3"
    private static let program = LiveDevice.root.appendingPathComponent("vectors/thief.py").path

    static let isThere = (try? call(python, ["-c", "import cryptography"])) != nil

    /// What programs of 0.1 wrote.
    static let formerHome = LiveDevice.root.appendingPathComponent("Tests/Stores/home-0.1.tar.gz").path

    private let folder: String

    init(_ device: LiveDevice) { folder = device.folder }

    @discardableResult func run(_ arguments: String...) throws -> String { try run(arguments) }

    @discardableResult func run(_ arguments: [String]) throws -> String {
        try Self.call(Self.python, [Self.program, folder] + arguments)
    }

    /// Its folder `home` becomes the home of a device that was not started yet.
    static func unpack(_ archive: String, to folder: String) throws {
        try FileSystem.makeDirectories(folder)
        _ = try call("/usr/bin/tar", ["-xzf", archive, "-C", folder, "--strip-components=2", "home-0.1/home"])
    }

    private static func call(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw LinuxError(call: program, code: process.terminationStatus) }
        return text
    }
}
