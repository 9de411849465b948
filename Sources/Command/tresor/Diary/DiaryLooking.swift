import ArgumentParser
import DiaryClient
import DiaryViews
import FoundationEssentials
import Linux
import Localization
import ResidentClient
import TerminalScreen
import Wire

extension ResidentConnection<DiaryMessages> {
    /// All entries of the timeline, in short.
    ///
    /// - Parameter unread: what is damaged is added.
    func outline(unread: inout [UnreadEntry]) throws -> [EntryOutline] {
        let (reply, body) = try ask(.outline)
        guard let outline = try? JSONDecoder().decode([EntryOutline].self, from: Data(body)) else {
            throw Self.unexpected
        }
        if case .list(let list) = reply { unread += list.unread ?? [] }
        return outline
    }
}

struct DiaryCalendar: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: localized("Show a month: a dot for a day with entries, a star for a starred one."))

    @Argument(help: ArgumentHelp(localized("The month, such as 2026-11; this one, if it is not said.")))
    var month: String?
    @Flag(help: ArgumentHelp(localized("Weeks begin on Sunday.")))
    var sundayFirst = false
    @OptionGroup var options: DiaryOptions

    private struct Document: Encodable {
        struct Day: Encodable {
            let day: String
            let entries: Int
            let files: Int
            let starred: Bool
        }

        let month: String
        /// Those on which something was written.
        let days: [Day]
        /// The nearest months with entries.
        let previous: String?
        let next: String?

        init(_ calendar: MonthCalendar) {
            month = calendar.month.description
            days = calendar.weeks.joined().compactMap(\.self).filter { $0.entryCount > 0 }.map {
                Day(
                    day: $0.day.description, entries: $0.entryCount, files: $0.fileCount, starred: $0.isStarred)
            }
            previous = calendar.previousMonth?.description
            next = calendar.nextMonth?.description
        }
    }

    func run() throws {
        let viewpoint = DiaryOptions.viewpoint
        let shown = try month.map(Self.parse) ?? viewpoint.today.yearMonth
        var unread: [UnreadEntry] = []
        let calendar = MonthCalendar(
            shown, of: try options.connect().outline(unread: &unread),
            weekStart: sundayFirst ? .sunday : .monday, today: viewpoint.today)
        if options.json { try Output.json(Document(calendar)) }
        for line in options.json ? [] : calendar.plainLines(in: DiaryOptions.language) { try Output.line(line) }
        try DiaryOutput.report(unread: unread)
    }

    private static func parse(_ text: String) throws -> YearMonth {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let year = parts[0], let number = parts[1],
            let month = YearMonth(year: year, month: number)
        else { throw Failure(ExitCode.usage, localized("that is no month"), hint: localized("such as 2026-11")) }
        return month
    }
}

struct DiaryMap: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: localized("Show on a map where entries were written; nothing is asked of any network."))

    @Option(help: ArgumentHelp(localized("Columns, 20 to 500.")))
    var columns = 78
    @Option(help: ArgumentHelp(localized("Lines, 5 to 200.")))
    var rows = 22
    @OptionGroup var options: DiaryOptions

    func validate() throws {
        guard (20...500).contains(columns) else { throw ValidationError(localized("--columns is from 20 to 500")) }
        guard (5...200).contains(rows) else { throw ValidationError(localized("--rows is from 5 to 200")) }
    }

    func run() throws {
        var unread: [UnreadEntry] = []
        let places = try options.connect().outline(unread: &unread).compactMap(\.place)
        if options.json {
            try Output.json(places)
        } else {
            for line in TerminalMap(of: places, columns: columns, rows: rows).plainLines { try Output.line(line) }
        }
        try DiaryOutput.report(unread: unread)
    }
}

struct DiaryStatistics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statistics", abstract: localized("What there is: days written, words, files, favourite tags."))

    @OptionGroup var options: DiaryOptions

    func run() throws {
        var unread: [UnreadEntry] = []
        let outline = try options.connect().outline(unread: &unread)
        let statistics = WritingStatistics(outline, seenFrom: DiaryOptions.viewpoint)
        if options.json {
            try Output.json(Numbers(statistics, unread: unread.count))
        } else {
            try print(statistics)
        }
        try DiaryOutput.report(unread: unread)
    }

    private func print(_ statistics: WritingStatistics) throws {
        let facts = statistics.facts(in: DiaryOptions.language)
        let width = facts.map(\.name.count).max() ?? 0
        for fact in facts {
            let gap = String(repeating: " ", count: width - fact.name.count + 2)
            try Output.words(fact.name + gap + SafeText.line(fact.value))
        }
    }

    private struct Numbers: Encodable {
        let entries: Int
        let days: Int
        let daysThisMonth: Int
        let daysThisYear: Int
        let words: Int
        let files: Int
        let longestRun: Int
        /// Entries that are damaged and not among these; left out for none.
        let unread: Int?

        init(_ statistics: WritingStatistics, unread: Int) {
            entries = statistics.entryCount
            days = statistics.dayCount
            daysThisMonth = statistics.daysThisMonth
            daysThisYear = statistics.daysThisYear
            words = statistics.wordCount
            files = statistics.fileCount
            longestRun = statistics.longestRun?.dayCount ?? 0
            self.unread = unread == 0 ? nil : unread
        }
    }
}
