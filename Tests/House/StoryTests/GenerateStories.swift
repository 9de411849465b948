import Foundation
import Testing

/// Passwords that the command makes: printed alone, or kept.
@Suite struct GenerateStories {
    private struct Made: Decodable {
        let password: String
        let bits: Double
        let rules: String?
        let site: String?
    }

    private func isWhole(_ text: String, _ form: some RegexComponent) -> Bool { text.wholeMatch(of: form) != nil }

    @Test func `a password is printed alone, as it is wanted, and no device is needed`() throws {
        let device = try LiveDevice(starting: false)
        let usual = try device.run("generate")
        #expect(usual.code == 0 && !usual.errors.contains("bits"), "\(usual.errors)")
        #expect(isWhole(usual.text, #/(?:[A-Za-z0-9]{6}-){2}[A-Za-z0-9]{6}\n/#))
        #expect(try device.run("generate").text != usual.text)
        let digits = try device.run("keychain", "generate", "--length", "4", "--characters", "digits")
        #expect(isWhole(digits.text, #/[0-9]{4}\n/#), "\(digits)")
        let words = try device.run("generate", "--words", "4", "--separator", ".", "--count", "3")
        #expect(isWhole(words.text, #/(?:(?:[a-z]{3,9}\.){3}[a-z]{3,9}\n){3}/#), "\(words)")
        let ruled = try device.run("generate", "--rules", "maxlength: 8; required: digit; allowed: [\"\\]", "--json")
        let made = try JSONDecoder().decode(Made.self, from: ruled.output)
        #expect(isWhole(made.password, #/[0-9"\\]{8}/#) && made.bits > 28 && made.bits < 28.7)
        #expect(made.rules == "maxlength: 8; required: digit; allowed: [\"\\];" && made.site == nil)
        let several = try device.run("generate", "--for", "shop.account.samsung.com", "--json", "--count", "2")
        let all = try JSONDecoder().decode([Made].self, from: several.output)
        #expect(all.count == 2 && all.allSatisfy { $0.password.count == 15 && $0.site == "account.samsung.com" })
    }

    @Test(arguments: [
        (["--rules", "minlength: 0"], "byte 12"), (["--rules", "minlength: 9; maxlength: 8"], "no length"),
        (["--rules", "maxlength: 1; required: lower; required: digit"], "hardly any"),
        (["--rules", "maxlength: 8", "--length", "9"], "from 1 to 8"), (["--length", "513"], "from 1 to 512"),
        (["--words", "0"], "from 1 to 64"), (["--words", "6", "--separator", "ab"], "one printable character"),
        (["--for", "https://shop.example.com"], "--for takes a host"), (["--for", ""], "--for takes a host"),
        (["--words", "6", "--length", "9"], "give one of them"), (["--separator", "."], "belongs to --words"),
        (["--for", "a.example", "--characters", "digits"], "give one of them"), (["--count", "0"], "from 1 to 1000"),
        (["--characters", "digit"], "digits"), (["--characters", "digits,digits"], "digits"),
    ]) func `what cannot be made is refused with advice`(_ options: [String], _ words: String) throws {
        let refused = try LiveDevice(starting: false).run(["generate"] + options)
        #expect(refused.code == 64 && refused.output.isEmpty && refused.errors.contains(words), "\(refused)")
    }

    @Test func `a secret that is made is kept, and shown only to whom that is wanted for`() throws {
        let device = try LiveDevice()
        let get = { try device.run("keychain", "get", "--service", "s").text }
        let added = try device.run("keychain", "add", "--service", "s", "--generate")
        let first = try get()
        #expect(added.code == 0 && added.output.isEmpty && first.count == 20, "\(added)")
        #expect(added.errors.contains("20 characters, 71.9 bits") && !added.errors.contains(first))
        let updated = try device.run("keychain", "update", "--service", "s", "--generate", "--words", "6", "--show")
        let second = try get()
        #expect(updated.code == 0 && updated.text == second + "\n" && second != first, "\(updated)")
        #expect(updated.errors.contains("6 words, 77.5 bits") && !updated.errors.contains(second))
        // A server that has rules need not be said twice.
        let server = ["--server", "account.samsung.com", "--account", "anna"]
        let ruled = try device.run(["keychain", "add"] + server + ["--generate"])
        #expect(ruled.errors.contains("15 characters") && ruled.errors.contains("by the rules of account.samsung.com"))
        #expect(try device.run(["keychain", "get"] + server).text.count == 15)
        for refused in [
            ["add", "--service", "t", "--generate", "--empty-secret"], ["add", "--service", "t", "--length", "9"],
            ["add", "--service", "t", "--generate", "--secret-fd", "0"], ["add", "--service", "t", "--show"],
            ["add", "--label", "t", "--kind", "note", "--generate"],
            ["update", "--service", "s", "--generate", "--keep-secret"],
            ["update", "--service", "s", "--generate", "--rules", "minlength"],
        ] {
            let outcome = try device.run(["keychain"] + refused, input: Data("typed".utf8))
            #expect(outcome.code == 64 && outcome.output.isEmpty, "\(refused): \(outcome)")
        }
        #expect(try get() == second)
        #expect(try device.run("keychain", "get", "--service", "t").code == 3)
    }

    @Test func `beside a secret that is made, the input is the item's own password's`() throws {
        let device = try LiveDevice()
        let named = ["--service", "s"]
        let password = Data("own\nown\n".utf8)
        let added = try device.run(
            ["keychain", "add"] + named + ["--access", "applicationPassword", "--generate"], input: password)
        #expect(added.code == 0, "\(added)")
        let first = try device.run(["keychain", "get"] + named, input: password).text
        #expect(first.count == 20)
        #expect(try device.run(["keychain", "update"] + named + ["--generate"], input: Data("no\n".utf8)).code == 6)
        let updated = try device.run(["keychain", "update"] + named + ["--generate"], input: password)
        #expect(updated.code == 0, "\(updated)")
        let second = try device.run(["keychain", "get"] + named, input: password).text
        #expect(second.count == 20 && second != first)
    }

    @Test(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
    func `a terminal also shows how hard it is to guess, and by whose rules`() throws {
        let device = try LiveDevice(starting: false)
        let screen = try TmuxScreen(device, command: "generate --for account.samsung.com")
        #expect(try screen.waits(for: "15 characters"))
        #expect(try screen.text().contains("bits, by the rules of account.samsung.com"))
    }
}
