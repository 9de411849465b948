import Conformance
import Foundation
import Testing

/// A developer's key, and manifests that it signs.
@Suite(.serialized) struct AppStories {
    private func write(_ text: String, _ device: LiveDevice, _ name: String) throws -> String {
        let path = device.folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `a description is signed with the key in the keychain, and read back`() throws {
        let device = try LiveDevice()
        let prefix = try device.run("app", "keygen", "--label", "Example").text.trimmingCharacters(in: .newlines)
        #expect(prefix.count == 16)
        let program = try write("a program\n", device, "mail")
        let description = try write(
            """
            {"bundleIdentifier": "org.example.mail", "name": "Mail", "version": 3, "keychainGroups": ["shared"],
             "applicationGroups": ["group.org.example"], "executables": ["\(program)"], "unit": "mail.service"}
            """, device, "mail.json")
        let manifest = device.folder + "/mail.tam"
        let signed = try device.run("app", "sign", description, "--output", manifest)
        #expect(signed.text == "\(prefix).org.example.mail\n", "\(signed.errors)")
        let shown = try device.run("app", "show", manifest).text
        for line in [
            "group       \(prefix).shared", "group       group.org.example", "unit        mail.service",
            // As sha256sum(1) says of the program's file.
            "executable  8c304c3a2ac9924f351532af4cc90c1b6198e9cc578d70a6bca945c7300116a8",
        ] {
            #expect(shown.contains(line + "\n"), "\(line) in \(shown)")
        }
        #expect(try device.run("app", "sign", description, "--output", manifest).code == 73, "never over a file")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: manifest))
        bytes[bytes.count - 70] ^= 1
        try bytes.write(to: URL(fileURLWithPath: manifest))
        let forged = try device.run("app", "show", manifest)
        #expect(forged.code == 8 && forged.text.isEmpty)
        #expect(try device.run("app", "show", description).code == 8)
        // The key itself is a secret like others: shut while the device is locked.
        try device.setPasscode()
        #expect(try device.run("lock").code == 0)
        #expect(try device.run("app", "sign", description, "--output", manifest + "2").code == 5)
    }

    @Test(arguments: [
        (#"{"bundleIdentifier": "mail", "name": "Mail", "unit": "a.service"}"#, "breaks a rule"),
        (#"{"bundleIdentifier": "org.example.mail", "name": "Mail"}"#, "breaks a rule"),
        (#"{"bundleIdentifier": "org.example.mail", "name": "Mail", "groups": []}"#, "not known"),
        (#"{"name": "Mail"}"#, "no JSON object"), ("[]", "no JSON object"), ("", "no JSON object"),
        (#"{"bundleIdentifier": "org.example.mail", "name": "Mail", "executables": ["/nowhere"]}"#, "cannot be read"),
    ])
    func `a description that is wrong is refused by what is wrong, and nothing is written`(
        _ text: String, _ words: String
    ) throws {
        let device = try LiveDevice()
        let description = try write(text, device, "a.json")
        let output = device.folder + "/a.tam"
        #expect(try device.run("app", "sign", description, "--output", output).code != 0, "no key yet")
        try device.run("app", "keygen")
        let refused = try device.run("app", "sign", description, "--output", output)
        #expect(refused.code == 64 && refused.errors.contains(words), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test func `of several keys one has to be named`() throws {
        let device = try LiveDevice()
        let prefixes = try (0..<2).map { _ in
            try device.run("app", "keygen").text.trimmingCharacters(in: .newlines)
        }
        let description = try write(
            #"{"bundleIdentifier": "org.example.mail", "name": "Mail", "unit": "mail.service"}"#, device, "a.json")
        let output = device.folder + "/a.tam"
        let refused = try device.run("app", "sign", description, "--output", output)
        #expect(refused.code == 64 && refused.errors.contains("there are 2 developer's keys"), "\(refused.errors)")
        let signed = try device.run("app", "sign", description, "--output", output, "--prefix", prefixes[1])
        #expect(signed.text.hasPrefix(prefixes[1] + "."))
    }
}
