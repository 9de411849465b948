import Foundation
import MarkdownFolder
import NotesClient
import Testing
import Thoroughness

/// Folders as they are written.
@Suite struct FolderWriting {
    private let fixture: FolderFixture
    private var target: String { fixture.path + "/out/notes" }

    init() throws { fixture = try FolderFixture() }

    private func names() throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: target))
    }

    @Test func `no key stands in a file's front matter twice`() throws {
        var note = OutgoingNote("Plans", "x\n")
        note.summary.frontMatter = "id: 202401311200\nlocked: by me\ncreated: soon\naliases: [a]\n"
        var writer = try MarkdownFolderWriter(target)
        try note.write(to: &writer)
        let text = try String(contentsOfFile: target + "/Plans.md", encoding: .utf8)
        let keys = text.components(separatedBy: "\n---\n")[0].split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: ":").first.map(String.init) }
        #expect(Set(keys).count == keys.count, "\(keys)")
        #expect(Set(["id", "tresor-id", "locked", "tresor-locked", "created", "tresor-created"]).isSubset(of: keys))
    }

    @Test func `a note is a file with front matter, and its files lie beside it`() throws {
        var note = OutgoingNote("Plans", "", folder: "Work")
        note.summary.tags = ["a", "b c"]
        note.markdown = "# Plans\n\n" + note.attach("my photo.png", [1, 2, 3], id: 2) + "\n"
        var writer = try MarkdownFolderWriter(target)
        try note.write(to: &writer)
        #expect(try names() == ["Work", "Work/Plans.md", "Work/attachments", "Work/attachments/my photo.png"])
        let text = try String(contentsOfFile: target + "/Work/Plans.md", encoding: .utf8)
        #expect(
            text == """
                ---
                id: 00000000000000000000000000000001
                title: "Plans"
                created: 2023-11-14T22:13:20Z
                modified: 2023-11-14T22:13:21.000001Z
                tags: ["a", "b c"]
                pinned: false
                locked: false
                attachments: ["attachments/my%20photo.png"]
                attachment-names: ["my photo.png"]
                ---

                # Plans

                ![my photo.png](attachments/my%20photo.png)

                """)
        for (name, mode) in [("", 0o700), ("/Work", 0o700), ("/Work/attachments", 0o700), ("/Work/Plans.md", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: target + name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `names are safe and unique`() throws {
        var writer = try MarkdownFolderWriter(target)
        let long = String(repeating: "é", count: 200)
        let titles = [
            "a/b", "a:b", "A-B", "..", "", ".hidden", "CON", "nul.txt", "x\u{0}\u{1B}[31m", "\u{202E}evil", "end. ",
            long, long, "a-b-2",
        ]
        for (index, title) in titles.enumerated() {
            try OutgoingNote(title, "x", id: index + 1).write(to: &writer)
        }
        let names = try names()
        #expect(names.count == titles.count && Set(names.map { $0.lowercased() }).count == titles.count)
        #expect(
            names.isSuperset(of: [
                "a-b.md", "a-b-2.md", "A-B-3.md", "hidden.md", "_CON.md", "_nul.txt.md", "evil.md", "end.md",
            ]))
        #expect(names.allSatisfy { $0.utf8.count <= 120 && !$0.hasPrefix(".") })
    }

    @Test func `a folder's name is made safe, and the front matter keeps it`() throws {
        var writer = try MarkdownFolderWriter(target)
        let folders = ["../../etc", "a?b", "a*b", "A-B", "attachments", "Deep/../../x"]
        for (index, folder) in folders.enumerated() {
            var note = OutgoingNote("n\(index)", "x", folder: folder, id: index + 1)
            note.markdown = note.attach("f", [1], id: 100 + index) + "\n"
            try note.write(to: &writer)
        }
        let reader = try MarkdownFolderReader(target)
        #expect(try Set(reader.paths.indices.map { try reader.note(at: $0).folder }) == Set(folders))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path) == ["out"])
    }

    @Test func `a folder that holds something is refused`() throws {
        try fixture.write("full/x", "x")
        try fixture.write("file", "x")
        for name in ["full", "file", "file/below"] {
            #expect(throws: MarkdownFolderError.self) { try MarkdownFolderWriter(fixture.path + "/" + name) }
        }
        try FileManager.default.createDirectory(atPath: fixture.path + "/empty", withIntermediateDirectories: false)
        _ = try MarkdownFolderWriter(fixture.path + "/empty")
    }

    @Test func `a note whose file fails leaves nothing of itself`() throws {
        struct Broken: Error {}
        var note = OutgoingNote("n", "x")
        _ = note.attach("f", [1], id: 2)
        var writer = try MarkdownFolderWriter(target)
        #expect(throws: Broken.self) {
            try writer.write(note.summary, markdown: "x", note.files.map(\.summary)) { _, append in
                try append([1])
                throw Broken()
            }
        }
        #expect(try names() == ["attachments"])
    }
}

/// What is written reads back as it was.
@Suite struct RoundTrips {
    private func readBack(_ notes: [OutgoingNote]) throws -> [MarkdownNote] {
        let fixture = try FolderFixture()
        var writer = try MarkdownFolderWriter(fixture.path)
        for note in notes { try note.write(to: &writer) }
        let reader = try fixture.reader()
        let read = try reader.paths.indices.map { try reader.note(at: $0) }
        for (index, note) in read.enumerated() {
            let files = try note.attachments.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0.path))) }
            let source = try #require(notes.first { reader.paths[index].contains($0.summary.title) })
            #expect(files == source.files.map(\.bytes))
        }
        return read
    }

    @Test(arguments: [
        "", "x", "# n0\n\nsee [[Other]] and [[a|b]]\n", "[x](f.png) ![y](https://x.example/y.png)\n",
        "---\na: b\n---\n", "\n\nx\n\n\n",
        "```\n![x](f.png)\n```\n", "`a\n[[x]]`\n", "- [ ] ![[f.png]]\n", "\u{FEFF}x\n",
        "# n0\r\n\r\n[wifi]: secret\r\n", "mixed\nends\r\nand\rmore\r", "\r\n", "no end  ", "a\r\r\n", "nul \0\n",
        "Cafe\u{301}\n",
    ])
    func `a text that another app would have meant otherwise`(_ text: String) throws {
        let read = try readBack([OutgoingNote("n0", text)])
        #expect(read.map { Array($0.markdown.utf8) } == [Array(text.utf8)] && read.map(\.problems) == [[]])
    }

    @Test func `a text with carriage returns keeps them around its attachments`() throws {
        var note = OutgoingNote("n0", "")
        let link = note.attach("a.png", [1], id: 10)
        note.markdown = "# n0\r\n\r\n\(link)\r\n\r\nend"
        let fixture = try FolderFixture()
        var writer = try MarkdownFolderWriter(fixture.path)
        try note.write(to: &writer)
        let read = try fixture.note()
        #expect(read.markdown == "# n0\r\n\r\n![a.png](attachment:0)\r\n\r\nend")
        let file = try String(contentsOfFile: fixture.path + "/n0.md", encoding: .utf8)
        #expect(file.contains("![a.png](attachments/a.png)\r\n"))
    }

    @Test func `attachments in any place, of any name`() throws {
        var note = OutgoingNote("n0", "")
        let names = [
            "a.png", "a.png", "b c.md", "../x", "ü(1)].png", ".hidden", "no ending", "%41.txt", "a\"b\\.txt", "x.md ",
        ]
        let links = names.enumerated().map { note.attach($1, [UInt8($0)], id: 10 + $0) }
        let prefixes = ["", "> ", "- ", "- [x] ", "  ", "1. ", "", "", "", ""]
        note.markdown = zip(prefixes, links).map { $0 + $1 }.joined(separator: "\n\n") + "\n"
        let read = try #require(try readBack([note]).first)
        #expect(read.attachments.map(\.name) == names)
        let expected = zip(prefixes, names).enumerated().map { "\($1.0)![\($1.1)](attachment:\($0))" }
        #expect(read.markdown == expected.joined(separator: "\n\n") + "\n")
    }

    @Test func `front matter of elsewhere goes out as it came, and cannot end ours`() throws {
        var note = OutgoingNote("n0", "x\n")
        note.summary.frontMatter = "aliases: [a]\nnested:\n  - b\n"
        let back = try #require(try readBack([note]).first)
        #expect(back.frontMatter == note.summary.frontMatter && back.markdown == "x\n" && back.id == note.summary.id)
        note.summary.frontMatter = "a: b\n---\nlocked: true\n...\n"
        let hostile = try #require(try readBack([note]).first)
        #expect(hostile.markdown == "x\n" && !hostile.isLocked)
    }

    @Test func `names of ours that mean something else there go out and come back`() throws {
        var note = OutgoingNote("n0", "x\n")
        note.summary.tags = ["a"]
        note.summary.frontMatter =
            "id: 202401311200\ntitle: >\n  a long\n  title\n\"q\": v\nlocked: true\ncreated: soon\n"
        let back = try #require(try readBack([note]).first)
        #expect(back.frontMatter == note.summary.frontMatter && back.markdown == "x\n" && back.id == note.summary.id)
        #expect(back.title == note.summary.title && back.tags == ["a"] && !back.isLocked)
        #expect(back.created == note.summary.created)
    }

    @Test func `a note that was locked says so`() throws {
        var note = OutgoingNote("n0", "x\n")
        note.summary.isLocked = true
        let back = try #require(try readBack([note]).first)
        #expect(back.isLocked && back.problems.isEmpty)
    }

    @Test func `an attachment that no line names comes along`() throws {
        var note = OutgoingNote("n0", "x\n")
        _ = note.attach("f.bin", [UInt8](repeating: 7, count: 2500), id: 2)
        let read = try #require(try readBack([note]).first)
        #expect(read.markdown == "x\n" && read.attachments.map(\.name) == ["f.bin"])
    }

    @Test func `whatever a note holds`() throws {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "a", "é", "漢", "👩‍👩‍👧", "\"", "\\", ":", "#", ",", "[", "]", "'", "- ", "/", ".", "*", " ", "\u{2028}",
            "\u{85}", "\t",
        ]
        for _ in 0..<Thoroughness.count(60, soak: 300) {
            let random = { (count: Int) in
                (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            var note = OutgoingNote("t" + random(Int.random(in: 0...40)), random(20) + "\n" + random(20))
            note.summary.tags = Set((0..<Int.random(in: 0...4)).map { "t\($0)" + random(3) + "x" }).sorted()
            note.summary.isPinned = Bool.random()
            note.summary.folder = ["", "Work", "Work/A b", "a:b/c?"].randomElement() ?? ""
            note.summary.created = Int64.random(in: 0...4_000_000_000_000_000)
            note.summary.modified = Int64.random(in: 0...4_000_000_000_000_000)
            let fixture = try FolderFixture()
            var writer = try MarkdownFolderWriter(fixture.path)
            try note.write(to: &writer)
            let read = try fixture.note()
            #expect(read.title == note.summary.title && read.markdown == note.markdown)
            #expect(read.tags == note.summary.tags && read.isPinned == note.summary.isPinned)
            #expect(read.folder == note.summary.folder && read.problems == [])
            #expect(read.created == note.summary.created && read.modified == note.summary.modified)
        }
    }
}
