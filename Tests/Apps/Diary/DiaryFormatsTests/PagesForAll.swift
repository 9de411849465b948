import DiaryClient
import DiaryFormats
import DiaryViews
import Foundation
import ShippedCatalogues
import Testing

/// What pages are for those who do not see them, and for those who load them over a slow line.
@Suite struct PagesForAll {
    init() throws { try ShippedCatalogue.keepAll() }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1]

    private func pages(
        _ entries: [ImportedEntry], language: DiaryLanguage = .english,
        thumbnail: @escaping MediaThumbnail = { _ in jpeg }
    ) throws -> Folder {
        let folder = try Folder()
        let media: MediaBytes = { item, append in if item.name != "empty.jpg" { try append([1, 2, 3]) } }
        let writer = try PageDiaryWriter(
            folder.path + "/out", title: "D", clock: .system, language: language, media: media, thumbnail: thumbnail)
        for entry in entries { try writer.add(entry) }
        try writer.finish()
        return folder
    }

    /// 21:59:56 UTC on 22 July 2024, and so many days later.
    private func entry(
        _ text: String = "", day: Int64 = 0, place: DiaryPlace? = nil, names: [String] = []
    ) -> ImportedEntry {
        var head = EntryHead(date: 1_721_685_596_000_000 + day * 86_400_000_000, timeZone: "Europe/Oslo")
        head.place = place
        var entry = ImportedEntry(source: "a", head: head, text: text, created: 0, modified: 0)
        entry.media = names.map { name in
            let kind: MediaKind = name.hasSuffix(".jpg") ? .photo : name.hasSuffix(".mp4") ? .video : .audio
            return ImportedMedia(id: name, kind: kind, name: name, mediaType: "")
        }
        return entry
    }

    @Test func `a page shows small pictures, which lead to the photos`() throws {
        let names = ["a b.jpg", "a b.jpg", "film.mp4", "empty.jpg"]
        let folder = try pages([entry("![x](media:0)", names: names)])
        #expect(folder.files("out").filter { $0.hasPrefix("thumbnails/") }.count == 2)
        let page = try folder.read("out/2024.html")
        let links = page.matches(of: /<a class="photo" href="(media\/[^"]*)"><img src="(thumbnails\/[^"]*)"/)
        #expect(links.count == 2)
        for link in links {
            let (photo, small) = (String(link.output.1), String(link.output.2))
            let path = try #require(small.removingPercentEncoding)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/" + path))
            #expect(Array(bytes) == Self.jpeg)
            let whole = try #require(photo.removingPercentEncoding)
            #expect(folder.files("out").contains(whole))
        }
    }

    @Test func `without a small picture, or with one that is none, a page shows the photo`() throws {
        for thumbnail: MediaThumbnail in [{ _ in nil }, { _ in [] }, { _ in Array("<svg onload=x>".utf8) }] {
            let folder = try pages([entry(names: ["a.jpg"])], thumbnail: thumbnail)
            #expect(!folder.files("out").contains { $0.hasPrefix("thumbnails") })
            #expect(try folder.read("out/2024.html").contains("<img src=\"media/a.jpg\" "))
        }
    }

    @Test func `what a photo is is said in words: caption or number, place, day`() throws {
        let place = DiaryPlace(latitude: 60.4, longitude: 5.3, name: "<Pier>", locality: "Bergen", country: "Norway")
        let names = ["IMG_0001.jpg", "IMG_0002.jpg", "IMG_0003.jpg"]
        let page = try pages([entry("![We \"two\"](media:1)", place: place, names: names)]).read("out/2024.html")
        let words = page.matches(of: /alt="([^"]*)"/).map { String($0.output.1) }
        let rest = "&lt;Pier&gt;, Bergen, 22 July 2024"
        #expect(words == ["We &quot;two&quot;, \(rest)", "1/3, \(rest)", "3/3, \(rest)"])
        let alone = try pages([entry(names: ["IMG_0001.jpg"])], language: .german).read("out/2024.html")
        #expect(alone.contains("alt=\"22. Juli 2024\""))
        let others = try pages([entry("![wind](media:0)", names: ["a.m4a", "b.mp4"])]).read("out/2024.html")
        #expect(others.contains("aria-label=\"wind\"") && others.contains("aria-label=\"b.mp4\""))
    }

    @Test func `the year, its months and its entries are headings in their order, none left out`() throws {
        let entries = [
            entry("# Title\n## Part\nwords"), entry(day: 1), entry(day: 20), entry("# Last", day: 21),
        ]
        let page = try pages(entries).read("out/2024.html")
        let headings = page.matches(of: /<h([1-6])[^>]*>/).map { String($0.output.1) }
        #expect(headings == ["1", "2", "3", "4", "5", "3", "2", "3", "3", "4"])
        #expect(page.contains("<h2>July 2024</h2>") && page.contains("<h2>August 2024</h2>"))
        // Each entry is called by its day, and all of them are the main part.
        for (number, article) in page.matches(of: /<article id="([^"]*)" aria-labelledby="([^"]*)">/).enumerated() {
            #expect(article.output.1 == "entry-\(number + 1)" && article.output.2 == "entry-\(number + 1)-day")
            #expect(page.contains("<h3 id=\"\(article.output.2)\">"))
        }
        let main = try #require(page.range(of: "<main>"))
        let end = try #require(page.range(of: "</main>"))
        #expect(page[..<main.lowerBound].contains("<body>") && !page[end.upperBound...].contains("<article"))
        #expect(page[main.upperBound..<end.lowerBound].contains("entry-4"))
        #expect(try pages(entries).read("out/index.html").components(separatedBy: "</main>").count == 2)
    }

    @Test func `a map with links is no picture to a screen reader, which would hide them`() throws {
        let place = DiaryPlace(latitude: 60.4, longitude: 5.3, name: "Pier")
        let index = try pages([entry(place: place)]).read("out/index.html")
        #expect(index.contains("role=\"group\" aria-label=\"Map\"") && !index.contains("role=\"img\""))
        #expect(index.contains("<title>Pier</title>"))
    }
}
