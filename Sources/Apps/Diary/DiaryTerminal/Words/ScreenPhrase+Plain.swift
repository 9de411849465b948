import DiaryViews

/// What is said where the diary talks in lines.
extension ScreenPhrase {
    static let plainText = ScreenPhrase(
        "Text; ein Punkt allein sichert, .help nennt mehr", "Text; a period alone saves, .help tells more",
        "Texte\u{a0}; un point seul enregistre, .help en dit plus", "Tekst; et punktum alene lagrer, .help sier mer")
    static let filesHelp = ScreenPhrase(
        "x 1 Pfad: die erste Datei ohne Ort, Datum, Kamera sichern. X 1 Pfad: das Original.",
        "x 1 path: save the first file without place, date, camera. X 1 path: the original.",
        "x 1 chemin\u{a0}: enregistrer le premier fichier sans lieu, date, appareil. X 1 chemin\u{a0}: l’original.",
        "x 1 sti: lagre den første filen uten sted, dato, kamera. X 1 sti: originalen.")
    static let settingsHelp = ScreenPhrase(
        "1 10: nach zehn Minuten; 1 0: nie. 2 ja, 2 nein, 3 ja, 3 nein.",
        "1 10: after ten minutes; 1 0: never. 2 yes, 2 no, 3 yes, 3 no.",
        "1 10\u{a0}: après dix minutes\u{a0}; 1 0\u{a0}: jamais. 2 oui, 2 non, 3 oui, 3 non.",
        "1 10: etter ti minutter; 1 0: aldri. 2 ja, 2 nei, 3 ja, 3 nei.")
    static let calendarHelp = ScreenPhrase(
        "15: dieser Tag. [ und ]: Monat davor und danach; { und }: Monat mit Einträgen.",
        "15: that day. [ and ]: month before and after; { and }: month with entries.",
        "15\u{a0}: ce jour. [ et ]\u{a0}: mois d’avant et d’après\u{a0}; { et }\u{a0}: mois avec des entrées.",
        "15: den dagen. [ og ]: måneden før og etter; { og }: måned med innlegg.")

    static let plainHelp = ScreenPhrase(
        """
        t Chronik, c Kalender, o an diesem Tag, m Orte, s Statistik, g Schlagwörter, * mit Stern,
        D Entwürfe, T Papierkorb, S Einstellungen, / und Wörter: suchen
        3: der dritte Eintrag, + weitere, b zurück, f die Dateien des Eintrags, [ früher, ] später
        n neuer Eintrag, N nach Vorlage, e 3: ändern, d 3: löschen, z zurückholen, z 3: aus dem Papierkorb
        l sperren, q beenden. Was vorgelesen wurde, bleibt im Terminal stehen.
        """,
        """
        t timeline, c calendar, o on this day, m places, s statistics, g tags, * starred,
        D drafts, T trash, S settings, / and words: search
        3: the third entry, + more, b back, f the entry's files, [ earlier, ] later
        n new entry, N from a template, e 3: edit, d 3: delete, z take back, z 3: from the trash
        l lock, q quit. What was read out stays in the terminal.
        """,
        """
        t chronologie, c calendrier, o ce jour-là, m lieux, s statistiques, g étiquettes, * étoiles,
        D brouillons, T corbeille, S réglages, / et des mots\u{a0}: chercher
        3\u{a0}: la troisième entrée, + suite, b retour, f les fichiers de l’entrée, [ avant, ] après
        n nouvelle entrée, N d’après un modèle, e 3\u{a0}: modifier, d 3\u{a0}: supprimer, z reprendre
        z 3\u{a0}: de la corbeille
        l verrouiller, q quitter. Ce qui a été lu reste dans le terminal.
        """,
        """
        t tidslinje, c kalender, o på denne dagen, m steder, s statistikk, g etiketter, * stjerner,
        D utkast, T papirkurv, S innstillinger, / og ord: søk
        3: det tredje innlegget, + flere, b tilbake, f filene i innlegget, [ tidligere, ] senere
        n nytt innlegg, N etter mal, e 3: endre, d 3: slett, z hent tilbake, z 3: fra papirkurven
        l lås, q avslutt. Det som ble lest opp, blir stående i terminalen.
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
