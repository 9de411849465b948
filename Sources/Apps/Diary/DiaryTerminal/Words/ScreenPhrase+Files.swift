import DiaryClient
import DiaryViews

/// What is said of files.
extension ScreenPhrase {
    static let kind = ScreenPhrase("Art", "Kind", "Type", "Type")
    static let size = ScreenPhrase("Größe", "Size", "Taille", "Størrelse")
    static let camera = ScreenPhrase("Kamera", "Camera", "Appareil", "Kamera")
    static let picture = ScreenPhrase("Ohne Bild", "No picture", "Sans image", "Ikke bilde")
    static let notLooked = ScreenPhrase(
        "noch nicht angesehen", "not looked at yet", "pas encore regardée", "ikke sett på ennå")
    static let originalHint = ScreenPhrase(
        "X sichert das Original.", "X saves the original.", "X enregistre l’original.", "X lagrer originalen.")
    static let filesKeys = ScreenPhrase(
        "Esc zurück  j/k Datei  x sichern ohne Ort, Datum, Kamera  X das Original",
        "Esc back  j/k file  x save without place, date, camera  X the original",
        "Échap retour  j/k fichier  x enregistrer sans lieu ni date  X l’original",
        "Esc tilbake  j/k fil  x lagre uten sted, dato, kamera  X originalen")

    static let pictureKeys = ScreenPhrase(
        "Esc zurück  ←→ anderes Bild", "Esc back  ←→ other picture",
        "Échap retour  ←→ autre image", "Esc tilbake  ←→ annet bilde")

    static func kind(_ kind: MediaKind) -> ScreenPhrase {
        switch kind {
        case .photo: ScreenPhrase("Foto", "photo", "photo", "bilde")
        case .audio: ScreenPhrase("Ton", "sound", "son", "lyd")
        case .video: ScreenPhrase("Film", "film", "film", "film")
        case .pdf: ScreenPhrase("PDF", "PDF", "PDF", "PDF")
        }
    }

    static let saveAs = ScreenPhrase("Sichern als: ", "Save as: ", "Sous\u{a0}: ", "Lagre som: ")

    /// Before the path under which a file is saved.
    static func savingTo(_ file: MediaSummary, _ size: MediaSize) -> ScreenPhrase {
        guard file.kind == .photo else { return saveAs }
        return size == .shared
            ? ScreenPhrase(
                "Ohne Ort, Datum, Kamera als: ", "Without place, date, camera as: ",
                "Sans lieu, date, appareil, sous\u{a0}: ",
                "Uten sted, dato, kamera som: ")
            : ScreenPhrase(
                "Original mit Ort und Datum als: ", "Original with place and date as: ",
                "Original avec lieu et date, sous\u{a0}: ", "Original med sted og dato som: ")
    }

    /// What a file that was saved says of itself.
    static func written(_ file: MediaSummary, _ size: MediaSize) -> ScreenPhrase {
        guard file.kind == .photo, size == .shared else {
            return ScreenPhrase(
                "Gesichert, wie die Datei kam, mit allem, was sie von sich sagt.",
                "Saved as the file came, with all that it says of itself.",
                "Enregistré tel quel, avec tout ce que le fichier dit de lui-même.",
                "Lagret som filen kom, med alt den sier om seg selv.")
        }
        return ScreenPhrase(
            "Gesichert; Ort, Datum und Kamera stehen nicht mehr darin.",
            "Saved; place, date and camera are left out of it.",
            "Enregistré\u{a0}; lieu, date et appareil n’y figurent plus.",
            "Lagret; sted, dato og kamera er utelatt.")
    }

    static func failure(_ failure: FileFailure) -> ScreenPhrase {
        switch failure {
        case .absent:
            ScreenPhrase(
                "Diese Datei gibt es nicht.", "There is no such file.", "Ce fichier n’existe pas.",
                "Filen finnes ikke.")
        case .notAFile:
            ScreenPhrase("Das ist keine Datei.", "That is no file.", "Ce n’est pas un fichier.", "Det er ikke en fil.")
        case .exists:
            ScreenPhrase(
                "So heißt schon eine Datei; sie bleibt, wie sie ist.",
                "There is a file of that name; it stays as it is.",
                "Un fichier porte déjà ce nom\u{a0}; il reste tel quel.", "Det finnes en slik fil; den blir som den er."
            )
        case .unreadable:
            ScreenPhrase(
                "Die Datei lässt sich nicht lesen.", "The file cannot be read.", "Le fichier est illisible.",
                "Filen kan ikke leses.")
        case .unwritable:
            ScreenPhrase(
                "Dorthin lässt sich nichts schreiben; es ist nichts geblieben.",
                "Nothing can be written there; nothing is left of it.",
                "Impossible d’écrire à cet endroit\u{a0}; il n’en reste rien.",
                "Ingenting kan skrives der; ingenting ble igjen.")
        }
    }
}
