/// How many columns of a terminal, or of a bar with letters of one width, a text takes.
///
/// East Asian Width (Unicode Standard Annex 11, EastAsianWidth.txt of Unicode 16) for single scalars; clusters of emoji
/// take two columns, as most terminals draw them.
enum ColumnWidth {
    /// - Parameter text: as ``DisplayText/clean(_:keepsLines:)`` gives it.
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    static func of(_ character: Character) -> Int {
        var (total, scalars, isEmoji) = (0, 0, false)
        for scalar in character.unicodeScalars {
            total += of(scalar)
            scalars += 1
            isEmoji = isEmoji || scalar.value == 0xFE0F || scalar.value == 0x200D && total == 2
            isEmoji = isEmoji || (0x1F3FB...0x1F3FF).contains(scalar.value)
        }
        return isEmoji ? 2 : min(total, 2 * scalars)
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if DisplayText.isMark(scalar) || scalar.properties.isDefaultIgnorableCodePoint { return 0 }
        // Medial vowels and final consonants of Hangul stand inside the syllable that its first consonant opens.
        if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// Wide and fullwidth; gaps of unassigned scalars are closed.
    ///
    /// Two regional indicators make one flag of two columns.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C: true
        case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60: true
        case 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD: true
        case 0x1F1E6...0x1F1FF: false
        default: scalar.properties.isEmojiPresentation
        }
    }
}
