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

    private func list(_ device: LiveDevice) throws -> String {
        try device.run("vault", "code", "list").text
    }

    @Test func `codes are added in one step, and go with the login that has the name`() throws {
        let device = try LiveDevice()
        let secret = Data("x".utf8)
        #expect(try device.run("add", "github.com", "--account", "anna", input: secret).code == 0)
        for adding in [["add", "github.com", "--code"], ["vault", "code", "add", "GitHub.com"]] {
            let added = try device.run(adding, input: Self.seed)
            #expect(added.code == 0 && added.output.isEmpty, "\(adding): \(added.errors)")
            #expect(try isCode(device.run("get", "github.com", "--code")) && isCode(device.run("code", "github.com")))
            // The server is the name, and is not said twice.
            #expect(try list(device).hasPrefix("github.com\tanna\t\t"), "\(adding)")
            #expect(try device.run("add", "github.com", "--code", input: Self.seed).code == 4, "it has one")
            #expect(try device.run("get", "github.com").text == "x", "the password stays")
            #expect(try device.run("rm", "github.com (one-time code)", "--yes").code == 0)
        }
        // A new name is a code alone; an address says whose it is, where nothing else does.
        #expect(try device.run("add", "Bank", "--code", "--account", "otto", input: Self.seed).code == 0)
        let address = Data("otpauth://totp/Mail:maria?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)
        #expect(try device.run("add", "Post", "--code", input: address).code == 0)
        #expect(try list(device).contains("Bank\totto\t") && list(device).contains("Post\tmaria\t"))
        #expect(try isCode(device.run("code", "Bank")) && isCode(device.run("code", "Post")))
        // As scripts have it, a login is not looked for.
        #expect(try device.run("vault", "code", "add", "--service", "github.com", input: Self.seed).code == 0)
        let all = try list(device)
        #expect(all.contains("github.com\t\t\t"), "\(all)")
    }

    @Test func `where several logins have the name, codes go with none of them until an account is said`() throws {
        let device = try LiveDevice()
        for account in ["anna", "otto"] {
            let added = try device.run("add", "shop.example.com", "--account", account, input: Data("x".utf8))
            #expect(added.code == 0)
        }
        let several = try device.run("add", "shop.example.com", "--code", input: Self.seed)
        #expect(several.code == 4 && several.errors.contains("--account"), "\(several.errors)")
        #expect(try list(device).isEmpty)
        let one = try device.run("add", "shop.example.com", "--code", "--account", "otto", input: Self.seed)
        #expect(try one.code == 0 && list(device).hasPrefix("shop.example.com\totto\t"))
        #expect(try isCode(device.run("get", "shop.example.com", "--account", "otto", "--code")))
        #expect(try device.run("get", "shop.example.com", "--account", "anna", "--code").code == 3)
    }

    @Test func `what codes do not have is refused beside them`() throws {
        let device = try LiveDevice()
        let others = [
            ["--wifi"], ["--generate"], ["--kind", "note"], ["--service", "a"], ["--label", "a"], ["--port", "1"],
            ["--protocol", "htps"], ["--path", "/"], ["--tag", "a"], ["--keychain", "login"], ["--issuer", "30"],
            ["--serial", "01"], ["--preset", "mail"], ["--access", "userPresence"], ["--comment", "a"],
            ["--empty-secret"],
        ]
        for other in others {
            let refused = try device.run(["add", "Bank", "--code"] + other, input: Self.seed)
            #expect(refused.code == 64 && refused.errors.contains("leave \(other[0]) out"), "\(refused.errors)")
        }
        let both = try device.run("vault", "code", "add", "Bank", "--service", "Bank", input: Self.seed)
        #expect(try both.code == 64 && list(device).isEmpty)
    }

    @Test func `whoever asks code for an addition is told the command, and a code that is called add is made`() throws {
        let device = try LiveDevice()
        let told = try device.run("code", "add", "Bank", input: Self.seed)
        #expect(told.code == 64 && told.errors.contains("tresor add Bank --code"), "\(told.errors)")
        let unknown = try device.run("code", "Bank", "Mail")
        #expect(unknown.code == 64 && unknown.errors.contains("Unexpected argument 'Mail'"), "\(unknown.errors)")
        let absent = try device.run("code", "Bank")
        #expect(absent.code == 3 && absent.errors.contains("'tresor add NAME --code' takes one in"))
        #expect(try device.run("add", "add", "--code", input: Self.seed).code == 0)
        #expect(try isCode(device.run("code", "add")))
        let help = try device.run("code", "--help").text.split(separator: "\n").prefix(3)
        #expect(help.contains { $0.hasPrefix("To add one: 'tresor add NAME --code'.") }, "\(help)")
        #expect(try !device.run("vault", "code", "add", "--help").text.contains("--service"))
    }
}
