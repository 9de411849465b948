import DiaryClient
import ShippedCatalogues
import Testing

@testable import DiaryViews

/// The timeline, and what happened on this day.
@Suite struct LookingBackTests {
    init() throws { try ShippedCatalogue.keepAll() }

    private func text(_ rows: [Timeline.Row]) -> String {
        rows.map { row in
            switch row {
            case .section(let heading): "== \(heading)"
            case .day(_, let heading): "-- \(heading)"
            case .entry(let entry, let clock): "   \(clock) \(entry.opening)"
            }
        }.joined(separator: "\n")
    }

    @Test func `a timeline in four languages`() throws {
        let entries = [
            try entry("2026-11-22 08:00"), try entry("2026-11-22 13:00"), try entry("2026-11-21 23:59"),
            try entry("2026-11-01 12:00", "Of/Nowhere"), try entry("2026-10-31 12:00"), try entry("2024-02-29 07:30"),
            try entry("2126-11-22 12:00"), try entry("2026-11-22 23:00"), try entry("2026-11-20 12:00", isDraft: true),
            try entry("2026-11-22 23:50", "Pacific/Honolulu"),
        ]
        let timeline = Timeline(entries.shuffled(), seenFrom: try viewpoint("2026-11-22 14:05"))
        try expectGolden(
            DiaryLanguage.allCases.map { text(timeline.rows(in: $0)) }.joined(separator: "\n\n"), "view-timeline")
    }

    @Test func `only what belongs to a later day lies ahead`() throws {
        let later = try entry("2026-11-22 23:00", id: "later")
        let tomorrow = try entry("2026-11-23 00:00", id: "tomorrow")
        let beyond = try entry("2026-11-23 02:00", "Pacific/Kiritimati", id: "beyond")
        let timeline = Timeline([later, tomorrow, beyond], seenFrom: try viewpoint("2026-11-22 14:05"))
        #expect(timeline.ahead.flatMap { $0.entries.map(\.id) } == ["tomorrow"])
        #expect(timeline.months.flatMap(\.days).flatMap { $0.entries.map(\.id) } == ["beyond", "later"])
        let setBack = Timeline([later, tomorrow, beyond], seenFrom: try viewpoint("2020-01-01 00:00"))
        #expect(setBack.months.isEmpty && setBack.ahead.flatMap(\.entries).count == 3)
    }

    @Test func `the order of one moment is always the same`() throws {
        let entries = try (0..<20).map { try entry("2026-11-22", id: String(10 + $0)) }
        let viewpoint = try viewpoint("2026-11-22 14:05")
        let orders = Set(
            (0..<10).map { _ in Timeline(entries.shuffled(), seenFrom: viewpoint).months[0].days[0].entries.map(\.id) })
        #expect(orders == [entries.map(\.id).reversed()])
    }

    @Test func `nothing makes no rows`() throws {
        #expect(Timeline([], seenFrom: try viewpoint("2026-11-22")).rows(in: .german) == [])
    }

    @Test(arguments: [
        ("2025-11-22", "2026-11-22", OnThisDay.Distance.years(1)), ("0001-11-22", "2026-11-22", .years(2025)),
        ("2026-11-15", "2026-11-22", .week), ("2026-10-22", "2026-11-22", .month), ("2026-11-22", "2026-11-22", nil),
        ("2027-11-22", "2026-11-22", nil), ("2025-11-21", "2026-11-22", nil), ("2024-02-29", "2026-02-28", .years(2)),
        ("2024-02-29", "2026-03-01", nil), ("2024-02-29", "2028-02-29", .years(4)), ("2024-02-29", "2028-02-28", nil),
        ("2024-02-29", "2028-03-01", nil), ("2023-02-28", "2024-02-29", nil), ("2023-02-28", "2024-02-28", .years(1)),
        ("1896-02-29", "1900-02-28", .years(4)), ("2026-02-28", "2026-03-31", nil),
        ("2026-02-28", "2026-03-28", .month),
        ("2024-02-29", "2024-03-29", .month), ("2024-02-29", "2024-03-31", nil), ("2025-12-27", "2026-01-03", .week),
        ("2025-12-03", "2026-01-03", .month), ("2024-02-29", "2024-03-07", .week), ("0001-01-01", "0001-01-01", nil),
        ("0001-01-01", "0001-01-03", nil),
    ])
    func `which days are remembered`(past: String, today: String, distance: OnThisDay.Distance?) throws {
        #expect(OnThisDay.distance(from: try day(past), to: try day(today)) == distance)
    }

    @Test func `each day of the past comes up once in every later year`() throws {
        for year in 1897...1912 {
            var seen: [LocalDay: Int] = [:]
            let days = (try day("1896-01-01").dayNumber...(try day("1896-12-31").dayNumber)).map(LocalDay.init)
            var today = try #require(LocalDay(year: year, month: 1, day: 1))
            while today.year == year {
                for past in days where OnThisDay.distance(from: past, to: today) == .years(year - 1896) {
                    seen[past, default: 0] += 1
                }
                today = today.adding(days: 1)
            }
            #expect(seen.count == 366 && seen.values.allSatisfy { $0 == 1 })
        }
    }

    @Test func `what happened on this day, in four languages`() throws {
        let entries = [
            try entry("2025-11-22 18:00"), try entry("2025-11-22 09:00"), try entry("2016-11-22"),
            try entry("2026-11-15"), try entry("2026-10-22"), try entry("2026-11-22 09:00"), try entry("2027-11-22"),
            try entry("2024-11-22", isDraft: true), try entry("2023-11-22 23:50", "Pacific/Honolulu"),
        ]
        let onThisDay = OnThisDay(entries.shuffled(), seenFrom: try viewpoint("2026-11-22 14:05"))
        let text = DiaryLanguage.allCases.map { language in
            onThisDay.memories.map { memory in
                ([memory.heading(in: language)] + memory.entries.map { "   \($0.head.localTime.clock)" })
                    .joined(separator: "\n")
            }.joined(separator: "\n")
        }
        try expectGolden(text.joined(separator: "\n\n"), "view-on-this-day")
    }
}
