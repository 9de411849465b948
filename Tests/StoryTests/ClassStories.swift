import Conformance
import Foundation
import Protection
import Testing
import Tresor

/// Classes as the command line shows and chooses them.
@Suite(.serialized) struct ClassStories {
    private struct Entry: Decodable {
        let availability: String
        let file: String?
        let keychain: [String]
        let open: Bool
    }

    private func open(_ device: LiveDevice) throws -> [Bool] {
        try JSONDecoder().decode([Entry].self, from: device.run("classes", "--json").output).map(\.open)
    }

    @Test func `file and keychain classes stand side by side, with what is open now`() throws {
        let device = try LiveDevice()
        let all = try JSONDecoder().decode([Entry].self, from: device.run("classes", "--json").output)
        #expect(
            all.map(\.file) == [
                "complete", "completeUnlessOpen", "completeUntilFirstUserAuthentication", "none", nil,
            ])
        #expect(all[1].keychain.isEmpty, "CompleteUnlessOpen has no twin in the keychain")
        #expect(Set(all.flatMap(\.keychain)) == Set(ProtectionClass.allCases.map(\.name)))
        #expect(all.map(\.open) == [true, true, true, true, false], "without a passcode its class does not exist")
        try device.setPasscode()
        #expect(try open(device) == [true, true, true, true, true])
        #expect(try device.run("lock").code == 0)
        #expect(try open(device) == [false, false, true, true, false])
        try device.restart()
        #expect(try open(device) == [false, false, false, true, false])
        let text = try device.run("classes").text
        #expect(text.contains("completeUnlessOpen") && text.contains("–"), "\(text)")
    }

    @Test func `a preset gives an item the documented class of its kind`() throws {
        let device = try LiveDevice()
        for preset in ItemPreset.all {
            let added = try device.run(
                "keychain", "add", "--service", preset.name, "--preset", preset.name, input: Data("s\n".utf8))
            #expect(added.code == 0, "\(added.errors)")
            let found = try device.run("keychain", "get", "--service", preset.name, "--json").text
            #expect(found.contains("\"\(preset.protectionClass.name)\""), "\(found)")
        }
        let both = try device.run(
            "keychain", "add", "--service", "x", "--preset", "wifi", "--class", "always", input: Data("s\n".utf8))
        #expect(both.code == 64 && both.errors.contains("both say the class"))
        #expect(
            try device.run("keychain", "add", "--service", "x", "--preset", "toaster", input: Data("s\n".utf8)).code
                == 64)
        #expect(try device.run("keychain", "get", "--service", "x").code == 3)
    }

    @Test func `the table of presets can be printed, and names nothing twice`() throws {
        #expect(Set(ItemPreset.all.map(\.name)).count == ItemPreset.all.count)
        let device = try LiveDevice(starting: false)
        let lines = try device.run("presets").text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.map { String($0[0]) } == ItemPreset.all.map(\.name))
        #expect(lines.contains { $0[0] == "sim-pin" && $0[1] == "afterFirstUnlockThisDeviceOnly" })
        #expect(lines.contains { $0[0] == "web-password" && $0[1] == "whenUnlocked" })
        #expect(ItemPreset(name: "WIFI") == nil && ItemPreset(name: "wifi")?.protectionClass == .afterFirstUnlock)
    }
}
