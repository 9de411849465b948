import Conformance
import Foundation
import NotesClient
import Testing
import Wire

/// Real databases of Apple Notes, where somebody has put them: the folder of `TRESOR_SHARED`, else `../shared`.
@Suite(.serialized) struct NotesImportStory {
    private static let samples: String = {
        let shared =
            ProcessInfo.processInfo.environment["TRESOR_SHARED"]
            ?? LiveDevice.root.deletingLastPathComponent().appendingPathComponent("shared").path
        return shared + "/data/apple-notes/"
    }()
    private static let hasSamples = FileManager.default.fileExists(atPath: samples + "V1-password.sqlite")

    private func listed(_ device: LiveDevice) throws -> [[String: Any]] {
        let output = try device.notes("list", "--json").output
        return try #require(try JSONSerialization.jsonObject(with: output) as? [[String: Any]])
    }

    @Test(.enabled(if: hasSamples, "the sample databases are not there"))
    func `a locked note of Apple's comes in with its passphrase, locked again, and a second time changes nothing`()
        throws
    {
        let device = try LiveDevice()
        let first = try device.notes("import", "apple", Self.samples + "V1-password.sqlite", input: "password\n")
        #expect(first.code == 0, "\(first.errors)")
        let notes = try listed(device)
        let locked = try #require(notes.first { $0["locked"] as? Bool == true }?["id"] as? String)
        #expect(try device.notes("show", locked).text == "# Encrypted title\n\nEncrypted body\n")
        try device.notes("lock-now")
        #expect(try device.notes("show", locked).code == 5)
        #expect(try device.notes("unlock", input: "password\n").code == 0)
        let second = try device.notes("import", "apple", Self.samples + "V1-password.sqlite", input: "password\n")
        #expect(second.text.contains("added 0") && second.text.contains("updated 0"), "\(second.text)")
        #expect(try listed(device).count == notes.count)
    }

    @Test(
        .enabled(if: hasSamples, "the sample databases are not there"),
        arguments: ["NoteStore-macOS-12-Monterey", "NoteStore-macOS-14-Sonoma", "NoteStore-macOS-26-Tahoe"])
    func `a locked note whose passphrase nobody has is reported with its hint`(_ name: String) throws {
        let device = try LiveDevice()
        let report = try device.notes("import", "apple", Self.samples + name + ".sqlite")
        #expect(report.code == 0 && report.text.contains("hint: tbull"), "\(report.text)\(report.errors)")
        let notes = try listed(device)
        #expect(notes.count >= 5 && notes.allSatisfy { $0["locked"] as? Bool == false })
        let wrong = try device.notes("import", "apple", Self.samples + name + ".sqlite", input: "not it\n")
        #expect(wrong.code == 6 && (wrong.errors + wrong.text).contains("tbull"))
        #expect(try listed(device).count == notes.count)
    }

    @Test func `what is no database of Apple Notes is refused by name, and nothing comes in`() throws {
        let device = try LiveDevice()
        let path = device.folder + "-foreign.sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for content in [Data(), Data("SQLite format 3\0".utf8), Data(repeating: 7, count: 100_000)] {
            try content.write(to: URL(fileURLWithPath: path))
            let refused = try device.notes("import", "apple", path)
            #expect(refused.code != 0 && refused.code < 128 && !refused.errors.isEmpty)
        }
        #expect(try listed(device).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").allSatisfy { !$0.hasPrefix("tresor") })
    }

    @Test func `notes go out as Markdown and come back as they were`() throws {
        let device = try LiveDevice()
        let text = "# Plan\n\n- [x] one\n- [ ] two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
        _ = try device.newNote(text, "--folder", "Work/Plans", "--tag", "x")
        try device.notes("passphrase", "set", input: "pass\npass\n")
        let secret = try device.newNote("a secret\n", "--locked")
        try device.notes("lock-now")
        let folder = device.folder + "-export"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let part = try device.notes("export", folder)
        #expect(
            part.code == 5 && part.text.contains(secret) || part.errors.contains(secret), "\(part.text)\(part.errors)")
        try FileManager.default.removeItem(atPath: folder)
        #expect(try device.notes("export", folder, input: "pass\n").code == 0)
        // On the same device it is all there already.
        try device.notes("lock-now")
        #expect(try device.notes("import", "markdown", folder).code == 0)
        #expect(try listed(device).count == 2)
        let other = try LiveDevice()
        #expect(try other.notes("import", "markdown", folder).code != 0, "a locked note is not taken in open")
        try other.notes("passphrase", "set", input: "new\nnew\n")
        let report = try other.notes("import", "markdown", folder)
        #expect(report.code == 0, "\(report.errors)")
        let back = try listed(other)
        #expect(back.count == 2)
        #expect(back.contains { $0["locked"] as? Bool == true })
        let plan = try #require(back.first { $0["title"] as? String == "Plan" })
        #expect(plan["folder"] as? String == "Work/Plans" && plan["tags"] as? [String] == ["x"])
        #expect(try other.notes("show", plan["id"] as? String ?? "").text == text)

    }
}
