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
        D  Entwürfe           /  Suche           Esc  zurück

        # Bewegen
        j k ↑ ↓     nächster und voriger Eintrag
        Eingabe     öffnen
        [ ]         früher und später: Tag, Monat, Eintrag

        # Schreiben
        n  neuer Eintrag      e  ändern          d  in den Papierkorb
        z  das letzte Löschen zurücknehmen
        Im Editor: Tab wechselt das Feld, Strg+S sichert und schließt,
        Strg+D hebt als Entwurf auf, Strg+C verwirft.

        # Sonst
        Strg+L  sofort sperren    Strg+Z  anhalten; das sperrt auch
        Strg+R  neu lesen         q       beenden; das sperrt auch
        """

    private static let english = """
        # Views
        t  timeline           c  calendar        o  on this day
        m  map                s  statistics      g  tags
        D  drafts             /  search          Esc  back

        # Moving
        j k ↑ ↓     next and previous entry
        Enter       open
        [ ]         earlier and later: day, month, entry

        # Writing
        n  new entry          e  edit            d  to the trash
        z  take back the last delete
        In the editor: Tab changes the field, Ctrl+S saves and closes,
        Ctrl+D keeps a draft, Ctrl+C discards.

        # Otherwise
        Ctrl+L  lock now          Ctrl+Z  suspend, which locks too
        Ctrl+R  read anew         q       quit, which locks too
        """

    private static let french = """
        # Vues
        t  chronologie        c  calendrier      o  ce jour-là
        m  carte              s  statistiques    g  étiquettes
        D  brouillons         /  recherche       Échap  retour

        # Se déplacer
        j k ↑ ↓     entrée suivante et précédente
        Entrée      ouvrir
        [ ]         plus tôt et plus tard : jour, mois, entrée

        # Écrire
        n  nouvelle entrée    e  modifier        d  à la corbeille
        z  reprendre la dernière suppression
        Dans l’éditeur : Tab change de champ, Ctrl+S enregistre et ferme,
        Ctrl+D garde un brouillon, Ctrl+C abandonne.

        # Autrement
        Ctrl+L  verrouiller       Ctrl+Z  suspendre, ce qui verrouille
        Ctrl+R  relire            q       quitter, ce qui verrouille
        """

    private static let norwegian = """
        # Visninger
        t  tidslinje          c  kalender        o  på denne dagen
        m  kart               s  statistikk      g  etiketter
        D  utkast             /  søk             Esc  tilbake

        # Bevege seg
        j k ↑ ↓     neste og forrige innlegg
        Enter       åpne
        [ ]         tidligere og senere: dag, måned, innlegg

        # Skrive
        n  nytt innlegg       e  endre           d  til papirkurven
        z  angre siste sletting
        I editoren: Tab bytter felt, Ctrl+S lagrer og lukker,
        Ctrl+D tar vare på et utkast, Ctrl+C forkaster.

        # Ellers
        Ctrl+L  lås nå            Ctrl+Z  stans, som også låser
        Ctrl+R  les på nytt       q       avslutt, som også låser
        """
}

extension Mood {
    /// A word for the screen.
    func text(in language: DiaryLanguage) -> String {
        let words: (String, String, String, String) =
            switch self {
            case .awful: ("elend", "awful", "affreuse", "elendig")
            case .low: ("gedrückt", "low", "basse", "nedfor")
            case .fair: ("mittel", "fair", "moyenne", "middels")
            case .good: ("gut", "good", "bonne", "god")
            case .great: ("großartig", "great", "excellente", "strålende")
            }
        return switch language {
        case .german: words.0
        case .english: words.1
        case .french: words.2
        case .norwegian: words.3
        }
    }
}
