/// The names of what is counted. None says what was not done.
extension DiaryPhrase {
    /// How many entries there are.
    package static let entries = DiaryPhrase("Einträge", "Entries", "Entrées", "Innlegg")

    /// On how many days something was written.
    package static let days = DiaryPhrase("Tage", "Days", "Jours", "Dager")

    /// On how many days of this month.
    package static let daysThisMonth = DiaryPhrase(
        "Tage in diesem Monat", "Days this month", "Jours ce mois-ci", "Dager denne måneden")

    /// On how many days of this year.
    package static let daysThisYear = DiaryPhrase(
        "Tage in diesem Jahr", "Days this year", "Jours cette année", "Dager i år")

    /// How many words were written.
    package static let words = DiaryPhrase("Wörter", "Words", "Mots", "Ord")

    /// How many photos and other files there are.
    package static let files = DiaryPhrase(
        "Fotos und Dateien", "Photos and files", "Photos et fichiers", "Bilder og filer")

    /// The tags used most.
    package static let favouriteTags = DiaryPhrase(
        "Häufigste Schlagwörter", "Favourite tags", "Étiquettes préférées", "Mest brukte etiketter")

    /// The most days in a row, as something achieved.
    package static let longestRun = DiaryPhrase(
        "Längste Folge von Tagen", "Longest run of days", "Plus longue série de jours", "Lengste rekke av dager")
}
