package import DiaryClient

/// What has been written so far, told so that nobody need be ashamed.
///
/// Everything here can only grow or stand still with the next entry. There is no current streak that a missed day would
/// lose, no goal, and no comparison with last month; what is nought is not mentioned.
package struct WritingStatistics: Sendable, Equatable {
    /// Days in a row on which something was written.
    package struct Run: Sendable, Equatable {
        package let first: LocalDay
        package let last: LocalDay
        package let dayCount: Int
    }

    /// All of them, those ahead as well.
    package let entryCount: Int
    package let wordCount: Int
    /// Photos and other files.
    package let fileCount: Int
    /// Different days, up to today.
    package let dayCount: Int
    package let daysThisMonth: Int
    package let daysThisYear: Int
    /// At most five.
    package let favouriteTags: [TagCount]
    /// The longest ever, the latest of equally long ones; nil below two days.
    package let longestRun: Run?

    package init(_ entries: [EntryOutline], seenFrom viewpoint: Viewpoint) {
        entryCount = entries.count
        wordCount = entries.reduce(0) { $0 + $1.words }
        fileCount = entries.reduce(0) { $0 + $1.media }
        favouriteTags = Array(TagCount.counts(of: entries).prefix(5))
        let dated = entries.map { (day: $0.localDay, date: $0.date) }.filter { !viewpoint.isAhead($0.date, on: $0.day) }
        let moments = Dictionary(grouping: dated, by: \.day).mapValues { $0.map(\.date) }
        dayCount = moments.count
        let today = viewpoint.today
        daysThisYear = moments.keys.count { $0.year == today.year }
        daysThisMonth = moments.keys.count { $0.yearMonth == today.yearMonth }
        longestRun = Self.longestRun(moments)
    }

    /// - Parameter moments: when, in microseconds since 1970, something happened on each day.
    private static func longestRun(_ moments: [LocalDay: [Int64]]) -> Run? {
        var best: Run?
        var current: Run?
        var latest: Int64 = 0
        for (day, dates) in moments.sorted(by: { $0.key < $1.key }) {
            if let run = current, follows(day, at: dates.min() ?? 0, run.last, at: latest) {
                current = Run(first: run.first, last: day, dayCount: run.dayCount + 1)
            } else {
                current = Run(first: day, last: day, dayCount: 1)
            }
            latest = dates.max() ?? 0
            if let run = current, run.dayCount >= max(2, best?.dayCount ?? 0) { best = run }
        }
        return best
    }

    /// Whether no day was missed in between.
    ///
    /// Who crosses the date line to the west has a day that never was: two days further by the calendar, and less than
    /// 24 hours by the clock. It breaks no run.
    private static func follows(_ day: LocalDay, at moment: Int64, _ previous: LocalDay, at latest: Int64) -> Bool {
        let difference = day.dayNumber - previous.dayNumber
        if difference == 1 { return true }
        let (elapsed, overflow) = moment.subtractingReportingOverflow(latest)
        return difference == 2 && !overflow && elapsed < 86_400_000_000
    }
}
