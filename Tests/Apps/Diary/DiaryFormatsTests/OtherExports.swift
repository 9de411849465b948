import ProcessorTime
import DiaryClient
import DiaryFormats
import Foundation
import Testing

/// Folders of Markdown, and pages.
@Suite struct OtherExports {
    private func entry(_ text: String, source: String = "a", names: [String] = []) -> ImportedEntry {
        var head = EntryHead(date: 1_721_685_596_000_000, timeZone: "Europe/Oslo")
        head.tags = ["a \"b\""]
        head.mood = .great
        head.isStarred = true
        head.place = DiaryPlace(latitude: 1.5, longitude: -2, name: "<Café>")
        var entry = ImportedEntry(source: source, head: head, text: text, created: 0, modified: 1_000_000)
        entry.media = names.map { ImportedMedia(id: $0, kind: .photo, name: $0, mediaType: "image/jpeg") }
        return entry
    }

    private let media: MediaBytes = { item, append in for byte in item.id.utf8 { try append([byte]) } }

    @Test func `an entry is a file with front matter, by the day that its clock showed`() throws {
        let folder = try Folder()
        var writer = try MarkdownDiaryWriter(folder.path + "/out", clock: .system, media: media)
        try writer.add(entry("![x](media:0)\n\n# A *day*: at \"sea\"/\n", names: ["../../IMG 1.jpg", "b.png"]))
        // 21:59:56 UTC is the 22nd there still, at two hours ahead the 23rd already a moment later.
        let name = "2024-07-22-A day- at -sea"
        #expect(folder.files("out") == ["2024/\(name).md", "2024/\(name)/IMG 1.jpg", "2024/\(name)/b.png"].sorted())
        let text = try folder.read("out/2024/\(name).md")
        let link = "2024-07-22-A%20day-%20at%20-sea/"
        #expect(
            text == """
                ---
                date: 2024-07-22T23:59+02:00
                timezone: "Europe/Oslo"
                created: 1970-01-01T00:00:00Z
                modified: 1970-01-01T00:00:01Z
                tags: ["a \\"b\\""]
                mood: great
                starred: true
                latitude: 1.5
                longitude: -2.0
                place: "<Café>"
                media: ["\(link)IMG%201.jpg", "\(link)b.png"]
                ---

                ![x](\(link)IMG%201.jpg)

                # A *day*: at "sea"/

                ![](\(link)b.png)

                """)
        #expect(try folder.read("out/2024/\(name)/b.png") == "b.png")
    }

    @Test(arguments: [
        "../../../etc/passwd", "/etc/passwd", "CON", "a\u{0}b\u{202E}c", String(repeating: "é", count: 400), "....", "",
        "![only](media:0)", "x\\y:z*?", "# ", "- [ ] task",
    ])
    func `no text makes a name that leaves the folder or is none`(_ text: String) throws {
        let folder = try Folder()
        var writer = try MarkdownDiaryWriter(folder.path + "/out", clock: .system, media: media)
        for _ in 0..<3 { try writer.add(entry(text, names: [text, text.uppercased()])) }
        let files = folder.files("out")
        #expect(files.count == 9 && Set(files.map { $0.lowercased() }).count == 9)
        #expect(files.allSatisfy { $0.hasPrefix("2024/2024-07-22") && !$0.contains("..") })
        #expect(files.allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count <= 120 } })
        #expect(folder.files().count == 9)
    }

    @Test func `nothing is overwritten, and a file that cannot be read is not left half`() throws {
        struct Gone: Error {}
        let folder = try Folder()
        try folder.write("out/x", "mine")
        #expect(throws: DiaryFormatError.alreadyThere) {
            try MarkdownDiaryWriter(folder.path + "/out", clock: .system, media: media)
        }
        #expect(throws: DiaryFormatError.alreadyThere) {
            try PageDiaryWriter(folder.path + "/out/x", title: "", clock: .system, media: media)
        }
        var writer = try MarkdownDiaryWriter(folder.path + "/new", clock: .system) { _, append in
            try append([1])
            throw Gone()
        }
        #expect(throws: Gone.self) { try writer.add(entry("x", names: ["a.jpg"])) }
        #expect(folder.files("new") == [] && folder.files("out") == ["x"])
    }

    @Test func `pages show every entry and file, and load nothing from elsewhere`() throws {
        let folder = try Folder()
        let writer = try PageDiaryWriter(folder.path + "/out", title: "A & B", clock: .system, media: media)
        try writer.add(entry("# Title\n\n![me](media:0) **b** *i* `c`\n- [x] done\n> q\n", names: ["a.jpg", "b.jpg"]))
        var other = entry("other", names: ["A.jpg"])
        other.head.date = 0
        try writer.add(other)
        try writer.finish()
        #expect(
            folder.files("out") == [
                "1970.html", "2024.html", "index.html", "media/A-2.jpg", "media/a.jpg", "media/b.jpg", "style.css",
            ])
        let index = try folder.read("out/index.html")
        #expect(index.contains("<title>A &amp; B</title>") && index.contains("1970.html#entry-2"))
        #expect(index.contains("2024-07-22 · Title</a>"))
        let page = try folder.read("out/2024.html")
        #expect(page.contains("default-src 'none'") && !page.contains("<script") && page.hasSuffix("</html>\n"))
        #expect(page.contains("<h4>Title</h4>") && page.contains("<strong>b</strong> <em>i</em> <code>c</code>"))
        #expect(page.contains("alt=\"me, ") && page.contains("media/b.jpg") && page.contains("<li>☑ done</li>"))
        #expect(page.contains("&lt;Café&gt;") && page.contains("★"))
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "![\"><script>](media:0)", "[x](javascript:alert(1))", "[\"><b>](https://x\"><b>)",
        "`<b>`", "```\n<b>\n```", "# <b>", "> <b>", "- <b>", "1. <b>", "&lt;b&gt;&#60;", "**<b>**", "\\<b>",
        "'onload='", "<https://x\"onload=\"<b>>", "<https://x/\"'&>", "<javascript:alert(1)>",
        "- <b>\n  1. <b>\n    - <b>",
    ])
    func `no tag and no attribute comes from a text`(_ text: String) throws {
        let folder = try Folder()
        let writer = try PageDiaryWriter(folder.path + "/out", title: text, clock: .system, media: media)
        var hostile = entry(text, names: [text])
        hostile.head.tags = [text]
        try writer.add(hostile)
        try writer.finish()
        for name in ["index.html", "2024.html"] {
            let page = try folder.read("out/" + name)
            #expect(!page.contains("<script") && !page.contains("<b>") && !page.contains("\"javascript:"))
            // Tags that are there are ours, and quotes in them are in pairs.
            for tag in page.matches(of: /<[^>]*>/) {
                #expect(tag.output.filter { $0 == "\"" }.count % 2 == 0)
                #expect(tag.output.wholeMatch(of: /<\/?(!DOCTYPE|[a-z][a-z0-9]*)( [^<>]*)?>/) != nil)
            }
        }
    }

    @Test(arguments: ["[", "![", "*", "`", "[x](", "> ", "\\", "_a", "- ", "<https://", "- \n  - \n"])
    func `long texts of one mark take little time`(_ mark: String) throws {
        let folder = try Folder()
        let text = String(repeating: mark, count: 20_000)
        let time = try ProcessorTime.of {
            let writer = try PageDiaryWriter(folder.path + "/out", title: "", clock: .system, media: media)
            try writer.add(entry(text))
            try writer.finish()
            var markdown = try MarkdownDiaryWriter(folder.path + "/markdown", clock: .system, media: media)
            try markdown.add(entry(text))
        }
        #expect(time < .seconds(20))
    }
}

/// Formats below the others.
@Suite struct SmallFormats {
    @Test(arguments: [
        "{}", "[1,-0.5e+3,\"\\u00e9\\ud83c\\udf0b\\n\",null,true,{\"a\":{\"a\":[]}}]", "\u{FEFF} [ ] ", "\"\\ud800\"",
        "0",
        "{\"a\":1,\"a\":2}",
    ])
    func `JSON is the same once written and read again`(_ text: String) throws {
        #expect(try DiaryJSON.holds(Array(text.utf8)))
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\"}", "01", "+1", ".5", "1.", "1e", "nul", "[] []", "\"\t\"", "\"\\x\"", "\"\\u12\"",
        "\"", "'a'",
        "\"\\", "{a:1}", String(repeating: "[", count: 100_000),
    ])
    func `what is no JSON is refused`(_ text: String) {
        #expect(throws: (any Error).self) { try DiaryJSON.holds(Array(text.utf8)) }
    }

    @Test func `JSON with any byte changed is refused or holds`() throws {
        let bytes = Array("{\"a\\n\":[1.5e3,\"\u{1F30B}\\u00e9\",{\"b\":null},true],\"c\":\"\\\\\"}".utf8)
        for index in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = value
                guard let holds = try? DiaryJSON.holds(changed) else { continue }
                #expect(holds)
            }
        }
    }
}
