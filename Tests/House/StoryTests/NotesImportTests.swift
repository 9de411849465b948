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

    private func write(_ text: String, _ path: String) throws {
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func edit(_ device: LiveDevice, _ title: String, _ text: String) throws -> String {
        let note = try #require(try listed(device).first { $0["title"] as? String == title }?["id"] as? String)
        #expect(try device.notes("edit", note, input: text).code == 0)
        return note
    }

    @Test func `a folder is imported again: what was changed there comes, what was changed here stays`() throws {
        let device = try LiveDevice()
        let vault = device.folder + "-vault"
        defer { try? FileManager.default.removeItem(atPath: vault) }
        let matter = "---\ndate: 2024-01-31\naliases: [x]\n---\n"
        for name in ["There", "Here", "Both", "Clash"] {
            try write(matter + "# \(name)\n\none\n\ntwo\n", vault + "/Sub/\(name).md")
        }
        #expect(try device.notes("import", "markdown", vault).code == 0)
        try write(matter + "# There\n\none\n\ntwo, there\n", vault + "/Sub/There.md")
        _ = try edit(device, "Here", "# Here\n\none\n\ntwo, here\n")
        let both = try edit(device, "Both", "# Both\n\none, here\n\ntwo\n")
        try write(matter + "# Both\n\none\n\ntwo, there\n", vault + "/Sub/Both.md")
        let clash = try edit(device, "Clash", "# Clash\n\none, here\n\ntwo\n")
        try write(matter + "# Clash\n\none, there\n\ntwo\n", vault + "/Sub/Clash.md")
        // A folder that is called otherwise now is the same folder.
        try FileManager.default.moveItem(atPath: vault, toPath: vault + "2")
        defer { try? FileManager.default.removeItem(atPath: vault + "2") }
        let report = try device.notes("import", "markdown", vault + "2")
        #expect(report.code == 0, "\(report.errors)")
        for line in ["added 0", "unchanged 1", "updated 1", "made here 1", "in the same words 1"] {
            #expect(report.text.contains(line), "\(line): \(report.text)")
        }
        #expect(try device.notes("show", both).text == "# Both\n\none, here\n\ntwo, there\n")
        let kept = try device.notes("show", clash).text
        #expect(kept.contains("one, here\n") && kept.contains("one, there\n"))
        #expect(try listed(device).contains { $0["conflict"] as? Bool == true })
        #expect(try device.notes("resolve", clash).code == 0)
        #expect(try listed(device).allSatisfy { $0["conflict"] as? Bool == false })
        let out = device.folder + "-export"
        defer { try? FileManager.default.removeItem(atPath: out) }
        #expect(try device.notes("export", out).code == 0)
        #expect(try String(contentsOfFile: out + "/Sub/Both.md", encoding: .utf8).contains("aliases: [x]\n---\n"))
    }

    @Test func `two files of one exported note are two notes, also at the next import`() throws {
        let device = try LiveDevice()
        let out = device.folder + "-export"
        defer { try? FileManager.default.removeItem(atPath: out) }
        _ = try device.newNote("# Plan\n\none\n")
        #expect(try device.notes("export", out).code == 0)
        try FileManager.default.copyItem(atPath: out + "/Plan.md", toPath: out + "/Plan copy.md")
        let text = try String(contentsOfFile: out + "/Plan copy.md", encoding: .utf8)
        try write(text.replacingOccurrences(of: "one", with: "another"), out + "/Plan copy.md")
        for added in ["added 1", "added 0"] {
            let report = try device.notes("import", "markdown", out)
            #expect(report.code == 0 && report.text.contains(added), "\(report.text)")
            #expect(report.text.contains("this one is a copy"))
        }
        let texts = try listed(device).map { try device.notes("show", $0["id"] as? String ?? "").text }
        #expect(texts.sorted() == ["# Plan\n\nanother\n", "# Plan\n\none\n"])
    }

    @Test func `a folder by another path is the same folder, and one that cannot be read is told of`() throws {
        let device = try LiveDevice()
        let vault = device.folder + "-vault"
        defer { for path in [vault, vault + "-link"] { try? FileManager.default.removeItem(atPath: path) } }
        try write("# A\n\none\n", vault + "/A.md")
        #expect(try device.notes("import", "markdown", vault).code == 0)
        try FileManager.default.createSymbolicLink(atPath: vault + "-link", withDestinationPath: vault)
        let again = try device.notes("import", "markdown", vault + "-link")
        #expect(again.code == 0 && again.text.contains("unchanged 1"), "\(again.errors)\(again.text)")
        let deep = vault + "/" + Array(repeating: "d", count: 66).joined(separator: "/")
        try write("# B\n", deep + "/B.md")
        let lost = try device.notes("import", "markdown", vault)
        #expect(lost.code == 8 && lost.text.contains("not imported or updated 1"), "\(lost.text)")
    }

    @Test func `folders with equal paths are two, a copy is asked about, and the owner says which it is`() throws {
        let device = try LiveDevice()
        let folders = ["-one", "-two", "-three"].map { device.folder + $0 }
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        try write("# A\n\nof one\n", folders[0] + "/A.md")
        try write("# A\n\nof two\n", folders[1] + "/A.md")
        for folder in folders.prefix(2) { #expect(try device.notes("import", "markdown", folder).code == 0) }
        #expect(try listed(device).count == 2)
        try FileManager.default.copyItem(atPath: folders[0], toPath: folders[2])
        try write("# A\n\nof the copy\n", folders[2] + "/A.md")
        let asked = try device.notes("import", "markdown", folders[2])
        #expect(asked.code == 64 && asked.errors.contains("is a copy"), "\(asked.errors)")
        #expect(try listed(device).count == 2)
        let sources = try device.notes("import", "sources").text.split(separator: "\n")
        let one = try #require(sources.first { $0.hasSuffix("-one") }?.prefix(8))
        #expect(try device.notes("import", "markdown", folders[2], "--source", String(one)).text.contains("updated 1"))
        #expect(try listed(device).count == 2)
        #expect(try device.notes("import", "markdown", folders[2], "--source", "new").text.contains("added 1"))
        #expect(try listed(device).count == 3)
        // A mark that was lost is asked about as well.
        try FileManager.default.removeItem(atPath: folders[1] + "/.tresor-source")
        #expect(try device.notes("import", "markdown", folders[1]).code == 64)
        #expect(try device.notes("import", "markdown", folders[1], "--source", "ffff").code == 3)
        let dry = try device.notes("import", "markdown", "--dry-run", folders[1])
        #expect(dry.code == 0 && !FileManager.default.fileExists(atPath: folders[1] + "/.tresor-source"))
    }

    @Test(arguments: [("enex", "enex"), ("jex", "jex"), ("json", "standard-notes"), ("pages", "html")])
    func `notes go out in another program's format, and come in on another device`(
        _ name: String, _ format: String
    ) throws {
        let device = try LiveDevice()
        let text = "# Plan\n\n- [x] one\n- [ ] two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
        let note = try device.newNote(text, "--folder", "Work", "--tag", "x")
        try write("hello", device.folder + "-files/hello.txt")
        defer { try? FileManager.default.removeItem(atPath: device.folder + "-files") }
        if format != "standard-notes" {
            #expect(try device.notes("attach", note, device.folder + "-files/hello.txt").code == 0)
        }
        try device.notes("passphrase", "set", input: "pass\npass\n")
        _ = try device.newNote("# Secret\n\na secret\n", "--locked")
        let target = device.folder + "-out." + name
        defer { try? FileManager.default.removeItem(atPath: target) }
        let out = try device.notes("export", target, "--format", format)
        #expect(out.code == 0, "\(out.errors)")
        // On the same device it is all there already.
        let same = try device.notes("import", target)
        #expect(same.code == 0 && same.text.contains("added 0"), "\(same.text)\(same.errors)")
        let other = try LiveDevice()
        let kept = try other.notes("import", target)
        #expect(kept.code != 0 && kept.text.contains("added 1"), "a locked note is not taken in open: \(kept.text)")
        try other.notes("passphrase", "set", input: "new\nnew\n")
        let report = try other.notes("import", target)
        #expect(report.code == 0 && report.text.contains("added 1"), "\(report.text)\(report.errors)")
        let back = try listed(other)
        #expect(back.count == 2 && back.count { $0["locked"] as? Bool == true } == 1)
        let plan = try #require(back.first { $0["title"] as? String == "Plan" })
        #expect(plan["folder"] as? String == "Work" && plan["tags"] as? [String] == ["x"])
        let shown = try other.notes("show", plan["id"] as? String ?? "").text
        #expect(shown.hasPrefix(text.dropLast()), "\(shown)")
        if format != "standard-notes" {
            let file = try other.notes("extract", plan["id"] as? String ?? "", "hello.txt")
            #expect(file.text == "hello", "\(file.errors)")
        }
        #expect(try other.notes("import", target).text.contains("unchanged 2"))
    }

    @Test func `what is of no known format is refused by name, and nothing comes in`() throws {
        let device = try LiveDevice()
        let path = device.folder + "-foreign"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (content, code) in [("\u{1}\u{2}", 64), ("<en-export><note>", 8), ("{\"items\":", 8)] as [(String, Int32)] {
            try write(content, path)
            let refused = try device.notes("import", path)
            #expect(refused.code == code && !refused.errors.isEmpty, "\(content): \(refused.code)")
        }
        #expect(try device.notes("import", path + "-none").code == 64 && listed(device).isEmpty)
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
        // On the same device it is all there already; what is shut is not compared, and the exit code says so.
        try device.notes("lock-now")
        let shut = try device.notes("import", "markdown", folder)
        #expect(shut.code == 5 && shut.text.contains("unchanged 1") && shut.text.contains("no session is open"))
        let again = try device.notes("import", "markdown", folder, input: "pass\n")
        #expect(again.code == 0 && again.text.contains("unchanged 2"), "\(again.text)\(again.errors)")
        #expect(try listed(device).count == 2)
        let other = try LiveDevice()
        let bare = try other.notes("import", "markdown", folder)
        #expect(bare.code != 0, "a locked note is not taken in open")
        #expect(bare.text.contains("set one with 'tresor notes passphrase set', and import again"), "\(bare)")
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
