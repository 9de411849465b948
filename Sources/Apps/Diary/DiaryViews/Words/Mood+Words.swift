package import DiaryClient

extension Mood {
    /// A word for screens and pages.
    package func text(in language: DiaryLanguage) -> String {
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
