import DiaryViews

/// What the terminal's screens say besides `DiaryPhrase`: their keys, and what became of something.
struct ScreenPhrase: Sendable {
    private let german: String
    private let english: String
    private let french: String
    private let norwegian: String

    init(_ german: String, _ english: String, _ french: String, _ norwegian: String) {
        self.german = german
        self.english = english
        self.french = french
        self.norwegian = norwegian
    }

    func text(in language: DiaryLanguage) -> String {
        switch language {
        case .german: german
        case .english: english
        case .french: french
        case .norwegian: norwegian
        }
    }

    static let tooSmall = ScreenPhrase(
        "Fenster zu klein", "Window too small", "Fenêtre trop petite", "Vinduet er for lite")

    // MARK: The door

    static let arriving = ScreenPhrase(
        "Einen Augenblick …", "One moment …", "Un instant…", "Et øyeblikk …")
    static let notShown = ScreenPhrase(
        "Für jedes Zeichen steht ein Punkt.", "Each character is shown as a dot.",
        "Chaque caractère est affiché comme un point.", "Hvert tegn vises som en prikk.")
    static let doorKeys = ScreenPhrase("Esc: zurück", "Esc: back", "Échap\u{a0}: retour", "Esc: tilbake")
    static let quitKey = ScreenPhrase("q: beenden", "q: quit", "q\u{a0}: quitter", "q: avslutt")
    static let next = ScreenPhrase("Eingabe: weiter", "Enter: go on", "Entrée\u{a0}: continuer", "Enter: videre")
    static let emptyPassword = ScreenPhrase(
        "Ein Passwort hat mindestens ein Zeichen.", "A password has at least one character.",
        "Un mot de passe a au moins un caractère.", "Et passord har minst ett tegn.")
    static let recoveryKey = ScreenPhrase(
        "Wiederherstellungsschlüssel", "Recovery key", "Clé de secours", "Gjenopprettingsnøkkel")
    static let recoveryAdvice = ScreenPhrase(
        "Er öffnet das Tagebuch, wenn das Passwort vergessen ist. Schreib ihn auf: Er wird nur jetzt gezeigt.",
        "It opens the diary when the password is forgotten. Write it down: it is shown only now.",
        "Elle ouvre le journal si le mot de passe est oublié. Notez-la\u{a0}: elle n’est affichée que maintenant.",
        "Den åpner dagboken når passordet er glemt. Skriv den ned: Den vises bare nå.")
    /// The same where there is no room for more.
    static let recoveryBrief = ScreenPhrase(
        "Schreib ihn auf.", "Write it down now.", "Notez-la maintenant.", "Skriv den ned nå.")
    static let deviceIsLocked = ScreenPhrase(
        "Das Gerät ist gesperrt.", "The device is locked.", "L’appareil est verrouillé.", "Enheten er låst.")
    static let passcode = ScreenPhrase(
        "Code des Geräts", "The device’s passcode", "Code de l’appareil", "Enhetens kode")
    static let wrongPasscode = ScreenPhrase(
        "Der Code ist falsch.", "The passcode is wrong.", "Le code est faux.", "Koden er feil.")
    static let disconnected = ScreenPhrase(
        "tresor-diary antwortet nicht. Es wird weiter versucht.", "tresor-diary does not answer. Trying again.",
        "tresor-diary ne répond pas. Nouvel essai en cours.", "tresor-diary svarer ikke. Prøver igjen.")

    static let noneHere = ScreenPhrase(
        "In diesem Ausschnitt ist kein Ort.", "There is no place in this section.",
        "Il n’y a aucun lieu dans cette partie.", "Det er ingen steder i dette utsnittet.")

    // MARK: Templates

    static let templates = ScreenPhrase("Vorlagen", "Templates", "Modèles", "Maler")
    static let noTemplates = ScreenPhrase(
        "Keine Vorlagen. ‚tresor diary template set NAME‘ legt eine an.",
        "No templates. ‘tresor diary template set NAME’ makes one.",
        "Aucun modèle. «\u{a0}tresor diary template set NOM\u{a0}» en crée un.",
        "Ingen maler. «tresor diary template set NAVN» lager en.")

    // MARK: What became of something

    static let saved = ScreenPhrase("Gespeichert.", "Saved.", "Enregistré.", "Lagret.")
    static let draftKept = ScreenPhrase(
        "Als Entwurf aufgehoben; D zeigt die Entwürfe.", "Kept as a draft; D shows the drafts.",
        "Gardé comme brouillon\u{a0}; D montre les brouillons.", "Tatt vare på som utkast; D viser utkastene.")
    static let deleted = ScreenPhrase(
        "Im Papierkorb. z holt ihn zurück.", "In the trash. z takes it back.",
        "Dans la corbeille. z la reprend.", "I papirkurven. z henter det tilbake.")
    static let restored = ScreenPhrase(
        "Der Eintrag ist wieder da.", "The entry is back.", "L’entrée est de retour.", "Innlegget er tilbake.")
    static let partial = ScreenPhrase(
        "Das Tagebuch wird noch gelesen; es kann mehr geben.", "The diary is still being read; there may be more.",
        "Le journal est encore en cours de lecture\u{a0}; il peut y en avoir plus.",
        "Dagboken leses fortsatt; det kan være mer.")
    static let unreadable = ScreenPhrase(
        "Die Antwort von tresor-diary ist nicht lesbar.", "The answer of tresor-diary cannot be read.",
        "La réponse de tresor-diary est illisible.", "Svaret fra tresor-diary kan ikke leses.")

    // MARK: Questions

    static let askDeletion = ScreenPhrase(
        "Diesen Eintrag in den Papierkorb? j/n", "Move this entry to the trash? y/n",
        "Mettre cette entrée à la corbeille\u{a0}? o/n", "Flytte innlegget til papirkurven? j/n")
    static let askDiscarding = ScreenPhrase(
        "Verwerfen, was du geschrieben hast? j/n", "Discard what you wrote? y/n",
        "Abandonner ce que vous avez écrit\u{a0}? o/n", "Forkaste det du har skrevet? j/n")
    /// The letter that means yes.
    static let yesKey = ScreenPhrase("j", "y", "o", "j")

    // MARK: Fields

    static let untitled = ScreenPhrase("Ohne Worte", "Without words", "Sans mots", "Uten ord")
    static let edit = ScreenPhrase("Eintrag ändern", "Edit entry", "Modifier l’entrée", "Endre innlegg")
    static let date = ScreenPhrase("Datum", "Date", "Date", "Dato")
    static let dateNow = ScreenPhrase("jetzt", "now", "maintenant", "nå")
    static let mood = ScreenPhrase("Stimmung", "Mood", "Humeur", "Humør")
    static let star = ScreenPhrase("Stern", "Star", "Étoile", "Stjerne")
    static let files = ScreenPhrase("Dateien", "Files", "Fichiers", "Filer")
    static let filesHint = ScreenPhrase(
        "Pfad, Tab ergänzt, Eingabe fügt hinzu", "path, Tab completes, Enter adds",
        "chemin, Tab complète, Entrée ajoute", "sti, Tab fullfører, Enter legger til")
    static let notSaved = ScreenPhrase("nicht gespeichert", "not saved", "non enregistré", "ikke lagret")
    static let place = ScreenPhrase("Ort", "Place", "Lieu", "Sted")

    // MARK: Keys

    static let listKeys = ScreenPhrase(
        "? Hilfe  Eingabe öffnen  n neu  e ändern  d löschen  ^L sperren  q beenden",
        "? help  Enter open  n new  e edit  d delete  ^L lock  q quit",
        "? aide  Entrée ouvrir  n nouvelle  e modifier  d supprimer  ^L verrouiller  q quitter",
        "? hjelp  Enter åpne  n ny  e endre  d slett  ^L lås  q avslutt")
    static let calendarKeys = ScreenPhrase(
        "←↓↑→ Tag  [ ] Monat  { } beschrieben  . heute  Eingabe öffnen  n neu",
        "←↓↑→ day  [ ] month  { } written  . today  Enter open  n new",
        "←↓↑→ jour  [ ] mois  { } écrits  . aujourd’hui  Entrée ouvrir  n nouvelle",
        "←↓↑→ dag  [ ] måned  { } skrevet  . i dag  Enter åpne  n ny")
    static let mapKeys = ScreenPhrase(
        "←↓↑→ schieben  + - Maßstab  0 alles  Tab nächster Ort  Eingabe öffnen",
        "←↓↑→ move  + - zoom  0 all  Tab next place  Enter open",
        "←↓↑→ déplacer  + - échelle  0 tout  Tab lieu suivant  Entrée ouvrir",
        "←↓↑→ flytt  + - målestokk  0 alt  Tab neste sted  Enter åpne")
    static let entryKeys = ScreenPhrase(
        "Esc zurück  j/k blättern  [ ] früher, später  f Dateien  e ändern  d löschen",
        "Esc back  j/k scroll  [ ] earlier, later  f files  e edit  d delete  ^L lock",
        "Échap retour  j/k défiler  [ ] avant, après  f fichiers  e modifier",
        "Esc tilbake  j/k bla  [ ] tidligere, senere  f filer  e endre  d slett  ^L lås")
    static let editorKeys = ScreenPhrase(
        "Tab Feld  ^S sichern und schließen  ^D Entwurf  ^C verwerfen  ^X ^Y rückgängig",
        "Tab field  ^S save and close  ^D draft  ^C discard  ^X ^Y undo, redo",
        "Tab champ  ^S enregistrer  ^D brouillon  ^C abandonner  ^X ^Y annuler",
        "Tab felt  ^S lagre og lukk  ^D utkast  ^C forkast  ^X ^Y angre")
    static let helpKeys = ScreenPhrase(
        "j/k blättern  jede andere Taste schließt", "j/k scroll  any other key closes",
        "j/k défiler  toute autre touche ferme", "j/k bla  alle andre taster lukker")
}

/// What is counted, or chosen, as words.
extension ScreenPhrase {
    static func damaged(_ count: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Beschädigte Einträge: \(count). ‚tresor diary status‘ nennt sie."
        case .english: "Damaged records: \(count). ‘tresor diary status’ names them."
        case .french: "Enregistrements endommagés\u{a0}: \(count). «\u{a0}tresor diary status\u{a0}» les nomme."
        case .norwegian: "Skadde poster: \(count). «tresor diary status» nevner dem."
        }
    }

    /// What an answer could not look at.
    static func unread(_ count: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Nicht lesbar: \(count). ‚tresor doctor --data‘ nennt sie."
        case .english: "Could not be read: \(count). ‘tresor doctor --data’ names them."
        case .french: "Illisibles\u{a0}: \(count). «\u{a0}tresor doctor --data\u{a0}» les nomme."
        case .norwegian: "Kunne ikke leses: \(count). «tresor doctor --data» nevner dem."
        }
    }

    /// How long no password is taken.
    static func wait(_ seconds: Int, in language: DiaryLanguage) -> String {
        let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        return switch language {
        case .german: "Nächster Versuch in \(time)"
        case .english: "Next try in \(time)"
        case .french: "Prochain essai dans \(time)"
        case .norwegian: "Neste forsøk om \(time)"
        }
    }

    /// Shown in the last half minute.
    static func ending(_ seconds: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Sperrt in \(seconds) s. Jede Taste hält es offen."
        case .english: "Locks in \(seconds) s. Any key keeps it open."
        case .french: "Verrouillage dans \(seconds) s. Une touche le garde ouvert."
        case .norwegian: "Låses om \(seconds) s. En tast holder den åpen."
        }
    }

    static func more(_ count: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "+ \(count) weitere"
        case .english: "+ \(count) more"
        case .french: "+ \(count) autres"
        case .norwegian: "+ \(count) til"
        }
    }

    static func entries(_ count: Int, in language: DiaryLanguage) -> String {
        switch language {
        case .german: count == 1 ? "1 Eintrag" : "\(count) Einträge"
        case .english: count == 1 ? "1 entry" : "\(count) entries"
        case .french: count < 2 ? "\(count) entrée" : "\(count) entrées"
        case .norwegian: "\(count) innlegg"
        }
    }
}
