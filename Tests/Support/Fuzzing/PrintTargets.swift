import PrintStream
import Secrets

/// What the program that prints reads before it has drawn anything.
enum PrintTargets {
    static func book(_ bytes: RawSpan) throws -> [UInt8] { try PrintBook.messages(bytes).flatMap(\.encoded) }

    /// A JPEG has many forms; one that is taken has an extent that a page has room for.
    static func jpeg(_ bytes: [UInt8]) -> [UInt8]? {
        guard let size = JPEGSize(bytes) else { return nil }
        return size.width > 0 && size.height > 0 && size.width <= 16_384 && size.height <= 16_384 ? bytes : []
    }

    static let books: [[UInt8]] = {
        let cover = PrintCover(
            paper: .a4, language: "de", title: "Tagebuch", lines: ["22. Juli 2024", "2 Einträge"], brokenPicture: "?")
        let points = [PrintMap.Point(x: 0, y: 9), PrintMap.Point(x: 10, y: 3)]
        let map = PrintMap(
            title: "Karte", caption: "Oslo", width: 10, height: 9, coast: [points, points],
            dots: [PrintMap.Dot(points[0], count: 2)])
        let words = PrintText(
            .paragraph,
            [PrintSpan("a\n"), PrintSpan("b", [.bold, .italic]), PrintSpan("c", link: "https://example.org/%20")])
        let messages: [PrintMessage] = [
            .cover(cover), .map(map), .month(PrintMonth(year: 2024, name: "Juli")),
            .entry(PrintEntry(heading: "Montag", facts: "20:19 · Oslo", isStarred: true)), .text(words),
            .text(PrintText(.item, marker: "1.", [PrintSpan("x", .code)])), .text(PrintText(.code, [PrintSpan("y")])),
            .rule, .picture(PrintPicture(caption: "z", jpeg: smallJPEG)), .note("Video: a.mp4"),
            .entry(PrintEntry(heading: "Dienstag", facts: "", isStarred: false)), .contents("Inhalt"),
            .end(entryCount: 2),
        ]
        let letter = PrintCover(paper: .letter, language: "en", title: "Diary", lines: [], brokenPicture: "?")
        return [
            [.cover(letter), .entry(PrintEntry(heading: "Monday", facts: "", isStarred: false)), .end(entryCount: 1)]
                .flatMap { (message: PrintMessage) in message.encoded },
            messages.flatMap(\.encoded), (messages.prefix(1) + [.end(entryCount: 0)]).flatMap(\.encoded),
        ]
    }()

    /// Baseline, extended and progressive.
    static let jpegs = [0xC0, 0xC1, 0xC2].map { marker in smallJPEG.map { $0 == 0xC0 ? marker : $0 } }

    private static let smallJPEG: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 65, 66, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 0xFF, 0xD9]
}
