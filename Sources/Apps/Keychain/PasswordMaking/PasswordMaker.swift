import Glibc
package import Secrets

/// Makes passwords of one form, by the system's generator: each that the form has is as likely as any other.
///
///     let maker = try PasswordMaker(PasswordRules("minlength: 12; required: lower; required: digit;"))
///     let password = try maker.make()
///     print(maker.bits)
///
/// A password is in locked memory from its first character on.
package struct PasswordMaker: Sendable {
    private enum Form: Sendable {
        case groups
        case characters([UInt8], PasswordRules)
        case words(separator: UInt8)
    }

    private let form: Form
    /// The logarithm of how many passwords there are of this form, to base 2: whoever guesses needs half of them.
    package let bits: Double
    /// How many characters a password has, or how many words.
    package let count: Int
    /// Whether it is of words.
    package let isOfWords: Bool

    private init(_ form: Form, count: Int, bits: Double) {
        self.form = form
        self.count = count
        self.bits = bits
        isOfWords = if case .words = form { true } else { false }
    }

    /// As Apple's devices make them where a site demands nothing: `hijnot-Bamze7-cozwuk`, 71 bits.
    ///
    /// Three groups of two syllables each, one capital, and a digit at an end of a group. Source: Apple Platform
    /// Security, "Automatic strong passwords".
    package static let grouped = PasswordMaker(.groups, count: SyllableGroups.length, bits: SyllableGroups.bits)

    /// As long as those, where nothing else is said.
    package static let usualLength = 20
    /// The lengths that are made.
    package static let lengths = 1...512

    /// Passwords that are as rules demand: all of their length that are so, and no others.
    ///
    /// Where the rules say nothing of characters, those are letters, digits and the hyphen: a site that permits all
    /// often does not. The space is left out unless the rules demand it, since it gets lost at ends.
    ///
    /// - Parameter length: 20 where it is nil, or what comes nearest among those that the rules permit.
    /// - Throws: where there is no such password, or hardly any.
    package init(_ rules: PasswordRules, length: Int? = nil) throws(PasswordMakingError) {
        let shortest = rules.minimumLength ?? 1
        let longest = min(rules.maximumLength ?? .max, Self.lengths.upperBound)
        guard shortest <= longest else { throw .noLength }
        let length = length ?? min(max(Self.usualLength, shortest), longest)
        guard (shortest...longest).contains(length) else { throw .lengthOutside(shortest...longest) }
        guard rules.required.count <= Self.mostClasses else { throw .tooManyClasses(limit: Self.mostClasses) }
        let alphabet = Self.alphabet(rules)
        guard alphabet.count > 0 else { throw .unmeetable(length: length) }
        let share = FittingShare.of(
            length, from: alphabet, required: rules.required, maximumRun: rules.maximumRun)
        guard share >= Self.leastShare else { throw .unmeetable(length: length) }
        self.init(
            .characters(alphabet.characters, rules), count: length,
            bits: Double(length) * log2(Double(alphabet.count)) + log2(share))
    }

    /// Of the texts that are drawn, so many have to be as the rules demand: others are drawn anew.
    private static let leastShare = 1e-4
    private static let mostClasses = 12

    private static func alphabet(_ rules: PasswordRules) -> CharacterClass {
        guard rules.allowed != nil || !rules.required.isEmpty else {
            return CharacterClass("-".utf8).union(.lower).union(.upper).union(.digit)
        }
        return rules.required.contains(.space) ? rules.permitted : rules.permitted.subtracting(.space)
    }

    /// How many words a password may have.
    package static let wordCounts = 1...64

    /// Words from a list of 7,776, with a sign between them: 12.9 bits for each.
    ///
    /// - Parameter separator: printable ASCII, but no small letter, so that words cannot run into each other.
    package init(words count: Int, separator: UInt8 = UInt8(ascii: "-")) throws(PasswordMakingError) {
        guard Self.wordCounts.contains(count) else { throw .wordsOutside(Self.wordCounts) }
        guard CharacterClass.asciiPrintable.subtracting(.lower).contains(separator) else { throw .separator }
        self.init(.words(separator: separator), count: count, bits: Double(count) * log2(Double(WordList.count)))
    }

    /// A fresh password.
    package func make() throws(SecretMemoryError) -> SecretBytes {
        var random = try RandomChoice()
        var text = try SecretBuffer(capacity: 64)
        switch form {
        case .groups: try SyllableGroups.append(to: &text, &random)
        case .characters(let alphabet, let rules):
            // Drawn whole and thrown away whole: a character that is put where a class is missing would be likelier.
            var isFitting = false
            while !isFitting {
                text.removeAll()
                for _ in 0..<count { try text.append(byte: alphabet[try random.below(alphabet.count)]) }
                isFitting = text.withBytes { rules.areMet(by: $0) }
            }
        case .words(let separator):
            for number in 0..<count {
                if number > 0 { try text.append(byte: separator) }
                try WordList.append(try random.below(WordList.count), to: &text)
            }
        }
        return text.finish()
    }
}

/// The form of Apple's passwords: consonant, vowel, consonant, twice in each of three groups.
private enum SyllableGroups {
    static let length = 20

    // Without l, which looks like 1 and I.
    private static let consonants = Array("bcdfghjkmnpqrstvwxz".utf8)
    private static let vowels = Array("aeiouy".utf8)
    private static let digits = Array("0123456789".utf8)
    private static let hyphens = [6, 13]
    /// Where a group ends or begins, but for the first character: there stands the digit.
    private static let digitPlaces = [5, 7, 12, 14, 19]
    private static let letterCount = 17

    /// Eleven consonants, six vowels, a digit and its place, and the capital's place.
    static var bits: Double {
        let choices = [
            (consonants.count, 11), (vowels.count, 6), (digits.count, 1), (digitPlaces.count, 1), (letterCount, 1),
        ]
        var bits = 0.0
        for (count, times) in choices { bits += Double(times) * log2(Double(count)) }
        return bits
    }

    static func append(to text: inout SecretBuffer, _ random: inout RandomChoice) throws(SecretMemoryError) {
        let digitPlace = digitPlaces[try random.below(digitPlaces.count)]
        var lettersBeforeCapital = try random.below(letterCount)
        for place in 0..<length {
            if hyphens.contains(place) {
                try text.append(byte: UInt8(ascii: "-"))
            } else if place == digitPlace {
                try text.append(byte: digits[try random.below(digits.count)])
            } else {
                let letters = [1, 4].contains(place % 7) ? vowels : consonants
                let letter = letters[try random.below(letters.count)]
                try text.append(byte: lettersBeforeCapital == 0 ? letter & 0xDF : letter)
                lettersBeforeCapital -= 1
            }
        }
    }
}
