import DiaryClient
import DiaryFormats
import DiaryViews
import Foundation
import ShippedCatalogues
import Testing

/// What stands on the pages of a diary.
@Suite struct Pages {
    init() throws { try ShippedCatalogue.keepAll() }

    private func pages(
        _ entries: [ImportedEntry], language: DiaryLanguage = .english,
        media: @escaping MediaBytes = { item, append in try append(Array(item.id.utf8)) }
    ) throws -> Folder {
        let folder = try Folder()
        let writer = try PageDiaryWriter(
            folder.path + "/out", title: "A & B", clock: .system, language: language, media: media)
        for entry in entries { try writer.add(entry) }
        try writer.finish()
        return folder
    }

    /// 21:59:56 UTC on 22 July 2024.
    private func entry(
        _ text: String = "", year: Int = 2024, zone: String = "Europe/Oslo", names: [String] = []
    ) -> ImportedEntry {
        let date = 1_721_685_596_000_000 + Int64(year - 2024) * 31_556_952_000_000
        let head = EntryHead(date: date, timeZone: zone)
        var entry = ImportedEntry(source: "a", head: head, text: text, created: 0, modified: 0)
        entry.media = names.map { ImportedMedia(id: $0, kind: .photo, name: $0, mediaType: "image/jpeg") }
        return entry
    }

    /// What stands between the heading and the end of the only entry.
    private func html(_ text: String) throws -> String {
        let page = try pages([entry(text)]).read("out/2024.html")
        let start = try #require(page.range(of: "</header>\n"))
        let end = try #require(page.range(of: "</article>"))
        return String(page[start.upperBound..<end.lowerBound])
    }

    @Test(arguments: [
        (DiaryLanguage.german, "Montag, 22. Juli 2024, 23:59"), (.english, "Monday, 22 July 2024, 23:59"),
        (.french, "Lundi 22 juillet 2024, 23:59"), (.norwegian, "Mandag 22. juli 2024, 23:59"),
    ])
    func `day and time are in the person's language, and for machines beside`(
        _ language: DiaryLanguage, _ words: String
    ) throws {
        let page = try pages([entry()], language: language).read("out/2024.html")
        let time = "<time datetime=\"2024-07-22T23:59\">\(words)</time>"
        #expect(page.contains("<header><h3 id=\"entry-1-day\">\(time)</h3></header>"))
    }

    @Test func `a time in a zone that nobody knows says that it is UTC`() throws {
        let page = try pages([entry(zone: "Nowhere/Else")]).read("out/2024.html")
        #expect(page.contains("<time datetime=\"2024-07-22T21:59\">Monday, 22 July 2024, 21:59 UTC</time>"))
    }

    @Test func `each year leads to the index and to the years beside it, in whatever order they came`() throws {
        let folder = try pages([entry(year: 2024), entry(year: 2019), entry(year: 2021), entry(year: 2024)])
        let index = "<a href=\"index.html\">↑ A &amp; B</a>"
        let nav = "<nav aria-label=\"A &amp; B\">"
        let ways = [
            "2019": "\(index) · <a rel=\"next\" href=\"2021.html\">2021 →</a>",
            "2021": "<a rel=\"prev\" href=\"2019.html\">← 2019</a> · \(index) · "
                + "<a rel=\"next\" href=\"2024.html\">2024 →</a>",
            "2024": "<a rel=\"prev\" href=\"2021.html\">← 2021</a> · \(index)",
        ]
        for (year, way) in ways {
            #expect(try folder.read("out/\(year).html").hasSuffix("</main>\n\(nav)\(way)</nav>\n</body>\n</html>\n"))
        }
        #expect(try !folder.read("out/index.html").contains("<nav"))
        #expect(try pages([entry()]).read("out/2024.html").contains("\(nav)\(index)</nav>"))
    }

    @Test func `a place is shown by its names, and by its degrees where it has none`() throws {
        var named = entry()
        named.head.place = DiaryPlace(latitude: 59.9127, longitude: 10.7522, name: "Kafé", locality: "Oslo")
        var bare = entry()
        bare.head.place = DiaryPlace(latitude: 59.9127, longitude: -10.7522, name: "")
        let page = try pages([named, bare]).read("out/2024.html")
        #expect(
            page.contains("</h3><p>Kafé, Oslo</p></header>")
                && page.contains("</h3><p>59.913° N 10.752° W</p></header>"))
    }

    @Test func `a photo without bytes is its name in words`() throws {
        let entry = entry("![<me>](media:0) ![x](media:2)", names: ["a&b.jpg", "gone.jpg", "c.jpg", ""])
        let folder = try pages([entry]) { item, append in
            // A part of no bytes is none either.
            try append(item.name == "c.jpg" ? [1] : [])
        }
        let page = try folder.read("out/2024.html")
        #expect(page.contains("<p><span class=\"photo\">&lt;me&gt; · a&amp;b.jpg</span> <a class=\"photo\""))
        #expect(
            page.contains("</p>\n<span class=\"photo\">gone.jpg</span>\n<span class=\"photo\">photo</span>\n</article>")
        )
        #expect(
            page.components(separatedBy: "<img ").count == 2
                && page.contains("<img src=\"media/c.jpg\" alt=\"x, 22 July 2024\""))
    }

    @Test func `lists stand within items of lists`() throws {
        #expect(
            try html("- a\n  - b\n    - c\n- d")
                == "<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n")
        #expect(
            try html("1. x\n   1. y\n   - z") == """
                <ol>
                <li>x
                <ol>
                <li>y</li>
                </ol>
                <ul>
                <li>z</li>
                </ul>
                </li>
                </ol>

                """)
    }

    @Test(arguments: [
        // A tab, two spaces below a number, a blank line between.
        "- a\n\t- b", "* a\n  + b", "- a\n\n  - b", "  - a\n    - b",
    ])
    func `indentation makes a list within another`(_ text: String) throws {
        #expect(try html(text) == "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n")
    }

    @Test(arguments: ["- a\n- b", "- a\n - b", " - a\n- b"])
    func `one space more or less makes none`(_ text: String) throws {
        #expect(try html(text) == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n")
    }

    @Test func `lists beside each other stay apart, and text ends a list`() throws {
        #expect(try html("- a\n1. b") == "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>\n")
        #expect(try html("- a\n\n- b") == "<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>\n")
        #expect(try html("- a\n\nb\n  - c") == "<ul>\n<li>a</li>\n</ul>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n")
    }

    @Test func `no list is more than six deep, and each that begins ends`() throws {
        let text = (0..<40).map { String(repeating: " ", count: $0 * 7 % 31) + ($0 % 3 == 0 ? "1. x" : "- x") }
        let html = try html(text.joined(separator: "\n"))
        var open: [Substring] = []
        var deepest = 0
        for tag in html.matches(of: /<(\/?)([a-z]+)>/) {
            if tag.output.1.isEmpty { open.append(tag.output.2) } else { #expect(open.popLast() == tag.output.2) }
            deepest = max(deepest, open.count)
        }
        // Of each level a list and an item.
        #expect(open.isEmpty && deepest == 12)
        #expect(html.components(separatedBy: "<li>").count == 41)
    }

    @Test func `addresses of the web between angle brackets are links, and others text`() throws {
        #expect(
            try html("at <https://example.org/?a_b&c_d>.")
                == "<p>at <a href=\"https://example.org/?a_b&amp;c_d\" rel=\"noreferrer\">"
                + "https://example.org/?a_b&amp;c_d</a>.</p>\n")
        for text in ["<javascript:alert(1)>", "<https://>", "<https://a b>", "<https://a", "<mailto:a@b.org>", "a < b"]
        {
            #expect(try !html(text).contains("<a "))
        }
        #expect(try html("`<https://a>` \\<https://b>") == "<p><code>&lt;https://a&gt;</code> &lt;https://b&gt;</p>\n")
    }
}
