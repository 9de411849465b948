import PrintStream
import Secrets
import Testing
import Thoroughness

/// The stream of specs/print-stream.md, without the program that reads it.
@Suite struct PrintStreamTests {
    private static let cover = PrintCover(
        paper: .letter, language: "nb", title: "Dagbok", lines: ["1. mai – 2. juni", "3 innlegg"], brokenPicture: "?")

    private static let messages: [PrintMessage] = [
        .cover(cover), .map(map), .month(PrintMonth(year: 2024, name: "Mai")),
        .entry(PrintEntry(heading: "Onsdag 1. mai 2024", facts: "20:19 · Oslo", isStarred: true)),
        .text(
            PrintText(
                .paragraph,
                [
                    PrintSpan("a\nb\t"), PrintSpan("c", .bold), PrintSpan("d", [.bold, .italic]),
                    PrintSpan("e", [], link: "https://example.org/%20"),
                ])),
        .text(PrintText(.item, marker: "•", [PrintSpan("x", .code)])),
        .text(PrintText(.item, level: 5, marker: "1.", [PrintSpan("y")])),
        .text(PrintText(.code, [PrintSpan("  let\n")])),
        .rule, .picture(PrintPicture(caption: "us", jpeg: Pictures.small)), .note("Video: a.mp4"),
        .month(PrintMonth(year: 2024, name: "Juni")),
        .entry(PrintEntry(heading: "Torsdag", facts: "", isStarred: false)), .contents("Innhold"), .end(entryCount: 2),
    ]

    private static let points = [PrintMap.Point(x: 0, y: 7), PrintMap.Point(x: 9, y: 0)]
    private static let map = makeMap()

    private static func makeMap(
        title: String = "Kart", width: UInt16 = 9, coast: [[PrintMap.Point]] = [points, points], count: UInt16 = 1
    ) -> PrintMap {
        PrintMap(
            title: title, caption: "Oslo (2)", width: width, height: 7, coast: coast,
            dots: [PrintMap.Dot(points[1], count: count)])
    }

    private static var book: [UInt8] { messages.flatMap(\.encoded) }

    private func failure(_ bytes: [UInt8]) -> DecodingError? {
        do throws(DecodingError) {
            _ = try PrintBook.messages(bytes.span.bytes)
            return nil
        } catch { return error }
    }

    @Test func `a book is the same once written and read again`() throws {
        let book = Self.book
        #expect(try PrintBook.messages(book.span.bytes) == Self.messages)
    }

    @Test func `the bytes are those of the specification`() {
        #expect(PrintMessage.note("é").encoded == [7, 0, 0, 0, 6, 0, 0, 0, 2, 0xC3, 0xA9])
        #expect(PrintMessage.end(entryCount: 258).encoded == [8, 0, 0, 0, 4, 0, 0, 1, 2])
        #expect(PrintMessage.rule.encoded == [5, 0, 0, 0, 0])
        #expect(
            PrintMessage.text(PrintText(.item, marker: "1.", [PrintSpan("x", .italic)])).encoded
                == [4, 0, 0, 0, 20, 5, 0, 0, 0, 0, 2, 0x31, 0x2E, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0x78])
    }

    @Test func `a book that is cut short anywhere is refused`() {
        let book = Self.book
        for count in 0..<book.count { #expect(failure(Array(book.prefix(count))) != nil) }
        #expect(failure(book + [0]) == .trailing)
        #expect(failure(book + PrintMessage.rule.encoded) == .trailing)
    }

    @Test(arguments: [
        [PrintMessage.end(entryCount: 0)], [.cover(cover)], [.cover(cover), .cover(cover), .end(entryCount: 0)],
        [.cover(cover), .rule, .end(entryCount: 0)],
        [.cover(cover), .entry(PrintEntry(heading: "x", facts: "", isStarred: false)), .end(entryCount: 1)],
        [.cover(cover), .month(PrintMonth(year: 1, name: "x")), .end(entryCount: 0)],
        [.cover(cover), .month(PrintMonth(year: 1, name: "x")), .note("x"), .end(entryCount: 0)],
        [.cover(cover), .map(map), .map(map), .end(entryCount: 0)], [.map(map), .cover(cover), .end(entryCount: 0)],
        [.cover(cover), .contents("x"), .end(entryCount: 0)],
        [
            .cover(cover), .month(PrintMonth(year: 1, name: "x")), .map(map),
            .entry(PrintEntry(heading: "x", facts: "", isStarred: false)), .end(entryCount: 1),
        ],
        [
            .cover(cover), .month(PrintMonth(year: 1, name: "x")),
            .entry(PrintEntry(heading: "x", facts: "", isStarred: false)), .contents("x"), .note("x"),
            .end(entryCount: 1),
        ],
        [.cover(cover), .end(entryCount: 1)], [.cover(cover), .end(entryCount: 0), .end(entryCount: 0)],
    ])
    func `messages in another order are refused`(_ messages: [PrintMessage]) {
        #expect(failure(messages.flatMap(\.encoded)) != nil)
    }

    @Test(arguments: [
        PrintMessage.note(""), .note("a\nb"), .note("a\u{7}"), .note("a\u{0}"), .note("a\u{2028}"), .note("a\u{FFFF}"),
        .note("a\u{10FFFE}"),
        .note(String(repeating: "a", count: 1025)), .month(PrintMonth(year: 0, name: "x")),
        .month(PrintMonth(year: 10_000, name: "x")), .month(PrintMonth(year: 1, name: "")),
        .entry(PrintEntry(heading: "", facts: "", isStarred: false)), .text(PrintText(.paragraph, [])),
        .text(PrintText(.paragraph, marker: "•", [PrintSpan("x")])),
        .text(PrintText(.paragraph, level: 1, [PrintSpan("x")])), .text(PrintText(.code, level: 1, [PrintSpan("x")])),
        .text(PrintText(.item, level: 6, marker: "•", [PrintSpan("x")])),
        .text(PrintText(.item, level: 255, marker: "•", [PrintSpan("x")])),
        .text(PrintText(.paragraph, [PrintSpan("")])),
        .text(PrintText(.paragraph, [PrintSpan("a"), PrintSpan("b")])),
        .text(PrintText(.code, [PrintSpan("a", .bold)])),
        .text(PrintText(.code, [PrintSpan("a"), PrintSpan("b", .bold)])),
        .text(PrintText(.paragraph, [PrintSpan("a", .init(rawValue: 8))])),
        .text(PrintText(.paragraph, [PrintSpan("a\r")])),
        .text(PrintText(.paragraph, [PrintSpan(String(repeating: "a", count: 65_537))])),
        .text(PrintText(.paragraph, [PrintSpan("a", link: "javascript:alert(1)")])),
        .text(PrintText(.paragraph, [PrintSpan("a", link: "https://a/'")])),
        .text(PrintText(.paragraph, [PrintSpan("a", link: "https://a/)")])),
        .text(PrintText(.paragraph, [PrintSpan("a", link: "https://a/é")])),
        .contents(""), .contents("a\nb"), .map(makeMap(title: "")), .map(makeMap(width: 0)), .map(makeMap(width: 8)),
        .map(makeMap(coast: [[points[0]]])), .map(makeMap(coast: [[]])), .map(makeMap(count: 0)),
        .map(makeMap(coast: Array(repeating: points, count: 4097))),
        .map(makeMap(coast: [Array(repeating: points[0], count: 32_769)])),
        .picture(PrintPicture(caption: "", jpeg: [])), .picture(PrintPicture(caption: "a\n", jpeg: [1])),
        .picture(PrintPicture(caption: "", jpeg: [UInt8](repeating: 0, count: (8 << 20) + 1))),
        .cover(PrintCover(paper: .a4, language: "D", title: "", lines: [], brokenPicture: "?")),
        .cover(PrintCover(paper: .a4, language: "de", title: "", lines: [], brokenPicture: "")),
        .cover(PrintCover(paper: .a4, language: "de", title: "", lines: ["", "x"], brokenPicture: "?")),
        .cover(
            PrintCover(paper: .a4, language: "de", title: "", lines: ["1", "2", "3", "4", "5"], brokenPicture: "?")),
    ])
    func `what no message may say is refused`(_ message: PrintMessage) {
        let bytes = message.encoded
        #expect(throws: DecodingError.self) { try PrintMessage(bytes.span.bytes) }
    }

    @Test func `a head that promises too much is refused before its body is there`() {
        for kind in UInt8.min...UInt8.max {
            let head: [UInt8] = [kind, 0x7F, 0xFF, 0xFF, 0xFF]
            #expect(throws: DecodingError.self) { try PrintMessage.bodyByteCount(head: head.span.bytes) }
        }
    }

    @Test func `whatever mutated book is taken is written the same again`() throws {
        var random = SystemRandomNumberGenerator()
        let book = Self.book
        var taken = 0
        let count = Thoroughness.count(2000, soak: 20_000)
        for round in 0..<count {
            var bytes = book
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch round % 4 {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
            guard let messages = try? PrintBook.messages(bytes.span.bytes) else { continue }
            taken += 1
            #expect(messages.flatMap(\.encoded) == bytes)
        }
        // Bytes of letters and of the picture may be others.
        #expect(taken > count / 200)
    }
}

/// What the stream's fields are made from.
@Suite struct PrintFieldTests {
    @Test func `text loses what no page can take`() {
        #expect(PrintWords.line("a\r\nb\tc\u{0}\u{1B}[31m\u{85}d") == "a b c\u{FFFD}\u{FFFD}[31m d")
        #expect(PrintWords.lines("a\r\nb\rc\u{2029}d\te") == "a\nb\nc\nd\te")
    }

    @Test func `text is cut at a character where one fits, and within one where none does`() {
        #expect(PrintWords.line("aé👨‍👩‍👧", limit: 4) == "aé")
        #expect(PrintWords.line("👨‍👩‍👧", limit: 5) == "👨")
        #expect(PrintWords.line("e" + String(repeating: "\u{301}", count: 900), limit: 5) == "e\u{301}\u{301}")
    }

    @Test func `an address keeps its meaning and loses what could end it early`() {
        #expect(
            PrintLink.encoded("https://a.org/x(1)?q='é' b#[2]\\")
                == "https://a.org/x%281%29?q=%27%C3%A9%27%20b#%5B2%5D%5C")
        #expect(PrintLink.encoded("ftp://a.org") == "" && PrintLink.encoded("file:///etc/passwd") == "")
        #expect(PrintLink.encoded("https://" + String(repeating: "a", count: 2048)) == "")
    }

    @Test func `the size of a JPEG is read without decoding it`() {
        #expect(JPEGSize(Pictures.small).map { [$0.width, $0.height] } == [48, 32])
        #expect(JPEGSize(Pictures.padded(200_000)).map { [$0.width, $0.height] } == [48, 32])
    }

    @Test func `a JPEG that is cut short, changed or none has no size or one of its own`() {
        let small = Pictures.small
        for count in 0..<small.count { #expect(JPEGSize(Array(small.prefix(count))) == nil) }
        for index in small.indices {
            for value in [0, 1, 0x7F, 0xD8, 0xFF] as [UInt8] {
                var changed = small
                changed[index] = value
                if let size = JPEGSize(changed) {
                    #expect((1...16_384).contains(size.width) && (1...16_384).contains(size.height))
                }
            }
        }
    }

    @Test(arguments: [
        // Lossless, arithmetic, 12 bits, four colours, no width.
        (at: 1, value: 0xC3 as UInt8), (at: 1, value: 0xC9), (at: 4, value: 12), (at: 9, value: 4), (at: 8, value: 0),
    ])
    func `a JPEG that a PDF can't hold has no size`(_ change: (at: Int, value: UInt8)) throws {
        var bytes = Pictures.small
        let frame = try #require((0..<bytes.count - 1).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + change.at] = change.value
        #expect(JPEGSize(bytes) == nil)
    }
}
