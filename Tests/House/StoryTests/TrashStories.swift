import Foundation
import Testing

/// What `rm` removes, until it is brought back or gone for good.
@Suite(.serialized) struct TrashStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func add(_ arguments: String..., secret: String) throws {
        let added = try device.run(["add"] + arguments, input: Data(secret.utf8))
        #expect(added.code == 0, "\(added)")
    }

    private func remove(_ arguments: String...) throws {
        let removed = try device.run(["rm"] + arguments + ["--yes"])
        #expect(removed.code == 0 && removed.output.isEmpty, "\(removed)")
        #expect(removed.errors.contains("tresor restore"), "\(removed)")
    }

    private func names(_ command: String...) throws -> String { try device.run(command + ["-q"]).text }

    @Test func `what is removed is found by nothing but the trash, and comes back with each byte`() throws {
        let secret = "pass\u{0}word\nof two lines"
        try add("github.com", "--account", "anna", "--comment", "for work", secret: secret)
        try add("wifi", secret: "two")
        let part = try device.run("rm", "github", "--yes")
        #expect(part.code == 3 && part.errors.contains("similar: github.com"), "\(part)")
        try remove("github.com")
        #expect(try names("ls") == "wifi\n" && names("trash") == "github.com\n")
        #expect(try device.run("get", "github.com").code == 3)
        #expect(try device.run("find", "work", "-q").code == 3)
        #expect(try device.run("keychain", "get", "--server", "github.com", "--account", "anna").code == 3)
        #expect(try device.run("keychain", "delete", "--server", "github.com", "--account", "anna").code == 3)
        let json = try device.run("trash", "--json").text
        #expect(json.contains("\"trashed\"") && json.contains("\"for work\"") && !json.contains("two lines"))
        #expect(try device.run("trash").text == "internet\tgithub.com\tanna\tgithub.com\t30\n")
        try device.restart()
        #expect(try names("trash") == "github.com\n")
        let restored = try device.run("restore", "github")
        #expect(restored.code == 0 && restored.output.isEmpty && restored.errors.contains("anna"), "\(restored)")
        #expect(try device.run("get", "github.com").text == secret)
        #expect(try device.run("get", "github.com", "--field", "comment").text == "for work\n")
        #expect(try names("trash").isEmpty && device.run("restore", "github").code == 3)
    }

    @Test func `a place that is taken stays taken, and nothing leaves the trash`() throws {
        try add("wifi", secret: "first")
        try remove("wifi")
        try add("wifi", secret: "second")
        let taken = try device.run("restore", "wifi")
        #expect(taken.code == 4 && taken.errors.contains("has its place"), "\(taken)")
        #expect(try device.run("get", "wifi").text == "second" && names("trash") == "wifi\n")
        try remove("wifi")
        #expect(try names("trash") == "wifi\nwifi\n")
        let several = try device.run("restore", "wifi")
        #expect(several.code == 4 && several.errors.contains("2 items in the trash"), "\(several)")
        #expect(try device.run("restore", "wifi", "--latest").code == 0)
        #expect(try device.run("get", "wifi").text == "second")
    }

    @Test func `a locked device shows of the trash how much it is`() throws {
        try device.setPasscode()
        try add("bank", secret: "x")
        try add("radio", "--class", "afterFirstUnlock", secret: "y")
        try remove("bank")
        try remove("radio")
        #expect(try device.run("lock").code == 0)
        let list = try device.run("trash", "-q")
        #expect(list.code == 5 && list.text == "radio\n" && list.errors.contains("1 item is locked"), "\(list)")
        #expect(try device.run("trash", "-q", "--skip-locked").code == 0)
        let shut = try device.run("restore", "bank")
        #expect(shut.code == 5 && !shut.errors.contains("nothing in the trash"), "\(shut)")
        #expect(try device.run("restore", "radio").code == 0 && device.run("get", "radio").text == "y")
        try device.restart()
        #expect(try device.run("empty", "--yes").code == 5)
        try device.unlock()
        #expect(try device.run("restore", "bank").code == 0 && device.run("get", "bank").text == "x")
    }

    @Test func `what demands its owner is removed and brought back without, and read with it alone`() throws {
        try device.setPasscode()
        try add("vault", "--access", "userPresence", secret: "x")
        try remove("vault")
        #expect(try device.run("restore", "vault").code == 0)
        #expect(try device.run("get", "vault", input: Data()).code != 0)
    }

    @Test func `the trash is emptied only for whoever says yes, and deletion by key asks for no trash`() throws {
        try add("one", secret: "x")
        try add("two", secret: "y")
        try remove("one")
        #expect(try device.run("keychain", "delete", "--service", "two").code == 0)
        #expect(try names("trash") == "one\n")
        let unasked = try device.run("empty")
        #expect(unasked.code == 64 && unasked.errors.contains("--yes"), "\(unasked)")
        #expect(try names("trash") == "one\n")
        let emptied = try device.run("empty", "--yes")
        #expect(emptied.code == 0 && emptied.errors.contains("1 item"), "\(emptied)")
        #expect(try names("trash").isEmpty && device.run("restore", "one").code == 3)
        #expect(try device.run("empty", "--yes").errors.contains("is empty"))
    }

    @Test func `what lay in a keychain that is deleted goes with it`() throws {
        #expect(try device.run("vault", "keychains", "create", "Work").code == 0)
        try add("wifi", "--keychain", "Work", secret: "x")
        try add("radio", secret: "y")
        try remove("wifi")
        try remove("radio")
        let kept = try device.run("vault", "keychains", "delete", "Work")
        #expect(kept.code == 7 && kept.errors.contains("in the trash"), "\(kept)")
        #expect(try device.run("vault", "keychains", "delete", "Work", "--with-items").code == 0)
        #expect(try names("trash") == "radio\n")
    }

    @Test func `how long something stays is chosen, and holds over restarts`() throws {
        #expect(try device.run("settings").text.contains("trash-days        30"))
        #expect(
            try device.run("settings", "--trash-days", "7", "--idle-lock", "0").text.contains("trash-days        7"))
        try device.restart()
        #expect(try device.run("settings").text.contains("trash-days        7"))
        try add("wifi", secret: "x")
        try remove("wifi")
        #expect(try device.run("trash").text.hasSuffix("\t7\n"))
    }
}
