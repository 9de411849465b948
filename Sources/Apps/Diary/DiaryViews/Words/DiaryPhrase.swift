/// Something that the diary's screens say, in each of its languages.
///
/// A phrase is whole, so that no screen builds a sentence from pieces; what counts something is where it is counted.
///
/// ```swift
/// DiaryPhrase.signInFailed.text(in: .german)  // "Anmeldung fehlgeschlagen"
/// ```
package struct DiaryPhrase: Sendable, Equatable {
    private let german: String
    private let english: String
    private let french: String
    private let norwegian: String

    init(_ german: String, _ english: String, _ french: String, _ norwegian: String) {
        self.german = german
        self.english = english
        self.french = french
        self.norwegian = norwegian
    }

    /// The phrase in that language.
    package func text(in language: DiaryLanguage) -> String {
        switch language {
        case .german: german
        case .english: english
        case .french: french
        case .norwegian: norwegian
        }
    }
}
