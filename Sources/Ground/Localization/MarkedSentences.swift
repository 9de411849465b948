/// A sentence for the catalogues that is said in English here: by a program that sends it to others and logs it, and
/// does not know who reads it.
///
///     throw NotesError(.notFound, marked("'\(name)' is not a note"))
///
/// Whoever shows it to a person says it with ``translated(_:in:)``.
///
/// - Parameter message: a literal, so that `make catalogues` finds it.
package func marked(_ message: Message) -> String { message.filled(message.key) ?? message.key }

/// A sentence that came as English text, in the language of whoever reads it.
///
/// It came from a program that has ``marked(_:)`` it. What stands in its gaps, such as a name, stays as it came, but
/// for a sentence of several words behind a colon at the end. A text that no catalogue knows stays English, and so does
/// one that was translated already, one that is longer than any sentence, and one of which nobody can tell where its
/// gaps end, where the translation has them in another order.
///
/// - Parameter catalogue: the language; that of this process where nothing is said.
package func translated(_ text: String, in catalogue: MessageCatalogue? = Localization.catalogue) -> String {
    catalogue?.translation(of: text) ?? text
}

/// A key of a catalogue, taken as a pattern for sentences: its fixed parts, with a gap between each two.
///
/// Bytes are compared, so that a name with an accent at its edge does not grow together with what stands beside it.
struct SentencePattern {
    /// In their order; one more than there are gaps, and empty at an end that is a gap.
    private let parts: [[UInt8]]

    /// Of two that match a sentence, the heavier one is meant: more of the sentence is its own, or it has fewer gaps.
    var weight: (Int, Int) { (parts.reduce(0) { $0 + $1.count }, -parts.count) }

    /// Whether it ends in a colon and a gap, such as `nothing can be made of this photo: {1}`.
    var endsInSentence: Bool {
        parts.count > 1 && parts.last == [] && parts[parts.count - 2].suffix(2) == [0x3a, 0x20]
    }

    /// Fewer letters beside gaps would match by chance: `{1} of {2}` says nothing of what the sentence is.
    static let leastLetters = 8

    /// Nil where a text does not say which part of it stands in which gap, or too little is fixed.
    init?(_ key: ArraySlice<UInt8>) {
        var parts: [[UInt8]] = [[]]
        var rest = key
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "{") else {
                parts[parts.count - 1].append(byte)
                continue
            }
            if rest.first == byte {
                parts[parts.count - 1].append(byte)
                rest.removeFirst()
            } else if let end = rest.firstIndex(of: UInt8(ascii: "}")) {
                // Two gaps with nothing in between.
                guard parts.count == 1 || parts.last?.isEmpty == false else { return nil }
                parts.append([])
                rest = rest[(end + 1)...]
            } else {
                return nil
            }
        }
        self.parts = parts
        guard parts.count == 1 || parts.joined().count(where: Self.isLetter) >= Self.leastLetters else { return nil }
    }

    /// Whether a sentence begins as a key does, up to its first gap: most keys are ruled out by this, at no cost.
    static func begins(_ sentence: ArraySlice<UInt8>, as key: ArraySlice<UInt8>) -> Bool {
        // A name may begin with a brace too, so the first one of the key ends the look.
        for (own, other) in zip(key, sentence) where own != other || own == UInt8(ascii: "{") {
            return own == UInt8(ascii: "{")
        }
        return sentence.count >= key.count || key[key.startIndex + sentence.count] == UInt8(ascii: "{")
    }

    /// What stands in the gaps of a sentence.
    struct Gaps {
        var texts: [String] = []
        /// Whether no name in it has the words that stand between two gaps.
        var areCertain = true
    }

    /// - Returns: nil where it is another sentence.
    func gaps(in sentence: ArraySlice<UInt8>) -> Gaps? {
        guard let first = parts.first, let last = parts.last, sentence.starts(with: first) else { return nil }
        guard parts.count > 1 else { return sentence.count == first.count ? Gaps() : nil }
        var rest = sentence.dropFirst(first.count)
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
        rest = rest.dropLast(last.count)
        var gaps = Gaps()
        for part in parts.dropFirst().dropLast() {
            guard let place = Self.place(of: part, in: rest) else { return nil }
            gaps.texts.append(String(decoding: rest[..<place], as: UTF8.self))
            if Self.place(of: part, in: rest[(place + 1)...]) != nil { gaps.areCertain = false }
            rest = rest[(place + part.count)...]
        }
        gaps.texts.append(String(decoding: rest, as: UTF8.self))
        return gaps
    }

    private static func place(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        text.indices.first { text[$0...].starts(with: part) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }
}
