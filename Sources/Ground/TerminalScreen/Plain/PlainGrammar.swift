import SoughtNames

/// How a line is understood in a dialogue of plain lines.
///
/// The dialogues of notes, diary and keychain are the same in this:
///
///     help        a word
///     open 3      a word, and a number of the list
///     open soup   a word, and a name in the list
///     3           a number or a name alone, which opens it
package struct PlainGrammar: Sendable {
    /// What a line says.
    package enum Sentence: Equatable, Sendable {
        /// Nothing was typed.
        case nothing
        /// A word, and what follows it, without the spaces around; empty for nothing.
        case word(PlainWord, String)
        /// No word that is known: a number, or a name, or a mistake.
        case choice(String)
    }

    private let words: [PlainWord]

    /// - Parameter own: the words that this dialogue knows besides those of all.
    package init(_ own: [PlainWord] = []) { words = PlainWord.shared + own }

    /// Says what a line says.
    package func parse(_ line: String) -> Sentence {
        let line = Self.trimmed(line)
        guard let end = line.firstIndex(where: \.isWhitespace) ?? (line.isEmpty ? nil : line.endIndex) else {
            return .nothing
        }
        let first = line[..<end].lowercased()
        guard let word = words.first(where: { $0.isSpelled(first) }) else { return .choice(line) }
        let rest = Self.trimmed(String(line[end...]))
        // "list of books" may be a name, and "help me" is: a word that takes nothing is followed by nothing.
        if word.object == .nothing && !rest.isEmpty { return .choice(line) }
        return .word(word, rest)
    }

    /// Up to three words that may have been meant by the first of a line.
    package func similar(to line: String) -> [String] {
        let first = line.split(whereSeparator: \.isWhitespace).first.map { String($0) } ?? ""
        return SimilarWords.nearest(to: first, among: words.map(\.name))
    }

    private static func trimmed(_ text: String) -> String {
        let head = text.drop(while: \.isWhitespace)
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(head[...last])
    }
}
