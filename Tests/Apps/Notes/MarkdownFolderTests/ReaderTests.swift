import Foundation
import MarkdownFolder
import Testing

/// Folders of Markdown as other apps leave them.
@Suite struct FolderReading {
    @Test func `folders become folders, and hidden ones and other files are no notes`() throws {
        let folder = try FolderFixture()
        for name in ["b.md", "Work/Plans/a.markdown", "Work/C.MD"] { try folder.write(name, "# x") }
        for name in [".obsidian/x.md", ".git/y.md", ".hidden.md", "photo.png"] { try folder.write(name, "x") }
        let reader = try folder.reader()
        #expect(reader.paths == ["Work/C.MD", "Work/Plans/a.markdown", "b.md"])
        let note = try reader.note(at: 1)
        #expect(note.folder == "Work/Plans" && note.source == "markdown:Work/Plans/a.markdown")
        #expect(reader.problems == [])
    }

    @Test func `a single file is a folder of one`() throws {
        let folder = try FolderFixture()
        try folder.write("a.md", "![x](x.png)")
        try folder.write("x.png", "x")
        try folder.write("b.md", "b")
        let reader = try folder.reader("a.md")
        #expect(reader.paths == ["a.md"])
        let attachments = try reader.note(at: 0).attachments
        #expect(attachments.map(\.name) == ["x.png"] && attachments.map(\.path) == [folder.path + "/x.png"])
        #expect(throws: MarkdownFolderError.self) { try folder.reader("x.png") }
        #expect(throws: MarkdownFolderError.self) { try folder.reader("none") }
        #expect(throws: MarkdownFolderError.self) { try reader.note(at: 1) }
    }

    @Test func `front matter gives what it says, and the file's time the rest`() throws {
        let note = try FolderFixture.note(
            """
            ---
            title: Plans
            tags: ["#a", b, b, ""]
            date: 2024-01-31
            updated: 2024-02-01T10:00:00Z
            pinned: true
            folder: Elsewhere/Deep
            aliases: [x]
            ---

            Text
            """)
        #expect(note.title == "Plans" && note.tags == ["a", "b"] && note.isPinned && note.folder == "Elsewhere/Deep")
        #expect(note.created == 1_706_659_200_000_000 && note.modified == 1_706_781_600_000_000)
        #expect(note.markdown == "# Plans\n\nText")
        let bare = try FolderFixture.note("Text")
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
        #expect(try abs(#require(bare.modified) - now) < 60_000_000 && bare.created == bare.modified)
    }

    @Test(arguments: [
        ("Text", "# Note\n\nText"), ("# Another title\n\nText\n", "# Another title\n\nText\n"),
        ("**Note**\n\nText\n\n\n", "**Note**\n\nText\n\n\n"), ("", "# Note\n"), ("\n \n", "# Note\n"),
        ("\u{FEFF}# A\r\nb\r\n", "# A\r\nb\r\n"), ("Text\r\n \r\n", "# Note\r\n\r\nText\r\n \r\n"),
        ("---\ntitle: \"\"\n---\n## Part", "# Note\n\n## Part"), ("---\ntitle: B*\n---\n# A", "# B\\*\n\n# A"),
        ("---\r\ntags: a\r\n---\r\n\r\n# A\r\n", "# A\r\n"), ("\n\n# A\n", "\n\n# A\n"),
        (
            "# A\n\n[wifi]: secret\n\n| a |\n|---|\n| 1 | 2 |\n\n7. x  ",
            "# A\n\n[wifi]: secret\n\n| a |\n|---|\n| 1 | 2 |\n\n7. x  "
        ),
    ])
    func `a text without its title gets it`(_ text: String, _ markdown: String) throws {
        #expect(try FolderFixture.note(text).markdown == markdown)
    }

    @Test func `a text is read as it was encoded`() throws {
        let text = "# Größe\r\n“x” – 漢 🗝\n"
        let encodings: [(String.Encoding, [UInt8])] = [
            (.utf8, []), (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
            (.utf16BigEndian, [0xFE, 0xFF]), (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]),
            (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        ]
        for (encoding, mark) in encodings {
            let folder = try FolderFixture()
            try folder.write("a.md", Data(mark) + #require(text.data(using: encoding)))
            let note = try folder.note()
            #expect(note.markdown == text && note.problems == [], "\(encoding)")
        }
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
            let folder = try FolderFixture()
            try folder.write("a.md", #require("# Größe\n\nohne Marke\n".data(using: encoding)))
            #expect(try folder.note().markdown == "# Größe\n\nohne Marke\n")
        }
    }

    @Test func `Latin-1 is read, and reported`() throws {
        let folder = try FolderFixture()
        try folder.write("a.md", Data("# Gr".utf8) + Data([0xF6, 0xDF, 0x65, 0x20, 0x80, 0x0A]))
        let note = try folder.note()
        #expect(note.markdown == "# Größe €\n" && note.problems.count == 1)
    }

    @Test func `a few broken bytes in UTF-8, and half of UTF-16, are repaired and reported`() throws {
        for bytes in [Data("# é ü ".utf8) + Data([0xFF, 0x0A]), Data([0xFF, 0xFE, 0x41, 0x00, 0x00, 0xD8, 0x42])] {
            let folder = try FolderFixture()
            try folder.write("a.md", bytes)
            let note = try folder.note()
            #expect(note.markdown.contains("\u{FFFD}") && note.problems.count == 1)
        }
    }

    @Test func `text files are notes, unless a note names them`() throws {
        let folder = try FolderFixture()
        try folder.write("a.md", "# a\n\n[log](log.txt)\n")
        try folder.write("log.txt", "line")
        try folder.write("Sub/Plain.TXT", "---\ntitle: no\n---\n*as* it [[is]]\n")
        let reader = try folder.reader()
        #expect(reader.paths == ["Sub/Plain.TXT", "a.md"])
        let note = try reader.note(at: 0)
        #expect(note.title == "Plain" && note.folder == "Sub" && note.attachments == [] && note.frontMatter == "")
        #expect(note.markdown == "# Plain\n\n---\ntitle: no\n---\n*as* it [[is]]\n")
        #expect(try reader.note(at: 1).attachments.map(\.name) == ["log.txt"])
        #expect(try folder.reader("log.txt").paths == ["log.txt"])
    }

    @Test func `the name of a file is not lost with its text`() throws {
        let folder = try FolderFixture()
        try folder.write("1.txt", "milk\r\neggs")
        try folder.write("2.txt", "2\n\nbegins with it")
        try folder.write("3.txt", "")
        try folder.write("4.md", "")
        let reader = try folder.reader()
        let texts = try (0..<4).map { try reader.note(at: $0).markdown }
        #expect(texts == ["# 1\r\n\r\nmilk\r\neggs", "2\n\nbegins with it", "# 3\n", "# 4\n"])
    }

    @Test func `front matter that means nothing here is kept as it was`() throws {
        let note = try FolderFixture.note(
            """
            ---
            # a comment
            title: x
            aliases: [a, 'b']
            date: 2024-01-31
            nested:
              deep:
                - 1
            cssclass: wide   # why
            ---
            Text
            """)
        #expect(
            note.frontMatter == "# a comment\naliases: [a, 'b']\nnested:\n  deep:\n    - 1\ncssclass: wide   # why\n")
        #expect(try FolderFixture.note("---\ntitle: x\ntags: [a]\n---\nText").frontMatter == "")
        #expect(try FolderFixture.note("---\ncreated: 2024-01-31\ndate: x\n---\nText").frontMatter == "date: x\n")
    }

    @Test(arguments: [
        // A name that is no key of ours, below one that is.
        ("title: x\npublish.url: y\n", "publish.url: y\n"), ("tags: [a,\nb]\n\"quoted\": v\n", "\"quoted\": v\n"),
        ("tags:\n- c\n# why\n- d\nz: 1\n", "z: 1\n"), ("tags:\n  - c\n# for z\nz: 1\n", "# for z\nz: 1\n"),
        // Names of ours with a meaning of somebody else's.
        (
            "id: 202401311200\nlocked: by me\nattachments: 3\nattachment-names: x\n",
            "id: 202401311200\nlocked: by me\nattachments: 3\nattachment-names: x\n"
        ),
        (
            "created: 2024-1-31\nmodified: 31.01.2024\npinned: perhaps\n",
            "created: 2024-1-31\nmodified: 31.01.2024\npinned: perhaps\n"
        ),
        ("created: soon\ndate: 2024-01-31\n", "created: soon\n"),
        // More than is understood.
        ("title: >\n  a long\n  title\nz: 1\n", "title: >\n  a long\n  title\nz: 1\n"),
        ("tags:\n  - a\n  by: me\n", "tags:\n  - a\n  by: me\n"), ("title: x\ntitle: y\n", "title: y\n"),
    ])
    func `what front matter says is used, or kept`(_ given: String, _ kept: String) throws {
        let note = try FolderFixture.note("---\n" + given + "---\nText\n")
        #expect(note.frontMatter == kept)
        #expect(!note.title.hasPrefix(">"))
    }

    @Test func `a file beyond 64 MiB is refused`() throws {
        let folder = try FolderFixture()
        try folder.write("a.md", Data())
        #expect(truncate(folder.path + "/a.md", off_t(MarkdownFolderReader.largestNote + 1)) == 0)
        #expect(throws: MarkdownFolderError.self) { try folder.note() }
    }

    @Test func `links are followed nowhere`() throws {
        let outside = try FolderFixture()
        try outside.write("secret.png", "x")
        try outside.write("secret.md", "x")
        let folder = try FolderFixture()
        try folder.link("link.md", to: outside.path + "/secret.md")
        try folder.link("link.png", to: outside.path + "/secret.png")
        try folder.link("out", to: outside.path)
        try folder.write("a.md", "# a\n\n![](link.png)\n\n![](out/secret.png)\n\n![[link.png]]\n")
        let reader = try folder.reader()
        #expect(reader.paths == ["a.md"] && Set(reader.problems.map(\.path)) == ["link.md", "link.png", "out"])
        let note = try reader.note(at: 0)
        #expect(note.attachments == [] && note.problems.count == 2)
    }

    @Test(arguments: [
        "../secret.png", "sub/../../secret.png", "/etc/passwd", "file:///etc/passwd", "//host/x.png",
        "https://x.example/a.png",
        "%2e%2e/secret.png", "..%2fsecret.png", "data:image/png;base64,AA", "%00.png", "",
    ])
    func `nothing outside the folder is attached`(_ target: String) throws {
        let outer = try FolderFixture()
        try outer.write("secret.png", "x")
        try outer.write("inner/a.md", "# a\n\n![x](<\(target)>)\n\n[y](<\(target)>) ![[\(target)]]\n")
        #expect(try outer.reader("inner").note(at: 0).attachments == [])
    }
}
