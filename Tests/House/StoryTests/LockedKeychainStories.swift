import Conformance
import Foundation
import Secrets
import Testing
import Wire

/// What the commands of a keychain say while the lock state shuts some of it.
@Suite(.serialized) struct LockedKeychainStories {
    private func stage() throws -> LiveDevice {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        for (service, protectionClass) in [
            ("one", "whenUnlocked"), ("two", "whenUnlocked"), ("mail", "afterFirstUnlock"), ("door", "always"),
        ] {
            let added = try device.run(
                "keychain", "add", "--service", service, "--class", protectionClass, input: Data("s\n".utf8))
            #expect(added.code == 0, "\(added.errors)")
        }
        return device
    }

    private func services(_ outcome: LiveDevice.Outcome) -> [String] {
        outcome.text.split(separator: "\n").map {
            String($0.split(separator: "\t", omittingEmptySubsequences: false)[1])
        }
    }

    @Test func `a list on a locked device shows what it may, and says how many items it may not show`() throws {
        let device = try stage()
        let all = try device.run("keychain", "list")
        #expect(all.code == 0 && all.errors.isEmpty && services(all) == ["one", "two", "mail", "door"])
        #expect(try device.run("lock").code == 0)
        let locked = try device.run("keychain", "list")
        #expect(locked.code == 5 && services(locked) == ["mail", "door"])
        #expect(locked.errors.contains("2 items are locked and left out") && !locked.errors.contains("one"))
        let expected = try device.run("keychain", "list", "--skip-locked")
        #expect(expected.code == 0 && services(expected) == ["mail", "door"])
        #expect(expected.errors.contains("2 items are locked and left out"))
        let json = try device.run("keychain", "list", "--json")
        let documents = try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]]
        #expect(json.code == 5 && documents?.count == 2 && json.errors.contains("2 items"))
        let named = try device.run("keychain", "list", "--service", "one")
        #expect(named.code == 5 && named.output.isEmpty && named.errors.contains("1 item is locked"))
        let open = try device.run("keychain", "list", "--service", "mail")
        #expect(open.code == 0 && open.errors.isEmpty, "nothing of this search is locked")
        let nothing = try device.run("keychain", "list", "--service", "nobody")
        #expect(nothing.code == 0 && nothing.errors.isEmpty && nothing.output.isEmpty)
    }

    @Test func `before the first unlock a list shows what is always open, and never says that this is all`() throws {
        let device = try stage()
        try device.restart()
        let early = try device.run("keychain", "list")
        #expect(early.code == 5 && services(early) == ["door"])
        #expect(early.errors.contains("shut until the first unlock"))
        for service in ["one", "door", "nobody"] {
            let named = try device.run("keychain", "list", "--service", service)
            #expect(named.code == 5 && named.errors.contains("there may be more"), "\(service): \(named.errors)")
            #expect(services(named) == (service == "door" ? ["door"] : []))
            #expect(try device.run("keychain", "list", "--service", service, "--skip-locked").code == 0)
        }
    }

    @Test func `adding on a locked device does not claim that an item exists`() throws {
        let device = try stage()
        #expect(try device.run("lock").code == 0)
        var words: Set<String> = []
        for service in ["one", "nobody"] {
            let added = try device.run("keychain", "add", "--service", service, input: Data("x\n".utf8))
            #expect(added.code == 5 && !added.errors.contains("exists"), "\(added.errors)")
            words.insert(added.errors)
        }
        #expect(words.count == 1, "the answer is the same, whether there is one or not")
        let moved = try device.run(
            "keychain", "update", "--service", "mail", "--keep-secret", "--class", "whenUnlocked")
        #expect(moved.code == 5 && !moved.errors.contains("an item exists"), "\(moved.errors)")
        try device.unlock()
        #expect(try device.run("keychain", "get", "--service", "one").text.hasPrefix("s"))
        #expect(try device.run("keychain", "get", "--service", "nobody").code == 3)
    }
}
