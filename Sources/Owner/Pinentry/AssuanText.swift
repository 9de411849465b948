/// Texts as parameters of Assuan's commands.
enum AssuanText {
    /// How many bytes a parameter has at most, so that the command fits a line.
    private static let limit = 900

    /// On one line and shortened to what fits it; what could move, hide or turn the text around is left out, since a
    /// part of it may be a stranger's.
    static func escape(_ text: String) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard let piece = piece(scalar) else { continue }
            count += piece.utf8.count
            guard count <= limit else { break }
            line += piece
        }
        return line
    }

    /// The value of an option, which is not escaped; nil where it is none.
    static func option(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= 100 else { return nil }
        let isPlain = value.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "@", "-", "+", "/": true
            default: false
            }
        }
        return isPlain ? value : nil
    }

    private static func piece(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\n": return "%0A"
        case "%": return "%25"
        // At a line's end it would mean that the line goes on.
        case "\\": return "%5C"
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return nil
        default: return String(Character(scalar))
        }
    }
}
