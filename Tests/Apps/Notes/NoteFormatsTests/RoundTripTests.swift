import Foundation
import NoteFormats
import NotesClient
import Testing

/// What goes out in another program's format comes in again.
@Suite struct FormatRoundTrips {
    static let formats: [NoteFormat] = [.enex, .jex, .standardNotes, .html]
    static let texts = [
        "# n\n\nText with *emphasis*, **strength**, ~~struck~~ and `code`.\n",
        "# n\n\n- one\n- two\n  - below\n- three\n",
        "# n\n\n1. one\n2. two\n\n3 is no item.\n",
        "# n\n\n- [ ] open\n- [x] done\n",
        "# n\n\n> quoted\n>\n> twice\n",
        "# n\n\n```swift\nlet a = \"<b>\"\n\n    indented\n```\n",
        "# n\n\n| a | b |\n| --- | --- |\n| 1 | 2 \\| 3 |\n",
        "# n\n\n[link](https://x.example/a_b?c=d&e=f) and <https://y.example/>\n",
        "# n\n\none\\\ntwo\n\n---\n\n## Part\n\n### Deeper\n",
        "# n\n\nA_b_c, 2 * 3, 5 < 6 & 7 > 6, [x], a@b.example\n",
        "# n\n\n漢字 🗝 é — “quotes”\n",
        "# n\n",
    ]

    @Test(arguments: formats, texts)
    func `a text comes back as it was`(_ format: NoteFormat, _ text: String) throws {
        let back = try LeavingNote.roundTrip([LeavingNote("n", text)], format)
        #expect(back.map(\.markdown) == [text] && back.first?.problems == [])
    }

    /// What the other formats have no place for, or have another spelling for.
    static let exactTexts = [
        "no heading\n", "n\n=\n\n* star\n+ plus\n\n7) seven\n9) nine\n",
        "# n\n\n[Anna]: 0171-1234567\n[wifi]: secret\n",
        "# n\r\n\r\nlines as Windows ends them\r\n", "# n\n\nno last line end", "# n\n\n\n\nfour   spaces  \n\n\n",
        "# n\n\n| a | b |\n|---|---|\n| 1 | 2 | lost |\n",
        "# n\n\n<details>HTML</details>\n\n$a_b$ [^1]\n\n[^1]: below\n",
        "# n\n\n\u{1}\u{FFFE} and \u{200B}\n", "\n\n# n\n\n]]> <body></body>\n",
    ]

    @Test(arguments: formats, exactTexts)
    func `what nobody changed comes back byte for byte`(_ format: NoteFormat, _ text: String) throws {
        let back = try LeavingNote.roundTrip([LeavingNote("n", text)], format)
        #expect(back.map { Array($0.markdown.utf8) } == [Array(text.utf8)])
    }

    @Test(arguments: formats)
    func `a text that was changed there is what came of it`(_ format: NoteFormat) throws {
        let fixture = try FormatFixture()
        let writer = try NoteArchiveWriter(fixture.path + "/out", format)
        try LeavingNote("n", "# n\n\n* a red door\n").write(to: writer)
        try writer.finish()
        let path = fixture.path + (format == .html ? "/out/n.html" : "/out")
        let written = try String(contentsOfFile: path, encoding: .utf8)
        let changed = written.replacingOccurrences(of: "a red door", with: "a tan door")
        #expect(changed != written)
        try changed.write(toFile: path, atomically: true, encoding: .utf8)
        let back = try #require(try fixture.notes("out", format).first)
        #expect(back.markdown.contains("a tan door") && !back.markdown.contains("red"))
        #expect(back.id != nil)
    }

    @Test(arguments: [NoteFormat.enex, .jex, .html])
    func `attachments of an unchanged note are in the places that the text gives them`(_ format: NoteFormat) throws {
        var note = LeavingNote("n", "")
        let first = note.attach("one.png", .image, "image/png", [1, 2, 3], id: 1)
        let second = note.attach("one.png", .image, "image/png", [4, 5, 6], id: 2)
        _ = note.attach("unnamed.bin", .file, "", [9], id: 3)
        note.markdown = "* x\n\n\(second)\r\n\r\nbetween\n\n\(first)\n\n[a]: b"
        let back = try #require(try LeavingNote.roundTrip([note], format).first)
        let number = { (bytes: [UInt8]) in back.attachments.firstIndex { $0.bytes == bytes } ?? -1 }
        #expect(
            back.markdown == "* x\n\n![one.png](attachment:\(number([4, 5, 6])))\r\n\r\nbetween\n\n"
                + "![one.png](attachment:\(number([1, 2, 3])))\n\n[a]: b")
        #expect(back.attachments.map(\.name).sorted() == ["one.png", "one.png", "unnamed.bin"])
    }

    @Test(arguments: formats)
    func `dates, folder, tags, pin and lock come back`(_ format: NoteFormat) throws {
        var note = LeavingNote("Plan <b> & \"c\"", "# Plan \\<b> & \"c\"\n\ntext\n", folder: "Work/A & B")
        note.summary.tags = ["one", "two & three"]
        (note.summary.isPinned, note.summary.isLocked) = (true, true)
        let back = try #require(try LeavingNote.roundTrip([note], format).first)
        #expect(back.id == note.summary.id && back.folder == note.summary.folder && back.tags == note.summary.tags)
        #expect(back.isPinned && back.isLocked && back.title == note.summary.title)
        #expect(back.created == note.summary.created && back.modified == note.summary.modified)
    }

    /// Where a format has a place for it, what the other program says of a note counts.
    @Test(arguments: [NoteFormat.enex, .jex, .standardNotes])
    func `what was moved, pinned or dated there is so here`(_ format: NoteFormat) throws {
        let fixture = try FormatFixture()
        let writer = try NoteArchiveWriter(fixture.path + "/out", format)
        var note = LeavingNote("n", "# n\n\ntext\n", folder: "Work")
        note.summary.isPinned = true
        (note.summary.created, note.summary.modified) = (1_600_000_000_123_456, 1_650_000_000_123_456)
        try note.write(to: writer)
        try writer.finish()
        let path = fixture.path + "/out"
        var written = try String(contentsOfFile: path, encoding: .utf8)
        let changes: [(String, String)] =
            switch format {
            case .enex: [("<updated>20220415T052000Z", "<updated>20230415T052000Z")]
            case .jex: [("user_updated_time: 2022", "user_updated_time: 2023"), ("Work\n\n", "Home\n\n")]
            default:
                [
                    ("\"client_updated_at\":\"2022", "\"client_updated_at\":\"2023"),
                    ("\"pinned\":true", "\"pinned\":null"),
                ]
            }
        for (old, new) in changes {
            #expect(written.contains(old), "\(old)")
            written = written.replacingOccurrences(of: old, with: new)
        }
        try written.write(toFile: path, atomically: true, encoding: .utf8)
        let back = try #require(try fixture.notes("out", format).first)
        #expect(back.markdown == note.markdown && back.created == note.summary.created)
        #expect(back.modified.map { $0 / 1_000_000 } == 1_681_536_000)
        #expect(back.folder == (format == .jex ? "Home" : "Work") && back.isPinned == (format != .standardNotes))
    }

    @Test(arguments: [NoteFormat.enex, .jex, .html])
    func `a long name of a file comes back whole`(_ format: NoteFormat) throws {
        let name = String(repeating: "é", count: 125) + ".tiff"
        var note = LeavingNote("n", "")
        let place = note.attach(name, .file, "", [1, 2], id: 1)
        note.markdown = "# n\n\n\(place)\n"
        let back = try #require(try LeavingNote.roundTrip([note], format).first)
        #expect(back.attachments.map(\.name) == [name])
    }

    @Test(arguments: [NoteFormat.enex, .jex, .html])
    func `attachments come back in their places`(_ format: NoteFormat) throws {
        var note = LeavingNote("n", "")
        let picture = note.attach("a picture.png", .image, "image/png", [1, 2, 3], id: 1)
        let paper = note.attach("paper.pdf", .pdf, "application/pdf", (0..<5001).map { UInt8($0 & 255) }, id: 2)
        _ = note.attach("unnamed.bin", .file, "", [9], id: 3)
        note.markdown = "# n\n\n\(picture)\n\nbetween\n\n\(paper)\n"
        let back = try #require(try LeavingNote.roundTrip([note], format).first)
        let byName = Dictionary(uniqueKeysWithValues: back.attachments.enumerated().map { ($1.name, $0) })
        #expect(Set(byName.keys) == ["a picture.png", "paper.pdf", "unnamed.bin"])
        for file in note.files {
            #expect(back.attachments.first { $0.name == file.summary.name }?.bytes == file.bytes)
        }
        let number = { (name: String) in byName[name] ?? -1 }
        let text =
            "# n\n\n![a picture.png](attachment:\(number("a picture.png")))\n\nbetween\n\n"
            + "![paper.pdf](attachment:\(number("paper.pdf")))\n"
        #expect(back.markdown.hasPrefix(text), "\(back.markdown)")
    }

    @Test(arguments: formats)
    func `markup in a note stays a text, and nothing of it runs`(_ format: NoteFormat) throws {
        let text = "# n\n\n<script>alert(1)</script>\n\ntext <img src=x onerror=alert(1)> [x](javascript:alert(1))\n"
        let fixture = try FormatFixture()
        let writer = try NoteArchiveWriter(fixture.path + "/out", format)
        try LeavingNote("n", text).write(to: writer)
        try writer.finish()
        let isFolder = format == .html
        let written = try String(contentsOfFile: fixture.path + (isFolder ? "/out/n.html" : "/out"), encoding: .utf8)
        if format == .enex || format == .html {
            #expect(
                !written.contains("<script") && !written.contains("onerror=alert(1)>") && written.contains("&lt;img"))
            #expect(!written.contains("href=\"javascript"))
        }
    }

    @Test(arguments: [NoteFormat.enex, .jex, .standardNotes])
    func `what is there is not overwritten, and what failed leaves nothing`(_ format: NoteFormat) throws {
        struct Broken: Error {}
        let fixture = try FormatFixture()
        try fixture.write("out", "mine")
        #expect(throws: NoteFormatError.self) { try NoteArchiveWriter(fixture.path + "/out", format) }
        #expect(FileManager.default.contents(atPath: fixture.path + "/out") == Data("mine".utf8))
        let path = fixture.path + "/new"
        let writer = try NoteArchiveWriter(path, format)
        var note = LeavingNote("bad", "text\n", folder: "Work")
        _ = note.attach("a", .file, "", [UInt8](repeating: 7, count: 5000), id: 2)
        if format != .standardNotes {
            #expect(throws: Broken.self) {
                try writer.write(note.summary, markdown: "x", note.files.map(\.summary)) { _, append in
                    try append([1])
                    throw Broken()
                }
            }
        }
        try LeavingNote("good", "good\n", id: 3, folder: "Work").write(to: writer)
        try writer.finish()
        let back = try fixture.notes("new", format)
        #expect(back.map(\.title) == ["good"] && back.map(\.folder) == ["Work"])
        // Joplin itself finds a folder by its item alone.
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(format != .jex || bytes.firstRange(of: Data("Work\n\nid: ".utf8)) != nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        writer.abandon()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
