import Foundation
import Testing

/// One-time codes beside their logins, and what they are made from.
@Suite(.serialized) struct SeedStories {
    private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        let login = ["add", "shop.example", "--account", "anna", "--label", "Shop"]
        #expect(try device.run(login, input: Data("a password".utf8)).code == 0)
        #expect(try device.run("add", "wifi", input: Data("another".utf8)).code == 0)
        let code = ["vault", "code", "add", "--service", "Shop", "--account", "anna", "--server", "shop.example"]
        #expect(try device.run(code, input: Data(Self.seed.utf8)).code == 0)
        let alone = ["vault", "code", "add", "--service", "Bank", "--account", "bob"]
        #expect(try device.run(alone, input: Data(Self.seed.utf8)).code == 0)
    }

    private func isCode(_ outcome: LiveDevice.Outcome) -> Bool {
        outcome.code == 0 && outcome.output.count == 6 && outcome.text.allSatisfy(\.isNumber) && outcome.errors.isEmpty
    }

    @Test func `a login says which code goes with it, and scripts get digits alone`() throws {
        #expect(try device.run("get", "shop.example").text == "a password")
        #expect(try isCode(device.run("get", "shop.example", "--code")))
        #expect(try isCode(device.run("get", "Bank", "--code")) && isCode(device.run("code", "Shop")))
        let json = try device.run("get", "Shop", "--json")
        #expect(json.text.contains("\"oneTimeCode\" : \"") && !json.text.contains(Self.seed), "\(json)")
        #expect(try !device.run("get", "wifi", "--json").text.contains("oneTimeCode"))
        #expect(try device.run("get", "wifi", "--code").code == 3)
        #expect(try device.run("get", "Shop", "--code", "--json").code == 64)
    }

    @Test func `one command alone gives away what codes are made from, and asks first`() throws {
        let desktop = try FakeDesktop(device)
        let reading = [
            ["get", "Bank"], ["get", "bob"], ["get", "Bank (one-time code)"], ["copy", "Bank"],
            ["keychain", "get", "--service", "Bank (one-time code)"], ["keychain", "get", "--account", "bob"],
            ["keychain", "get", "--account", "bob", "--clip"], ["get", "Bank", "--field", "password"],
            ["keychain", "get", "--service", "Shop (one-time code, shop.example)", "--account", "anna"],
            ["vault", "code", "seed", "Bank"],
        ]
        for words in reading {
            let refused = try device.run(words, environment: desktop.environment)
            #expect(refused.code == 64 && refused.output.isEmpty, "\(words): \(refused)")
            #expect(!refused.errors.contains(Self.seed) && desktop.text == nil)
        }
        let shown = try device.run("vault", "code", "seed", "Bank", "--yes")
        #expect(shown.code == 0 && shown.text == Self.seed, "\(shown)")
        let copied = try device.run(
            ["vault", "code", "seed", "bank", "--yes", "--clip"], environment: desktop.environment)
        #expect(copied.code == 0 && copied.output.isEmpty && desktop.waits { desktop.text == Self.seed })
        // Passwords are read as ever.
        #expect(try device.run("keychain", "get", "--account", "anna", "--server", "shop.example").text == "a password")
        #expect(try device.run("keychain", "get", "--service", "wifi").text == "another")
    }
}

/// The same, and what is typed, at a real terminal.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct TypedSecretStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func type(_ command: String, _ lines: [(prompt: String, text: String)]) throws -> TmuxScreen {
        let screen = try TmuxScreen(device, command: command)
        for line in lines {
            #expect(try screen.waits(for: line.prompt))
            try screen.type(line.text)
            try screen.press("Enter")
        }
        #expect(try screen.waits(for: "after the screen"))
        return screen
    }

    @Test func `a hidden secret is typed twice, and what was kept is told without it`() throws {
        let kept = try type(
            "add wifi --account anna --class afterFirstUnlock",
            [("Secret:", "correct horse"), ("again:", "correct horse")])
        let text = try kept.everything()
        let told = ["kept:", "password", "wifi", "anna", "login", "afterFirstUnlock"]
        #expect(told.allSatisfy { text.contains($0) } && !text.contains("correct horse"), "\(text)")
        #expect(try device.run("get", "wifi").text == "correct horse")
        let slip = try type("edit wifi", [("Replace its secret?", "y"), ("Secret:", "battery"), ("again:", "batery")])
        #expect(try slip.text().contains("the two secrets differ"))
        #expect(try device.run("get", "wifi").text == "correct horse")
        let former = try type(
            "keychain update --service wifi",
            [("Replace its secret?", "y"), ("Secret:", "staple"), ("again:", "staple")])
        #expect(try !former.everything().contains("staple") && device.run("get", "wifi").text == "staple")
    }

    @Test func `a seed is typed twice, and what was kept is told with the code that it makes`() throws {
        let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let address = "otpauth://totp/Bank:anna?secret=\(seed)&digits=8&period=60&algorithm=SHA256"
        let kept = try type("vault code add", [("Secret:", address), ("again:", address)])
        let text = try kept.everything()
        for told in ["kept:", "Bank", "anna", "8 digits, a new one every 60 s, by SHA256", "whenUnlocked"] {
            #expect(text.contains(told), "\(told): \(text)")
        }
        #expect(text.contains(#/the code now: [0-9]{8}, good for [0-9]+ more second/#) && !text.contains(seed))
        let slip = try type("add Shop --code", [("Secret:", seed), ("again:", String(seed.dropLast()))])
        #expect(try slip.text().contains("the two secrets differ"))
        let shown = try type("vault code add --service Shop --show", [("Secret:", seed + "1")])
        #expect(try shown.text().contains("nor a secret in base32"))
        #expect(try device.run("code", "Shop").code == 3 && device.run("code", "Bank").output.count == 8)
    }

    @Test func `on request it is shown while it is typed, once`() throws {
        let screen = try TmuxScreen(device, command: "add wifi --show")
        #expect(try screen.waits(for: "Secret:"))
        try screen.type("correct horsé")
        #expect(try screen.waits(for: "Secret: correct horsé"))
        try screen.press("BSpace")
        try screen.type("e")
        #expect(try screen.waits(for: "Secret: correct horse"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try device.run("get", "wifi").text == "correct horse")
        let piped = try device.run("add", "other", "--show", input: Data("x".utf8))
        #expect(try piped.code == 64 && device.run("get", "other").code == 3)
    }

    @Test func `codes are shown with the seconds left, and a seed only behind a yes`() throws {
        let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let adding = ["vault", "code", "add", "--service", "wifi", "--account", "anna"]
        #expect(try device.run(adding, input: Data(seed.utf8)).code == 0)
        #expect(try device.run(["add", "wifi", "--account", "anna"], input: Data("x".utf8)).code == 0)
        let code = try type("code wifi", [])
        let shown = try code.text()
        #expect(shown.contains(#/\n[0-9]{6}\n  good for [0-9]+ more second/#), "\(shown)")
        #expect(try type("get wifi --account anna --kind password", []).text().contains("--code"))
        let refused = try type("vault code seed wifi", [("Show it? [y/N]", "n")])
        #expect(try !refused.everything().contains(seed))
        #expect(try type("vault code seed wifi", [("Show it? [y/N]", "y")]).text().contains(seed))
    }
}
