/// Text of others made fit to be shown beside our own: what a host would obey, and what a reader could not see, is
/// gone.
///
/// A title may come from an import or from another program. Control characters become U+FFFD, so that no escape
/// sequence is left; what turns the direction of text around is dropped (Unicode Technical Report 36, CVE-2021-42574),
/// and so is what cannot be seen, but for the joiners that emoji and Persian and Indic spelling need.
enum DisplayText {
    /// So many marks may stand on one letter; no language needs more, and stacked higher they cover other lines.
    static let mostMarks = 8

    /// - Parameters:
    ///   - text: of anybody.
    ///   - keepsLines: whether a line break stays one; else it becomes a space.
    static func clean(_ text: String, keepsLines: Bool = false) -> String {
        guard !text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return text }
        let scalars = Array(text.unicodeScalars)
        var clean = String.UnicodeScalarView()
        var marks = 0
        for index in scalars.indices {
            let scalar = scalars[index]
            marks = isMark(scalar) ? marks + 1 : 0
            // A mark in front would stand on what is ours.
            if marks > mostMarks || clean.isEmpty && marks > 0 { continue }
            if isHidden(scalar) && !isShaping(scalars, index) { continue }
            // A line feed behind a carriage return is the same break.
            if scalar == "\n" && index > 0 && scalars[index - 1] == "\r" { continue }
            if isBreak(scalar) {
                clean.append(keepsLines ? "\n" : " ")
            } else if scalar == "\t" {
                clean.append(" ")
            } else {
                clean.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return String(clean)
    }

    /// Whether something in it is read from right to left: Hebrew to Arabic Extended-A, their presentation forms, and
    /// the scripts of the supplementary plane (DerivedBidiClass.txt of Unicode 16, classes R and AL with their
    /// defaults).
    static func hasRightToLeft(_ text: String) -> Bool {
        // All of them have a first byte from D6 on.
        text.utf8.contains { $0 >= 0xD6 }
            && text.unicodeScalars.contains { scalar in
                switch scalar.value {
                case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
                default: false
                }
            }
    }

    /// Between marks that keep its direction from what stands around it (UAX #9, "Explicit Directional Isolates").
    static func isolated(_ text: String) -> String { hasRightToLeft(text) ? "\u{2068}" + text + "\u{2069}" : text }

    /// Whether it stands on the character before it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// C0, C1, and what is no character at all, which XML forbids too.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
            || (0xFDD0...0xFDEF).contains(scalar.value)
    }

    /// Marks of direction, joiners, tags, annotations, and what else has no picture of its own.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0xAD else { return false }
        switch scalar.value {
        // Variation selectors choose between pictures.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return false
        // Arabic Letter Mark, and interlinear annotation.
        case 0x61C, 0xFFF9...0xFFFB: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a joiner does its work here: it joins two emoji, or shapes two letters of a joining script.
    private static func isShaping(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let scalar = scalars[index].value
        guard scalar == 0x200C || scalar == 0x200D, index > 0, index + 1 < scalars.count else { return false }
        let (before, after) = (scalars[index - 1], scalars[index + 1])
        if scalar == 0x200D, isEmoji(before) || before.value == 0xFE0F, isEmoji(after) { return true }
        return isJoining(before) && isJoining(after)
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xFF && scalar.properties.isEmoji }

    /// From Arabic to Sinhala: the blocks whose spelling uses U+200C and U+200D.
    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        (0x0620...0x0DFF).contains(scalar.value) && !scalar.properties.isDefaultIgnorableCodePoint
    }
}
