import DiaryClient
import Localization

extension WritingStatistics {
    /// A line of a table.
    package struct Fact: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// The table; empty where nothing is written, and without what is nought.
    package func facts(in language: DiaryLanguage) -> [Fact] {
        var facts: [Fact] = []
        func add(_ phrase: DiaryPhrase, _ value: String) {
            facts.append(Fact(name: phrase.text(in: language), value: value))
        }
        let counts: [(DiaryPhrase, Int)] = [
            (.entries, entryCount), (.days, dayCount), (.daysThisMonth, daysThisMonth),
            (.daysThisYear, daysThisYear), (.words, wordCount), (.files, fileCount),
        ]
        for (phrase, count) in counts where count > 0 { add(phrase, language.grouped(count)) }
        if !favouriteTags.isEmpty {
            add(
                .favouriteTags,
                favouriteTags.map { "\($0.tag) (\(language.grouped($0.count)))" }.joined(separator: ", "))
        }
        if let run = longestRun {
            let number = language.grouped(run.dayCount)
            let days = language.phrase(run.dayCount, one: "\(number) day", many: "\(number) days")
            add(.longestRun, "\(days) · \(language.written(run.first)) – \(language.written(run.last))")
        }
        return facts
    }
}
