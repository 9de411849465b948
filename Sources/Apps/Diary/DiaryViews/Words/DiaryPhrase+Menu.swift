/// The menu's words, and those before a heading.
extension DiaryPhrase {
    /// A word of the menu.
    package static let timeline = DiaryPhrase(
        "Chronik",
        "Timeline",
        "Chronologie",
        "Tidslinje")

    /// A word of the menu.
    package static let calendar = DiaryPhrase(
        "Kalender",
        "Calendar",
        "Calendrier",
        "Kalender")

    /// A word of the menu.
    package static let map = DiaryPhrase(
        "Karte",
        "Map",
        "Carte",
        "Kart")

    /// A word of the menu.
    package static let onThisDay = DiaryPhrase(
        "An diesem Tag",
        "On this day",
        "Ce jour-là",
        "På denne dagen")

    /// A word of the menu.
    package static let statistics = DiaryPhrase(
        "Statistik",
        "Statistics",
        "Statistiques",
        "Statistikk")

    /// A word of the menu.
    package static let search = DiaryPhrase(
        "Suche",
        "Search",
        "Recherche",
        "Søk")

    /// A word of the menu.
    package static let tags = DiaryPhrase(
        "Schlagwörter",
        "Tags",
        "Étiquettes",
        "Etiketter")

    /// A word of the menu.
    package static let drafts = DiaryPhrase(
        "Entwürfe",
        "Drafts",
        "Brouillons",
        "Utkast")

    /// A word of the menu.
    package static let lock = DiaryPhrase(
        "Sperren",
        "Lock",
        "Verrouiller",
        "Lås")

    /// A word of the menu.
    package static let newEntry = DiaryPhrase(
        "Neuer Eintrag",
        "New entry",
        "Nouvelle entrée",
        "Nytt innlegg")

    /// A word of the menu.
    package static let help = DiaryPhrase(
        "Hilfe",
        "Help",
        "Aide",
        "Hjelp")

    /// Before a heading, and a word of the menu.
    package static let today = DiaryPhrase(
        "Heute",
        "Today",
        "Aujourd’hui",
        "I dag")

    /// Before a heading.
    package static let yesterday = DiaryPhrase(
        "Gestern",
        "Yesterday",
        "Hier",
        "I går")

    /// Over entries whose date is in the future.
    package static let ahead = DiaryPhrase(
        "Liegt noch vor dir",
        "Still ahead",
        "Encore à venir",
        "Ligger foran deg")
}
