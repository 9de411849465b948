import DiaryClient
import DiaryViews
import TerminalScreen

/// What `?` shows.
enum Help {
    static func lines(_ language: DiaryLanguage) -> [[Character]] {
        let text =
            switch language {
            case .german: german
            case .english: english
            case .french: french
            case .norwegian: norwegian
            }
        return TextBuffer(text).lines
    }

    private static let german = """
        # Ansichten
        t  Chronik            c  Kalender        o  An diesem Tag
        m  Karte              s  Statistik       g  Schlagwörter
        *  mit Stern          D  Entwürfe        T  Papierkorb
        /  Suche              S  Einstellungen   Esc  zurück

        # Bewegen
        j k ↑ ↓     nächster und voriger Eintrag
        Eingabe     öffnen
        [ ]         früher und später: Tag, Monat, Eintrag

        # Schreiben
        n  neuer Eintrag      e  ändern          d  in den Papierkorb
        N  nach einer Vorlage  z  das letzte Löschen zurücknehmen
        Im Editor: Tab wechselt das Feld, Strg+S sichert und schließt,
        Strg+D hebt als Entwurf auf, Strg+C verwirft.
        Datum  2026-11-22 14:05 Europe/Oslo; leer heißt jetzt
        Ort    Drøbak 59.67, 10.63; der Name allein, wo er bekannt ist
        Strg+P übernimmt, was ein Foto von Datum und Ort sagt.

        # Dateien
        Im Feld der Dateien: Tab ergänzt den Pfad, Eingabe fügt hinzu.
        Ist kein Pfad getippt: ↑ ↓ wählt, ← → verschiebt, Entf nimmt
        heraus, Eingabe setzt die Datei in den Text.
        f  im Eintrag: seine Dateien, und was von ihnen bekannt ist
        Eingabe  im Eintrag, auf einer Datei: das Bild, so groß wie der Schirm
        x  sichert ein Foto ohne Ort, Datum und Kamera, X das Original

        # Sonst
        Strg+L  sofort sperren    Strg+Z  anhalten; das sperrt auch
        Strg+R  neu lesen         q       beenden; das sperrt auch
        """

    private static let english = """
        # Views
        t  timeline           c  calendar        o  on this day
        m  map                s  statistics      g  tags
        *  starred            D  drafts          T  trash
        /  search             S  settings        Esc  back

        # Moving
        j k ↑ ↓     next and previous entry
        Enter       open
        [ ]         earlier and later: day, month, entry

        # Writing
        n  new entry          e  edit            d  to the trash
        N  from a template    z  take back the last delete
        In the editor: Tab changes the field, Ctrl+S saves and closes,
        Ctrl+D keeps a draft, Ctrl+C discards.
        Date   2026-11-22 14:05 Europe/Oslo; empty means now
        Place  Drøbak 59.67, 10.63; the name alone where it is known
        Ctrl+P takes over what a photo says of date and place.

        # Files
        In the field of the files: Tab completes the path, Enter adds.
        While no path is typed: ↑ ↓ selects, ← → moves, Del takes out,
        Enter puts the file into the text.
        f  in an entry: its files, and what is known of them
        Enter  in an entry, on a file: its picture, as large as the screen
        x  saves a photo without place, date and camera, X the original

        # Otherwise
        Ctrl+L  lock now          Ctrl+Z  suspend, which locks too
        Ctrl+R  read anew         q       quit, which locks too
        """

    private static let french = """
        # Vues
        t  chronologie        c  calendrier      o  ce jour-là
        m  carte              s  statistiques    g  étiquettes
        *  étoiles            D  brouillons      T  corbeille
        /  recherche          S  réglages        Échap  retour

        # Se déplacer
        j k ↑ ↓     entrée suivante et précédente
        Entrée      ouvrir
        [ ]         plus tôt et plus tard : jour, mois, entrée

        # Écrire
        n  nouvelle entrée    e  modifier        d  à la corbeille
        N  d’après un modèle  z  reprendre la dernière suppression
        Dans l’éditeur : Tab change de champ, Ctrl+S enregistre et ferme,
        Ctrl+D garde un brouillon, Ctrl+C abandonne.
        Date   2026-11-22 14:05 Europe/Oslo ; vide veut dire maintenant
        Lieu   Drøbak 59.67, 10.63 ; le nom seul s’il est connu
        Ctrl+P reprend la date et le lieu que dit une photo.

        # Fichiers
        Dans le champ des fichiers : Tab complète le chemin, Entrée ajoute.
        Sans chemin : ↑ ↓ choisit, ← → déplace, Suppr retire,
        Entrée met le fichier dans le texte.
        f  dans une entrée : ses fichiers, et ce qu’on en sait
        Entrée  dans une entrée, sur un fichier : l’image, en plein écran
        x  enregistre une photo sans lieu, date ni appareil, X l’original

        # Autrement
        Ctrl+L  verrouiller       Ctrl+Z  suspendre, ce qui verrouille
        Ctrl+R  relire            q       quitter, ce qui verrouille
        """

    private static let norwegian = """
        # Visninger
        t  tidslinje          c  kalender        o  på denne dagen
        m  kart               s  statistikk      g  etiketter
        *  stjerner           D  utkast          T  papirkurv
        /  søk                S  innstillinger   Esc  tilbake

        # Bevege seg
        j k ↑ ↓     neste og forrige innlegg
        Enter       åpne
        [ ]         tidligere og senere: dag, måned, innlegg

        # Skrive
        n  nytt innlegg       e  endre           d  til papirkurven
        N  etter en mal       z  angre siste sletting
        I editoren: Tab bytter felt, Ctrl+S lagrer og lukker,
        Ctrl+D tar vare på et utkast, Ctrl+C forkaster.
        Dato   2026-11-22 14:05 Europe/Oslo; tomt betyr nå
        Sted   Drøbak 59.67, 10.63; bare navnet der det er kjent
        Ctrl+P tar over det et bilde sier om dato og sted.

        # Filer
        I feltet for filer: Tab fullfører stien, Enter legger til.
        Uten sti: ↑ ↓ velger, ← → flytter, Del tar ut,
        Enter setter filen inn i teksten.
        f  i et innlegg: filene, og det som er kjent om dem
        Enter  i et innlegg, på en fil: bildet, så stort som skjermen
        x  lagrer et bilde uten sted, dato og kamera, X originalen

        # Ellers
        Ctrl+L  lås nå            Ctrl+Z  stans, som også låser
        Ctrl+R  les på nytt       q       avslutt, som også låser
        """
}
