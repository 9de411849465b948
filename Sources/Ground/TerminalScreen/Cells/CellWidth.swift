/// How many columns of a terminal a character takes.
///
/// Follows East Asian Width (Unicode Standard Annex 11, EastAsianWidth.txt of Unicode 16) for single scalars, and what
/// terminals do with emoji sequences for clusters. Where a terminal disagrees, only the text on that line shifts:
/// panes are placed by column.
package enum CellWidth {
    /// The width of a text that has been through `SafeText`.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of a character as people count them; 2 for emoji and wide ones, at most 2 for each of its scalars.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        if scalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x200D && isEmojiPresented(scalars.first) }) {
            return 2
        }
        if scalars.contains(where: \.properties.isEmojiModifier) { return 2 }
        return min(scalars.reduce(0) { $0 + of($1) }, 2 * scalars.count)
    }

    /// The columns of one scalar by itself: 0, 1 or 2.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        case .format where scalar.properties.isDefaultIgnorableCodePoint: return 0
        default: break
        }
        // Medial vowels and final consonants of Hangul stand inside the syllable that its first consonant opens.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isEmojiPresented(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.value > 0xFF && $0.properties.isEmoji } ?? false
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        // Two regional indicators make one flag of two columns.
        if (0x1F1E6...0x1F1FF).contains(scalar.value) { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
    }

    /// Wide and fullwidth, without the emoji, which the standard library knows; gaps of unassigned scalars are closed.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

/// A character of a text as it is drawn.
package struct Cell: Equatable {
    /// Safe for a terminal.
    package let text: String
    /// How many columns it takes.
    package let width: Int

    /// Columns between two stops of a tab.
    package static let tabWidth = 4

    /// - Parameter column: where it begins, counted from the start of its row; a tab reaches to the next stop.
    package init(_ line: [Character], _ index: Int, at column: Int) {
        let character = line[index]
        if character == "\t" {
            width = Self.tabWidth - column % Self.tabWidth
            text = String(repeating: " ", count: width)
        } else {
            let next = index + 1 < line.count ? line[index + 1] : nil
            text = Self.safe(character, before: next)
            width = CellWidth.of(text)
        }
    }

    private static func safe(_ character: Character, before next: Character?) -> String {
        let alone = String(character)
        // A joiner belongs to the letter before it, but whether it may stand is told by the letter behind it.
        if let next, let last = alone.unicodeScalars.last, last == "\u{200C}" || last == "\u{200D}" {
            let both = alone + String(next)
            if SafeText.line(both) == both { return alone }
        }
        return SafeText.line(alone)
    }
}
