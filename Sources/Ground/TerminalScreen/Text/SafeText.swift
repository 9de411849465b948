/// Text of others made fit for a terminal: what a terminal would obey, and what a reader could not see, is spelled
/// out.
///
/// A note, or the name of an item, may come from an import or from another program. Its escape sequences could rewrite
/// the screen or the clipboard, its direction marks could turn a line around (see Unicode Technical Report 36 and
/// CVE-2021-42574), its invisible characters could hide words. Everything that prints a text of a note, a title or a
/// name passes it through here first. Emoji, right-to-left letters, accents and the joiners that Persian and Indic
/// spelling needs stay as they are.
package enum SafeText {
    /// One line: tabs become spaces, and line feeds are spelled out too.
    package static func line(_ text: String) -> String { clean(text, keepsLayout: false) }

    /// Several lines: line feeds and tabs stay; a carriage return before a line feed is dropped.
    package static func text(_ text: String) -> String { clean(text, keepsLayout: true) }

    /// So many marks may stand on one letter; no language needs more, and stacked higher they cover other lines.
    package static let mostMarks = 8

    private static func clean(_ text: String, keepsLayout: Bool) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        let scalars = Array(text.unicodeScalars)
        var safe = String.UnicodeScalarView()
        var marks = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            marks = isMark(scalar) ? marks + 1 : 0
            if keepsLayout && (scalar == "\n" || scalar == "\t") {
                safe.append(scalar)
            } else if scalar == "\t" {
                safe.append(" ")
            } else if keepsLayout && scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n" {
                continue
            } else if marks > mostMarks {
                if marks == mostMarks + 1 { safe.append("\u{FFFD}") }
            } else if isShown(scalar) || isShaping(scalars, index) {
                safe.append(scalar)
            } else {
                safe.append(contentsOf: spelledOut(scalar).unicodeScalars)
            }
        }
        return String(safe)
    }

    /// Printable ASCII, which most lines consist of.
    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

    /// Whether a character is seen where it stands and does nothing else.
    package static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        // Number signs of Arabic, Syriac and Kaithi are of this category, and are seen.
        case .format: return !properties.isDefaultIgnorableCodePoint && !isAnnotation(scalar)
        default: return !properties.isDefaultIgnorableCodePoint || isVariationSelector(scalar)
        }
    }

    /// Interlinear annotation marks and hieroglyph layout, which a terminal does not draw.
    private static func isAnnotation(_ scalar: Unicode.Scalar) -> Bool {
        (0xFFF9...0xFFFB).contains(scalar.value) || (0x13430...0x1343F).contains(scalar.value)
    }

    private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
        (0xFE00...0xFE0F).contains(scalar.value)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Whether an invisible character does its work here: it joins two emoji, or shapes two letters of a joining
    /// script.
    private static func isShaping(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let scalar = scalars[index].value
        guard scalar == 0x200C || scalar == 0x200D, index > 0, index + 1 < scalars.count else { return false }
        let before = scalars[index - 1]
        let after = scalars[index + 1]
        if scalar == 0x200D, isEmoji(before) || before.value == 0xFE0F, isEmoji(after) { return true }
        return isJoining(before) && isJoining(after)
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xFF && scalar.properties.isEmoji }

    /// From Arabic to Sinhala: the blocks whose spelling uses U+200C and U+200D.
    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        (0x0620...0x0DFF).contains(scalar.value) && !scalar.properties.isDefaultIgnorableCodePoint
    }

    /// `‹U+202E›`, with at least four digits.
    private static func spelledOut(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "‹U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "›"
    }
}
