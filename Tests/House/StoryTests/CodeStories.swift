import Foundation
import Testing

/// One-time codes by the command, while a part of the keychain is shut or damaged.
@Suite(.serialized) struct CodeStories {
    private static let seed = Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)

    private func add(_ service: String, _ protectionClass: String, to device: LiveDevice) throws {
        let added = try device.run(
            "keychain", "code", "add", "--service", service, "--account", "anna", "--class", protectionClass,
            input: Self.seed)
        #expect(added.code == 0, "\(added.errors)")
    }

    private func isCode(_ outcome: LiveDevice.Outcome) -> Bool {
        outcome.code == 0 && outcome.output.count == 6 && outcome.text.allSatisfy(\.isNumber)
    }

    @Test func `on a locked device a code whose class is open is made, and what is shut is counted`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try add("Mail", "afterFirstUnlock", to: device)
        try add("Bank", "whenUnlocked", to: device)
        #expect(try device.run("keychain", "add", "--service", "other", input: Data("x".utf8)).code == 0)
        let open = try device.run("keychain", "code", "--service", "Mail")
        #expect(isCode(open) && open.errors.isEmpty, "\(open)")
        #expect(try device.run("keychain", "code", "--service", "nobody").code == 3)

        #expect(try device.run("lock").code == 0)
        let made = try device.run("keychain", "code", "--service", "Mail")
        #expect(isCode(made) && made.errors.contains("2 items are locked and left out"), "\(made)")
        let shut = try device.run("keychain", "code", "--service", "Bank")
        #expect(shut.code == 5 && shut.output.isEmpty && shut.errors.contains("2 items are locked"), "\(shut)")
        let list = try device.run("keychain", "code", "list")
        #expect(list.code == 5 && list.text.hasPrefix("Mail\tanna\t") && !list.text.contains("Bank"), "\(list)")
        #expect(list.errors.contains("2 items are locked and left out"))
        let expected = try device.run("keychain", "code", "list", "--skip-locked")
        #expect(expected.code == 0 && expected.output == list.output)
    }

    @Test func `a damaged code is counted, with an exit code of its own, and is not told as absent`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try add("Bank", "whenUnlocked", to: device)
        try add("Mail", "whenUnlocked", to: device)
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows(
            "UPDATE item SET metadata = randomblob(length(metadata)) WHERE id = 1")
        try device.start()
        let damaged = try device.run("keychain", "code", "--service", "Bank")
        #expect(damaged.code == 8 && damaged.output.isEmpty, "\(damaged)")
        #expect(damaged.errors.contains("1 item cannot be decoded and was left out"))
        let whole = try device.run("keychain", "code", "--service", "Mail")
        #expect(isCode(whole) && whole.errors.contains("1 item cannot be decoded"), "\(whole)")
        let list = try device.run("keychain", "code", "list")
        #expect(list.code == 8 && list.text.hasPrefix("Mail\t"), "\(list)")
        let json = try device.run("keychain", "code", "list", "--json")
        #expect(json.code == 8 && json.text.contains("\"Mail\"") && json.text.contains("\"damage\""), "\(json)")
    }
}
