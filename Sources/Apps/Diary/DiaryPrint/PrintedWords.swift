import DiaryClient
import DiaryViews
import Localization

/// The few words of a printed diary that are not the diary's own.
struct PrintedWords {
    let language: DiaryLanguage

    init(_ language: DiaryLanguage) { self.language = language }

    var brokenPicture: String {
        language.phrase("This picture can’t be printed.")
    }

    var contents: String { language.phrase("Contents") }

    func entries(_ count: Int) -> String {
        language.phrase(count, one: "1 entry", many: "\(count) entries")
    }

    func kind(_ kind: MediaKind) -> String {
        switch kind {
        case .photo: language.phrase("Photo")
        case .audio: language.phrase("Audio")
        case .video: language.phrase("Video")
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
}
