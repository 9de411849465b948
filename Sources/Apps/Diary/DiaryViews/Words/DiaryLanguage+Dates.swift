import Localization

/// Names of months and days, which the catalogues have, and the ways to write a date: a few rules of our own, after the
/// Unicode Common Locale Data Repository (CLDR 46), so that no library with the data of all languages is asked at every
/// heading.
extension DiaryLanguage {
    /// `November`, `novembre`: as it stands inside a sentence.
    package func name(ofMonth month: Int) -> String {
        let names = self.phrase("January February March April May June July August September October November December")
        return Self.word(month, of: names)
    }

    /// - Parameter weekday: 1 for Monday to 7 for Sunday.
    package func name(ofWeekday weekday: Int) -> String {
        let names = self.phrase("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
        return Self.word(weekday, of: names)
    }

    /// Two letters for the head of a calendar's column.
    ///
    /// - Parameter weekday: 1 for Monday to 7 for Sunday.
    package func shortName(ofWeekday weekday: Int) -> String {
        let names = self.phrase("Mo Tu We Th Fr Sa Su")
        return Self.word(weekday, of: names)
    }

    /// On which day a week begins where the language is at home: Sunday in English, as in the United States.
    ///
    /// Who writes English elsewhere chooses Monday by a setting.
    package var usualWeekStart: WeekStart { self == .english ? .sunday : .monday }

    /// A heading: `November 2026`, `Novembre 2026`.
    package func heading(_ month: YearMonth) -> String {
        "\(Self.capitalized(name(ofMonth: month.month))) \(month.year)"
    }

    /// A heading: `Sonntag, 22. November 2026`, `Sunday, 22 November 2026`, `Dimanche 22 novembre 2026`.
    package func heading(_ day: LocalDay) -> String {
        "\(Self.capitalized(name(ofWeekday: day.weekday)))\(self == .french || self == .norwegian ? "" : ",") "
            + written(day)
    }

    /// Inside a sentence: `22. November 2026`, `22 November 2026`, `22 novembre 2026`, `22. november 2026`.
    package func written(_ day: LocalDay) -> String {
        "\(dayAndMonth(day)) \(day.year)"
    }

    /// `22. November`, `1er novembre`.
    package func dayAndMonth(_ day: LocalDay) -> String {
        let number =
            switch self {
            case .german, .norwegian: "\(day.day)."
            case .english: "\(day.day)"
            case .french: day.day == 1 ? "1er" : "\(day.day)"
            }
        return "\(number) \(name(ofMonth: day.month))"
    }

    /// - Parameter number: 1 for the first; the caller's is of a day or month that exists.
    private static func word(_ number: Int, of names: String) -> String {
        let words = names.split(separator: " ")
        return words.indices.contains(number - 1) ? String(words[number - 1]) : ""
    }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
