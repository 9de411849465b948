/// What stands where nothing stands yet.
extension DiaryPhrase {
    /// In place of an empty timeline.
    package static let noEntries = DiaryPhrase(
        "Noch keine Einträge. Der erste darf kurz sein.",
        "No entries yet. The first may be short.",
        "Aucune entrée pour l’instant. La première peut être courte.",
        "Ingen innlegg ennå. Det første kan være kort.")

    /// In place of what happened on this day.
    package static let nothingOnThisDay = DiaryPhrase(
        "An diesem Tag ist noch nichts aufgeschrieben.",
        "Nothing is written about this day yet.",
        "Rien n’est encore écrit sur ce jour.",
        "Ingenting er skrevet om denne dagen ennå.")

    /// In place of markers on the map.
    package static let noPlaces = DiaryPhrase(
        "Noch kein Eintrag hat einen Ort.",
        "No entry has a place yet.",
        "Aucune entrée n’a encore de lieu.",
        "Ingen innlegg har et sted ennå.")

    /// In place of a list of tags.
    package static let noTags = DiaryPhrase(
        "Noch keine Schlagwörter.",
        "No tags yet.",
        "Aucune étiquette pour l’instant.",
        "Ingen etiketter ennå.")

    /// In place of what a search found.
    package static let noHits = DiaryPhrase(
        "Nichts gefunden.",
        "Nothing found.",
        "Rien trouvé.",
        "Ingenting funnet.")

    /// Beside a time whose zone nobody knows.
    package static let unknownZone = DiaryPhrase(
        "unbekannte Zeitzone, als UTC gezeigt",
        "unknown time zone, shown as UTC",
        "fuseau horaire inconnu, affiché en UTC",
        "ukjent tidssone, vist som UTC")
}
