/// Counts words as somebody would who reads the page.
package enum WordCount {
    /// How many words a Markdown text has.
    ///
    /// A word is a run of letters and digits; an apostrophe or a hyphen inside belongs to it. Ideographs and kana,
    /// which are written without gaps, count one by one. The target of a link or picture, `](…)`, is no text.
    ///
    /// ```swift
    /// WordCount.words(in: "It's a *well-known* café. ![beach](media:0)")  // 5
    /// ```
    package static func words(in text: String) -> Int {
        var count = 0
        var isInWord = false
        var isInTarget = false
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if isInTarget {
                isInTarget = scalar != ")" && scalar != "\n"
            } else if scalar == "(" && previous == "]" {
                isInTarget = true
                isInWord = false
            } else if isIdeograph(scalar) {
                count += 1
                isInWord = false
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                count += isInWord ? 0 : 1
                isInWord = true
            } else if !isJoint(scalar) || !isInWord || isJoint(previous) {
                isInWord = false
            }
        }
        return count
    }

    /// What stands inside words without ending them: apostrophes, hyphens, accents of their own, joiners.
    private static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "’", "-", "\u{ad}", "\u{2010}", "\u{2011}": true
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
            default: false
            }
        }
    }

    /// Han, Hiragana and Katakana; Korean is written with gaps.
    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || (0x3041...0x30ff).contains(scalar.value)
    }
}
