import Conformance
import Foundation
import Protection
import Testing
import Tresor

/// Items with a password of their own, through the command line and the real enclave.
@Suite(.serialized) struct ItemPasswordStories {
    /// Runs a command whose item password is a line of a file, as `--item-password-fd 3` reads it.
    private func run(_ device: LiveDevice, _ password: String?, _ arguments: [String], input: String = "") throws
        -> LiveDevice.Outcome
    {
        guard let password else { return try device.run(arguments, input: Data(input.utf8)) }
        let file = NSTemporaryDirectory() + "tresor-item-password-\(UUID().uuidString)"
        try Data((password + "\n").utf8).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "exec \"$0\" \"$@\" 3<\"$ITEM_PASSWORD_FILE\"", device.programs + "/tresor"] + arguments
            + ["--item-password-fd", "3"]
        process.environment = [
            "TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "ITEM_PASSWORD_FILE": file,
        ]
        let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = standardInput
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return LiveDevice.Outcome(
            code: process.terminationStatus, output: text, errors: String(decoding: said, as: UTF8.self))
    }

    private func add(_ device: LiveDevice, _ service: String, _ access: String) throws {
        let added = try run(
            device, "own", ["keychain", "add", "--service", service, "--access", access], input: "of \(service)")
        #expect(added.code == 0, "\(added)")
    }

    @Test func `an item with a password of its own opens by that, each time, and by nothing else`() throws {
        let device = try LiveDevice()
        try add(device, "s", "applicationPassword")
        let get = ["keychain", "get", "--service", "s"]
        #expect(try run(device, "own", get).text == "of s")
        #expect(try run(device, "own", get).text == "of s")
        let wrong = try run(device, "other", get)
        #expect(wrong.code == 6 && wrong.output.isEmpty && wrong.errors.contains("not the item's password"), "\(wrong)")
        #expect(try run(device, "", get).code != 0)
        // A wrong password is no damage: the item is not marked, and opens after it.
        #expect(try device.status().quarantined.isEmpty)
        #expect(try run(device, "own", get).text == "of s")
        #expect(try device.run("keychain", "get", "--service", "s", "--json").code == 0, "attributes need none")
    }

    @Test func `its secret is replaced by who knows the password, who keeps it`() throws {
        let device = try LiveDevice()
        try add(device, "s", "applicationPassword")
        let update = ["keychain", "update", "--service", "s"]
        #expect(try run(device, "other", update, input: "stolen").code == 6)
        #expect(try run(device, "own", update, input: "new").code == 0)
        #expect(try run(device, "own", ["keychain", "get", "--service", "s"]).text == "new")
        #expect(try device.run("keychain", "add", "--service", "other", input: Data("x".utf8)).code == 0)
        let moved = try run(device, "own", update + ["--class", "afterFirstUnlock", "--keep-secret"])
        #expect(moved.code == 0, "\(moved)")
        #expect(try run(device, "own", ["keychain", "get", "--service", "s"]).text == "new")
        #expect(try run(device, "other", ["keychain", "get", "--service", "s"]).code == 6)
    }

    @Test func `with a demand of presence it needs both, also after a restart`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try add(device, "s", "devicePasscode,applicationPassword")
        try device.restart()
        try device.unlock()
        let get = ["keychain", "get", "--service", "s"]
        #expect(try run(device, "own", get, input: "1234\n").text == "of s")
        #expect(try run(device, "own", get, input: "0000\n").code == 6)
        #expect(try run(device, "other", get, input: "1234\n").code == 6)
        #expect(try run(device, "own", get, input: "1234\n").text == "of s")
    }
}
