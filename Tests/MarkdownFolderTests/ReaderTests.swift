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
        #expect(note.markdown == "# Plans\n\nText\n")
        let bare = try FolderFixture.note("Text")
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
        #expect(try abs(#require(bare.modified) - now) < 60_000_000 && bare.created == bare.modified)
    }

    @Test(arguments: [
        ("Text", "# Note\n\nText\n"), ("# Another title\n\nText", "# Another title\n\nText\n"),
        ("**Note**\n\nText", "**Note**\n\nText\n"), ("", ""), ("\n \n", ""), ("\u{FEFF}# A\r\nb\r\n", "# A\nb\n"),
        ("---\ntitle: \"\"\n---\n## Part", "# Note\n\n## Part\n"), ("---\ntitle: B*\n---\n# A", "# B\\*\n\n# A\n"),
    ])
    func `a text without its title gets it`(_ text: String, _ markdown: String) throws {
        #expect(try FolderFixture.note(text).markdown == markdown)
    }

    @Test func `bytes that are no UTF-8 are repaired, and reported`() throws {
        let folder = try FolderFixture()
        try folder.write("a.md", Data([0x23, 0x20, 0xFF, 0x0A]))
        let note = try folder.note()
        #expect(note.markdown == "# \u{FFFD}\n" && note.problems.count == 1)
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
