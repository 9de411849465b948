import DiaryClient
import DiaryViews
import FoundationEssentials

/// All entries in short, as calendar, map and statistics take them.
struct Outline: Sendable {
    let entries: [EntryOutline]

    /// - Parameter json: an array of `EntryOutline`.
    /// - Throws: what the decoder says of other bytes.
    init(json: [UInt8]) throws { entries = try JSONDecoder().decode([EntryOutline].self, from: Data(json)) }

    /// What was written on a day, the earliest first.
    func ids(on day: LocalDay) -> [String] {
        entries.filter { $0.localDay == day }.sorted { ($0.date, $0.id) < ($1.date, $1.id) }.map(\.id)
    }

    /// The first day of a month on which something was written.
    func firstDay(of month: YearMonth) -> LocalDay? {
        entries.map(\.localDay).filter { $0.yearMonth == month }.min { $0.dayNumber < $1.dayNumber }
    }

    /// The entries that have a place.
    var placed: [(id: String, place: DiaryPlace)] {
        entries.compactMap { entry in entry.place.map { (entry.id, $0) } }
    }
}
