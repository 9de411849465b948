import CTestSupport
import Foundation
import Secrets
import Testing

/// The viewer of the keychain in a real terminal, with the real programs.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct BrowseStories {
    private let device: LiveDevice

    private static let passcode = "four plain words 7"

    init() throws { device = try LiveDevice() }

    private func add(_ arguments: String..., secret: String) throws {
        #expect(try device.run(["keychain", "add"] + arguments, input: Data(secret.utf8)).code == 0)
    }

    private func browse(columns: Int = 80, rows: Int = 24, _ environment: [String: String] = [:]) throws -> TmuxScreen {
        let screen = try TmuxScreen(
            device, columns: columns, rows: rows, command: "keychain browse", environment: environment)
        #expect(try screen.waits(for: "Label"))
        return screen
    }

    /// A key right behind Escape would be taken for one with Alt.
    private func escape(_ screen: TmuxScreen) throws {
        try screen.press("Escape")
        usleep(300_000)
    }

    @Test func `a keychain is filled, searched, read, copied from and emptied`() throws {
        try add("--service", "mail.example", "--account", "anna", "--label", "Mail", secret: "the mail secret")
        try add("--server", "shop.example", "--account", "bob", secret: "the shop secret")
        try add("--service", "cellar", "--class", "afterFirstUnlock", secret: "first line\nsecond line")
        let screen = try browse()
        try screen.acceptCopies()
        #expect(try screen.waits(for: "shop.example") && screen.waits(for: "1st unlock"))
        #expect(try !screen.text().contains("the mail secret"))

        try screen.press("/")
        try screen.type("MAIL.EX")
        #expect(try screen.waits(for: "shop.example", isThere: false))
        try screen.press("Enter", "Enter")
        #expect(try screen.waits(for: "while the device is unlocked") && screen.waits(for: "Access group"))
        try screen.press("r")
        #expect(try screen.waits(for: "the mail secret") && screen.waits(for: "Hidden again in"))
        try screen.press("y")
        #expect(try screen.waits(for: "Handed to the terminal"))
        #expect(try screen.copied() == "the mail secret")
        try escape(screen)
        #expect(try screen.waits(for: "the mail secret", isThere: false))
        try escape(screen)
        try escape(screen)

        try screen.press("G", "r")
        #expect(try screen.waits(for: "the shop secret"))
        try escape(screen)
        try screen.press("d", "n", "d")
        #expect(try screen.waits(for: "Put “shop.example” into the trash?"))
        try screen.press("y")
        #expect(try screen.waits(for: "Done."))
        #expect(try device.run("keychain", "get", "--server", "shop.example", "--account", "bob").code == 3)
        try screen.press("G", "d")
        #expect(try screen.waits(for: "Put “Mail” into the trash?"))
        try screen.press("y")
        #expect(try screen.waits(for: ">cellar"), "the only one that is left is selected")
        try screen.press("d", "y")
        #expect(try screen.waits(for: "Nothing is kept here yet"))
        #expect(try device.run("keychain", "list").text.isEmpty)

        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try screen.copied() == " ", "what was copied has been overwritten")
        let left = try screen.everything()
        #expect(left.contains("before the screen") && !left.contains("secret") && !left.contains("second line"))
    }

    @Test func `a lock takes a secret off the screen before it is reported, and locked items stay in the list`() throws
    {
        try device.setPasscode()
        try add("--service", "one", "--label", "Only while unlocked", secret: "a secret word")
        try add("--service", "two", "--label", "Readable later", "--class", "afterFirstUnlock", secret: "x")
        let screen = try browse()
        try screen.press("r")
        #expect(try screen.waits(for: "a secret word"))
        #expect(try device.run("lock").code == 0)
        #expect(try screen.waits(for: "device locked") && screen.waits(for: "1 item is locked"))
        let shown = try screen.everything()
        #expect(!shown.contains("a secret word") && !shown.contains("Only while") && shown.contains("Readable later"))
        try device.unlock()
        #expect(try screen.waits(for: "Only while unlocked"))
        #expect(try !screen.text().contains("a secret word"))
    }

    @Test func `a desktop's clipboard is filled, and cleared by a lock`() throws {
        let desktop = try FakeDesktop(device)
        try device.setPasscode()
        try add("--service", "one", secret: "for the desktop")
        let screen = try browse(desktop.environment)
        try screen.press("y")
        #expect(try screen.waits(for: "The clipboard is cleared in 45 s"))
        #expect(desktop.waits { desktop.text == "for the desktop" })
        #expect(try device.run("lock").code == 0)
        #expect(desktop.waits { desktop.text == "" })
    }

    @Test(.enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
    func `a secret that was shown and copied is nowhere in the viewer's memory afterwards`() throws {
        let marker = "ndl" + Identifier.makeRandom().description.prefix(12)
        try add("--service", "one", "--account", "account-" + marker, secret: "secret-" + marker)
        let screen = try browse()
        let viewer = try #require(try screen.program())
        func count(_ text: String) -> Int {
            var unreadable = 0
            return ct_count(viewer, Array(text.utf8), text.utf8.count, &unreadable)
        }
        try screen.press("r")
        #expect(try screen.waits(for: "secret-" + marker))
        try screen.press("y")
        #expect(try screen.waits(for: "Handed to the terminal"))
        try escape(screen)
        #expect(try screen.waits(for: "secret-" + marker, isThere: false))
        #expect(count("account-" + marker) > 0, "what the list shows is found")
        #expect(count("secret-" + marker) == 0)
        #expect(count(Data(("secret-" + marker).utf8).base64EncodedString()) == 0)
    }

    @Test func `before the first unlock nothing is missing, and the viewer outlives a daemon`() throws {
        try device.setPasscode()
        try add("--service", "one", secret: "x")
        try device.restart()
        let screen = try browse()
        #expect(try screen.waits(for: "before first unlock") && screen.waits(for: "1 item is locked"))
        try device.stop()
        #expect(try screen.waits(for: "tresord does not run."))
        try device.start()
        try device.unlock()
        #expect(try screen.waits(for: "one") && screen.waits(for: "unlocked"))
    }

    @Test func `a certificate shows what is in it`() throws {
        let file = LiveDevice.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors/p256-certificate.der")
        let added = try device.run(
            ["keychain", "add", "--kind", "certificate", "--label", "Cert"], input: try Data(contentsOf: file))
        #expect(added.code == 0)
        let screen = try browse()
        try screen.press("Tab", "Tab", "Tab", "Enter")
        #expect(try screen.waits(for: "CN=p256.example") && screen.waits(for: "SHA-256"))
        try screen.press("r")
        #expect(try screen.waits(for: "A certificate has no secret"))
    }

    @Test func `the system's roots are looked at, searched, and left as they are`() throws {
        try add("--service", "one", "--label", "One of mine", secret: "x")
        let roots = try device.run("trust", "roots")
        try #require(roots.code == 0, "this system has no list of roots")
        let screen = try browse()
        #expect(try screen.waits(for: "One of mine"))
        try screen.press("K")
        #expect(try screen.waits(for: "System, read-only") && screen.waits(for: "One of mine", isThere: false))
        try screen.press("K")
        #expect(try screen.waits(for: "System Roots, read-only") && screen.waits(for: "certificate"))
        try screen.press("d")
        #expect(try screen.waits(for: "only root changes its files"))
        try screen.press("r")
        #expect(try screen.waits(for: "all that is in it stands here") && screen.waits(for: "SHA-256"))
        try screen.press("G")
        #expect(try screen.waits(for: "/etc/ssl/certs/ca-certificates.crt"))
        try escape(screen)
        try screen.press("/")
        try screen.type("no such authority")
        #expect(try screen.waits(for: "Nothing found."))
        try screen.press("Enter", "K")
        #expect(try screen.waits(for: "Tresor keychain"))
        try escape(screen)
        #expect(try screen.waits(for: "One of mine"))
    }

    @Test func `the viewer fits its terminal, also when that changes while a secret is shown`() throws {
        try add("--service", "a service of a few words", secret: "needle in it")
        for (columns, rows) in [(40, 12), (80, 24), (200, 60)] { try expectFit(columns, rows) }
    }

    private func expectFit(_ columns: Int, _ rows: Int) throws {
        let screen = try browse(columns: columns, rows: rows)
        #expect(try screen.waits(for: "a service of"), "\(columns) × \(rows)")
        try screen.press("r")
        #expect(try screen.waits(for: "needle in it"), "\(columns) × \(rows)")
        try screen.resize(columns + 7, rows + 3)
        #expect(try screen.waits(for: "needle in it"), "\(columns) × \(rows)")
        for line in try screen.text().split(separator: "\n") { #expect(line.count <= columns + 7) }
        try screen.press("q")
        #expect(try screen.waits(for: "needle in it", isThere: false))
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
    }

    @Test func `without a terminal there is advice instead of a screen, and one that moves no cursor gets lines`()
        throws
    {
        for words in [["browse"], ["keychain", "browse"], ["vault", "browse"]] {
            let end = try device.run(words)
            #expect(end.code == 64 && end.errors.contains("tresor ls"), "\(words)")
        }
        let dumb = try TmuxScreen(device, command: "browse", environment: ["TERM": "dumb"])
        #expect(try dumb.waits(for: "Keychain, or help:"))
        try dumb.type("quit")
        try dumb.press("Enter")
        #expect(try dumb.waits(for: "after the screen"))
    }

    @Test func `a locked device is unlocked right there, and what is typed before is no command`() throws {
        try device.setPasscode(Self.passcode)
        try add("--service", "one", "--label", "Only while unlocked", secret: "a secret word")
        try add("--service", "two", "--label", "Readable later", "--class", "afterFirstUnlock", secret: "x")
        #expect(try device.run("lock").code == 0)
        let screen = try browse()
        #expect(try screen.waits(for: "The device is locked.") && screen.waits(for: "Passcode:"))
        try screen.type("dyq")
        #expect(try screen.waits(for: "Passcode: •••"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "Wrong passcode"))
        #expect(try device.status().enclave.failures == 1)
        try screen.type(Self.passcode)
        #expect(try screen.waits(for: "Passcode: " + String(repeating: "•", count: Self.passcode.count)))
        #expect(try !screen.text().contains(Self.passcode))
        try screen.press("Enter")
        #expect(try screen.waits(for: "🔓 unlocked") && screen.waits(for: "Only while unlocked"))
        #expect(try screen.text().contains("Readable later"), "the letters deleted nothing")
        try screen.press("q")
        #expect(try screen.waits(for: "after the screen"))
        #expect(try !screen.everything().contains(Self.passcode))
    }

    @Test func `a login shows its code and copies it, and its seed is nowhere on the screen`() throws {
        let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        try add("--service", "Example", "--account", "anna", secret: "the password")
        let added = try device.run(
            ["keychain", "code", "add", "--service", "Example", "--account", "anna"], input: Data(seed.utf8))
        #expect(added.code == 0, "\(added.errors)")
        let screen = try browse()
        try screen.acceptCopies()
        #expect(try screen.waits(for: "one-time code"))
        try screen.press("Enter")
        #expect(try screen.waits(for: "good for "))
        let isShown = try (0..<100).contains { _ in
            usleep(20_000)
            return try screen.text().contains(/Code +[0-9]{3} [0-9]{3}/)
        }
        let shown = try screen.text()
        #expect(isShown, "\(shown)")
        try screen.press("c")
        #expect(try screen.waits(for: "Handed to the terminal"))
        let copied = try screen.copied()
        #expect(copied.count == 6 && copied.allSatisfy(\.isNumber), "\(copied)")
        try screen.press("y")
        usleep(500_000)
        #expect(try screen.copied() == "the password")
        try escape(screen)
        try screen.press("G", "r", "y")
        usleep(500_000)
        #expect(try screen.copied().count == 6)
        #expect(try !screen.everything().contains(seed))
    }

    @Test func `an item is added with a secret typed twice, changed, and deleted after a question`() throws {
        let screen = try browse()
        try screen.press("n")
        #expect(try screen.waits(for: "New item"))
        try screen.type("router")
        try screen.press("Tab", "Tab")
        try screen.type("admin")
        try screen.press("C-s")
        let (first, again) = ("New secret:", "The same again:")
        for (prompt, secret) in [(first, "plum"), (again, "pear"), (first, "plum"), (again, "plum")] {
            #expect(try screen.waits(for: prompt))
            try screen.type(secret)
            #expect(try screen.waits(for: prompt + " ••••"))
            try screen.press("Enter")
        }
        #expect(try screen.waits(for: "Added.") && screen.waits(for: ">router"))
        #expect(try device.run("get", "router").text == "plum")
        #expect(try !screen.everything().contains("plum"))

        try screen.press("e")
        #expect(try screen.waits(for: "Change router"))
        try screen.type(" in the hall")
        try screen.press("PageDown", "Right", "Right", "Enter")
        #expect(try screen.waits(for: "Changed. Kept a password of 20 characters"))
        #expect(try screen.waits(for: "router in the hall"))
        #expect(try device.run("get", "router").text.count == 20)

        try screen.press("d")
        #expect(try screen.waits(for: "Put “router in the hall” into the trash?"))
        try screen.press("y")
        #expect(try screen.waits(for: "Done."))
        #expect(try device.run("get", "router").code == 3)
    }
}
