/// The texts of one language: the binary form of a gettext catalogue, an MO file.
///
/// Source: the manual of GNU gettext, "The Format of GNU MO Files" and "Plural forms". Both byte orders are read; the
/// table of hashes is not needed. A file that is not as the manual has it is refused whole, and English is spoken.
package struct MessageCatalogue: Sendable {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private let count: Int
    private let originals: Int
    private let translations: Int
    private var plural = PluralRule.one

    /// A catalogue is far smaller; what is longer is none.
    package static let mostBytes = 4 << 20

    /// - Parameter bytes: the whole file, at most ``mostBytes``.
    /// - Throws: ``MessageCatalogueError``, naming what is wrong.
    package init(_ bytes: [UInt8]) throws(MessageCatalogueError) {
        guard bytes.count >= 28, bytes.count <= Self.mostBytes else { throw .notACatalogue }
        switch Array(bytes[..<4]) {
        case [0xDE, 0x12, 0x04, 0x95]: isBigEndian = false
        case [0x95, 0x04, 0x12, 0xDE]: isBigEndian = true
        default: throw .notACatalogue
        }
        self.bytes = bytes
        let isBigEndian = isBigEndian
        func number(_ place: Int) -> Int { Self.number(bytes, place, isBigEndian) }
        // The upper half is the major revision: 0 and 1 differ in what a program in C has in its strings.
        guard number(4) >> 16 <= 1 else { throw .unknownRevision }
        (count, originals, translations) = (number(8), number(12), number(16))
        for table in [originals, translations] {
            guard table <= bytes.count, count <= (bytes.count - table) / 8 else { throw .outside }
        }
        var last: ArraySlice<UInt8>?
        for index in 0..<count {
            let original = try Self.text(bytes, originals + index * 8, isBigEndian)
            _ = try Self.text(bytes, translations + index * 8, isBigEndian)
            // A search by halves relies on it.
            if let last, !last.lexicographicallyPrecedes(original) { throw .unsorted }
            last = original
        }
        guard let head = form(of: "", 0) else { throw .noHeader }
        let lines = head.split(separator: "\n").map { $0.lowercased() }
        guard lines.contains(where: { $0.hasPrefix("content-type:") && $0.hasSuffix("charset=utf-8") }) else {
            throw .notUTF8
        }
        guard let rule = lines.first(where: { $0.hasPrefix("plural-forms:") }) else { return }
        guard let known = PluralRule(rule.dropFirst("plural-forms:".count)) else { throw .unknownPlural }
        plural = known
    }

    /// What a sentence is in this language; nil where nobody has translated it.
    ///
    /// - Parameter key: the English words, with `{1}`, `{2}` where something stands in between.
    package func text(for key: String) -> String? { key.isEmpty ? nil : form(of: key, 0) }

    /// What a sentence about so many things is in this language; nil where nobody has translated it.
    package func text(for key: String, plural pluralKey: String, _ number: Int) -> String? {
        form(of: key + "\0" + pluralKey, plural.form(of: number))
    }

    /// What a whole sentence is in this language, with what stands in its gaps; nil where no key is like it.
    ///
    /// All keys are looked at once. Of those that are like it, the one with the most of its words is meant, and of
    /// these the one with the fewest gaps. What stands behind a colon at the end is a sentence of its own, if it has
    /// several words: one alone is a name, or one of a list of them. Sentences about a number, with one form for one
    /// and one for many, are none of them.
    func translation(of sentence: String) -> String? { translation(of: sentence, behindColons: 0) }

    /// A longer text is no sentence of ours, and looking for what it is like would take long.
    static let longestSentence = 4096
    /// No sentence of ours has more sentences behind it, each behind a colon.
    static let mostColons = 3

    private func translation(of sentence: String, behindColons colons: Int) -> String? {
        let sought = Array(sentence.utf8)[...]
        guard sought.count <= Self.longestSentence, colons <= Self.mostColons else { return nil }
        var best: (pattern: SentencePattern, place: Int, gaps: SentencePattern.Gaps)?
        for place in 0..<count {
            guard let key = try? Self.text(bytes, originals + place * 8, isBigEndian), !key.isEmpty,
                SentencePattern.begins(sought, as: key), !key.contains(0),
                let pattern = SentencePattern(key), let gaps = pattern.gaps(in: sought)
            else { continue }
            if let best, best.pattern.weight >= pattern.weight { continue }
            best = (pattern, place, gaps)
        }
        guard let best, let form = translation(best.place, 0) else { return nil }
        // Which words are whose cannot be told: in their order they may stand, and in no other.
        guard best.gaps.areCertain || Message.hasGapsInOrder(form) else { return nil }
        var gaps = best.gaps.texts
        if best.pattern.endsInSentence, let last = gaps.last, last.contains(" ") {
            gaps[gaps.count - 1] = translation(of: last, behindColons: colons + 1) ?? last
        }
        return Message.filled(form, gaps)
    }

    private func form(of key: String, _ index: Int) -> String? {
        let sought = Array(key.utf8)
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let original = try? Self.text(bytes, originals + middle * 8, isBigEndian) else { return nil }
            if original.elementsEqual(sought) { return translation(middle, index) }
            if original.lexicographicallyPrecedes(sought) { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func translation(_ place: Int, _ index: Int) -> String? {
        guard let text = try? Self.text(bytes, translations + place * 8, isBigEndian) else { return nil }
        let forms = text.split(separator: 0, omittingEmptySubsequences: false)
        guard index < forms.count, !forms[index].isEmpty else { return nil }
        return String(validating: forms[index], as: UTF8.self)
    }

    /// The bytes that an entry of a table says: four bytes of length, four of place, and a zero behind the text.
    private static func text(
        _ bytes: [UInt8], _ entry: Int, _ isBigEndian: Bool
    ) throws(MessageCatalogueError) -> ArraySlice<UInt8> {
        let (length, place) = (number(bytes, entry, isBigEndian), number(bytes, entry + 4, isBigEndian))
        guard place < bytes.count, length < bytes.count - place, bytes[place + length] == 0 else { throw .outside }
        return bytes[place..<place + length]
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ isBigEndian: Bool) -> Int {
        let four = bytes[place..<place + 4]
        return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Why a catalogue is not read.
package enum MessageCatalogueError: Error, Equatable {
    case notACatalogue, unknownRevision, outside, unsorted, noHeader, notUTF8, unknownPlural
}

/// Which of a language's forms a number takes.
enum PluralRule: Sendable {
    /// One form for every number.
    case one
    /// `n != 1`: English, German, Norwegian.
    case notOne
    /// `n > 1`: French.
    case aboveOne

    /// - Parameter text: the value of `Plural-Forms`. The rules of the languages we ship are known; another is refused,
    ///   so that a number never gets a wrong form in silence.
    init?(_ text: some StringProtocol) {
        switch String(text).filter({ !" \t()".contains($0) }) {
        case "nplurals=1;plural=0;": self = .one
        case "nplurals=2;plural=n!=1;": self = .notOne
        case "nplurals=2;plural=n>1;": self = .aboveOne
        default: return nil
        }
    }

    func form(of number: Int) -> Int {
        switch self {
        case .one: 0
        case .notOne: number == 1 ? 0 : 1
        case .aboveOne: number > 1 ? 1 : 0
        }
    }
}
