import Envelopes
import Foundation
import Secrets
import StoreTables
import Testing

/// A home that version 0.1 wrote opens unchanged: see Tests/Stores.
@Suite(.serialized) struct FormerHomeStories {
    private func unlock(_ device: LiveDevice) throws {
        #expect(try device.run("unlock", input: Data("seven slow boats 3\n".utf8)).code == 0)
        #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
        #expect(try device.diary("sign-in", input: "a green gate\n").code == 0)
    }

    private func expectAll(_ device: LiveDevice, _ former: FormerHome) throws {
        let expected = try former.text("expected").components(separatedBy: "\n")
        var (items, lines, notes, entries) = (0, 0, 0, 0)
        let list = try device.run("keychain", "list").text
        let noteList = try device.notes("list").text
        let diaryList = try device.diary("list").text
        for (number, line) in expected.enumerated() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if line.hasPrefix("item "), let end = line.firstIndex(of: ":") {
                let service = String(line[line.index(line.startIndex, offsetBy: 5)..<end])
                let found = try device.run("keychain", "get", "--service", service)
                // One was deleted, and one is found by another name.
                guard found.code == 0 else { continue }
                #expect(line.contains(hash(found.output)), "\(service)")
                items += 1
            } else if ["certificate", "internet", "key", "note", "password"].contains(where: {
                line.hasPrefix($0 + "\t")
            }) {
                #expect(list.contains(line), "\(line)")
                lines += 1
            } else if words.count > 2, words[0].count == 8, words[1].isEmpty {
                #expect(noteList.contains(words[0]), "\(line)")
                notes += 1
            } else if words.count > 3, words[0].count == 8, words[1].hasPrefix("2026-") {
                let shown = try device.diary("show", String(words[0]))
                let text = try #require(words.suffix(from: 3).last)
                #expect(diaryList.contains(words[0]) && shown.text.contains(text), "\(line)")
                entries += 1
                _ = number
            }
        }
        #expect(items == 22 && lines == 30 && notes == 25 && entries == 13, "\(items) \(lines) \(notes) \(entries)")
        let shut = try device.run("keychain", "get", "--service", "v")
        #expect(shut.code == 5 && shut.errors.contains("passcode of its own"))
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0, "\(look.text)\(look.errors)")
    }

    @Test func `every object reads as it did, also after something was written and the device started again`() throws {
        let former = try FormerHome()
        let device = try LiveDevice(folder: former.old + "/home")
        try unlock(device)
        // What each database was before this version has written to it lies beside, until all was looked at.
        let kept = UpdateStories.stores.map { "\(device.folder)/\($0)/\($0).sqlite.before-\(Version.text)" }
        for path in kept { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
        try expectAll(device, former)
        // A keychain is shut still: its store was not opened in whole, and what it was before is kept.
        let isKept = { kept.map { FileManager.default.fileExists(atPath: $0) } }
        #expect(isKept() == UpdateStories.stores.map { $0 == "keychain" })
        #expect(
            try device.run("keychain", "keychains", "unlock", "Vault", input: Data("cellar key 5\n".utf8)).code == 0)
        let look = try device.run("doctor", "--data")
        #expect(look.code == 0 && !look.text.contains("kept"), "\(look.text)")
        #expect(isKept() == [false, false, false])
        #expect(try device.run("keychain", "get", "--service", "v").text == "in the vault")
        #expect(try device.run("keychain", "add", "--service", "new", input: Data("x".utf8)).code == 0)
        let note = try device.newNote("# New\n\nwords\n")
        let entry = try device.newEntry("A new day")
        #expect(try device.down() == 0)
        #expect(try device.start() == nil)
        try unlock(device)
        try expectAll(device, former)
        #expect(try device.run("keychain", "get", "--service", "new").text == "x")
        #expect(try device.notes("show", note).text == "# New\n\nwords\n")
        #expect(try device.diary("show", entry).text.contains("A new day"))
        // From its first start on it has what every home has.
        for name in ["enclave/spare/root.key", "keychain/spare/keychain.sqlite", "notes/spare/notes.sqlite"] {
            #expect(FileManager.default.fileExists(atPath: device.folder + "/" + name), "\(name)")
        }
    }

    @Test func `notes, versions and locked notes read as they did, and go on`() throws {
        let former = try FormerHome()
        let old = former.old
        let device = try LiveDevice(folder: old + "/home")
        #expect(try device.run("unlock", input: Data("seven slow boats 3\n".utf8)).code == 0)
        #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
        let expected = try String(contentsOfFile: old + "/expected", encoding: .utf8)
        for name in ["n1", "l1", "l2", "l3", "l4"] {
            let id = try String(contentsOfFile: old + "/" + name, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let shown = try device.notes("show", id)
            #expect(shown.code == 0 && expected.contains("\(name): \(hash(shown.output))"), "\(name) \(shown.errors)")
            guard name == "n1" || name == "l1" else { continue }
            for version in 1...(name == "n1" ? 3 : 2) {
                let former = try device.notes("show", id, "--at", "\(version)")
                let isSame = name != "n1" || expected.contains("n1 at \(version): \(hash(former.output))")
                #expect(former.code == 0 && isSame)
            }
            // From here on it is what is typed; what it was is a version, as it was.
            let typed = shown.output + Data("\r\n[wifi]: secret\r\n\r\n7. seven".utf8)
            #expect(try device.run(["notes", "edit", id], input: typed).code == 0)
            try device.stopNotes()
            #expect(try device.notes("unlock", input: "quince 2\n").code == 0)
            #expect(try device.notes("show", id).output == typed)
            #expect(try device.notes("show", id, "--at", name == "n1" ? "3" : "2").output == shown.output)
        }
        #expect(try device.notes("status").code == 0, "nothing is damaged")
    }

    private func hash(_ data: Data) -> String { Hexadecimal.encode(Digest.sha256(Array(data))) }
}
