import Localization

/// Answers to a date that somebody typed.
extension DiaryPhrase {
    /// A date cannot be read.
    package static let dateMalformed = DiaryPhrase("A date is written 2026-11-22 or 2026-11-22 14:05.")

    /// A date names a month that is none.
    package static let dateNoSuchMonth = DiaryPhrase("There is no such month.")

    /// A date names a day that its month has not.
    package static let dateNoSuchDay = DiaryPhrase("The month has no such day.")

    /// A date names an hour, minute or second that is none.
    package static let dateNoSuchTime = DiaryPhrase("There is no such time of day.")

    /// A date names a zone that is none.
    package static let dateUnknownZone = DiaryPhrase("That time zone is not known.")

    /// A date names a day that the date line swallowed.
    package static let dateDayLeftOut = DiaryPhrase("The time zone left that day out.")

    /// A note to a date that was moved on.
    package static let dateSkipped = DiaryPhrase("The clocks skipped that time; it was moved on.")

    /// A note to a date that was ambiguous.
    package static let dateTwice = DiaryPhrase("That time came twice; the first was taken.")
}
