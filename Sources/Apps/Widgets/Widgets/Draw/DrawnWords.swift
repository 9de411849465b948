/// Text as it can be drawn: no control characters, no noncharacters, and one sort of line end.
public enum DrawnWords {
    /// The text with line ends as U+000A, tabulators as spaces, and without what turns the writing of its surroundings
    /// round (U+202A to U+202E), nor marks that are stacked until they cover other lines.
    ///
    /// - Parameter limit: scalars; what is longer is cut, and an ellipsis says so.
    public static func clean(_ text: String, limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            guard count < limit else {
                scalars.append("…")
                break
            }
            defer { previous = scalar }
            guard let drawn = drawn(scalar, after: previous) else { continue }
            marks = DisplayText.isMark(drawn) ? marks + 1 : 0
            guard marks <= DisplayText.mostMarks else { continue }
            scalars.append(drawn)
            count += 1
        }
        return String(scalars)
    }

    /// The same in one line.
    public static func line(_ text: String, limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in clean(text, limit: limit).unicodeScalars { scalars.append(scalar == "\n" ? " " : scalar) }
        return String(scalars)
    }

    // Noncharacters: The Unicode Standard, 23.7. XML 1.0 takes none of what is dropped here.
    private static func drawn(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0a: previous == "\r" ? nil : "\n"
        case 0x0b...0x0d, 0x85, 0x2028, 0x2029: "\n"
        case 0x09: " "
        case 0..<32, 127..<160, 0x202a...0x202e, 0xfdd0...0xfdef, 0xfeff: nil
        default: scalar.value & 0xfffe == 0xfffe ? nil : scalar
        }
    }

    /// Whether the first letter with a direction is of Hebrew, Arabic or another script from right to left.
    ///
    /// Nearly rule P2 of UAX #9, by blocks of scripts.
    public static func isRightToLeft(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff, 0x200f:
                return true
            case 0x41...0x5a, 0x61...0x7a, 0xc0...0x58f, 0x900...0x1fff, 0x2c00...0xd7ff, 0x200e: return false
            default: continue
            }
        }
        return false
    }
}

extension Picture {
    /// What a picture's file is.
    public enum FileKind: Equatable, Sendable {
        /// ISO/IEC 15948.
        case png
        /// ITU-T T.81.
        case jpeg
    }

    /// By its first bytes; nil where it is neither.
    public var fileKind: FileKind? {
        if file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return .png }
        return file.starts(with: [0xff, 0xd8, 0xff]) ? .jpeg : nil
    }
}
