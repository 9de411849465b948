import Localization

/// The menu's words, and those before a heading.
extension DiaryPhrase {
    /// A word of the menu.
    package static let timeline = DiaryPhrase("Timeline")

    /// A word of the menu.
    package static let calendar = DiaryPhrase("Calendar")

    /// A word of the menu.
    package static let map = DiaryPhrase("Map")

    /// A word of the menu.
    package static let onThisDay = DiaryPhrase("On this day")

    /// A word of the menu.
    package static let statistics = DiaryPhrase("Statistics")

    /// A word of the menu.
    package static let search = DiaryPhrase("Search")

    /// A word of the menu.
    package static let tags = DiaryPhrase("Tags")

    /// A word of the menu.
    package static let drafts = DiaryPhrase("Drafts")

    /// A word of the menu.
    package static let lock = DiaryPhrase("Lock")

    /// A word of the menu.
    package static let newEntry = DiaryPhrase("New entry")

    /// A word of the menu.
    package static let help = DiaryPhrase("Help")

    /// Before a heading, and a word of the menu.
    package static let today = DiaryPhrase("Today")

    /// Before a heading.
    package static let yesterday = DiaryPhrase("Yesterday")

    /// Over entries whose date is in the future.
    package static let ahead = DiaryPhrase("Still ahead")
}
