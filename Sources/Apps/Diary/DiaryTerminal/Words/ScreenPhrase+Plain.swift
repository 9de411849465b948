import DiaryViews

/// What is said where the diary talks in lines.
extension ScreenPhrase {
    static let plainText = ScreenPhrase(
        "Text; ein Punkt allein sichert, .help nennt mehr", "Text; a period alone saves, .help tells more",
        "Texte\u{a0}; un point seul enregistre, .help en dit plus", "Tekst; et punktum alene lagrer, .help sier mer")
    static let filesHelp = ScreenPhrase(
        "save 1 Pfad: die erste Datei ohne Ort, Datum, Kamera sichern. original 1 Pfad: das Original.",
        "save 1 path: the first file without place, date, camera. original 1 path: the original.",
        "save 1 chemin\u{a0}: le premier fichier sans lieu, date, appareil. original 1 chemin\u{a0}: l’original.",
        "save 1 sti: den første filen uten sted, dato, kamera. original 1 sti: originalen.")
    static let settingsHelp = ScreenPhrase(
        "1 10: nach zehn Minuten; 1 0: nie. 2 ja, 2 nein, 3 ja, 3 nein.",
        "1 10: after ten minutes; 1 0: never. 2 yes, 2 no, 3 yes, 3 no.",
        "1 10\u{a0}: après dix minutes\u{a0}; 1 0\u{a0}: jamais. 2 oui, 2 non, 3 oui, 3 non.",
        "1 10: etter ti minutter; 1 0: aldri. 2 ja, 2 nei, 3 ja, 3 nei.")
    static let calendarHelp = ScreenPhrase(
        "15: dieser Tag. earlier und later: Monat davor und danach; { und }: Monat mit Einträgen.",
        "15: that day. earlier and later: month before and after; { and }: month with entries.",
        "15\u{a0}: ce jour. earlier et later\u{a0}: mois d’avant et d’après\u{a0}; "
            + "{ et }\u{a0}: mois avec des entrées.",
        "15: den dagen. earlier og later: måneden før og etter; { og }: måned med innlegg.")

    static let plainNotShown = ScreenPhrase("nicht gezeigt", "not shown", "non affiché", "vises ikke")
    static let plainDeviceLocked = ScreenPhrase(
        "Das Gerät ist gesperrt.", "The device is locked.", "L’appareil est verrouillé.", "Enheten er låst.")
    static let plainPasscode = ScreenPhrase(
        "Code des Geräts, nicht gezeigt; eine leere Zeile bricht ab",
        "Passcode of the device, not shown; an empty line cancels",
        "Code de l’appareil, non affiché\u{a0}; une ligne vide annule",
        "Enhetens kode, vises ikke; en tom linje avbryter")
    static let plainLockedPrompt = ScreenPhrase(
        "Gesperrt; unlock, help oder quit", "Locked; unlock, help or quit", "Verrouillé\u{a0}; unlock, help ou quit",
        "Låst; unlock, help eller quit")
    static let plainLockedHelp = ScreenPhrase(
        "unlock fragt nach dem Code des Geräts, quit beendet.",
        "unlock asks for the passcode of the device, quit ends this.",
        "unlock demande le code de l’appareil, quit termine.", "unlock spør etter enhetens kode, quit avslutter.")
    static let plainIsOpen = ScreenPhrase(
        "Das Tagebuch ist offen.", "The diary is open.", "Le journal est ouvert.", "Dagboken er åpen.")
    static let plainWhich = ScreenPhrase(
        "Sag, was: eine Nummer oder ein Titel, oder Wörter zum Suchen.",
        "Say which: a number or a title, or words to find.",
        "Dites quoi\u{a0}: un numéro ou un titre, ou des mots à chercher.",
        "Si hva: et nummer eller en tittel, eller ord å søke etter.")
    static let plainOpenFirst = ScreenPhrase(
        "Öffne erst einen Eintrag; copy kopiert seinen Text.", "Open an entry first; copy copies its text.",
        "Ouvrez d’abord une entrée\u{a0}; copy copie son texte.", "Åpne først et innlegg; copy kopierer teksten.")
    static let plainCopied = ScreenPhrase(
        "Kopiert; nach 45 Sekunden wird die Zwischenablage geleert.",
        "Copied; the clipboard is cleared in 45 seconds.",
        "Copié\u{a0}; le presse-papiers sera vidé dans 45 secondes.", "Kopiert; utklippstavlen tømmes om 45 sekunder.")
    static let plainNotCopied = ScreenPhrase(
        "Nicht kopiert: hier ist keine Zwischenablage.", "Not copied: there is no clipboard here.",
        "Non copié\u{a0}: il n’y a pas de presse-papiers ici.", "Ikke kopiert: her er ingen utklippstavle.")
    static let plainGone = ScreenPhrase(
        "Das steht nicht mehr hier; list liest neu.", "That is no longer here; list reads anew.",
        "Cela n’est plus ici\u{a0}; list relit.", "Det er ikke her lenger; list leser på nytt.")
    static let plainSeveral = ScreenPhrase(
        "Mehrere heißen so; sag eine Nummer:", "Several are called so; say a number:",
        "Plusieurs s’appellent ainsi\u{a0}; dites un numéro\u{a0}:", "Flere heter det; si et nummer:")
    static let plainNoNumber = ScreenPhrase(
        "Diese Nummer gibt es hier nicht.", "There is no such number here.", "Il n’y a pas ce numéro ici.",
        "Det nummeret finnes ikke her.")
    static let plainNothing = ScreenPhrase(
        "Hier heißt nichts so.", "Nothing here is called so.", "Rien ici ne s’appelle ainsi.",
        "Ingenting her heter det.")
    static let plainNotUnderstood = ScreenPhrase(
        "Nicht verstanden; help nennt die Wörter.", "Not understood; help tells the words.",
        "Pas compris\u{a0}; help dit les mots.", "Ikke forstått; help sier ordene.")

    static let plainHelp = ScreenPhrase(
        """
        timeline: Chronik, calendar: Kalender, today: an diesem Tag, places: Orte, statistics: Statistik,
        tags: Schlagwörter, starred: mit Stern, drafts: Entwürfe, trash: Papierkorb, settings: Einstellungen
        3 oder ein Titel öffnet; list liest neu, more weitere, back zurück, find und Wörter: suchen
        new: neuer Eintrag, template: nach Vorlage, edit 3, delete 3, undo, restore 3: aus dem Papierkorb
        files: die Dateien, earlier und later: die Nachbarn, copy: den Text kopieren
        lock: sperren, quit: beenden. Was vorgelesen wurde, bleibt im Terminal stehen.
        """,
        """
        timeline, calendar, today (on this day), places, statistics, tags, starred, drafts, trash, settings
        3 or a title opens; list reads again, more reads on, back, find and words: search
        new: a new entry, template: from a template, edit 3, delete 3, undo, restore 3: from the trash
        files: those of the entry, earlier and later: its neighbours, copy: its text
        lock, quit. What was read out stays in the terminal.
        """,
        """
        timeline\u{a0}: chronologie, calendar\u{a0}: calendrier, today\u{a0}: ce jour-là, places\u{a0}: lieux
        statistics, tags\u{a0}: étiquettes, starred\u{a0}: étoiles, drafts\u{a0}: brouillons, trash\u{a0}: corbeille
        settings\u{a0}: réglages, find et des mots\u{a0}: chercher
        3 ou un titre ouvre\u{a0}; list relit, more\u{a0}: suite, back\u{a0}: retour
        new\u{a0}: nouvelle entrée, template\u{a0}: modèle, edit 3, delete 3, undo, restore 3\u{a0}: de la corbeille
        files\u{a0}: les fichiers, earlier et later\u{a0}: les voisines, copy\u{a0}: copier le texte
        lock\u{a0}: verrouiller, quit\u{a0}: quitter. Ce qui a été lu reste dans le terminal.
        """,
        """
        timeline: tidslinje, calendar: kalender, today: på denne dagen, places: steder, statistics: statistikk,
        tags: etiketter, starred: stjerner, drafts: utkast, trash: papirkurv, settings: innstillinger
        3 eller en tittel åpner; list leser på nytt, more flere, back tilbake, find og ord: søk
        new: nytt innlegg, template: etter mal, edit 3, delete 3, undo, restore 3: fra papirkurven
        files: filene, earlier og later: naboene, copy: kopier teksten
        lock: lås, quit: avslutt. Det som ble lest opp, blir stående i terminalen.
        """)

    static let writingHelp = ScreenPhrase(
        """
        Eine Zeile kommt hinten dazu; soll sie mit einem Punkt beginnen, tippe zwei. Ein Punkt allein sichert.
        .list liest den Text mit Nummern, .change 2 Worte, .insert 2 Worte, .delete 2
        .fields liest die Felder. Ohne etwas dahinter wird ein Feld leer:
        .date 2026-11-22 14:05 Europe/Oslo, .place Drøbak 59.67, 10.63, .tags a, b, .mood gut, .star
        .file Pfad, .out 2 nimmt die zweite Datei heraus, .move 2 1 stellt sie nach vorn,
        .photo 1 übernimmt Datum und Ort des ersten Fotos
        .draft hebt als Entwurf auf, .cancel verwirft
        """,
        """
        A line is added at the end; one that shall begin with a period begins with two. A period alone saves.
        .list reads the text with numbers, .change 2 words, .insert 2 words, .delete 2
        .fields reads the fields. With nothing behind it a field becomes empty:
        .date 2026-11-22 14:05 Europe/Oslo, .place Drøbak 59.67, 10.63, .tags a, b, .mood good, .star
        .file path, .out 2 takes the second file out, .move 2 1 puts it first,
        .photo 1 takes over date and place of the first photo
        .draft keeps a draft, .cancel discards
        """,
        """
        Une ligne s’ajoute à la fin\u{a0}; pour commencer par un point, tapez-en deux. Un point seul enregistre.
        .list lit le texte avec des numéros, .change 2 mots, .insert 2 mots, .delete 2
        .fields lit les champs. Sans rien derrière, un champ devient vide\u{a0}:
        .date 2026-11-22 14:05 Europe/Oslo, .place Drøbak 59.67, 10.63, .tags a, b, .mood bonne, .star
        .file chemin, .out 2 retire le deuxième fichier, .move 2 1 le met en premier,
        .photo 1 reprend la date et le lieu de la première photo
        .draft garde un brouillon, .cancel abandonne
        """,
        """
        En linje legges til bakerst; en som skal begynne med punktum, begynner med to. Et punktum alene lagrer.
        .list leser teksten med numre, .change 2 ord, .insert 2 ord, .delete 2
        .fields leser feltene. Uten noe bak blir et felt tomt:
        .date 2026-11-22 14:05 Europe/Oslo, .place Drøbak 59.67, 10.63, .tags a, b, .mood god, .star
        .file sti, .out 2 tar ut den andre filen, .move 2 1 setter den først,
        .photo 1 tar over dato og sted fra det første bildet
        .draft tar vare på et utkast, .cancel forkaster
        """)
}
