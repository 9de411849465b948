import DiaryClient
import DiaryViews

/// The few words of a printed diary that are not the diary's own.
struct PrintedWords {
    let language: DiaryLanguage

    init(_ language: DiaryLanguage) { self.language = language }

    var brokenPicture: String {
        chosen(
            "Dieses Bild lässt sich nicht drucken.", "This picture can’t be printed.",
            "Cette image ne peut pas être imprimée.", "Dette bildet kan ikke skrives ut.")
    }

    var contents: String { chosen("Inhalt", "Contents", "Table des matières", "Innhold") }

    func entries(_ count: Int) -> String {
        // French counts nought as one (Académie française: « zéro faute »).
        let isSingular = language == .french ? count < 2 : count == 1
        let word =
            isSingular
            ? chosen("Eintrag", "entry", "entrée", "innlegg") : chosen("Einträge", "entries", "entrées", "innlegg")
        return "\(count) \(word)"
    }

    func kind(_ kind: MediaKind) -> String {
        switch kind {
        case .photo: chosen("Foto", "Photo", "Photo", "Bilde")
        case .audio: chosen("Ton", "Audio", "Son", "Lyd")
        case .video: chosen("Video", "Video", "Vidéo", "Video")
        case .pdf: "PDF"
        }
    }

    /// `12,3 MB`: with one digit behind the mark from a thousand on, in units of ISO 80000-13.
    func size(_ byteCount: UInt64) -> String {
        let unit = language == .french ? "o" : "B"
        var tenths = byteCount
        var prefix = ""
        for next in ["k", "M", "G", "T", "P", "E"] where (prefix.isEmpty ? tenths : tenths / 10) >= 1000 {
            tenths = prefix.isEmpty ? tenths / 100 : tenths / 1000
            prefix = next
        }
        let mark = language == .english ? "." : ","
        let number = prefix.isEmpty ? "\(tenths)" : "\(tenths / 10)\(mark)\(tenths % 10)"
        // A no-break space, so that no line ends before a unit.
        return "\(number)\u{A0}\(prefix)\(unit)"
    }

    private func chosen(_ german: String, _ english: String, _ french: String, _ norwegian: String) -> String {
        switch language {
        case .german: german
        case .english: english
        case .french: french
        case .norwegian: norwegian
        }
    }
}
