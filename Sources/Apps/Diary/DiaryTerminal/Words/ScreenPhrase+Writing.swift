import DiaryClient
import DiaryViews

/// What the editor says.
extension ScreenPhrase {
    static let text = ScreenPhrase("Text", "Text", "Texte", "Tekst")
    static let placeHint = ScreenPhrase(
        "Name 59.67, 10.63", "name 59.67, 10.63", "nom 59.67, 10.63", "navn 59.67, 10.63")
    static let noFiles = ScreenPhrase("Keine Dateien.", "No files.", "Aucun fichier.", "Ingen filer.")
    static let unsent = ScreenPhrase("noch hier", "still here", "encore ici", "fortsatt her")
    static let notUnderstood = ScreenPhrase(
        "Das geht hier nicht; .help nennt, was geht.", "That does nothing here; .help tells what does.",
        "Sans effet ici\u{a0}; .help dit ce qui est possible.", "Det gjør ingenting her; .help sier hva som gjør det.")
    static let resumed = ScreenPhrase(
        "Hier warst du beim Schreiben, als gesperrt wurde.", "This is where you were writing when it was locked.",
        "Vous écriviez ici quand le journal s’est verrouillé.", "Her skrev du da dagboken ble låst.")
    static let resumedWithoutFiles = ScreenPhrase(
        "Hier warst du beim Schreiben, als gesperrt wurde. Neue Dateien bitte noch einmal hinzufügen.",
        "This is where you were writing when it was locked. Add new files once more.",
        "Vous écriviez ici quand le journal s’est verrouillé. Ajoutez encore une fois les nouveaux fichiers.",
        "Her skrev du da dagboken ble låst. Legg til nye filer en gang til.")
    static let referred = ScreenPhrase(
        "Die Datei steht jetzt im Text, wo der Cursor war.", "The file is in the text now, where the cursor was.",
        "Le fichier est maintenant dans le texte, là où était le curseur.",
        "Filen står nå i teksten, der markøren var.")
    static let lockedTooSoon = ScreenPhrase(
        "es wurde gesperrt, bevor sie ankamen", "it was locked before they arrived",
        "le journal s’est verrouillé avant leur arrivée", "det ble låst før de kom fram")
    static let askLosing = ScreenPhrase(
        "Was du schriebst, ist nicht aufgehoben und geht beim Beenden verloren. Beenden? j/n",
        "What you wrote is not kept, and is lost if you quit. Quit? y/n",
        "Ce que vous avez écrit n’est pas gardé et sera perdu si vous quittez. Quitter\u{a0}? o/n",
        "Det du skrev er ikke tatt vare på, og går tapt om du avslutter. Avslutte? j/n")
    static let askDiscardingHeld = ScreenPhrase(
        "Verwerfen, was du schriebst und sonst nirgends aufgehoben ist? j/n",
        "Discard what you wrote, which is kept nowhere else? y/n",
        "Abandonner ce que vous avez écrit et qui n’est gardé nulle part ailleurs\u{a0}? o/n",
        "Forkaste det du skrev, som ikke finnes noe annet sted? j/n")
    static let editorFilesKeys = ScreenPhrase(
        "↑↓ Datei  ←→ verschieben  Entf hinaus  Eingabe in den Text  ^P Datum und Ort  ^S sichern",
        "↑↓ file  ←→ move it  Del take out  Enter into the text  ^P date, place  ^S save",
        "↑↓ fichier  ←→ déplacer  Suppr retirer  Entrée dans le texte  ^P date, lieu",
        "↑↓ fil  ←→ flytt  Del ta ut  Enter inn i teksten  ^P dato, sted  ^S lagre")

    /// Words that could not be handed in.
    ///
    /// - Parameter key: what discards them; nil where nothing does.
    static func notKept(_ reason: String, _ key: String?, in language: DiaryLanguage) -> String {
        switch language {
        case .german:
            "Deine letzten Worte sind NICHT aufgehoben: \(reason). Sie warten in diesem Programm"
                + (key.map { "; \($0) verwirft sie." } ?? ".")
        case .english:
            "Your last words are NOT kept: \(reason). They wait in this program"
                + (key.map { "; \($0) discards them." } ?? ".")
        case .french:
            "Vos derniers mots ne sont PAS gardés\u{a0}: \(reason). Ils attendent dans ce programme"
                + (key.map { "\u{a0}; \($0) les abandonne." } ?? ".")
        case .norwegian:
            "De siste ordene dine er IKKE tatt vare på: \(reason). De venter i dette programmet"
                + (key.map { "; \($0) forkaster dem." } ?? ".")
        }
    }

    static func fieldsNotKept(_ names: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Nicht aufgehoben, weil noch nicht zu verstehen: \(names)."
        case .english: "Not kept, because it could not be understood yet: \(names)."
        case .french: "Non gardé, car pas encore compréhensible\u{a0}: \(names)."
        case .norwegian: "Ikke tatt vare på, fordi det ikke kunne forstås ennå: \(names)."
        }
    }

    static func sending(_ name: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "\(name) kommt dazu …"
        case .english: "Adding \(name) …"
        case .french: "Ajout de \(name)…"
        case .norwegian: "Legger til \(name) …"
        }
    }

    static func withoutPicture(_ name: String, _ problem: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "\(name) bleibt ohne Bild: \(problem)"
        case .english: "\(name) has no picture: \(problem)"
        case .french: "\(name) est sans image\u{a0}: \(problem)"
        case .norwegian: "\(name) har ikke noe bilde: \(problem)"
        }
    }

    /// - Parameter key: what takes it over.
    static func offered(_ name: String, _ words: String, _ key: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "\(name) sagt: \(words). \(key) übernimmt es."
        case .english: "\(name) says: \(words). \(key) takes that over."
        case .french: "\(name) dit\u{a0}: \(words). \(key) le reprend."
        case .norwegian: "\(name) sier: \(words). \(key) tar det over."
        }
    }

    /// - Parameter key: what keeps a draft.
    static func conflict(_ key: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Der Eintrag wurde inzwischen woanders geändert. \(key) hebt deine Fassung als Entwurf auf."
        case .english: "The entry was changed elsewhere meanwhile. \(key) keeps yours as a draft."
        case .french: "L’entrée a été modifiée ailleurs entre-temps. \(key) garde la vôtre comme brouillon."
        case .norwegian: "Innlegget ble endret et annet sted. \(key) tar vare på ditt som utkast."
        }
    }

    /// - Parameter key: what saves.
    static func entryGone(_ key: String, in language: DiaryLanguage) -> String {
        switch language {
        case .german: "Den Eintrag gibt es nicht mehr. \(key) macht aus deiner Fassung einen neuen."
        case .english: "The entry is gone. \(key) makes a new one of yours."
        case .french: "L’entrée n’existe plus. \(key) fait de la vôtre une nouvelle."
        case .norwegian: "Innlegget finnes ikke lenger. \(key) lager et nytt av ditt."
        }
    }

    /// What changed clocks did to a time that was typed; nil where they did nothing.
    static func remark(on fit: DateInput.Fit) -> ScreenPhrase? {
        switch fit {
        case .exact: nil
        case .skipped:
            ScreenPhrase(
                "Diese Uhrzeit gab es nicht; sie wurde verschoben.", "The clocks skipped that time; it was moved on.",
                "Cette heure n’a pas existé\u{a0}; elle a été décalée.",
                "Klokken hoppet over den tiden; den er flyttet.")
        case .twice:
            ScreenPhrase(
                "Diese Uhrzeit gab es zweimal; es gilt die erste.",
                "The clocks showed that time twice; the first counts.",
                "Cette heure a existé deux fois\u{a0}; la première compte.",
                "Den tiden fantes to ganger; den første gjelder.")
        }
    }

    static func problem(_ problem: PlaceProblem) -> ScreenPhrase {
        switch problem {
        case .malformed:
            ScreenPhrase(
                "Ein Ort steht so da: Drøbak 59.67, 10.63.", "A place is written like this: Drøbak 59.67, 10.63.",
                "Un lieu s’écrit ainsi\u{a0}: Drøbak 59.67, 10.63.", "Et sted skrives slik: Drøbak 59.67, 10.63.")
        case .unknownName:
            ScreenPhrase(
                "Kein gelesener Eintrag hat diesen Ort. Schreib Grad dazu: 59.67, 10.63.",
                "No entry that was read has this place. Add its degrees: 59.67, 10.63.",
                "Aucune entrée lue n’a ce lieu. Ajoutez ses degrés\u{a0}: 59.67, 10.63.",
                "Ingen leste innlegg har dette stedet. Legg til grader: 59.67, 10.63.")
        case .outside:
            ScreenPhrase(
                "Grad gehen von −90 bis 90 nach Norden und von −180 bis 180 nach Osten.",
                "Degrees go from −90 to 90 north, and from −180 to 180 east.",
                "Les degrés vont de −90 à 90 au nord et de −180 à 180 à l’est.",
                "Grader går fra −90 til 90 mot nord og fra −180 til 180 mot øst.")
        }
    }
}
