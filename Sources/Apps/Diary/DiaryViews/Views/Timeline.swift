package import DiaryClient

/// A diary's entries by months and days, the newest first.
///
/// An entry stands under the day of the place where it was written (`EntryHead.localDay`). Drafts are left out, and
/// what lies ahead has a section of its own, so that a date mistyped by a century does not hide today.
package struct Timeline: Sendable, Equatable {
    package struct Day: Sendable, Equatable {
        package let day: LocalDay
        /// The newest first, by the moment and not by the hands of the clocks, which may differ.
        package let entries: [EntrySummary]
    }

    package struct Month: Sendable, Equatable {
        package let month: YearMonth
        package let days: [Day]
    }

    /// What has not come yet, the farthest first, so that the list runs on into `months`.
    package let ahead: [Day]
    package let months: [Month]
    private let today: LocalDay

    package init(_ entries: [EntrySummary], seenFrom viewpoint: Viewpoint) {
        let sorted = entries.filter { !$0.isDraft }.sorted(by: EntrySummary.isNewer)
        func isAhead(_ entry: EntrySummary) -> Bool { viewpoint.isAhead(entry.head.date, on: entry.head.localDay) }
        ahead = Self.days(sorted.filter(isAhead))
        let days = Self.days(sorted.filter { !isAhead($0) })
        months = Dictionary(grouping: days) { $0.day.yearMonth }
            .map { Month(month: $0.key, days: $0.value.sorted { $0.day > $1.day }) }
            .sorted { $0.month > $1.month }
        today = viewpoint.today
    }

    private static func days(_ sorted: [EntrySummary]) -> [Day] {
        Dictionary(grouping: sorted) { $0.head.localDay }
            .map { Day(day: $0.key, entries: $0.value) }
            .sorted { $0.day > $1.day }
    }

    /// One line of a list.
    package enum Row: Sendable, Equatable {
        /// Over a month, or over all that lies ahead.
        case section(String)
        case day(LocalDay, heading: String)
        /// - Parameter clock: what the clock showed there, such as `14:05`; see `LocalTime.label`.
        case entry(EntrySummary, clock: String)
    }

    /// The whole as a list with its headings, ready to be drawn; empty where there are no entries.
    package func rows(in language: DiaryLanguage) -> [Row] {
        var rows: [Row] = []
        if !ahead.isEmpty {
            rows.append(.section(DiaryPhrase.ahead.text(in: language)))
            rows += ahead.flatMap { self.rows(of: $0, in: language) }
        }
        for month in months {
            rows.append(.section(language.heading(month.month)))
            rows += month.days.flatMap { self.rows(of: $0, in: language) }
        }
        return rows
    }

    private func rows(of day: Day, in language: DiaryLanguage) -> [Row] {
        var heading = language.heading(day.day)
        if day.day == today {
            heading = "\(DiaryPhrase.today.text(in: language)) · \(heading)"
        } else if day.day.adding(days: 1) == today {
            heading = "\(DiaryPhrase.yesterday.text(in: language)) · \(heading)"
        }
        return [.day(day.day, heading: heading)] + day.entries.map { .entry($0, clock: $0.head.localTime.label) }
    }
}
