import Foundation
import Testing

/// A root that a profile brings: trusted for what the profile says, as long as it is installed.
@Suite(.serialized, .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "needs openssl"))
struct ProfileTrustStories {
    private let device: LiveDevice
    private var folder: String { device.folder + "/" }

    init() throws {
        device = try LiveDevice()
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj",
            "/CN=Company Root", "-addext", "basicConstraints=critical,CA:TRUE")
        for name in ["server", "signer"] {
            try openssl(
                "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj",
                "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name).example")
            try openssl(
                "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
                "\(name).pem", "-days", "30", "-copy_extensions", "copy")
        }
    }

    private func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: device.folder)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments)")
    }

    /// A profile that brings one certificate, by a payload of a type.
    private func profile(_ type: String, _ certificate: String, _ identifier: String = "org.example") throws -> String {
        let pem = try Data(contentsOf: URL(fileURLWithPath: folder + certificate)).base64EncodedString()
        let text = """
            <plist version="1.0"><dict>
            <key>PayloadType</key><string>Configuration</string><key>PayloadIdentifier</key><string>\(identifier)</string>
            <key>PayloadUUID</key><string>P</string><key>PayloadVersion</key><integer>1</integer>
            <key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.security.\(type)</string>
            <key>PayloadIdentifier</key><string>a</string><key>PayloadUUID</key><string>R</string>
            <key>PayloadVersion</key><integer>1</integer><key>PayloadContent</key><data>\(pem)</data>
            </dict></array></dict></plist>
            """
        let path = folder + identifier + "-" + type + ".mobileconfig"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func verify(_ arguments: String...) throws -> LiveDevice.Outcome {
        try device.run(["trust", "verify", folder + "server.pem"] + arguments)
    }

    @Test func `what a profile's root issued is trusted until the profile goes, and by whom is said`() throws {
        #expect(try verify().code == 7)
        let path = try profile("root", "ca.pem")
        let installed = try device.run("profile", "install", path)
        #expect(installed.code == 0 && installed.errors.contains("is trusted by 'tresor trust'"), "\(installed.errors)")
        let trusted = try verify()
        #expect(trusted.code == 0 && trusted.text.contains("by the profile org.example"), "\(trusted.text)")
        #expect(try verify("--host", "server.example").code == 0)
        #expect(try verify("--host", "other.example").code == 7, "not more than a chain says")
        #expect(try verify("--no-system-roots").code == 7)
        #expect(try device.run("trust", "roots").text.contains("1 root in Profiles (org.example)"))
        #expect(try device.run("trust", "roots", "--json").text.contains("\"profile\" : \"org.example\""))
        // Installed once more, locked, restarted.
        #expect(try device.run("profile", "install", path).code == 0)
        try device.setPasscode()
        #expect(try device.run("lock").code == 0)
        #expect(try verify().code == 0, "certificates are always readable, and the record is")
        try device.restart()
        let early = try verify()
        #expect(early.code == 7 && early.errors.contains("roots of profiles were not looked at"), "\(early.errors)")
        try device.unlock()
        #expect(try verify().code == 0)
        #expect(try device.run("profile", "remove", path).code == 0)
        let gone = try verify()
        #expect(gone.code == 7 && gone.errors.isEmpty)
        #expect(try device.run("trust", "roots").text.contains("0 roots in Profiles"))
        try device.stop()
        #expect(try verify().errors.contains("not looked at"), "said, and no failure of its own")
    }

    @Test func `what a profile calls no root, or what is none, is not trusted`() throws {
        for (type, certificate) in [("pem", "ca.pem"), ("pkcs1", "ca.pem"), ("root", "server.pem")] {
            let path = try profile(type, certificate, "org.\(type)")
            let installed = try device.run("profile", "install", path)
            #expect(installed.code == 0 && !installed.errors.contains("is trusted"), "\(installed.errors)")
            #expect(try verify().code == 7, "\(type) \(certificate)")
        }
        // By two profiles, of which one goes.
        let (first, second) = (try profile("root", "ca.pem", "org.first"), try profile("root", "ca.pem", "org.second"))
        for path in [first, second] { #expect(try device.run("profile", "install", path).code == 0) }
        #expect(try device.run("profile", "remove", first).code == 0)
        #expect(try verify().text.contains("by the profile org.second"))
        #expect(try device.run("profile", "remove", second).code == 0)
        #expect(try verify().code == 7)
        // A certificate in the keychain is none either.
        let imported = try device.run("keychain", "import", folder + "ca.pem")
        #expect([0, 4].contains(imported.code), "it is there by the other payloads, or comes in: \(imported.errors)")
        #expect(try verify().code == 7)
    }

    @Test func `a profile's root vouches for no other profile's signer`() throws {
        #expect(try device.run("profile", "install", profile("root", "ca.pem")).code == 0)
        let other = try profile("pem", "server.pem", "org.other")
        try openssl(
            "smime", "-sign", "-binary", "-in", other, "-signer", "signer.pem", "-inkey", "signer.key", "-nodetach",
            "-outform", "DER", "-out", "signed")
        let refused = try device.run("profile", "install", folder + "signed")
        #expect(refused.code == 7 && refused.errors.contains("issuer is not known"), "\(refused.errors)")
        #expect(try device.run("profile", "install", folder + "signed", "--ca", folder + "ca.pem").code == 0)
    }
}
