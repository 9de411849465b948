import DiaryClient
import ShippedCatalogues
import Testing

@testable import DiaryViews

/// What was achieved.
@Suite struct StatisticsTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private func statistics(_ entries: [EntryOutline], at now: String = "2026-11-22 14:05") throws -> WritingStatistics
    {
        WritingStatistics(entries.shuffled(), seenFrom: try viewpoint(now))
    }

    @Test func `a table in four languages`() throws {
        let entries =
            try (1...14).map { try outline("2025-05-\(padded($0, 2))", words: 12_345, tags: ["garden"], files: 100) }
            + [
                outline("2026-11-22 09:00", words: 1, tags: ["Oslo", "garden", "garden"]),
                outline("2026-11-22 10:00", words: 1), outline("2026-11-20", tags: ["sea"]), outline("2026-01-01"),
                outline("2027-01-01", tags: ["sea"]),
            ]
        let statistics = WritingStatistics(entries, seenFrom: try viewpoint("2026-11-22 14:05"))
        #expect(statistics.favouriteTags.map(\.count) == [15, 2, 1])
        let text = DiaryLanguage.allCases.map { language in
            statistics.facts(in: language).map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        }
        try expectGolden(text.joined(separator: "\n\n"), "view-statistics")
    }

    @Test func `photos are counted among an entry's files`() throws {
        func file(_ kind: MediaKind) -> MediaSummary {
            MediaSummary(
                id: "0", kind: kind, name: "a", mediaType: "", byteCount: 1, facts: PhotoFacts(), hasThumbnail: false,
                problem: nil)
        }
        var entry = try entry("2026-11-22")
        entry.media = [file(.photo), file(.audio), file(.photo), file(.pdf), file(.video)]
        #expect(entry.photoCount == 2)
    }

    @Test func `an outline's place is one on Earth or none`() throws {
        var entry = try outline("2026-11-22")
        #expect(entry.place == DiaryPlace(latitude: 59.9, longitude: 10.7))
        entry.latitude = 91
        #expect(entry.place == nil)
        entry.latitude = nil
        #expect(entry.place == nil)
    }

    @Test func `nothing is said of what is nought`() throws {
        #expect(try statistics([]).facts(in: .english) == [])
        let old = try statistics([outline("2019-05-05")])
        #expect(old.facts(in: .english).map(\.name) == ["Entries", "Days"])
        #expect(old.longestRun == nil)
    }

    @Test func `a day missed takes nothing away`() throws {
        var entries = try (1...5).map { try outline("2026-11-\(padded($0, 2))") }
        let before = try statistics(entries)
        #expect(before.longestRun?.dayCount == 5)
        #expect(try statistics(entries, at: "2029-01-01 00:00").longestRun == before.longestRun)
        entries.append(try outline("2026-11-07"))
        #expect(try statistics(entries).longestRun == before.longestRun)
    }

    @Test func `a run goes on over the end of February, of the year, and of summer time`() throws {
        for (days, count) in [
            (["2024-02-28", "2024-02-29", "2024-03-01"], 3), (["2023-02-28", "2023-03-01"], 2),
            (["2025-12-31", "2026-01-01"], 2), (["2026-10-24", "2026-10-25", "2026-10-26"], 3),
            (["2026-03-28 23:59", "2026-03-29 00:00", "2026-03-30 23:59"], 3),
        ] {
            #expect(try statistics(days.map { try outline($0) }).longestRun?.dayCount == count)
        }
    }

    @Test func `a day that the date line swallowed breaks no run, and a missed one does`() throws {
        let crossing = [
            try outline("2026-06-01 21:00", "Pacific/Honolulu"), try outline("2026-06-03 07:00", "Pacific/Auckland"),
        ]
        let run = try #require(try statistics(crossing).longestRun)
        #expect(run.dayCount == 2 && run.first.day == 1 && run.last.day == 3)
        let missed = [try outline("2026-06-01 21:00"), try outline("2026-06-03 07:00")]
        #expect(try statistics(missed).longestRun == nil)
    }

    @Test func `days ahead are no days written, and their entries count`() throws {
        let statistics = try statistics([
            outline("2026-11-22"), outline("2026-11-23"), outline("2026-11-24"), outline("2026-11-22 23:00"),
        ])
        #expect(statistics.entryCount == 4 && statistics.dayCount == 1 && statistics.longestRun == nil)
        #expect(statistics.daysThisMonth == 1 && statistics.daysThisYear == 1)
    }

    @Test(arguments: [
        ("", 0), ("one", 1), ("It's a *well-known* café. ![beach](media:0)", 5), ("a--b - c", 3), ("3 km, 12.5", 4),
        ("- [ ] tea\n- [x] oats", 3), ("今日は雨", 4), ("오늘은 비가", 2), ("[home](https://example.org/a/b)", 1),
        ("cafe\u{301} nai\u{308}ve", 2), ("👩‍🚀 🙂", 0), ("](", 0), ("](a b\nc", 1), ("rock 'n' roll", 3), ("l’été", 1),
    ])
    func `words`(text: String, count: Int) {
        #expect(WordCount.words(in: text) == count)
    }
}
