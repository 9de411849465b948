package import DiaryClient
import Localization

/// What was written on this day in earlier years, and a week and a month ago.
///
/// An entry of 29 February is remembered on 29 February where the year has one, and on 28 February where not, so that
/// it comes up once in every year. A month ago is the same day of the month before; there is none where that month was
/// shorter. Drafts and what lies ahead are left out.
package struct OnThisDay: Sendable, Equatable {
    /// How long ago.
    package enum Distance: Sendable, Hashable {
        case week
        case month
        case years(Int)

        /// `Vor 3 Jahren`, `3 years ago`, `Il y a 3 ans`, `For 3 år siden`.
        package func text(in language: DiaryLanguage) -> String {
            switch self {
            case .week: return language.phrase("One week ago")
            case .month: return language.phrase("One month ago")
            case .years(let count):
                let number = language.grouped(count)
                return language.phrase(count, one: "\(number) year ago", many: "\(number) years ago")
            }
        }
    }

    /// The entries of one day.
    package struct Memory: Sendable, Equatable {
        package let distance: Distance
        package let day: LocalDay
        /// As the day went by: the earliest first.
        package let entries: [EntrySummary]

        /// Such as `3 years ago · Wednesday, 22 November 2023`.
        package func heading(in language: DiaryLanguage) -> String {
            "\(distance.text(in: language)) · \(language.heading(day))"
        }
    }

    /// The nearest first.
    package let memories: [Memory]

    package init(_ entries: [EntrySummary], seenFrom viewpoint: Viewpoint) {
        let today = viewpoint.today
        let told = entries.filter { !$0.isDraft && $0.head.date <= viewpoint.now }
        memories = Dictionary(grouping: told) { $0.head.localDay }
            .compactMap { day, entries in
                Self.distance(from: day, to: today).map { distance in
                    Memory(distance: distance, day: day, entries: entries.sorted { EntrySummary.isNewer($1, $0) })
                }
            }
            .sorted { $0.day > $1.day }
    }

    /// How a day is remembered today; nil if it is not.
    package static func distance(from day: LocalDay, to today: LocalDay) -> Distance? {
        guard day < today else { return nil }
        if today.dayNumber - day.dayNumber == 7 { return .week }
        if day.day == today.day, day.yearMonth == today.yearMonth.adding(months: -1) { return .month }
        guard day.year < today.year else { return nil }
        let isSame = day.month == today.month && day.day == today.day
        let isLeapDayMissed = day.isLeapDay && today.month == 2 && today.day == 28 && !YearMonth.isLeap(today.year)
        return isSame || isLeapDayMissed ? .years(today.year - day.year) : nil
    }
}
