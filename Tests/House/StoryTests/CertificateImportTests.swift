import Foundation
import Linux
import Testing

/// Certificates and keys from files, by the command line.
@Suite(.serialized) struct CertificateImports {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func vector(_ name: String) -> String {
        LiveDevice.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors/\(name)").path
    }

    /// The passphrase comes on standard input, as a script gives it.
    private func importing(_ path: String, _ passphrase: String = "correct horse") throws -> LiveDevice.Outcome {
        try device.run(["keychain", "import", path], input: Data((passphrase + "\n").utf8))
    }

    private func kinds() throws -> [String] {
        let list = try device.run("keychain", "list").text.split(separator: "\n")
        return list.compactMap { $0.split(separator: "\t").first.map(String.init) }.sorted()
    }

    @Test func `a PKCS#12 file becomes a certificate and a key, and a second time duplicates`() throws {
        let dry = try device.run(
            ["keychain", "import", vector("p384.p12"), "--dry-run"], input: Data("correct horse\n".utf8))
        #expect(dry.code == 0 && dry.text.contains("added 2"))
        #expect(try kinds() == [])
        let imported = try importing(vector("p384.p12"))
        #expect(imported.code == 0 && imported.text.contains("identities in the file 1"), "\(imported.errors)")
        #expect(try kinds() == ["certificate", "key"])
        let again = try importing(vector("p384.p12"))
        #expect(again.code == 4 && again.text.contains("duplicates 2"))
        #expect(try kinds() == ["certificate", "key"])
    }

    @Test func `a wrong passphrase, damage and what is refused have codes of their own, and leave nothing`() throws {
        #expect(try importing(vector("p384.p12"), "wrong").code == 6)
        #expect(try importing(vector("legacy.p12")).code == 64)
        #expect(try importing(vector("ed25519.p12")).code == 64)
        let whole = try Data(contentsOf: URL(fileURLWithPath: vector("p384.p12")))
        let cut = device.folder + "/cut.p12"
        try FileSystem.replace(cut, with: [UInt8](whole.prefix(300)))
        #expect(try importing(cut).code == 8)
        #expect(try device.run("keychain", "import", vector("p384.p12"), "--skip-bad").code == 64)
        let piped = try device.run(["keychain", "import", "-"], input: whole)
        #expect(piped.code == 64 && piped.errors.contains("--passphrase-fd"))
        #expect(try kinds() == [])
    }

    @Test func `what cannot be added whole is not added at all`() throws {
        let refused = try device.run(
            ["keychain", "import", vector("p384.p12"), "--class", "whenPasscodeSetThisDeviceOnly"],
            input: Data("correct horse\n".utf8))
        #expect(refused.code == 7, "\(refused.errors)")
        #expect(try kinds() == [])
    }

    @Test func `whoever chooses class always for certificates and keys is warned, once for a file`() throws {
        // The class that certificates have where none is said, and keys have not, is nobody's choice.
        let unsaid = try device.run(
            ["keychain", "import", vector("p384.p12"), "--dry-run"], input: Data("correct horse\n".utf8))
        #expect(unsaid.code == 0 && !unsaid.errors.contains("warning: class"), "\(unsaid)")
        for arguments in [["--dry-run"], []] {
            let imported = try device.run(
                ["keychain", "import", vector("p384.p12"), "--class", "always"] + arguments,
                input: Data("correct horse\n".utf8))
            #expect(imported.code == 0 && imported.text.contains("added 2"), "\(imported)")
            #expect(imported.errors.components(separatedBy: "warning: class always").count == 2, "\(imported.errors)")
        }
    }

    @Test func `PEM files give what stands in them, keys under a passphrase too`() throws {
        #expect(try importing(vector("bundle.pem")).code == 0)
        #expect(try kinds().contains("key"))
        let sealed = try importing(vector("encrypted-sha256-aes-256.pem"))
        #expect(sealed.code == 4 && sealed.text.contains("duplicates 1"), "\(sealed.errors)")
    }

    @Test func `a secure note is an item of its own kind`() throws {
        for name in ["Alarm", "Safe"] {
            let added = try device.run(
                ["keychain", "add", "--kind", "note", "--label", name], input: Data("text of \(name)".utf8))
            #expect(added.code == 0, "\(added.errors)")
        }
        try device.run(["keychain", "add", "--service", "Alarm", "--account", "a"], input: Data("x".utf8))
        #expect(try kinds() == ["note", "note", "password"])
        let notes = try device.run("keychain", "list", "--kind", "note").text
        #expect(notes.split(separator: "\n").count == 2)
        let text = try device.run("keychain", "get", "--kind", "note", "--label", "Safe")
        #expect(text.output == Data("text of Safe".utf8))
        #expect(try device.run(["keychain", "add", "--kind", "note"], input: Data("x".utf8)).code == 64)
    }
}
