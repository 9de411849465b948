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

    @Test func `a new secret and the item's password do not both come from one input`() throws {
        let device = try LiveDevice()
        try add(device, "s", "applicationPassword")
        let refused = try device.run("keychain", "update", "--service", "s", input: Data("new".utf8))
        #expect(
            refused.code == 64 && refused.errors.contains("the item's password can't both come from standard input"),
            "\(refused)")
        #expect(try run(device, "own", ["keychain", "get", "--service", "s"]).text == "of s")
        // Where the secret stays as it is, the input is the password's.
        let kept = try device.run(
            "keychain", "update", "--service", "s", "--keep-secret", "--class", "afterFirstUnlock",
            input: Data("own\n".utf8))
        #expect(kept.code == 0, "\(kept)")
    }

    @Test func `an export leaves it out and asks nobody, says how many, and has all others`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try add(device, "s", "applicationPassword")
        try add(device, "both", "devicePasscode,applicationPassword")
        #expect(try device.run("keychain", "add", "--service", "plain", input: Data("of plain".utf8)).code == 0)
        let exported = try device.run("keychain", "export", "-")
        #expect(exported.code == 0, "\(exported)")
        #expect(exported.errors.contains("2 items have a password of their own and were left out"), "\(exported)")
        #expect(exported.text.contains("of plain"))
        #expect(!exported.text.contains("of s") && !exported.text.contains("of both"))
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

    @Test(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
    func `the viewer asks for the item's password, and no try of it counts as one of the passcode`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let added = try run(
            device, "own", ["keychain", "add", "--service", "vault", "--access", "userPresence,applicationPassword"],
            input: "the hidden words")
        #expect(added.code == 0, "\(added)")
        let screen = try TmuxScreen(device, command: "keychain browse")
        #expect(try screen.waits(for: "vault"))
        try screen.press("r")
        #expect(try screen.waits(for: "Passcode:"))
        try screen.type("1234")
        try screen.press("Enter")
        #expect(try screen.waits(for: "Password of the item:"))
        try screen.type("other")
        try screen.press("Enter")
        #expect(try screen.waits(for: "That is not the item's password"))
        try screen.type("own")
        try screen.press("Enter")
        #expect(try screen.waits(for: "the hidden words"))
        #expect(try device.status().enclave.failures == 0)
    }
}
