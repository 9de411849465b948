import Conformance
import Foundation
import Testing
import Thoroughness

/// Configuration profiles, written by hand for each rule, through the real programs.
@Suite(.serialized) final class ProfileStories {
    /// Beside the device's folder, in which no secret may be found.
    private let papers = NSTemporaryDirectory() + "tresor-profiles-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: papers, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: papers) }

    private static let vectors = LiveDevice.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors")
    private static let marker = "MARKER-of-a-profile"

    private func payload(_ type: String, _ uuid: String, _ fields: String) -> String {
        """
        <dict><key>PayloadType</key><string>\(type)</string><key>PayloadIdentifier</key><string>a.\(uuid)</string>
        <key>PayloadUUID</key><string>\(uuid)</string><key>PayloadVersion</key><integer>1</integer>\(fields)</dict>
        """
    }

    private func file(_ name: String) throws -> String {
        "<key>PayloadContent</key><data>"
            + (try Data(contentsOf: Self.vectors.appendingPathComponent(name))).base64EncodedString() + "</data>"
    }

    private func wirelessNetwork(_ uuid: String = "W") -> String {
        payload(
            "com.apple.wifi.managed", uuid,
            "<key>SSID_STR</key><string>Office-\(uuid)</string><key>Password</key><string>\(Self.marker)</string>")
    }

    /// A network, an authority, an identity, and somebody who would manage the device by it.
    private func everything() throws -> [String] {
        [
            wirelessNetwork(), payload("com.apple.security.root", "R", try file("p384-certificate.pem")),
            payload(
                "com.apple.security.pkcs12", "I",
                try file("default.p12") + "<key>Password</key><string>correct horse</string>"),
            payload(
                "com.apple.mdm", "M",
                "<key>IdentityCertificateUUID</key><string>I</string><key>ServerURL</key><string>https://a/</string>"),
        ]
    }

    private func write(_ payloads: [String], more: String = "") throws -> String {
        let text = """
            <plist version="1.0"><dict>
            <key>PayloadType</key><string>Configuration</string><key>PayloadIdentifier</key><string>org.example</string>
            <key>PayloadUUID</key><string>P</string><key>PayloadVersion</key><integer>1</integer>\(more)
            <key>PayloadContent</key><array>\(payloads.joined())</array></dict></plist>
            """
        return try write(Data(text.utf8), "a.mobileconfig")
    }

    private func write(_ bytes: Data, _ name: String) throws -> String {
        let path = papers + "/" + name
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Kind, service and class of every item that can be read now.
    private func items(_ device: LiveDevice) throws -> [String] {
        let lines = try device.run("keychain", "list", "--skip-locked").text.split(separator: "\n")
        return lines.map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[0]) \(fields[1]) \(fields[fields.count - 1])"
        }.sorted()
    }

    private static let record = "password tresor.profile afterFirstUnlockThisDeviceOnly"

    @Test func `by the rule of iOS a restarted device has certificates and the managed identity, and no password`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        let profile = try write(try everything())
        let installed = try device.run("profile", "install", profile)
        #expect(installed.code == 0 && installed.text == "org.example: 4 items installed\n", "\(installed.errors)")
        #expect(installed.errors.contains("does not enroll"))
        #expect(
            try items(device) == [
                "certificate  always", "certificate  always", "key  always", Self.record,
                "password wifi afterFirstUnlockThisDeviceOnly",
            ])
        try device.restart()
        #expect(try items(device) == ["certificate  always", "certificate  always", "key  always"])
        #expect(try device.run("keychain", "get", "--service", "wifi").code == 5)
        try device.unlock()
        #expect(try device.run("lock").code == 0)
        #expect(try device.run("keychain", "get", "--service", "wifi").text == Self.marker)
        let removed = try device.run("profile", "remove", profile)
        #expect(removed.code == 0 && removed.text == "org.example: removed with 4 items\n", "\(removed.errors)")
        #expect(try items(device) == [])
        #expect(try device.run("profile", "remove", "org.example").code == 3)
    }

    @Test func `by the rule of macOS everything is always there, and stays so until the profile leaves`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let profile = try write([wirelessNetwork()])
        let installed = try device.run("profile", "install", profile, "--rule", "macos")
        #expect(installed.errors.contains("warning: 1 passwords or keys are readable whenever"))
        try device.restart()
        #expect(try items(device) == ["password wifi always"])
        #expect(try device.run("profile", "install", profile).code == 5, "before the first unlock")
        try device.unlock()
        #expect(try device.run("profile", "install", profile).code == 0)
        #expect(try items(device).contains("password wifi always"), "what was installed before stays")
        #expect(try device.run("profile", "remove", profile).code == 0)
        #expect(try device.run("profile", "install", profile).code == 0)
        #expect(try items(device) == [Self.record, "password wifi afterFirstUnlockThisDeviceOnly"])
    }

    @Test func `removal takes the profile's items and no others, and a profile may forbid it`() throws {
        let device = try LiveDevice()
        try device.run("keychain", "add", "--service", "wifi", "--account", "Office-W", input: Data("mine".utf8))
        let before = try items(device)
        let profile = try write(
            [wirelessNetwork()], more: "<key>PayloadRemovalDisallowed</key><true/>")
        #expect(try device.run("profile", "install", profile).code == 0)
        let refused = try device.run("profile", "remove", profile)
        #expect(refused.code == 7 && refused.errors.contains("--force"))
        #expect(try device.run("profile", "remove", "org.example", "--force").code == 0)
        #expect(try items(device) == before)
        #expect(try device.run("keychain", "get", "--service", "wifi").text == "mine")
    }

    @Test func `bad profiles are refused with the reason, and nothing is granted`() throws {
        let device = try LiveDevice()
        func binary(_ objects: [[UInt8]]) -> Data {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += object
            }
            let table = UInt8(bytes.count)
            let zeros = [UInt8](repeating: 0, count: 7)
            return Data(
                bytes + offsets + zeros.dropLast() + [1, 1] + zeros + [UInt8(objects.count)] + zeros + [0] + zeros + [
                    table
                ])
        }
        let missing = payload("com.apple.wifi.managed", "Z", "<key>Password</key><string>\(Self.marker)</string>")
        let good = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: try write([wirelessNetwork()]))), as: UTF8.self)
        let cases: [(Data, String)] = [
            (binary([[0xA1, 0]]), "contains itself"),
            (
                binary((0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, 0x61]]),
                "more than 50,000 values"
            ),
            (Data(("<plist>" + String(repeating: "<array>", count: 100_000)).utf8), "more than 32 deep"),
            (Data("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>".utf8), "document type"),
            (Data(String(repeating: "a", count: 2 << 20).utf8), "more than 1 MiB"), (Data(), "cut short"),
            (Data(good.utf8.dropLast(9)), "cut short"),
            (
                Data(good.replacingOccurrences(of: "</array>", with: missing + "</array>").utf8),
                "PayloadContent[1].SSID_STR"
            ),
            (Data("<plist><dict/></plist>".utf8), "PayloadType"),
            (
                Data(
                    good.replacingOccurrences(
                        of: "<key>PayloadContent", with: "<key>EncryptedPayloadContent</key><data/><key>PayloadContent"
                    ).utf8), "encrypted"
            ),
        ]
        for (bytes, words) in cases {
            let path = try write(bytes, "bad.mobileconfig")
            for command in ["install", "show"] {
                let refused = try device.run("profile", command, path)
                #expect(
                    refused.code == 64 && refused.errors.contains(words), "\(words): \(refused.code) \(refused.errors)")
                #expect(!refused.errors.contains(Self.marker) && refused.text.isEmpty)
            }
        }
        #expect(try items(device) == [])
        #expect(try device.run("profile", "list").text.isEmpty)
    }

    @Test func `nothing of a profile's secrets is printed, logged or left on the disk`() throws {
        let device = try LiveDevice()
        let profile = try write(try everything())
        var output = ""
        for arguments in [
            ["show", profile], ["show", profile, "--json"], ["install", profile], ["list"], ["list", "--json"],
        ] {
            let result = try device.run(["profile"] + arguments)
            #expect(result.code == 0)
            output += result.text + result.errors
        }
        for secret in [Self.marker, "correct horse"] {
            #expect(!output.contains(secret))
            #expect(try device.state().range(of: Data(secret.utf8)) == nil)
        }
        #expect(output.contains("\"class\" : \"afterFirstUnlockThisDeviceOnly\""))
    }

    @Test func `what a profile demands of passcode and idle lock is kept by the commands, and ends with it`() throws {
        let device = try LiveDevice()
        let policy = payload(
            "com.apple.mobiledevice.passwordpolicy", "C",
            "<key>minLength</key><integer>6</integer><key>maxInactivity</key><integer>5</integer>")
        let profile = try write([policy])
        try device.run("settings", "--idle-lock", "900")
        #expect(try device.run("profile", "install", profile).code == 0)
        #expect(try device.run("settings").text.contains("idle-lock         300 s"))
        // A newer one without the policy gives back what was set before, and one with it takes it again.
        #expect(try device.run("profile", "install", try write([wirelessNetwork()])).code == 0)
        #expect(try device.run("settings").text.contains("idle-lock         900 s"))
        _ = try write([policy])
        #expect(try device.run("profile", "install", profile).code == 0)
        #expect(try device.run("settings").text.contains("idle-lock         300 s"))
        #expect(try device.run("settings", "--idle-lock", "0").code == 7)
        #expect(try device.run("settings", "--idle-lock", "60").code == 0)
        #expect(try device.run("settings", "--idle-lock", "300").code == 0)
        let short = try device.run("passcode", "set", input: Data("12345\n12345\n".utf8))
        #expect(short.code == 64 && short.errors.contains("at least 6"), "\(short.errors)")
        #expect(try device.run("passcode", "set", input: Data("123456\n123456\n".utf8)).code == 0)
        #expect(try device.run("passcode", "change", input: Data("123456\n1234\n1234\n".utf8)).code == 64)
        #expect(try device.run("profile", "remove", profile).code == 0)
        #expect(try device.run("settings").text.contains("idle-lock         900 s"))
        #expect(try device.run("passcode", "change", input: Data("123456\n1234\n1234\n".utf8)).code == 0)
    }

    @Test func `before the first unlock the idle lock becomes shorter and no longer, whatever profiles say`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.run("settings", "--idle-lock", "900")
        let policy = payload(
            "com.apple.mobiledevice.passwordpolicy", "C", "<key>maxInactivity</key><integer>5</integer>")
        #expect(try device.run("profile", "install", try write([policy])).code == 0)
        try device.restart()
        for longer in ["0", "301", "900"] {
            let refused = try device.run("settings", "--idle-lock", longer)
            #expect(refused.code == 5 && refused.errors.contains("tresor unlock"), "\(longer): \(refused.errors)")
        }
        #expect(try device.run("settings").text.contains("idle-lock         300 s"))
        #expect(try device.run("settings", "--idle-lock", "300").code == 0)
        #expect(try device.run("settings", "--idle-lock", "60").code == 0)
        #expect(try device.run("settings", "--idle-lock", "300").code == 5)
        try device.unlock()
        #expect(try device.run("settings", "--idle-lock", "300").code == 0)
        #expect(try device.run("settings", "--idle-lock", "0").code == 7)
    }

    @Test func `an install that is killed is undone or finished by the next command`() throws {
        let device = try LiveDevice()
        let profile = try write((0..<12).map { wirelessNetwork("\($0)") })
        var interrupted = 0
        let rounds = Thoroughness.count(6, soak: 20)
        for round in 0..<rounds {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
            process.arguments = ["profile", "install", profile]
            process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32.random(in: 5_000...60_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if try device.run("profile", "list").text.contains("interrupted") { interrupted += 1 }
            if round % 2 == 0 {
                #expect(try device.run("profile", "install", profile).code == 0)
                #expect(try items(device).count == 13, "round \(round)")
            }
            let code = try device.run("profile", "remove", profile).code
            #expect(code == 0 || code == 3, "round \(round)")
            #expect(try items(device) == [], "round \(round)")
        }
        print("interrupted \(interrupted) of \(rounds)")
    }
}
