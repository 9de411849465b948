import Localization

/// What stands where nothing stands yet.
extension DiaryPhrase {
    /// In place of an empty timeline.
    package static let noEntries = DiaryPhrase("No entries yet. The first may be short.")

    /// In place of what happened on this day.
    package static let nothingOnThisDay = DiaryPhrase("Nothing is written about this day yet.")

    /// In place of markers on the map.
    package static let noPlaces = DiaryPhrase("No entry has a place yet.")

    /// In place of a list of tags.
    package static let noTags = DiaryPhrase("No tags yet.")

    /// In place of what a search found.
    package static let noHits = DiaryPhrase("Nothing found.")

    /// Beside a time whose zone nobody knows.
    package static let unknownZone = DiaryPhrase("unknown time zone, shown as UTC")
}
