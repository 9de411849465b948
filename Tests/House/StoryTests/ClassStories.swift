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

    /// What the guide says of some kinds, typed from it; the whole table is TresorTests' matter.
    private static let guide = [
        ("wifi", "afterFirstUnlock", "afterFirstUnlock"), ("web-password", "whenUnlocked", "whenUnlocked"),
        ("bluetooth", "alwaysThisDeviceOnly", "afterFirstUnlockThisDeviceOnly"),
        ("push-token", "alwaysThisDeviceOnly", "afterFirstUnlockThisDeviceOnly"),
        ("cloud-identity", "alwaysThisDeviceOnly", "afterFirstUnlockThisDeviceOnly"),
        ("sim-pin", "alwaysThisDeviceOnly", "afterFirstUnlockThisDeviceOnly"),
        ("find-device", "always", "afterFirstUnlock"), ("voicemail", "always", "afterFirstUnlock"),
        ("message-keys", "afterFirstUnlock", "afterFirstUnlockThisDeviceOnly"),
    ]

    @Test func `a preset gives an item the documented class of its kind, and the stricter one where that is asked`()
        throws
    {
        let device = try LiveDevice()
        func add(_ preset: String, _ options: String...) throws -> LiveDevice.Outcome {
            let name = preset + options.joined()
            return try device.run(
                ["keychain", "add", "--service", name, "--preset", preset] + options, input: Data("s\n".utf8))
        }
        func protection(_ name: String) throws -> Substring? {
            try device.run("keychain", "list", "--service", name).text.split(separator: "\t").last?.dropLast()
        }
        for (preset, documented, strict) in Self.guide {
            let added = try add(preset)
            #expect(added.code == 0, "\(added.errors)")
            #expect(added.errors.contains("warning: class always") == documented.hasPrefix("always"))
            #expect(try protection(preset) == documented[...])
            let careful = try add(preset, "--strict")
            #expect(careful.code == 0 && careful.errors.isEmpty, "\(careful.errors)")
            #expect(try protection(preset + "--strict") == strict[...])
        }
        let both = try add("wifi", "--class", "always")
        #expect(both.code == 64 && both.errors.contains("both say the class"))
        #expect(try add("toaster").code == 64)
        let alone = try device.run("keychain", "add", "--service", "x", "--strict", input: Data("s\n".utf8))
        #expect(alone.code == 64 && alone.errors.contains("--preset"))
        #expect(try device.run("keychain", "get", "--service", "x").code == 3)
    }

    @Test func `the table of presets can be printed, and names nothing twice`() throws {
        #expect(Set(ItemPreset.all.map(\.name)).count == ItemPreset.all.count)
        let device = try LiveDevice(starting: false)
        func table(_ options: String...) throws -> [String: String] {
            let lines = try device.run(["presets"] + options).text.split(separator: "\n")
                .map { $0.split(separator: "\t").map(String.init) }
            #expect(lines.map { $0[0] } == ItemPreset.all.map(\.name))
            return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[1]) })
        }
        let (documented, strict) = (try table(), try table("--strict"))
        for row in Self.guide { #expect(documented[row.0] == row.1 && strict[row.0] == row.2, "\(row.0)") }
        #expect(ItemPreset(name: "WIFI") == nil && ItemPreset(name: "wifi")?.protectionClass == .afterFirstUnlock)
    }
}
