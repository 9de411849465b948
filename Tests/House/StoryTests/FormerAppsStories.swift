import Envelopes
import Foundation
import Protection
import Secrets
import Testing
import Tresor
import Wire

/// Apps, profiles, widgets, a security key, and two edits of one passage, as version 0.1 kept them.
@Suite(.serialized) struct FormerAppsStories {
    private let former: FormerHome
    private let device: LiveDevice
    /// What was said of it when it was made, by names.
    private let words: [String: [String]]

    init() throws {
        former = try FormerHome("home-0.1-apps")
        device = try LiveDevice(folder: former.old + "/home", lettingTestIn: false)
        let lines = try former.text("words").split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        words = Dictionary(grouping: lines) { $0[0] }.mapValues { $0.map { $0.count > 1 ? $0[1] : "" } }
    }

    private static let passcode = Data("seven slow boats 3\n".utf8)

    private func word(_ name: String) throws -> String { try #require(words[name]?.first) }

    private func unlock() throws {
        #expect(try device.run("unlock", input: Self.passcode).code == 0)
        #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
        #expect(try device.diary("sign-in", input: "a green gate\n").code == 0)
    }

    private func restart() throws {
        #expect(try device.down() == 0)
        #expect(try device.start() == nil)
        try unlock()
    }

    /// The files of `said`, each with the command that printed it then.
    private static let commands: [(file: String, command: [String])] = [
        ("notes-list.json", ["notes", "list", "--json"]), ("notes-trash.json", ["notes", "list", "--trash", "--json"]),
        ("diary-list.json", ["diary", "list", "--json"]), ("widget-settings.json", ["widget", "settings", "--json"]),
        ("widget-tokens.json", ["widget", "token", "list", "--json"]),
        ("widget-list.json", ["widget", "list", "--json"]), ("apps.json", ["app", "list", "--json"]),
        ("profiles.json", ["profile", "list", "--json"]), ("items.json", ["keychain", "list", "--json"]),
    ]

    /// All that stood in a document then stands in it now, in the same order; what has come since is beside it.
    private func expectSame(_ former: Any, _ present: Any, _ place: String) throws {
        switch (former, present) {
        case (let former as [String: Any], let present as [String: Any]):
            let changed = try changed(former)
            for (name, value) in former where !changed.contains(name) {
                guard let now = present[name] else {
                    Issue.record("\(place): \(name) is gone")
                    continue
                }
                try expectSame(value, now, "\(place) \(name)")
            }
        case (let former as [Any], let present as [Any]):
            #expect(former.count == present.count, "\(place)")
            for (number, pair) in zip(former, present).enumerated() {
                try expectSame(pair.0, pair.1, "\(place) \(number)")
            }
        case (let former as NSObject, let present as NSObject): #expect(former.isEqual(present), "\(place)")
        default: Issue.record("\(place): something else")
        }
    }

    /// What is not as it was, on purpose.
    private func changed(_ former: [String: Any]) throws -> [String] {
        // The draft becomes the text when its note is opened again.
        if try former["id"] as? String == word("typed") { return ["modified", "revision"] }
        // Our own widgets are of this version; a program of the user's lies where its home does.
        guard let provider = former["provider"] as? String else { return [] }
        return provider == "tresor" ? ["protection", "summary", "displayName", "families"] : ["provider"]
    }

    private func expectAll() throws {
        for (file, command) in Self.commands {
            let outcome = try device.run(command)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
            let then = try Data(contentsOf: URL(fileURLWithPath: former.old + "/said/" + file))
            try expectSame(
                try JSONSerialization.jsonObject(with: then), try JSONSerialization.jsonObject(with: outcome.output),
                file)
        }
        for name in ["conflict", "locked-conflict"] {
            let shown = try device.notes("show", word(name))
            let text = try former.text("said/note-" + name)
            #expect(shown.text == text + "\n", "\(name) \(shown.errors)")
            #expect(text.contains("two by the first") && text.contains("two by the second"))
        }
        let list = try device.notes("list").text.split(separator: "\n")
        #expect(list.count { $0.contains("two edits of one passage") } == 2, "\(list)")
        #expect(try device.diary("show", word("entry")).text == former.text("said/diary-entry") + "\n")
        #expect(try device.diary("template", "show", "Evening").text == former.text("said/diary-template") + "\n\n")
        #expect(try device.run("security-key", "list").text == former.text("said/security-keys") + "\n")
        for name in ["thing", "shut"] {
            let drawn = try device.widget("render", name + ".one")
            #expect(drawn.text.contains("sealed by \(name)"), "\(drawn.errors)")
        }
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0, "\(look.text)\(look.errors)")
    }

    @Test func `each of them reads as it did, also behind a start`() throws {
        try unlock()
        // What was typed until the lock, which nobody has seen since.
        #expect(try device.notes("show", word("typed")).text == "# Typed\n\nbefore the lock, and after\n")
        for id in [try word("trashed"), try word("entry-trashed")] {
            let group = id == (words["trashed"]?.first) ? "notes" : "diary"
            #expect(try device.run([group, "show", id]).code == 0, "\(group)")
        }
        try expectAll()
        try restart()
        try expectAll()
    }

    @Test func `a developer's key goes on: a newer version of an app reads what the old one kept`() throws {
        try unlock()
        let (prefix, second) = (try word("prefix"), try word("second"))
        let identifiers = try word("mail-identifiers").split(separator: " ").map(String.init)
        let cast = try Cast(device, from: LiveDevice.programs)
        for name in ["mail", "stranger"] { try cast.make(name, tail: "\(name) of today") }
        #expect(try cast.run("mail", "find", "of mail", "\(prefix).mail") == "-34018", "another program")
        let manifest = try cast.sign(
            "org.example.mail", by: prefix, version: 2, executables: ["mail"], groups: ["mail", "shared"],
            applicationGroups: ["group.org.example"])
        let updated = try device.run("app", "update", manifest, input: Self.passcode)
        #expect(updated.code == 0, "\(updated.errors)")
        for (service, group) in [
            ("of mail", "\(prefix).mail"), ("of both", "\(prefix).shared"), ("of the group", "group.org.example"),
        ] {
            #expect(try cast.run("mail", "find", service, group) == "0", "\(service)")
        }
        #expect(try cast.run("mail", "identifiers").split(separator: "\n").map(String.init) == identifiers)
        #expect(try cast.run("stranger", "find", "of mail", "\(prefix).mail") == "-34018")
        // What a removed app has left is nobody's, and goes on request.
        let purged = try device.run("app", "purge", "\(second).gone", input: Self.passcode)
        #expect(purged.code == 0, "\(purged.errors)")
        try FileManager.default.removeItem(atPath: cast.folder)
    }

    @Test func `a profile leaves with its items, and one that forbids it stays`() throws {
        try unlock()
        let before = try device.run("keychain", "list").text.split(separator: "\n").count
        let removed = try device.run("profile", "remove", "org.one")
        #expect(removed.code == 0 && removed.text == "org.one: removed with 4 items\n", "\(removed.errors)")
        #expect(try device.run("profile", "remove", "org.two").code == 7)
        #expect(try device.run("keychain", "get", "--service", "wifi").text == "password of V")
        // The profile's own record goes, too.
        #expect(try device.run("keychain", "list").text.split(separator: "\n").count == before - 5)
    }

    @Test func `the security key opens what demands presence`() async throws {
        try unlock()
        let name = try #require(Introduction.introduce(device.home)?.name)
        #expect(try device.run("app", "allow", name, input: Self.passcode).code == 0)
        let secret = try #require(Hexadecimal.decode(try word("security-key")))
        let context = AuthenticationContext(
            securityKey: { keys in
                guard let first = keys.first else { return nil }
                return SecurityKeyAnswer(id: first.id, secret: try secret.withSpan { try SecretBytes(copying: $0) })
            },
            passcode: { _ in throw TresorError(.authenticationFailed, "nobody types") })
        let keychain = try Keychain(transport: SocketTransport(device.home))
        let read = try await keychain.read(.password(service: "touched"), context: context)
        #expect(read.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) } == "by a touch")
        #expect(try device.run("keychain", "get", "--service", "touched", input: Data("wrong\n".utf8)).code == 6)
    }

    @Test func `addresses of widgets show what they showed, and settings hide what they hid`() throws {
        try unlock()
        let pages = try PageHost(device)
        for token in try #require(words["token"]) {
            let parts = token.split(separator: " ").map(String.init)
            let shown = parts[0] == "thing.one" ? "sealed by thing" : "In order"
            #expect(try pages.ask(parts[1] + ".json", until: shown), "\(token)")
        }
        #expect(try device.run("lock").code == 0)
        // Allowed while locked, since its class is open then; a class that is shut says nothing whatever is allowed.
        #expect(try device.widget("render", "thing.one", "--placement", "lockScreen").text.contains("sealed by thing"))
        let shut = try device.widget("render", "shut.one", "--placement", "lockScreen").text
        #expect(!shut.contains("sealed") && !shut.contains("Public"))
    }
}
