import Localization

/// The names of what is counted. None says what was not done.
extension DiaryPhrase {
    /// How many entries there are.
    package static let entries = DiaryPhrase("Entries")

    /// On how many days something was written.
    package static let days = DiaryPhrase("Days")

    /// On how many days of this month.
    package static let daysThisMonth = DiaryPhrase("Days this month")

    /// On how many days of this year.
    package static let daysThisYear = DiaryPhrase("Days this year")

    /// How many words were written.
    package static let words = DiaryPhrase("Words")

    /// How many photos and other files there are.
    package static let files = DiaryPhrase("Photos and files")

    /// The tags used most.
    package static let favouriteTags = DiaryPhrase("Favourite tags")

    /// The most days in a row, as something achieved.
    package static let longestRun = DiaryPhrase("Longest run of days")
}
