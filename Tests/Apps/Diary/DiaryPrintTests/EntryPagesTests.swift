import DiaryClient
import DiaryFormats
import DiaryPrint
import DiaryViews
import PrintStream
import ShippedCatalogues
import Testing

/// What of an entry is printed.
@Suite struct EntryPagesTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private func texts(_ text: String) throws -> [PrintText] {
        try Sample.messages([Sample.entry(text)]).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    @Test func `Markdown becomes texts of one kind each`() throws {
        #expect(
            try texts("# One\n## Two\n#### Four\na *b* **c** `d`\nsecond\n\n> q\n> r\n- x\n- [x] y\n1. n\n```\n a\n```")
                == [
                    PrintText(.title, [PrintSpan("One")]), PrintText(.section, [PrintSpan("Two")]),
                    PrintText(.subsection, [PrintSpan("Four")]),
                    PrintText(
                        .paragraph,
                        [
                            PrintSpan("a "), PrintSpan("b", .italic), PrintSpan(" "), PrintSpan("c", .bold),
                            PrintSpan(" "),
                            PrintSpan("d", .code), PrintSpan("\nsecond"),
                        ]),
                    PrintText(.quote, [PrintSpan("q\nr")]), PrintText(.item, marker: "•", [PrintSpan("x")]),
                    PrintText(.item, marker: "☑", [PrintSpan("y")]), PrintText(.item, marker: "1.", [PrintSpan("n")]),
                    PrintText(.code, [PrintSpan(" a")]),
                ])
    }

    @Test func `items of lists within lists keep their level, and each list counts its own`() throws {
        let text = "1. a\n   1. b\n   2. c\n      - [ ] d\n   3. e\n2. f\n   1. g\n   - h\n   1. i\n\n1. j"
        let items = try texts(text).map { "\($0.level) \($0.marker) \($0.spans.map(\.text).joined())" }
        #expect(
            items == [
                "0 1. a", "1 1. b", "1 2. c", "2 ☐ d", "1 3. e", "0 2. f", "1 1. g", "1 • h", "1 1. i", "0 1. j",
            ])
    }

    @Test func `items without words and long ones keep their level, and none is too deep`() throws {
        #expect(try texts("- a\n  - ").last == PrintText(.item, level: 1, marker: "•", [PrintSpan(" ")]))
        let long = try texts("- a\n  - " + String(repeating: "word ", count: 10_000))
        #expect(long.count > 3 && long.dropFirst().allSatisfy { $0.level == 1 })
        let deep = (0..<10).map { String(repeating: "\t", count: $0) + "- x" }.joined(separator: "\n")
        #expect(try texts(deep).map(\.level) == [0, 1, 2, 3, 4, 5, 5, 5, 5, 5])
    }

    @Test func `links to the web are links, all others are text`() throws {
        #expect(
            try texts("[a](https://x/(b) [c](javascript:d)").first?.spans == [
                PrintSpan("a", link: "https://x/%28b"), PrintSpan(" [c](javascript:d)"),
            ])
        #expect(
            try texts("<https://x/(y>").first?.spans == [PrintSpan("https://x/(y", link: "https://x/%28y")])
    }

    @Test func `photos stand where the text shows them, the others at its end, and each once`() throws {
        let files: [(MediaKind, String)] = [
            (.photo, "a.jpg"), (.photo, "b.jpg"), (.video, "c.mp4"), (.photo, "d.heic"),
        ]
        let messages = try Sample.messages([Sample.entry("x ![two](media:1) y ![](media:7)", files: files)]) { media in
            media.name == "d.heic" ? nil : Pictures.small
        }
        #expect(
            messages.dropFirst(3) == [
                .text(PrintText(.paragraph, [PrintSpan("x")])),
                .picture(PrintPicture(caption: "two", jpeg: Pictures.small)),
                .text(PrintText(.paragraph, [PrintSpan("y ![](media:7)")])),
                .picture(PrintPicture(caption: "", jpeg: Pictures.small)),
                .note("Video: c.mp4 · 12.3\u{A0}MB"), .note("Photo: d.heic · 12.3\u{A0}MB"), .end(entryCount: 1),
            ])
    }

    @Test(arguments: [
        (DiaryLanguage.german, "Montag, 22. Juli 2024", "20:19 · Kafé, Oslo · großartig · #see #reise", "Juli"),
        (.english, "Monday, 22 July 2024", "20:19 · Kafé, Oslo · great · #see #reise", "July"),
        (.french, "Lundi 22 juillet 2024", "20:19 · Kafé, Oslo · excellente · #see #reise", "Juillet"),
        (.norwegian, "Mandag 22. juli 2024", "20:19 · Kafé, Oslo · strålende · #see #reise", "Juli"),
    ])
    func `day and facts are in the person's language and zone`(
        _ language: DiaryLanguage, _ heading: String, _ facts: String, _ month: String
    ) throws {
        var entry = Sample.entry("")
        entry.head.place = DiaryPlace(latitude: 59.9, longitude: 10.7, name: "Kafé", locality: "Oslo")
        entry.head.mood = .great
        entry.head.tags = ["see", "reise"]
        entry.head.isStarred = true
        let messages = try Sample.messages([entry], language: language)
        // Behind the map, which the place has brought.
        #expect(messages[2] == .month(PrintMonth(year: 2024, name: month)))
        #expect(messages[3] == .entry(PrintEntry(heading: heading, facts: facts, isStarred: true)))
    }

    @Test func `where there are places there is a map, with a dot for each and their names`() throws {
        let places = [
            DiaryPlace(latitude: 59.91, longitude: 10.75, name: "Oslo\u{7}"), nil,
            DiaryPlace(latitude: 59.91, longitude: 10.75, name: "Oslo\u{7}"),
            DiaryPlace(latitude: 60.39, longitude: 5.32, locality: "Bergen"),
            DiaryPlace(latitude: -33.9, longitude: 18.4), DiaryPlace(latitude: 900, longitude: .infinity, name: "Off"),
        ]
        let entries = places.map { place in
            var entry = Sample.entry("")
            entry.head.place = place
            return entry
        }
        let messages = try Sample.messages(entries, language: .french)
        let map = try #require(messages.compactMap { if case .map(let map) = $0 { map } else { nil } }.first)
        #expect(map.title == "Carte")
        #expect(map.caption == "Oslo\u{FFFD} (2) · Bergen")
        #expect(map.dots.map(\.count).sorted() == [1, 1, 2] && map.coast.count > 10)
        #expect(map.coast.allSatisfy { $0.count > 1 && $0.allSatisfy { $0.x <= map.width && $0.y <= map.height } })
        // Those outside of the Earth alone have none, and those without places neither.
        for count in [1...1, 5...5] {
            let others = try Sample.messages(Array(entries[count]))
            #expect(!others.contains { if case .map = $0 { true } else { false } })
        }
    }

    @Test func `several months have a list, one has none`() throws {
        let july = try Sample.messages([Sample.entry(""), Sample.entry("", day: 1)])
        #expect(!july.contains(.contents("Contents")) && july.last == .end(entryCount: 2))
        let both = try Sample.messages([Sample.entry(""), Sample.entry("", day: 20)], language: .german)
        #expect(both.suffix(2) == [.contents("Inhalt"), .end(entryCount: 2)])
    }

    @Test func `the first page tells of the range of days and of how many entries there are`() throws {
        let entries = [Sample.entry("", day: 3), Sample.entry("", day: 0), Sample.entry("", day: 200)]
        guard case .cover(let cover)? = try Sample.messages(entries, language: .french).first else {
            Issue.record("no cover")
            return
        }
        #expect(cover.lines == ["22 juillet 2024 – 7 février 2025", "3 entrées"])
    }

    @Test func `texts of any length are messages that the program takes`() throws {
        let long = String(repeating: "word ", count: 40_000) + String(repeating: "e\u{301}", count: 60_000)
        let texts = try texts(long + String(repeating: "*a*b", count: 6000))
        #expect(texts.count > 10)
        #expect(texts.flatMap(\.spans).reduce(0) { $0 + $1.text.utf8.count } > 380_000)
        #expect(try self.texts("").isEmpty)
        #expect(try self.texts("\u{0}\u{1}").first?.spans == [PrintSpan("\u{FFFD}\u{FFFD}")])
    }
}
