import Localization

/// Something that the diary's screens say: English here, and in the diary's other languages as the catalogues have it.
///
/// A phrase is whole, so that no screen builds a sentence from pieces; what counts something is where it is counted.
///
/// ```swift
/// DiaryPhrase.signInFailed.text(in: .german)  // "Anmeldung fehlgeschlagen"
/// ```
package struct DiaryPhrase: Sendable, Equatable {
    private let message: Message

    /// - Parameter message: a literal, so that `make catalogues` finds it.
    init(_ message: Message) { self.message = message }

    /// The phrase in that language.
    package func text(in language: DiaryLanguage) -> String { language.text(of: message) }
}
