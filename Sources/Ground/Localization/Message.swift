import Linux
import Synchronization

/// A sentence for a person: its English words, which are its key in a catalogue, and what stands in between.
///
/// It is written as a literal: `"\(count) of \(total) items"` has the key `{1} of {2} items`. A translation may put
/// what stands in between into another order. A `{` of the sentence itself is written twice in the key.
package struct Message: ExpressibleByStringInterpolation, Equatable, Sendable {
    let key: String
    let arguments: [String]

    package init(stringLiteral value: String) { (key, arguments) = (Self.escaped(value), []) }

    package init(stringInterpolation: Interpolation) {
        (key, arguments) = (stringInterpolation.key, stringInterpolation.arguments)
    }

    /// Gathers words and what stands between them.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var arguments: [String] = []

        package init(literalCapacity: Int, interpolationCount: Int) { key.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { key += Message.escaped(literal) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            arguments.append(value.description)
            key += "{\(arguments.count)}"
        }
    }

    private static func escaped(_ words: String) -> String { words.replacing("{", with: "{{") }

    /// The sentence in the language of a catalogue; in English where that is nil, or does not have it.
    ///
    /// - Parameter context: of a part of the programs that has translations of its own; nil for none.
    package func text(in catalogue: MessageCatalogue?, context: String? = nil) -> String {
        let key = context.map { $0 + Self.behindContext + self.key } ?? self.key
        let translated = catalogue?.text(for: key).flatMap(filled)
        return translated ?? filled(self.key) ?? self.key
    }

    /// A sentence about a number of things in the language of a catalogue, as ``text(in:context:)``.
    package static func text(
        _ number: Int, one: Message, many: Message, in catalogue: MessageCatalogue?, context: String? = nil
    ) -> String {
        let english = number == 1 ? one : many
        // Of a form without the number, such as "one item", what stands in between is fewer.
        let whole = one.arguments.count > many.arguments.count ? one : many
        let key = context.map { $0 + behindContext + one.key } ?? one.key
        let translated = catalogue?.text(for: key, plural: many.key, number).flatMap(whole.filled)
        return translated ?? english.filled(english.key) ?? english.key
    }

    /// What gettext puts between a context and a text.
    private static let behindContext = "\u{4}"

    /// The sentence in the words of `form`, which is a key or its translation.
    ///
    /// Nil where `form` names something that does not stand in the sentence: a slip of a translation, not to be shown.
    func filled(_ form: String) -> String? { Self.filled(form, arguments) }

    /// Whether `form` names what stands in between in the order of the English sentence.
    static func hasGapsInOrder(_ form: String) -> Bool {
        var last = 0
        var rest = form[...]
        while let brace = rest.firstIndex(of: "{") {
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                rest = rest.dropFirst()
            } else {
                guard let end = rest.firstIndex(of: "}"), let number = Int(rest[..<end]), number > last else {
                    return false
                }
                last = number
            }
        }
        return true
    }

    /// The words of `form` with what stands in between.
    static func filled(_ form: String, _ arguments: [String]) -> String? {
        var text = ""
        var rest = form[...]
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[rest.index(after: brace)...]
            if rest.first == "{" {
                text += "{"
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}"), let number = Int(rest[..<end]),
                arguments.indices.contains(number - 1)
            else { return nil }
            text += arguments[number - 1]
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}

/// A sentence in the language of whoever reads it.
///
/// - Parameters:
///   - message: a literal, so that `make catalogues` finds it.
///   - catalogue: the language; that of this process where nothing is said.
package func localized(_ message: Message, in catalogue: MessageCatalogue? = Localization.catalogue) -> String {
    message.text(in: catalogue)
}

/// A sentence about a number of things, in the language of whoever reads it: languages differ in what is one and what
/// is many.
///
/// - Parameters:
///   - number: how many there are.
///   - one: the English words for one, a literal.
///   - many: the English words for any other number, a literal with the same things in between.
package func localized(
    _ number: Int, one: Message, many: Message, in catalogue: MessageCatalogue? = Localization.catalogue
) -> String {
    Message.text(number, one: one, many: many, in: catalogue)
}

/// The language of this process.
package enum Localization {
    private static let spoken = Mutex<MessageCatalogue?>(nil)
    @TaskLocal private static var here: Here?

    /// A catalogue of one task; inside, nil is English.
    private struct Here: Sendable {
        let catalogue: MessageCatalogue?
    }

    /// The catalogue that is spoken by here; nil for English.
    package static var catalogue: MessageCatalogue? { here.map(\.catalogue) ?? spoken.withLock { $0 } }

    /// Speaks by another catalogue while `body` runs, which nobody else in the process hears.
    ///
    /// - Parameter catalogue: nil for English.
    package static func speaking<Result>(
        _ catalogue: MessageCatalogue?, _ body: () throws -> Result
    ) rethrows -> Result {
        try $here.withValue(Here(catalogue: catalogue), operation: body)
    }

    /// Speaks from now on what the environment of this process wants, where there is a catalogue of it.
    ///
    /// A program that talks to a person calls it before its first sentence. One that does not, such as tresord, goes on
    /// in English: its logs, and what it tells other programs, are the same wherever it was started.
    package static func followEnvironment() {
        let catalogue = wanted()
        spoken.withLock { $0 = catalogue }
    }

    /// Speaks English from now on: for a command whose sentences go into JSON, which is the same in each language.
    package static func speakEnglish() { spoken.withLock { $0 = nil } }

    /// The catalogue of the language that is wanted most and is there; nil for English.
    ///
    /// It lies where gettext's tools and packages have it, `share/locale/LANGUAGE/LC_MESSAGES/tresor.mo` beside the
    /// folder of the programs; before an installation, in `locale` beside them.
    private static func wanted() -> MessageCatalogue? {
        let wanted = Languages.wanted(CurrentProcess.environment)
        return wanted.isEmpty ? nil : first(of: wanted, in: folders)
    }

    private static var folders: [String] {
        guard let programs = try? CurrentProcess.executableDirectory() else { return [] }
        return [programs + "/../share/locale", programs + "/locale"]
    }

    private static let known = Mutex(CatalogueShelf())

    /// The catalogue of one language, whatever this process speaks; nil where there is none.
    ///
    /// It is looked for where ``followEnvironment()`` looks, and once, unless it is there and cannot be read.
    package static func catalogue(of language: String) -> MessageCatalogue? {
        known.withLock { $0.catalogue(of: language, in: folders) }
    }

    /// Takes the catalogue of one language from the caller, for ``catalogue(of:)``: of a process that may not read
    /// files, or of a test, which has no programs beside it.
    package static func keep(_ catalogue: MessageCatalogue, of language: String) {
        known.withLock { $0.keep(catalogue, of: language) }
    }

    /// The first catalogue that is there and can be read.
    ///
    /// - Parameters:
    ///   - languages: names without anything that leads to another folder.
    ///   - folders: each with a folder for a language.
    package static func first(of languages: [String], in folders: [String]) -> MessageCatalogue? {
        var shelf = CatalogueShelf()
        for language in languages {
            if let catalogue = shelf.catalogue(of: language, in: folders) { return catalogue }
        }
        return nil
    }
}
