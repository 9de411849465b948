import DiaryClient
import DiaryFormats
import DiaryViews
import Foundation
import ShippedCatalogues
import Testing

/// The map on the pages' index.
@Suite struct PageMaps {
    init() throws { try ShippedCatalogue.keepAll() }

    private func index(
        _ places: [DiaryPlace?], language: DiaryLanguage = .english
    ) throws -> String {
        let folder = try Folder()
        let writer = try PageDiaryWriter(
            folder.path + "/out", title: "D", clock: .system, language: language, media: { _, _ in })
        for place in places {
            var head = EntryHead(date: 1_721_685_596_000_000, timeZone: "Europe/Oslo")
            head.place = place
            try writer.add(ImportedEntry(source: "a", head: head, text: "", created: 0, modified: 0))
        }
        try writer.finish()
        return try folder.read("out/index.html")
    }

    @Test func `each place leads to its entry, those beside each other to the first of them`() throws {
        let oslo = DiaryPlace(latitude: 59.91, longitude: 10.75, name: "<Oslo> & \"more\"")
        let harbour = DiaryPlace(latitude: 59.9101, longitude: 10.7501, locality: "Harbour")
        let sydney = DiaryPlace(latitude: -33.87, longitude: 151.21, country: "Australia")
        let page = try index([nil, oslo, harbour, sydney], language: .norwegian)
        #expect(page.contains("<html lang=\"nb\">") && page.contains("<h2>Kart</h2>"))
        #expect(page.components(separatedBy: "<circle ").count - 1 == 2)
        #expect(page.contains("<a href=\"2024.html#entry-2\"><circle "))
        #expect(page.contains("<title>&lt;Oslo&gt; &amp; &quot;more&quot;, Harbour (2)</title>"))
        #expect(page.contains("<a href=\"2024.html#entry-4\"><circle ") && page.contains("<title>Australia</title>"))
        let coast = try #require(page.firstMatch(of: /<path class="coast" d="([^"]*)"/))
        #expect(coast.output.1.count > 1000 && coast.output.1.allSatisfy { "ML. 0123456789".contains($0) })
        // Nothing is asked of anybody, nor is there a style that the policy would keep from working.
        #expect(
            !page.contains("http:") && !page.contains("https:") && !page.contains("style=\"")
                && !page.contains("<script"))
    }

    @Test func `a place without a name is called by its degrees`() throws {
        let fjord = DiaryPlace(latitude: 59.9127, longitude: 10.7461)
        let south = DiaryPlace(latitude: -0.0001, longitude: -70.0496, name: "", locality: "")
        let page = try index([fjord, fjord, south])
        #expect(page.contains("<title>59.913° N 10.746° E (2)</title>"))
        #expect(page.contains("<title>0.000° N 70.050° W</title>") && !page.contains("<title></title>"))
    }

    @Test func `a diary without places has no map`() throws {
        let page = try index([nil, nil])
        #expect(!page.contains("<svg") && page.contains("<html lang=\"en\">"))
    }
}
