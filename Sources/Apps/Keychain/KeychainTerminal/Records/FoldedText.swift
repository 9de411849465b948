@_spi(_Unicode) import Swift

/// A text as a search compares it: without capitals and accents, `ß` as `ss`, in UTF-8.
///
/// What is typed is looked for anywhere in it, also inside a run of Chinese or Japanese, which has no blanks.
struct FoldedText: Equatable, Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        } else {
            bytes = Array(Self.folded(text).utf8)
        }
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether the other stands anywhere in this one.
    func contains(_ other: FoldedText) -> Bool {
        let (all, wanted) = (bytes, other.bytes)
        guard let first = wanted.first else { return true }
        guard all.count >= wanted.count else { return false }
        for start in 0...(all.count - wanted.count) where all[start] == first {
            var offset = 1
            while offset < wanted.count, all[start + offset] == wanted[offset] { offset += 1 }
            if offset == wanted.count { return true }
        }
        return false
    }

    /// Whether this one comes first in a list.
    static func precedes(_ one: FoldedText, _ other: FoldedText) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    private static func folded(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.lowercased()._nfd {
            switch scalar.value {
            case 0xDF: scalars.append(contentsOf: "ss".unicodeScalars)
            // A final sigma is a sigma.
            case 0x3C2: scalars.append("\u{3C3}")
            // The marks that make another kana of one are no accents.
            case 0x3099, 0x309A: scalars.append(scalar)
            default: if scalar.properties.generalCategory != .nonspacingMark { scalars.append(scalar) }
            }
        }
        return String(scalars)
    }
}

/// What is typed into the search: words with blanks between them, all of which have to be there.
struct SoughtWords: Sendable {
    private let words: [FoldedText]

    init(_ typed: String) { words = typed.split(whereSeparator: \.isWhitespace).map { FoldedText(String($0)) } }

    func areIn(_ text: FoldedText) -> Bool { words.allSatisfy { text.contains($0) } }
}
