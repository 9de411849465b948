import Foundation
import Linux
import Secrets
import Testing

/// Moving in from other password managers.
@Suite(.serialized) struct Imports {
    private let device: LiveDevice

    init() throws { device = try LiveDevice(lettingTestIn: false) }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = device.folder + "/" + name
        try FileSystem.replace(path, with: Array(text.utf8))
        return path
    }

    private func firefox(_ count: Int, secret: (Int) -> String) -> String {
        let header =
            "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\",\"timeLastUsed\",\"timePasswordChanged\"\n"
        return header
            + (0..<count).map { number in
                let password = secret(number).replacingOccurrences(of: "\"", with: "\"\"")
                return
                    "\"https://site\(number).example\",\"user\(number)\",\"\(password)\",,\"https://site\(number).example\","
                    + "\"{\(number)}\",\"1\",\"2\",\"3\"\n"
            }.joined()
    }

    /// Newlines, NUL, quotes, emoji, 64 KiB.
    private func secret(_ number: Int) -> String {
        switch number % 6 {
        case 0: "line one\nline two \(number)"
        case 1: "nul\u{0}inside \(number)"
        case 2: "say \"\(number)\", twice"
        case 3: "🔐 \(number)"
        case 4 where number < 10: String(repeating: "x", count: 65_536)
        default: "plain \(number)"
        }
    }

    @Test func `a thousand logins of Firefox come back byte for byte, and a second import finds them all`() throws {
        let path = try file("firefox.csv", firefox(1000, secret: secret))
        let dry = try device.run("keychain", "import", path, "--dry-run")
        #expect(dry.code == 0)
        #expect(try device.run("keychain", "list").text.isEmpty)
        let imported = try device.run("keychain", "import", path)
        #expect(imported.code == 0 && imported.text.contains("1000"), "\(imported.text) \(imported.errors)")
        for number in [0, 1, 2, 3, 4, 5, 500, 999] {
            let got = try device.run(
                "keychain", "get", "--server", "site\(number).example", "--account", "user\(number)")
            #expect(got.output == Data(secret(number).utf8), "login \(number)")
        }
        let again = try device.run("keychain", "import", path)
        #expect(again.code == 4 && again.text.contains("1000"), "\(again.text)")
    }

    @Test(arguments: [
        ("chrome.csv", "name,url,username,password,note\nShop,https://shop.example/login,anna,\"p,w\n2\",\n"),
        (
            "bitwarden.csv",
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
                + ",,login,Shop,,,0,https://shop.example,anna,\"p,w\n2\",\n"
        ),
        (
            "1password.csv",
            "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nShop,https://shop.example,anna,\"p,w\n2\",,false,false,,\n"
        ),
        (
            "keepassxc.csv",
            "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\",\"Last Modified\",\"Created\"\n"
                + "\"Root\",\"Shop\",\"anna\",\"p,w\n2\",\"https://shop.example\",\"\",\"\",\"0\",\"2026-01-01T00:00:00Z\",\"2026-01-01T00:00:00Z\"\n"
        ),
    ])
    func theOtherFormatsAreRecognisedByTheirHeader(_ export: (name: String, text: String)) throws {
        let path = try file(export.name, export.text)
        let imported = try device.run("keychain", "import", path)
        #expect(imported.code == 0, "\(imported.text) \(imported.errors)")
        let got = try device.run("keychain", "get", "--server", "shop.example", "--account", "anna")
        #expect(got.output == Data("p,w\n2".utf8))
        #expect(try device.run("keychain", "import", path).code == 4)
    }

    @Test func `nothing is written when a row is bad, unless bad rows are skipped`() throws {
        let good = firefox(3) { "p\($0)" }
        let path = try file("bad.csv", good + "\"https://x.example\",\"too few\"\n")
        let refused = try device.run("keychain", "import", path)
        #expect(refused.code == 64 && !refused.errors.contains("too few"), "\(refused)")
        #expect(try device.run("keychain", "list").text.isEmpty)
        let skipped = try device.run("keychain", "import", path, "--skip-bad")
        #expect(skipped.code == 0)
        #expect(try device.run("keychain", "list").text.split(separator: "\n").count == 3)
        #expect(try device.run("keychain", "import", try file("unknown.csv", "a,b,c\n1,2,3\n")).code == 64)
    }

    @Test func `a password that changed since the last import is reported, not passed over`() throws {
        try device.run("keychain", "import", try file("old.csv", firefox(2) { "old \($0)" }))
        let again = try device.run(
            "keychain", "import", try file("new.csv", firefox(2) { $0 == 0 ? "old 0" : "NEWER" }))
        #expect(again.code == 4 && again.text.contains("ANOTHER SECRET") && !again.text.contains("NEWER"))
        #expect(again.text.contains("in the keychain already: rows 1\n"))
    }

    @Test func `two logins of one name at two servers keep their notes and codes apart`() throws {
        let header =
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
        let path = try file(
            "bitwarden.csv",
            header + ",,login,Google,note a,,0,https://a.example,anna,pa,totpa\n"
                + ",,login,Google,note b,,0,https://b.example,anna,pb,totpb\n")
        let imported = try device.run("keychain", "import", path)
        #expect(imported.code == 0, "\(imported.text)")
        let out = device.folder + "/out.csv"
        #expect(try device.run("keychain", "export", out).code == 0)
        let text = String(decoding: try FileSystem.read(out), as: UTF8.self)
        for word in ["note a", "note b", "totpa", "totpb"] { #expect(text.contains(word)) }
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test func `one damaged secret does not keep the others from being exported`() throws {
        for name in ["a", "b", "c"] {
            try device.run("keychain", "add", "--service", name, input: Data("of \(name)".utf8))
        }
        try damage(2)
        let out = device.folder + "/out.csv"
        #expect(try device.run("keychain", "export", out).code == 8)
        let text = String(decoding: try FileSystem.read(out), as: UTF8.self)
        #expect(text.contains("of a") && text.contains("of c") && !text.contains("of b"))
    }

    /// Damages the secret of the item that was added as this one of all.
    private func damage(_ row: Int) throws {
        try device.stop()
        try StoppedDatabase(path: device.home.database).rows(
            "UPDATE item SET secret = zeroblob(92) WHERE id = \(row)")
        try device.start()
    }

    @Test(arguments: [
        (row: 1, gone: "of the login"), (row: 2, gone: "of the note"), (row: 3, gone: "JBSWY3DPEHPK3PXP"),
    ])
    func `of a login with a note and a code, what is damaged goes alone`(row: Int, gone: String) throws {
        let csv = """
            Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created
            ,Bank,anna,of the login,https://bank.example,of the note,\
            otpauth://totp/Bank:anna?secret=JBSWY3DPEHPK3PXP&issuer=Bank,0,2024-01-01T00:00:00Z,2024-01-01T00:00:00Z

            """
        let imported = try device.run("keychain", "import", try file("in.csv", csv))
        #expect(imported.code == 0, "\(imported.errors)")
        try damage(row)
        let exported = try device.run("keychain", "export", "-")
        #expect(exported.code == 8, "\(exported.errors)")
        let lost = ["of the login", "of the note", "JBSWY3DPEHPK3PXP"].filter { !exported.text.contains($0) }
        #expect(lost == [gone], "\(exported.text) \(exported.errors)")
        #expect(exported.errors.contains("damaged: ") && exported.errors.contains("anna"), "it is named")
    }

    @Test func `what is exported can be imported elsewhere`() throws {
        try device.run("keychain", "import", try file("in.csv", firefox(50, secret: secret)))
        try device.run("keychain", "add", "--service", "wifi", "--account", "home", input: Data("pass \"word\"".utf8))
        let out = device.folder + "/out.csv"
        #expect(try device.run("keychain", "export", out).code == 0)
        #expect(try FileSystem.status(out)?.mode == 0o600)
        #expect(try device.run("keychain", "export", out).code == 73)
        let other = try LiveDevice(lettingTestIn: false)
        let imported = try other.run("keychain", "import", out)
        #expect(imported.code == 0, "\(imported.text) \(imported.errors)")
        for number in [0, 1, 2, 3, 4, 49] {
            let got = try other.run("keychain", "get", "--server", "site\(number).example")
            #expect(got.output == Data(secret(number).utf8), "login \(number)")
        }
        #expect(try other.run("keychain", "get", "--service", "wifi").output == Data("pass \"word\"".utf8))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an export that is interrupted leaves nothing in the clear`(signal: Int32) throws {
        #expect(try device.run("keychain", "import", file("in.csv", firefox(1000, secret: secret))).code == 0)
        let out = device.folder + "/out.csv"
        let export = Process()
        export.executableURL = URL(fileURLWithPath: LiveDevice.programs + "/tresor")
        export.arguments = ["keychain", "export", out]
        export.environment = ["TRESOR_HOME": device.folder]
        export.standardError = FileHandle.nullDevice
        try export.run()
        while export.isRunning, try (FileSystem.status(out)?.byteCount ?? 0) == 0 { usleep(200) }
        kill(export.processIdentifier, signal)
        export.waitUntilExit()
        #expect(export.terminationReason == .exit && export.terminationStatus == 130)
        #expect(try FileSystem.status(out) == nil)
        #expect(try device.run("keychain", "export", out).code == 0)
    }
}
