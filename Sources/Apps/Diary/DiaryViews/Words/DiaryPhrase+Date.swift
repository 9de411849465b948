/// Answers to a date that somebody typed.
extension DiaryPhrase {
    /// A date cannot be read.
    package static let dateMalformed = DiaryPhrase(
        "Ein Datum schreibt man so: 2026-11-22 oder 2026-11-22 14:05.",
        "A date is written 2026-11-22 or 2026-11-22 14:05.",
        "Une date s’écrit 2026-11-22 ou 2026-11-22 14:05.",
        "En dato skrives 2026-11-22 eller 2026-11-22 14:05.")

    /// A date names a month that is none.
    package static let dateNoSuchMonth = DiaryPhrase(
        "Diesen Monat gibt es nicht.",
        "There is no such month.",
        "Ce mois n’existe pas.",
        "Den måneden finnes ikke.")

    /// A date names a day that its month has not.
    package static let dateNoSuchDay = DiaryPhrase(
        "Diesen Tag hat der Monat nicht.",
        "The month has no such day.",
        "Ce mois n’a pas ce jour.",
        "Måneden har ikke den dagen.")

    /// A date names an hour, minute or second that is none.
    package static let dateNoSuchTime = DiaryPhrase(
        "Diese Uhrzeit gibt es nicht.",
        "There is no such time of day.",
        "Cette heure n’existe pas.",
        "Det klokkeslettet finnes ikke.")

    /// A date names a zone that is none.
    package static let dateUnknownZone = DiaryPhrase(
        "Diese Zeitzone ist nicht bekannt.",
        "That time zone is not known.",
        "Ce fuseau horaire est inconnu.",
        "Den tidssonen er ikke kjent.")

    /// A date names a day that the date line swallowed.
    package static let dateDayLeftOut = DiaryPhrase(
        "Diesen Tag hat die Zeitzone übersprungen.",
        "The time zone left that day out.",
        "Ce fuseau horaire a sauté ce jour.",
        "Tidssonen hoppet over den dagen.")

    /// A note to a date that was moved on.
    package static let dateSkipped = DiaryPhrase(
        "Diese Uhrzeit fiel der Zeitumstellung zum Opfer; sie wurde weitergerückt.",
        "The clocks skipped that time; it was moved on.",
        "L’heure a été sautée par le changement d’heure\u{a0}; elle a été avancée.",
        "Klokken hoppet over det tidspunktet; det ble flyttet frem.")

    /// A note to a date that was ambiguous.
    package static let dateTwice = DiaryPhrase(
        "Diese Uhrzeit gab es zweimal; gemeint ist die erste.",
        "That time came twice; the first was taken.",
        "Cette heure a eu lieu deux fois\u{a0}; la première est retenue.",
        "Det tidspunktet kom to ganger; det første ble valgt.")
}
