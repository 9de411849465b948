import Conformance
import Foundation
import Glibc
import Linux
import Protection
import Secrets
import Testing
import Thoroughness
import Tresor
import Wire

/// Several keychains, as the command line makes, uses and deletes them.
@Suite(.serialized) struct KeychainsStories {
    private struct Entry: Decodable, Equatable {
        let name: String
        let items: Int
        let isDefault: Bool
        let hasOwnPasscode: Bool
        let isOpen: Bool
        var isReadOnly = false
    }

    private func entries(_ device: LiveDevice) throws -> [Entry] {
        let all = try JSONDecoder().decode([Entry].self, from: device.run("keychain", "keychains", "--json").output)
        #expect(all.suffix(2).map(\.name) == ["System", "System Roots"] && all.suffix(2).allSatisfy(\.isReadOnly))
        return all.dropLast(2)
    }

    private func entry(_ name: String, _ device: LiveDevice) throws -> Entry {
        try #require(try entries(device).first { $0.name == name })
    }

    @discardableResult
    private func keychains(_ device: LiveDevice, _ arguments: String..., input: String = "") throws
        -> LiveDevice.Outcome
    {
        try device.run(["keychain", "keychains"] + arguments, input: Data(input.utf8))
    }

    @discardableResult
    private func add(
        _ device: LiveDevice, _ service: String, _ secret: String, to keychain: String? = nil, _ more: String...
    ) throws -> LiveDevice.Outcome {
        try device.run(
            ["keychain", "add", "--service", service] + (keychain.map { ["--keychain", $0] } ?? []) + more,
            input: Data(secret.utf8))
    }

    private func get(
        _ device: LiveDevice, _ service: String, from keychain: String? = nil
    ) throws -> LiveDevice.Outcome {
        try device.run(["keychain", "get", "--service", service] + (keychain.map { ["--keychain", $0] } ?? []))
    }

    @Test func `a keychain from its creation to its deletion`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(
            try entries(device) == [
                Entry(name: "login", items: 0, isDefault: true, hasOwnPasscode: false, isOpen: true)
            ])
        #expect(try keychains(device, "create", "Work").code == 0)
        let again = try keychains(device, "create", "Work")
        #expect(again.code == 4 && again.errors.contains("of that name exists already"), "\(again)")

        // What is put into it lies there, and is found also by who names no keychain.
        #expect(try add(device, "mail", "at work", to: "Work").code == 0)
        #expect(try add(device, "bank", "at home").code == 0)
        #expect(try get(device, "mail").text == "at work")
        #expect(try get(device, "mail", from: "Work").text == "at work")
        #expect(try get(device, "mail", from: "login").code == 3)
        #expect(try get(device, "bank", from: "Work").code == 3)
        #expect(try entry("Work", device).items == 1)
        #expect(try entry("login", device).items == 1)
        let listed = try device.run("keychain", "list", "--keychain", "Work", "--json").text
        #expect(listed.contains("\"mail\"") && listed.contains("\"Work\"") && !listed.contains("\"bank\""))

        // The same name may stand in two keychains, where both are named.
        #expect(try add(device, "mail", "at home").code == 4, "who names none sees one keychain")
        #expect(try add(device, "mail", "at home", to: "login").code == 0)
        #expect(try get(device, "mail", from: "login").text == "at home")
        #expect(try get(device, "mail", from: "Work").text == "at work")
        let two = try device.run("keychain", "update", "--service", "mail", input: Data("new".utf8))
        #expect(two.code == 64 && two.errors.contains("several items match"))

        // The default takes what names no keychain; it can be any of them.
        #expect(try keychains(device, "default", "Work").code == 0)
        #expect(try keychains(device, "default").text == "Work\n")
        #expect(try add(device, "chat", "talk").code == 0)
        #expect(try get(device, "chat", from: "Work").text == "talk")

        // An item moves with its secret; not onto another.
        let moved = try device.run("keychain", "update", "--service", "bank", "--move-to", "Work", "--keep-secret")
        #expect(moved.code == 0, "\(moved)")
        #expect(try get(device, "bank", from: "Work").text == "at home")
        #expect(try get(device, "bank", from: "login").code == 3)
        let onto = try device.run(
            "keychain", "update", "--service", "mail", "--keychain", "Work", "--move-to", "login", "--keep-secret")
        #expect(onto.code == 4, "\(onto)")
        #expect(try get(device, "mail", from: "Work").text == "at work")

        // A restart keeps all of it.
        try device.restart()
        try device.unlock()
        #expect(
            try entry("Work", device)
                == Entry(name: "Work", items: 3, isDefault: true, hasOwnPasscode: false, isOpen: true))

        // It goes with what is in it, by the owner's word, and the default goes back.
        let full = try keychains(device, "delete", "Work")
        #expect(full.code == 7 && full.errors.contains("3 items"), "\(full)")
        let unproved = try keychains(device, "delete", "Work", "--with-items", input: "0000\n")
        #expect(unproved.code == 6, "\(unproved)")
        #expect(try entry("Work", device).items == 3)
        #expect(try keychains(device, "delete", "Work", "--with-items", input: "1234\n").code == 0)
        #expect(try entries(device).map(\.name) == ["login"])
        #expect(try keychains(device, "default").text == "login\n")
        #expect(try get(device, "chat").code == 3)
        #expect(try get(device, "mail").text == "at home")
        let gone = try get(device, "chat", from: "Work")
        #expect(gone.code == 3 && gone.errors.contains("there is no such keychain"), "\(gone)")
    }

    @Test func `a keychain with a passcode of its own opens by that alone`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(try keychains(device, "create", "Vault", "--own-passcode", input: "own\nother\n").code == 6)
        #expect(try entries(device).count == 1)
        #expect(try keychains(device, "create", "Vault", "--own-passcode", input: "own\nown\n").code == 0)
        #expect(try entry("Vault", device).isOpen)
        #expect(try add(device, "safe", "combination", to: "Vault").code == 0)
        #expect(try get(device, "safe").text == "combination")

        // Shut: names are seen, secrets are not, and nothing is put in.
        #expect(try keychains(device, "lock", "Vault").code == 0)
        #expect(try !entry("Vault", device).isOpen)
        let shut = try get(device, "safe")
        #expect(shut.code == 5 && shut.output.isEmpty && shut.errors.contains("has a passcode of its own"), "\(shut)")
        #expect(try device.run("keychain", "list").text.contains("safe"))
        #expect(try add(device, "more", "x", to: "Vault").code == 5)
        let out = try device.run("keychain", "update", "--service", "safe", "--move-to", "login", "--keep-secret")
        #expect(out.code == 5, "\(out)")
        #expect(try device.run("keychain", "list").text.contains("more") == false)

        // The device's passcode is not its own.
        let wrong = try keychains(device, "unlock", "Vault", input: "1234\n")
        #expect(wrong.code == 6 && wrong.errors.contains("wrong passcode"), "\(wrong)")
        #expect(try get(device, "safe").code == 5)
        #expect(try keychains(device, "unlock", "Vault", input: "own\n").code == 0)
        #expect(try get(device, "safe").text == "combination")

        // A lock of the device shuts it, and so does a restart.
        #expect(try device.run("lock").code == 0)
        try device.unlock()
        #expect(try get(device, "safe").code == 5)
        #expect(try keychains(device, "unlock", "Vault", input: "own\n").code == 0)
        try device.restart()
        try device.unlock()
        #expect(try get(device, "safe").code == 5)

        // Another passcode; the old one opens nothing.
        #expect(try keychains(device, "passcode", "Vault", input: "own\nnext\nnext\n").code == 0)
        #expect(try keychains(device, "unlock", "Vault", input: "own\n").code == 6)
        #expect(try keychains(device, "unlock", "Vault", input: "next\n").code == 0)
        #expect(try get(device, "safe").text == "combination")

        // What is moved out opens with the device.
        #expect(
            try device.run("keychain", "update", "--service", "safe", "--move-to", "login", "--keep-secret").code == 0)
        #expect(try keychains(device, "lock", "Vault").code == 0)
        #expect(try get(device, "safe").text == "combination")
        #expect(try keychains(device, "delete", "Vault", input: "1234\n").code == 0)
        #expect(try entries(device).map(\.name) == ["login"])
    }

    @Test func `wrong passcodes of a keychain are delayed as those of the device, and cost the device none`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(try keychains(device, "create", "Vault", "--own-passcode", input: "own\nown\n").code == 0)
        #expect(try keychains(device, "lock", "Vault").code == 0)
        for number in 1...4 {
            let outcome = try keychains(device, "unlock", "Vault", input: "guess \(number)\n")
            #expect(outcome.code == 6 && outcome.errors.contains("wrong passcode"), "\(outcome)")
        }
        let delayed = try keychains(device, "unlock", "Vault", input: "own\n")
        #expect(delayed.code == 6 && delayed.errors.contains("the wait is not over"), "\(delayed)")
        #expect(try device.status().enclave.failures == 0)
        // Nor is another keychain kept waiting.
        #expect(try keychains(device, "create", "Other", "--own-passcode", input: "own\nown\n").code == 0)
        #expect(try keychains(device, "unlock", "Other", input: "own\n").code == 0)
    }

    @Test func `a forgotten device passcode takes nothing from a keychain but what needed it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        #expect(try keychains(device, "create", "Vault", "--own-passcode", input: "own\nown\n").code == 0)
        #expect(try add(device, "kept", "still here", to: "Vault", "--class", "always").code == 0)
        #expect(try add(device, "lost", "gone", to: "Vault").code == 0)
        try device.resetPasscode()
        #expect(
            try entry("Vault", device)
                == Entry(name: "Vault", items: 1, isDefault: false, hasOwnPasscode: true, isOpen: false))
        #expect(try get(device, "kept").code == 5)
        #expect(try keychains(device, "unlock", "Vault", input: "own\n").code == 0)
        #expect(try get(device, "kept").text == "still here")
        #expect(try get(device, "lost").code == 3)
    }

    @Test func `keychains made of files are only read, and bad names are refused`() throws {
        let device = try LiveDevice()
        for name in [
            "", " Work", "login", "Login", "System", "system roots", "a\nb", String(repeating: "a", count: 65),
        ] {
            let outcome = try keychains(device, "create", name)
            #expect(outcome.code == 64 || outcome.code == 4, "\(name): \(outcome)")
        }
        #expect(try keychains(device, "create", String(repeating: "ä", count: 32)).code == 0)
        #expect(try add(device, "x", "y", to: "System Roots").code == 7)
        #expect(try keychains(device, "default", "System").code == 7)
        #expect(try keychains(device, "delete", "login").code == 7)
        #expect(try keychains(device, "delete", "Nowhere").code == 3)
        #expect(try keychains(device, "lock", "login").code == 7)
        #expect(try keychains(device, "unlock", "Nowhere", input: "own\n").code == 3)
        #expect(try add(device, "x", "y", to: "Nowhere").code == 3)
        let list = try keychains(device).text
        #expect(list.contains("System Roots\t") && list.contains("read-only"), "\(list)")
        let roots = try device.run("keychain", "list", "--keychain", "System Roots")
        if FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt") {
            let first = try #require(roots.text.split(separator: "\n").first)
            let label = String(first.split(separator: "\t", omittingEmptySubsequences: false)[3])
            let found = try device.run("keychain", "get", "--keychain", "System Roots", "--label", label)
            #expect(found.code == 0 && found.output.first == 0x30, "DER of \(label)")
        } else {
            #expect(roots.code == 69)
        }
        #expect(try device.run("keychain", "get", "--keychain", "System Roots", "--label", "nobody").code == 3)
        #expect(try device.run("keychain", "list", "--keychain", "System Roots", "--service", "x").code == 3)
    }

    /// A kill at any moment leaves each keychain whole: it opens by its passcode, and what was said to be in it is.
    @Test func `kills while keychains are made, filled and deleted`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        var made: Set<String> = []
        var seed = UInt64(20_261_122)
        func random(_ bound: UInt64) -> UInt64 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (seed >> 33) % bound
        }
        for round in 0..<Thoroughness.count(4, soak: 8) {
            let delay = UInt32(random(700_000))
            let daemon = device.daemon
            let killer = Thread {
                usleep(delay)
                Glibc.kill(daemon, SIGKILL)
            }
            killer.start()
            let name = "K\(round)"
            var isMade = false
            if try keychains(device, "create", name, "--own-passcode", input: "own\nown\n").code == 0 { isMade = true }
            if try isMade && add(device, "item \(round)", "secret \(round)", to: name).code == 0 { made.insert(name) }
            if let old = made.first, round % 2 == 1 {
                made.remove(old)
                // Whether it is gone or not is not known.
                _ = try? keychains(device, "delete", old, "--with-items", input: "1234\n")
            }
            while !killer.isFinished { usleep(1000) }
            device.kill()
            let end = try device.start()
            #expect(
                end == nil,
                "\(String(describing: end)) \((try? String(contentsOfFile: device.home.log, encoding: .utf8)) ?? "")")
            try device.unlock()
            let present = try entries(device)
            #expect(made.isSubset(of: present.map(\.name)))
            for entry in present where entry.hasOwnPasscode {
                #expect(try keychains(device, "unlock", entry.name, input: "own\n").code == 0, "\(entry)")
                for item in 0...round where try get(device, "item \(item)", from: entry.name).code != 3 {
                    #expect(try get(device, "item \(item)", from: entry.name).text == "secret \(item)")
                }
            }
            #expect(try device.status().quarantined.isEmpty)
        }
    }
}
