import DiaryViews

/// The settings, and the trash.
extension ScreenPhrase {
    static let settings = ScreenPhrase("Einstellungen", "Settings", "Réglages", "Innstillinger")
    static let trash = ScreenPhrase("Papierkorb", "Trash", "Corbeille", "Papirkurv")
    static let lockMinutes = ScreenPhrase(
        "Sperrt von selbst", "Locks by itself", "Se verrouille", "Låses av seg selv")
    static let locksOnResign = ScreenPhrase(
        "Sperrt, sobald das Fenster den Fokus verliert", "Locks as soon as the window loses the focus",
        "Se verrouille dès que la fenêtre perd le focus", "Låses når vinduet mister fokus")
    static let excludedFromBackup = ScreenPhrase(
        "Von Sicherungen ausgenommen", "Left out of backups", "Exclu des sauvegardes", "Utelatt fra sikkerhetskopier")
    static let waitingPhotos = ScreenPhrase(
        "Noch nicht angesehene Fotos", "Photos not looked at yet", "Photos pas encore regardées",
        "Bilder som ikke er sett på ennå")
    static let passwordHint = ScreenPhrase(
        "Passwort und Schlüssel: ‚tresor diary password‘, ‚… recovery-key‘",
        "Password and key: ‘tresor diary password’, ‘… recovery-key’",
        "Mot de passe et clé\u{a0}: «\u{a0}tresor diary password\u{a0}», «\u{a0}… recovery-key\u{a0}»",
        "Passord og nøkkel: «tresor diary password», «… recovery-key»")
    static let nothingHere = ScreenPhrase(
        "Hier ist nichts.", "Nothing is here.", "Il n’y a rien ici.", "Her er ingenting.")
    static let yes = ScreenPhrase("ja", "yes", "oui", "ja")
    static let no = ScreenPhrase("nein", "no", "non", "nei")
    static let removed = ScreenPhrase(
        "Endgültig entfernt.", "Gone for good.", "Supprimé pour de bon.", "Borte for godt.")
    static let askRemoval = ScreenPhrase(
        "Endgültig entfernen, mit allen Dateien? j/n", "Remove for good, with all its files? y/n",
        "Supprimer pour de bon, avec tous ses fichiers\u{a0}? o/n", "Fjerne for godt, med alle filer? j/n")
    static let trashKeys = ScreenPhrase(
        "Eingabe öffnen  z zurückholen  d endgültig entfernen  Esc zurück",
        "Enter open  z take back  d remove for good  Esc back",
        "Entrée ouvrir  z reprendre  d supprimer pour de bon  Échap retour",
        "Enter åpne  z hent tilbake  d fjern for godt  Esc tilbake")
    static let settingsKeys = ScreenPhrase(
        "j/k Einstellung  ←→ ändern  Esc zurück", "j/k setting  ←→ change  Esc back",
        "j/k réglage  ←→ changer  Échap retour", "j/k innstilling  ←→ endre  Esc tilbake")

    /// After how long; never where it is 0.
    static func minutes(_ count: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: count == 0 ? "nie" : count == 1 ? "nach 1 Minute" : "nach \(count) Minuten"
        case .english: count == 0 ? "never" : count == 1 ? "after 1 minute" : "after \(count) minutes"
        case .french: count == 0 ? "jamais" : count == 1 ? "après 1 minute" : "après \(count) minutes"
        case .norwegian: count == 0 ? "aldri" : count == 1 ? "etter 1 minutt" : "etter \(count) minutter"
        }
    }
}
