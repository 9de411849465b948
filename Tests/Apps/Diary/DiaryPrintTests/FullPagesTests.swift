import DiaryClient
import DiaryFormats
import DiaryPrint
import PrintStream
import Testing

/// How full the pages of a book are, and what leads through them (needs poppler-utils and qpdf).
@Suite(.enabled(if: Programs.haveReaders, "needs poppler-utils and qpdf"))
struct FullPagesTests {
    private func book(_ entries: [ImportedEntry], in folder: Folder) throws -> PrintedFile {
        try Sample.write(entries, to: folder.path + "/a.pdf")
        let file = PrintedFile(path: folder.path + "/a.pdf")
        #expect(try file.isSound())
        return file
    }

    /// So many lines, however wide the letters of a font are.
    private static func lines(_ count: Int) -> String { (0..<count).map { "line \($0)" }.joined(separator: "\n") }

    @Test func `a photo that nearly has room is made smaller`() throws {
        let folder = try Folder()
        // Two of these are a little more than a page.
        let entries = (0..<40).map { Sample.entry("words", day: $0, files: [(.photo, "a.jpg")]) }
        #expect(try book(entries, in: folder).pages().count < 30)
    }

    @Test func `text goes on before a photo that has no room, and fills the page`() throws {
        let folder = try Folder()
        // Each takes a page and two thirds, and its photo has no room behind another entry: two pages, if text waited.
        let entries = (0..<40).map { day in
            Sample.entry("![below](media:0)\n\n" + Self.lines(50), day: day, files: [(.photo, "\(day).jpg")])
        }
        let file = try book(entries, in: folder)
        let pages = try file.pages()
        #expect(pages.count <= 75, "\(pages.count)")
        let text = pages.joined()
        #expect(text.components(separatedBy: "below").count - 1 == 40)
        let (list, _) = try Programs.run("pdfimages", ["-list", file.path])
        #expect(list.split(separator: "\n").filter { $0.contains(" 48 ") }.count == 40)
        // None is behind the heading of another entry.
        let headings =
            text.ranges(of: " July 2024").map(\.lowerBound) + text.ranges(of: " August 2024").map(\.lowerBound)
        let captions = text.ranges(of: "below").map(\.lowerBound)
        let days = headings.filter { text[..<$0].hasSuffix("day, \(Self.number(text[..<$0]))") }.sorted()
        #expect(days.count == 40)
        for (index, caption) in captions.enumerated() where index < days.count {
            #expect(caption > days[index] && (index + 1 == days.count || caption < days[index + 1]))
        }
    }

    /// The day before a month's name.
    private static func number(_ text: Substring) -> String {
        String(text.reversed().prefix { $0.isNumber }.reversed())
    }

    @Test func `a new year opens a page only where little of one is left`() throws {
        let folder = try Folder()
        // 160 days from July are in December, and five more years of one entry each follow.
        let entries = (0..<6).map { Sample.entry("short", day: 160 + 365 * $0) }
        let pages = try book(entries, in: folder).pages()
        #expect(pages.count <= 5, "a cover, two pages and the list of months")
        for year in 2024...2029 { #expect(pages.dropFirst().joined().contains(String(year))) }
    }

    @Test func `the list of months names the page on which each begins`() throws {
        let folder = try Folder()
        let entries = (0..<200).map { Sample.entry(Self.lines(8), day: $0) }
        let file = try book(entries, in: folder)
        let pages = try file.pages()
        let last = String(pages.count)
        let (list, _) = try Programs.run("pdftotext", ["-layout", "-f", last, "-l", last, file.path, "-"])
        #expect(list.contains("Contents") && list.contains("2024") && list.contains("2025"))
        var names: [String] = []
        for line in list.split(separator: "\n") {
            guard let row = line.wholeMatch(of: /\s*([A-Z][a-z]+)\s+(\d+)\s*/), let page = Int(row.output.2) else {
                continue
            }
            let name = String(row.output.1)
            names.append(name)
            #expect(pages.indices.contains(page - 1) && pages[page - 1].contains(name.uppercased()), "\(name)")
        }
        #expect(names == ["July", "August", "September", "October", "November", "December", "January", "February"])
        // Each row leads there.
        #expect(try file.objects().components(separatedBy: "/Subtype /Link").count - 1 >= names.count)
    }

    @Test func `places are dots on a map behind the first page`() throws {
        let folder = try Folder()
        var entries = (0..<3).map { Sample.entry("words", day: $0) }
        entries[0].head.place = DiaryPlace(latitude: 59.91, longitude: 10.75, name: "Oslo")
        entries[1].head.place = DiaryPlace(latitude: 59.91, longitude: 10.75, name: "Oslo")
        entries[2].head.place = DiaryPlace(latitude: 60.39, longitude: 5.32, name: "Bergen")
        let file = try book(entries, in: folder)
        let pages = try file.pages()
        #expect(pages[1].contains("Map") && pages[1].contains("Oslo (2) · Bergen"))
        #expect(pages[2].contains("JULY"))
        #expect(try file.objects().contains("/Title (Map)"))
    }
}
