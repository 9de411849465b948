import Foundation
import NoteFormats
import NotesClient
import Testing

/// Joplin's exports; shaped after `03_10_2022.jex` in streetwriters/notesnook-importer.
@Suite struct JexTests {
    private static let folder = String(repeating: "f", count: 32)
    private static let note = String(repeating: "1", count: 32)
    private static let file = String(repeating: "2", count: 32)
    private static let tag = String(repeating: "3", count: 32)

    static func tar(_ entries: [(String, [UInt8])]) -> [UInt8] {
        entries.flatMap { name, bytes in
            var header = [UInt8](repeating: 0, count: 512)
            let put = { (text: String, place: Int) in
                for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
            }
            put(name, 0)
            put(String(format: "%011o", bytes.count), 124)
            put("        ", 148)
            put("0", 156)
            put("ustar\u{0}00", 257)
            put(String(format: "%06o", header.reduce(0) { $0 + Int($1) }) + "\u{0}", 148)
            return header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        } + [UInt8](repeating: 0, count: 1024)
    }

    private static func item(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

    static let sample = tar([
        ("x/\(folder).md", item("Work", "", "id: \(folder)", "parent_id: ", "type_: 2")),
        (
            "x/\(note).md",
            item(
                "Plan", "", "see [[x]]", "", "![a picture](:/\(file))", "", "in ![text](:/\(file)) [note](:/\(folder))",
                "", "id: \(note)", "parent_id: \(folder)", "user_created_time: 2022-05-11T01:43:42.226Z",
                "user_updated_time: 2022-05-12T01:43:42.226Z", "is_todo: 0", "markup_language: 1",
                "encryption_applied: 0", "type_: 1")
        ),
        ("x/\(file).md", item("pic.png", "", "id: \(file)", "mime: image/png", "file_extension: png", "type_: 4")),
        ("x/\(tag).md", item("red", "", "id: \(tag)", "type_: 5")),
        ("x/9.md", item("id: \(String(repeating: "9", count: 32))", "note_id: \(note)", "tag_id: \(tag)", "type_: 6")),
        ("x/resources/\(file).png", [1, 2, 3]),
    ])

    @Test func `a note comes with folder, tag, dates and file`() throws {
        let note = try #require(try FormatFixture.notes(Self.sample, .jex).first)
        #expect(note.source == "joplin:\(Self.note)" && note.title == "Plan" && note.folder == "Work")
        #expect(note.tags == ["red"] && note.created == 1_652_233_422_226_000 && note.problems == [])
        #expect(note.attachments.map(\.name) == ["pic.png"] && note.attachments[0].bytes == [1, 2, 3])
        #expect(
            note.markdown
                == "# Plan\n\nsee [[x]]\n\n![a picture](attachment:0)\n\nin ![text](:/\(Self.file)) [note](:/\(Self.folder))"
        )
    }

    @Test func `a picture among lines gets a paragraph of its own, and what looks like code hides no file`() throws {
        let files = (4...6).map { String(repeating: "\($0)", count: 32) }
        let body = [
            "Our boat:", "![boat](:/\(files[0]))", "sails", "", "```in a line```", "", "![two](:/\(files[1]))", "~~~",
            "```", "![shown](:/\(files[2]))", "~~~",
        ]
        let text = Self.item("Plan", "", body.joined(separator: "\n"), "", "id: \(Self.note)", "type_: 1")
        let resources = files.flatMap { id in
            [
                ("x/\(id).md", Self.item("\(id.prefix(1)).png", "", "id: \(id)", "mime: image/png", "type_: 4")),
                ("x/resources/\(id)", [UInt8(1)]),
            ]
        }
        let note = try #require(
            try FormatFixture.notes(Self.tar([("x/\(Self.note).md", text)] + resources), .jex).first)
        #expect(note.attachments.map(\.name) == ["4.png", "5.png", "6.png"] && note.problems == [])
        #expect(
            note.markdown == """
                # Plan

                Our boat:

                ![boat](attachment:0)

                sails

                ```in a line```

                ![two](attachment:1)

                ~~~
                ```
                ![shown](:/\(files[2]))
                ~~~
                """)
    }

    @Test func `an address and an alarm, which have no place here, are named`() throws {
        let text = { (more: String) in
            Self.tar([("\(Self.note).md", Self.item("Buy", "", "milk", "", "id: \(Self.note)", more, "type_: 1"))])
        }
        let problems = { try FormatFixture.notes(text($0), .jex).map(\.problems) }
        #expect(try problems("source_url: \ntodo_due: 0") == [[]])
        #expect(
            try problems("source_url: https://a.example") == [
                ["The web address that it came from was not carried over."]
            ])
        #expect(try problems("todo_due: 1719000000000") == [["Its reminder was not carried over."]])
    }

    @Test func `to-dos, notes in HTML and encrypted ones`() throws {
        let text = { (more: String, body: String) in
            Self.tar([("\(Self.note).md", Self.item("Buy", "", body, "", "id: \(Self.note)", more, "type_: 1"))])
        }
        #expect(
            try FormatFixture.notes(text("is_todo: 1\ntodo_completed: 5", "milk"), .jex).map(\.markdown) == [
                "- [x] Buy\n\nmilk"
            ])
        #expect(
            try FormatFixture.notes(text("markup_language: 2", "<p>a <b>b</b></p>"), .jex).map(\.markdown) == [
                "# Buy\n\na **b**\n"
            ])
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(text("encryption_applied: 1", ""), .jex) }
    }

    @Test func `what is no tar, is cut short, or lies about lengths is refused`() throws {
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes([], .jex) }
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes([UInt8](repeating: 65, count: 2000), .jex) }
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(Array(Self.sample.prefix(700)), .jex) }
        var renamed = Self.sample
        renamed[0] ^= 1
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(renamed, .jex) }
        var huge = Self.sample
        for (index, byte) in "77777777777".utf8.enumerated() { huge[124 + index] = byte }
        for index in 148..<156 { huge[index] = 32 }
        let sum = huge[..<512].reduce(0) { $0 + Int($1) }
        for (index, byte) in String(format: "%06o", sum).utf8.enumerated() { huge[148 + index] = byte }
        huge[154] = 0
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(huge, .jex) }
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(Self.tar([("a.md", [1])]), .jex) }
    }

    @Test func `folders that stand in themselves end`() throws {
        let other = String(repeating: "e", count: 32)
        let notes = try FormatFixture.notes(
            Self.tar([
                ("a.md", Self.item("A/B", "", "id: \(Self.folder)", "parent_id: \(other)", "type_: 2")),
                ("b.md", Self.item("C", "", "id: \(other)", "parent_id: \(Self.folder)", "type_: 2")),
                ("c.md", Self.item("n", "", "id: \(Self.note)", "parent_id: \(Self.folder)", "type_: 1")),
            ]), .jex)
        #expect(notes.map(\.folder) == ["C/A\u{2215}B"])
    }
}

/// Standard Notes' backups; shaped after those in streetwriters/notesnook-importer.
@Suite struct StandardNotesTests {
    private func backup(_ items: String) -> String { "{\"version\":\"004\",\"items\":[\(items)]}" }
    private let note = """
        {"content_type":"Note","uuid":"u-1","content":{"title":"Plan","text":"a\\nb","references":[],"trashed":true,
        "appData":{"org.standardnotes.sn":{"client_updated_at":"2023-08-29T15:49:08.795Z","pinned":true}}},
        "created_at":"2023-08-29T15:48:46.357Z","updated_at":"2023-08-29T15:49:09.164Z","deleted":false}
        """

    @Test func `a note comes with its tags, dates, pin and place in the trash`() throws {
        let tags = """
            {"content_type":"Tag","uuid":"t-1","content":{"title":"work","references":[]}},
            {"content_type":"Tag","uuid":"t-2","content":{"title":"plans","references":[
            {"uuid":"u-1","content_type":"Note"},{"uuid":"t-1","content_type":"Tag","reference_type":"TagToParentTag"}]}},
            {"content_type":"SN|Component","uuid":"c","content":{"name":"x"}}
            """
        let notes = try FormatFixture.notes(backup(note + "," + tags), .standardNotes)
        let read = try #require(notes.first)
        #expect(notes.count == 1 && read.source == "standardnotes:u-1" && read.tags == ["work/plans"])
        #expect(read.markdown == "# Plan\n\na\nb" && read.isPinned && read.isDeleted)
        #expect(read.created == 1_693_324_126_357_000 && read.modified == 1_693_324_148_795_000)
    }

    @Test func `that a note was archived is named`() throws {
        let archived = note.replacing("\"pinned\":true", with: "\"archived\":true")
        let problems = try FormatFixture.notes(backup(archived), .standardNotes).map(\.problems)
        #expect(problems == [["It was archived there; here it stands among the others."]])
    }

    @Test(arguments: ["code", "markdown", "plain-text"])
    func `a note that says of which kind it is stays as it is, whatever it looks like`(kind: String) throws {
        for text in ["<div class='card'> <script>go()</script> <p>Hi</p> </div>", "{'root':{'children':[]}}"] {
            let told = note.replacing("\"references\":[]", with: "\"references\":[],\"noteType\":\"\(kind)\"")
                .replacing("a\\nb", with: text)
            #expect(try FormatFixture.notes(backup(told), .standardNotes).map(\.markdown) == ["# Plan\n\n" + text])
        }
    }

    @Test func `rich text and super notes are Markdown`() throws {
        let rich = note.replacing("a\\nb", with: "<p>a <b>b</b></p><ul><li>c</li></ul>")
        #expect(try FormatFixture.notes(backup(rich), .standardNotes).map(\.markdown) == ["# Plan\n\na **b**\n\n- c\n"])
        let tree = """
            {\\"root\\":{\\"type\\":\\"root\\",\\"children\\":[{\\"type\\":\\"heading\\",\\"tag\\":\\"h2\\",\\"children\\":[{\\"type\\":\\"text\\",\\"text\\":\\"Part\\"}]},\
            {\\"type\\":\\"list\\",\\"listType\\":\\"check\\",\\"children\\":[{\\"type\\":\\"listitem\\",\\"checked\\":true,\\"children\\":[{\\"type\\":\\"text\\",\\"text\\":\\"x\\",\\"format\\":1}]}]}]}}
            """
        let superNote = note.replacing("a\\nb", with: tree)
        #expect(
            try FormatFixture.notes(backup(superNote), .standardNotes).map(\.markdown)
                == ["# Plan\n\n## Part\n\n- [x] **x**\n"])
    }

    @Test func `what a super note shows of elsewhere is a link, and what has no text is named`() throws {
        let tree = """
            {\\"root\\":{\\"type\\":\\"root\\",\\"children\\":[{\\"type\\":\\"snfile\\",\\"fileUuid\\":\\"f\\"},\
            {\\"type\\":\\"remote-image\\",\\"src\\":\\"https://x.example/a.png\\"},\
            {\\"type\\":\\"unknown\\",\\"text\\":\\"words\\"},{\\"type\\":\\"horizontalrule\\"}]}}
            """
        let read = try #require(
            try FormatFixture.notes(backup(note.replacing("a\\nb", with: tree)), .standardNotes).first)
        #expect(read.markdown == "# Plan\n\n<https://x.example/a.png>words\n\n---\n")
        #expect(read.problems == ["A part of it that has no text (snfile) was left out."])
    }

    @Test func `an encrypted backup is refused, and says what to do`() throws {
        let sealed = "{\"uuid\":\"1\",\"content_type\":\"Note\",\"content\":\"004:abc\"}"
        for text in [backup(sealed), "{\"version\":\"004\",\"items\":[],\"keyParams\":{}}"] {
            let error = #expect(throws: NoteFormatError.self) { try FormatFixture.notes(text, .standardNotes) }
            #expect(error?.code == .encrypted && error?.message.contains("decrypted") == true)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "{\"items\":1}", "{\"items\":[{\"a\":1}]}", String(repeating: "[", count: 100_000),
        "{\"items\":" + String(repeating: "{\"a\":", count: 5000),
    ])
    func `what is no backup is refused`(_ text: String) {
        #expect(throws: NoteFormatError.self) { try FormatFixture.notes(text, .standardNotes) }
    }
}

/// HTML pages.
@Suite struct PageTests {
    @Test func `what a page takes from elsewhere, or draws, is named`() throws {
        let fixture = try FormatFixture()
        try fixture.write(
            "in/a.html",
            """
            <title>a</title><p>before</p><iframe src="https://x.example/film"><p>old browsers</p></iframe>
            <object data="plan.pdf"><p>a plan</p></object><svg><text>drawn</text></svg><p>after</p>
            """)
        let note = try #require(try fixture.notes("in", .html).first)
        #expect(
            note.markdown
                == "# a\n\nbefore\n\n<https://x.example/film>\n\n[plan.pdf](plan.pdf)\n\na plan\n\nafter\n")
        #expect(note.problems.first == "A drawing in its page (svg) was left out.")
    }

    @Test func `a page comes with its pictures and title`() throws {
        let fixture = try FormatFixture()
        try fixture.write("in/a.png", [1])
        try fixture.write("out.png", [9])
        try fixture.write(
            "in/Sub/Page.html",
            """
            <html><head><title>The page</title><style>p{}</style><script>x</script><meta name=keywords content="a, b"></head>
            <body><p>One &amp; <img src="../a.png" alt="pic"> two<p>Three<br>four <img src="../../out.png">
            <img src="data:image/png;base64,AQID"> <img src="https://x.example/y.png" alt="far"></body>
            """)
        try fixture.write("in/notes.txt", "x")
        let note = try #require(try fixture.notes("in", .html).first)
        #expect(note.source == "Sub/Page.html" && note.folder == "Sub" && note.tags == ["a", "b"])
        #expect(note.attachments.map(\.bytes) == [[1], [1, 2, 3]] && note.problems.count == 1)
        #expect(
            note.markdown == """
                # The page

                One &

                ![pic](attachment:0)

                two

                Three\\
                four ![](../../out.png)

                ![picture2.png](attachment:1)

                ![far](https://x.example/y.png)

                """)
    }

    @Test func `files and folders are what they are, whatever they are called`() throws {
        let fixture = try FormatFixture()
        try fixture.write("pages/a.html", "x")
        try fixture.write("vault/a.md", "x")
        try fixture.write("vault/b.html", "x")
        let files: [(String, [UInt8], NoteFormat)] = [
            ("e.xml", Array("<?xml?><en-export>".utf8), .enex), ("j", JexTests.sample, .jex),
            ("b.txt", Array(" {\"items\":[]}".utf8), .standardNotes), ("p.HTM", Array("<p>".utf8), .html),
            ("t.txt", Array("text".utf8), .markdown), ("n.md", Array("{".utf8), .markdown),
        ]
        for (name, bytes, format) in files {
            #expect(try NoteFormat.detect(fixture.write(name, bytes)) == format, "\(name)")
        }
        #expect(try NoteFormat.detect(fixture.path + "/pages") == .html)
        #expect(try NoteFormat.detect(fixture.path + "/vault/") == .markdown)
        #expect(throws: NoteFormatError.self) { try NoteFormat.detect(fixture.path + "/none") }
        #expect(throws: NoteFormatError.self) { try NoteFormat.detect(fixture.write("x.bin", [0, 1, 2])) }
    }
}
