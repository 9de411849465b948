package import Localization

/// Where the diary's languages come from: the catalogues of the programs, in contexts of their own.
///
/// Not by the language of the process: a diary that is printed or exported is in the one that its caller chose.
extension DiaryLanguage {
    /// Nil for English, and where there is no catalogue.
    private var catalogue: MessageCatalogue? { self == .english ? nil : Localization.catalogue(of: rawValue) }

    /// A sentence in this language.
    ///
    /// - Parameter message: a literal, so that `make catalogues` finds it.
    package func phrase(_ message: Message) -> String { text(of: message) }

    /// A sentence about a number of things in this language; both are literals.
    package func phrase(_ number: Int, one: Message, many: Message) -> String {
        Message.text(number, one: one, many: many, in: catalogue, context: "diary")
    }

    /// A sentence that stands elsewhere as a literal.
    ///
    /// - Parameter context: in the catalogues.
    package func text(of message: Message, context: String = "diary") -> String {
        message.text(in: catalogue, context: context)
    }

    /// What another program has said in English, in this language: why it refused, or what is wrong with a photo.
    ///
    /// A text that no catalogue knows stays English.
    package func text(saidInEnglish english: String) -> String { translated(english, in: catalogue) }

    /// Has what is no sentence of the diary's, such as what every plain dialogue says, in this language too.
    package func speaking<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Localization.speaking(catalogue, body)
    }
}
