package import DiaryClient
import Localization

extension Mood {
    /// A word for screens and pages.
    package func text(in language: DiaryLanguage) -> String {
        switch self {
        case .awful: language.phrase("awful")
        case .low: language.phrase("low")
        case .fair: language.phrase("fair")
        case .good: language.phrase("good")
        case .great: language.phrase("great")
        }
    }
}
