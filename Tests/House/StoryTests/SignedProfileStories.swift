import Foundation
import Testing

/// Profiles that somebody signed, as OpenSSL signs them.
@Suite(.serialized, .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl")))
struct SignedProfileStories {
    private static let profile = """
        <plist version="1.0"><dict>
        <key>PayloadType</key><string>Configuration</string><key>PayloadIdentifier</key><string>org.example</string>
        <key>PayloadUUID</key><string>P</string><key>PayloadVersion</key><integer>1</integer>
        <key>PayloadContent</key><array><dict><key>PayloadType</key><string>com.apple.wifi.managed</string>
        <key>PayloadIdentifier</key><string>a</string><key>PayloadUUID</key><string>W</string>
        <key>PayloadVersion</key><integer>1</integer><key>SSID_STR</key><string>Office</string>
        <key>Password</key><string>over the air</string></dict></array></dict></plist>
        """

    private func openssl(_ device: LiveDevice, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: device.folder)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments)")
    }

    @Test func `a signed profile is installed where its signer is trusted, and refused where it was changed`() throws {
        let device = try LiveDevice()
        let folder = device.folder + "/"
        try Data(Self.profile.utf8).write(to: URL(fileURLWithPath: folder + "bare"))
        try openssl(
            device, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj",
            "/CN=Company")
        try openssl(
            device, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "a.key", "-out", "a.csr", "-subj", "/CN=Anna")
        try openssl(
            device, "x509", "-req", "-in", "a.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
            "a.pem", "-days", "30")
        // With and without lengths.
        for option in ["-binary", "-stream"] {
            try openssl(
                device, "smime", "-sign", "-binary", option, "-in", "bare", "-signer", "a.pem", "-inkey", "a.key",
                "-nodetach", "-outform", "DER", "-out", "signed")
            let stranger = try device.run("profile", "install", folder + "signed")
            #expect(stranger.code == 7 && stranger.errors.contains("issuer is not known"), "\(stranger.errors)")
            #expect(stranger.errors.contains("--ca"))
            let shown = try device.run("profile", "show", folder + "signed")
            #expect(shown.text.contains("by CN=Anna, who is not trusted"), "\(shown.text)")
            let trusted = try device.run("profile", "install", folder + "signed", "--ca", folder + "ca.pem")
            #expect(trusted.code == 0 && !trusted.errors.contains("not signed"), "\(trusted.errors)")
            #expect(try device.run("profile", "remove", folder + "signed").code == 0)
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "signed"))
        let place = try #require(bytes.range(of: Data("over the air".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: folder + "changed"))
        let changed = try device.run("profile", "install", folder + "changed", "--ca", folder + "ca.pem")
        #expect(changed.code == 8 && changed.errors.contains("was changed after it was signed"), "\(changed.errors)")
        try openssl(
            device, "smime", "-encrypt", "-aes256", "-in", "bare", "-outform", "DER", "-out", "sealed", "a.pem")
        let sealed = try device.run("profile", "install", folder + "sealed")
        #expect(sealed.code == 64 && sealed.errors.contains("is encrypted"), "\(sealed.errors)")
        #expect(try device.run("keychain", "list").text.isEmpty)
    }
}
