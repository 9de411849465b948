import Foundation
import Testing

/// Items by the names that people know: of any kind, and never one of several.
@Suite(.serialized) struct NameStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func add(_ arguments: String..., secret: String) throws {
        let added = try device.run(["add"] + arguments, input: Data(secret.utf8))
        #expect(added.code == 0 && added.output.isEmpty, "\(added)")
    }

    private func get(_ arguments: String...) throws -> String { try device.run(["get"] + arguments).text }

    @Test func `a name finds an item of any kind, also one that an import brought`() throws {
        try add("github.com", "--account", "anna", secret: "one")
        try add("wifi", secret: "two")
        try add("signing key", "--kind", "key", secret: "three")
        let export = device.folder + "/chrome.csv"
        try Data("name,url,username,password,note\nShop,https://shop.example/login,bob,four,a note\n".utf8)
            .write(to: URL(fileURLWithPath: export))
        #expect(try device.run("vault", "import", export).code == 0)
        for (name, secret) in [
            ("github.com", "one"), ("github", "one"), ("GitHub", "one"), ("anna", "one"), ("wifi", "two"),
            ("ifi", "two"), ("signing key", "three"), ("shop.example", "four"), ("shop", "four"), ("bob", "four"),
        ] {
            let got = try device.run("get", name)
            #expect(got.code == 0 && got.text == secret, "\(name): \(got)")
        }
        #expect(try get("github", "--field", "account") == "anna\n")
        #expect(try get("github", "--field", "server") == "github.com\n")
        #expect(try get("github", "--field", "password") == "one")
        #expect(try device.run("get", "wifi", "--field", "comment").code == 3)
        let json = try get("github", "--json")
        #expect(json.contains("\"internet\"") && json.contains("\"github.com\""))
        let absent = try device.run("get", "githab")
        #expect(absent.code == 3 && absent.errors.contains("similar: github.com"), "\(absent)")
        #expect(try device.run("get", "").code == 64)
    }

    @Test func `of several nothing is chosen, and nothing deleted`() throws {
        try add("mail", "--account", "anna", secret: "a")
        try add("mail", "--account", "bob", secret: "b")
        try add("mail.example", "--label", "mail", secret: "c")
        for command in [["get", "mail"], ["copy", "mail"], ["edit", "mail"], ["rm", "mail", "--yes"]] {
            let several = try device.run(command, input: Data("new".utf8))
            #expect(several.code == 4 && several.output.isEmpty, "\(command): \(several)")
            #expect(several.errors.contains("3 items have this name") && several.errors.contains("account"))
            #expect(["anna", "bob", "mail.example", "KIND"].allSatisfy { several.errors.contains($0) })
        }
        #expect(try get("mail", "--account", "bob") == "b" && get("mail", "--kind", "internet") == "c")
        #expect(try get("mail.example") == "c")

        let unasked = try device.run("rm", "mail", "--account", "bob")
        #expect(unasked.code == 64 && unasked.errors.contains("--yes"), "\(unasked)")
        let removed = try device.run("rm", "mail", "--account", "bob", "--yes")
        #expect(removed.code == 0 && removed.output.isEmpty && removed.errors.contains("bob"), "\(removed)")
        #expect(try device.run("get", "mail", "--account", "bob").code == 3)
        // What fits in part may be looked at, and is not changed with nobody there.
        #expect(try get("ail.exam") == "c")
        for command in [["rm", "ail.exam", "--yes"], ["edit", "ail.exam"], ["edit", "ail.exam", "--yes"]] {
            let unsure = try device.run(command, input: Data("new".utf8))
            #expect(unsure.code == 3 && unsure.errors.contains("similar: mail.example"), "\(command): \(unsure)")
        }
        #expect(try get("mail", "--account", "anna") == "a" && get("mail.example") == "c")
        #expect(try device.run("rm", "MAIL.EXAMPLE", "--yes").code == 0)
        #expect(try device.run("get", "mail.example").code == 3)
    }

    @Test func `an item is added and changed by its name`() throws {
        #expect(try device.run("add", "wifi", "--generate").code == 0)
        #expect(try get("wifi").count == 20 && get("wifi", "--field", "service") == "wifi\n")
        #expect(try device.run("add", "wifi", input: Data("x".utf8)).code == 4)
        #expect(try device.run("edit", "wifi", input: Data("changed".utf8)).code == 0)
        #expect(try get("wifi") == "changed")
        let named = try device.run("edit", "wifi", "--label", "Home", "--account", "anna", "--comment", "upstairs")
        #expect(named.code == 0, "\(named)")
        #expect(try get("home") == "changed" && get("Home", "--field", "account") == "anna\n")
        let made = try device.run("edit", "home", "--generate", "--words", "6", "--show")
        let kept = try get("Home")
        #expect(made.code == 0 && made.text == kept + "\n")
        #expect(try device.run("edit", "Home", input: Data()).code == 64)
        #expect(try device.run("edit", "Home", "--server", "a.example").code == 64)
        #expect(try get("Home") == kept)
        try add("note to self", "--kind", "note", secret: "a text")
        #expect(try device.run("get", "note to self", "--kind", "password").code == 3)
        #expect(try get("note to self", "--kind", "note") == "a text")
        #expect(try device.run("edit", "note to self", "--generate").code == 64)
        try add("Cellar", "--service", "cellar.example", "--class", "afterFirstUnlock", secret: "x")
        #expect(try get("Cellar", "--field", "service") == "cellar.example\n")
        #expect(try get("cellar.example", "--json").contains("\"afterFirstUnlock\""))
    }

    @Test func `lists have all kinds, with tabs where no terminal is, and names alone where they are wanted`() throws {
        try add("github.com", "--account", "anna", "--comment", "for Work", secret: "x")
        try add("wifi", secret: "x")
        try add("signing", "--kind", "key", secret: "x")
        let all = try device.run("ls")
        #expect(
            all.code == 0
                && all.text == """
                    password\twifi\t\twifi\twhenUnlocked
                    internet\tgithub.com\tanna\tgithub.com\twhenUnlocked
                    key\tsigning\t\tsigning\twhenUnlocked

                    """,
            "\(all)")
        #expect(try device.run("ls", "-q").text == "wifi\ngithub.com\nsigning\n")
        #expect(try device.run("ls", "-q", "--kind", "key").text == "signing\n")
        #expect(try device.run("ls", "-q", "--account", "anna").text == "github.com\n")
        #expect(try device.run("find", "HUB", "work", "-q").text == "github.com\n")
        #expect(try device.run("find", "i", "-q", "--kind", "password").text == "wifi\n")
        let none = try device.run("find", "hub", "wifi")
        #expect(none.code == 3 && none.output.isEmpty, "\(none)")
        #expect(try device.run("find", "anna", "--json").text.contains("\"github.com\""))
        #expect(try device.run("ls", "--keychain", "Gone").code == 3)
    }

    @Test func `what is locked is never told as absent, and not changed`() throws {
        try device.setPasscode()
        try add("bank", secret: "x")
        try add("radio", "--class", "afterFirstUnlock", secret: "y")
        #expect(try device.run("lock").code == 0)
        let shut = try device.run("get", "bank")
        #expect(shut.code == 5 && shut.errors.contains("of class whenUnlocked"), "\(shut)")
        let absent = try device.run("get", "absent")
        #expect(absent.code == 5 && absent.errors.contains("locked and left out"), "\(absent)")
        #expect(try get("radio") == "y")
        let unsure = try device.run("get", "RADIO")
        #expect(unsure.code == 0 && unsure.text == "y" && unsure.errors.contains("left out"), "\(unsure)")
        #expect(try device.run("rm", "RADIO", "--yes").code == 5)
        let list = try device.run("ls", "-q")
        #expect(list.code == 5 && list.text.contains("radio\n") && !list.text.contains("bank"), "\(list)")
        #expect(try device.run("ls", "-q", "--skip-locked").output == list.output)
        #expect(try device.run("find", "bank").code == 5)
        #expect(try device.run("rm", "bank", "--yes").code == 5)
        try device.restart()
        #expect(try device.run("get", "bank").code == 5 && device.run("get", "radio").code == 5)
        try device.unlock()
        #expect(try get("bank") == "x")
    }

    @Test func `a code is made for a name`() throws {
        let seed = Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8)
        for (service, account) in [("Mail", "anna"), ("Mail", "bob"), ("Bank", "carla")] {
            #expect(
                try device.run(
                    "vault", "code", "add", "--service", service, "--account", account, input: seed
                ).code == 0)
        }
        for name in ["Bank", "bank", "carla", "ban"] {
            let code = try device.run("code", name)
            #expect(code.code == 0 && code.output.count == 6 && code.text.allSatisfy(\.isNumber), "\(name): \(code)")
        }
        let several = try device.run("code", "mail")
        #expect(several.code == 4 && several.output.isEmpty && several.errors.contains("bob"), "\(several)")
        #expect(try device.run("code", "mail", "--account", "bob").output.count == 6)
        #expect(try device.run("code", "shop").code == 3)
    }
}

/// The words at the top: few are shown, and all that were there go on working.
@Suite struct WordStories {
    private struct Tree: Decodable {
        struct Command: Decodable {
            let commandName: String
            let shouldDisplay: Bool?
            let subcommands: [Command]?
        }
        let command: Command
    }

    @Test func `at most twenty words are shown at the top, in groups`() throws {
        let device = try LiveDevice(starting: false)
        let dump = try device.run("--experimental-dump-help")
        let top = try JSONDecoder().decode(Tree.self, from: dump.output).command.subcommands ?? []
        let shown = top.filter { $0.shouldDisplay != false && $0.commandName != "help" }.map(\.commandName)
        #expect(shown.count == 20 && shown.first == "get" && shown.contains("vault") && shown.contains("admin"))
        let help = try device.run("--help").text
        for group in ["DAILY", "LOCK", "NOTES, DIARY, WIDGETS", "VAULT AND ADMIN"] { #expect(help.contains(group)) }
        #expect(!help.contains("\n  keychain") && !help.contains("\n  doctor"))
    }

    @Test(arguments: [
        ["presets"], ["app", "--help"], ["profile", "--help"], ["trust", "roots", "--help"],
        ["security-key", "--help"], ["tour", "--help"], ["repair", "--help"], ["settings", "--help"],
    ]) func `what stood at the top works there as in admin`(_ words: [String]) throws {
        let device = try LiveDevice(starting: false)
        let (former, present) = try (device.run(words), device.run(["admin"] + words))
        #expect(former.code == 0 && !former.text.isEmpty)
        // With a longer name lines break elsewhere.
        let said = present.text.replacing("tresor admin ", with: "tresor ").replacing("help admin ", with: "help ")
        #expect(said.split(whereSeparator: \.isWhitespace) == former.text.split(whereSeparator: \.isWhitespace))
    }

    @Test func `former spellings are served`() throws {
        let device = try LiveDevice()
        #expect(try device.run("keychain", "add", "--service", "s", input: Data("x".utf8)).code == 0)
        #expect(try device.run("keychain", "get", "--service", "s").text == "x")
        for words in [["classes"], ["settings"], ["keychain", "keychains"], ["security-key"]] {
            let prefix = words[0] == "keychain" ? ["vault"] : ["admin"]
            let present = try device.run(prefix + words.filter { $0 != "keychain" })
            let former = try device.run(words)
            #expect(former.code == 0 && present.output == former.output, "\(words): \(present)")
        }
        let usage = try device.run("admin", "doctor", "--gone")
        #expect(usage.code == 64 && usage.errors.contains("tresor admin doctor"), "\(usage)")
        #expect(!usage.errors.contains("doctor doctor"))
    }

    @Test(arguments: [
        (["gte"], "tresor get"), (["update"], "tresor edit"), (["del", "x"], "tresor rm"), (["keychian"], "keychain"),
        (["notes", "serach", "x"], "tresor notes search"), (["keychain", "keychains", "lok"], "keychains lock"),
        (["admin", "docter"], "tresor admin doctor"), (["passcode", "chnage"], "tresor passcode change"),
        (["keychain", "gte", "--service", "s"], "tresor keychain get"),
        (["notes", "lsit"], "tresor notes list"), (["vault", "kechains"], "tresor vault keychains"),
        (["vault", "keychains", "craete", "Work"], "tresor vault keychains create"),
        (["diary", "tempalte", "list"], "tresor diary template"), (["admin", "app", "lits"], "tresor admin app list"),
        (["--quiet", "notes", "lsit"], "tresor notes list"), (["notes", "--json", "lsit"], "tresor notes list"),
        (["widget", "token", "lsit"], "tresor widget token list"),
        (["notes", "import", "sorces"], "tresor notes import sources"), (["lock", "--quite"], "--quiet"),
    ]) func `a mistyped word is answered with what was perhaps meant`(_ words: [String], _ meant: String) throws {
        let refused = try LiveDevice(starting: false).run(words)
        #expect(refused.code == 64 && refused.output.isEmpty, "\(refused)")
        #expect(refused.errors.contains("perhaps: ") && refused.errors.contains(meant), "\(refused)")
    }

    @Test(arguments: [
        (["notes", "list", "--jsno"], "--json"), (["get", "x", "--acount", "a"], "--account"),
        (["vault", "keychains", "create", "--own-passcod", "W"], "--own-passcode"),
    ]) func `a mistyped option is answered with what was perhaps meant`(_ words: [String], _ meant: String) throws {
        let refused = try LiveDevice(starting: false).run(words)
        #expect(refused.code == 64 && refused.output.isEmpty, "\(refused)")
        #expect(refused.errors.contains("Did you mean '\(meant)'"), "\(refused)")
    }

    @Test func `a word that is like nothing is refused as ever`() throws {
        let refused = try LiveDevice(starting: false).run("nonsense")
        #expect(refused.code == 64 && !refused.errors.contains("perhaps"), "\(refused)")
    }
}

/// The same at a real terminal.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct NameTerminalStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func add(_ arguments: String...) throws {
        #expect(try device.run(["add"] + arguments, input: Data("x".utf8)).code == 0)
    }

    @Test func `at a terminal a list has a header and aligned columns`() throws {
        try add("wifi", "--account", "anna")
        try add("github.com")
        let screen = try TmuxScreen(device, command: "ls")
        #expect(try screen.waits(for: "after the screen"))
        let lines = try screen.text().split(separator: "\n").map(String.init)
        #expect(lines.contains("KIND      NAME        ACCOUNT  LABEL       CLASS"), "\(lines)")
        #expect(lines.contains("password  wifi        anna     wifi        whenUnlocked"), "\(lines)")
        #expect(lines.contains("internet  github.com           github.com  whenUnlocked"), "\(lines)")
    }

    @Test(arguments: [
        (["admin", "presets"], "PRESET", "WHAT IT IS FOR"), (["vault", "keychains", "list"], "KEYCHAIN", "ITEMS"),
        (["notes", "list"], "ID", "TITLE"),
    ]) func `so have lists of other things, and none in a pipe`(_ words: [String], _ first: String, _ last: String)
        throws
    {
        _ = try device.newNote("# Heron\n")
        func hasHeader(_ text: String) -> Bool {
            text.split(separator: "\n").contains { $0.hasPrefix(first + " ") && $0.contains("  " + last) }
        }
        let screen = try TmuxScreen(device, command: words.joined(separator: " "))
        #expect(try screen.waits(for: "after the screen"))
        #expect(try hasHeader(screen.everything()))
        let piped = try device.run(words)
        #expect(piped.code == 0 && !piped.output.isEmpty && !hasHeader(piped.text), "\(piped)")
    }

    @Test func `what is deleted is shown, and whoever sits there is asked`() throws {
        try add("github.com", "--account", "anna")
        for answer in ["n", "", "yes"] {
            // Also by what its name only begins with: somebody sees what is meant.
            let screen = try TmuxScreen(device, command: "rm git")
            #expect(try screen.waits(for: "Put it into the trash?"))
            #expect(try screen.text().contains("anna") && screen.text().contains("github.com"))
            #expect(try device.run("get", "github").text == "x")
            try screen.type(answer)
            try screen.press("Enter")
            #expect(try screen.waits(for: "after the screen"))
            #expect(try screen.waits(for: "not confirmed", isThere: answer != "yes"))
        }
        #expect(try device.run("get", "github").code == 3)
    }

    @Test func `a change by part of a name is asked about`() throws {
        try add("github.com")
        let screen = try TmuxScreen(device, command: "edit github --label Code")
        #expect(try screen.waits(for: "Change this one?"))
        try screen.press("y", "Enter")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try device.run("get", "Code", "--field", "server").text == "github.com\n")
        // Its whole name is no question.
        let sure = try TmuxScreen(device, command: "edit github.com --label Forge")
        #expect(try sure.waits(for: "after the screen") && !sure.text().contains("Change this one?"))
    }
}
