/// Keeps text from being read as Markdown (CommonMark 0.31 with GitHub's tables, strikethrough and task lists).
enum MarkdownEscaping {
    /// Escapes what would mean something where it stands inside a line.
    ///
    /// What looks like Markdown but cannot be stays as it is, so that the source remains readable: the signs in
    /// `a < b`, `AT&T` and `5 * 3`, underscores inside words, brackets without a target, paths, addresses. NUL, which
    /// Markdown forbids, becomes U+FFFD.
    ///
    /// - Parameters:
    ///   - before: what stands before the text on its line; nil at the line's start.
    ///   - after: what follows it; nil at the line's end.
    ///   - isLabel: for the text of a link or an image, in which brackets count and addresses are no links.
    static func escape(
        _ text: String, before: Character? = nil, after: Character? = nil, isLabel: Bool = false
    ) -> String {
        var context = EscapedText(text, before: before, after: after, isLabel: isLabel)
        return context.escaped()
    }

    /// Escapes what has a meaning at the start of a line only: headings, quotes, lists, rules, tables, indented code.
    ///
    /// - Parameter line: Markdown source, already escaped inside.
    static func escapeStart(of line: String) -> String {
        guard let first = line.unicodeScalars.first else { return line }
        let rest = line.unicodeScalars.dropFirst()
        switch first {
        case " ": return "&#32;" + line.dropFirst()
        case "\t": return "&#9;" + line.dropFirst()
        case ">": return "\\" + line
        case "#": return endsWord(rest.drop { $0 == "#" }) ? "\\" + line : line
        case "+": return endsWord(rest) ? "\\" + line : line
        case "-": return endsWord(rest) || rest.first == "-" || rest.first == ":" ? "\\" + line : line
        case "=": return endsWord(rest) || rest.first == "=" ? "\\" + line : line
        case ":": return rest.first == "-" ? "\\" + line : line
        case "0"..."9":
            let digits = line.unicodeScalars.prefix { ("0"..."9").contains($0) }
            let after = line.unicodeScalars.dropFirst(digits.count)
            guard let delimiter = after.first, delimiter == "." || delimiter == ")", endsWord(after.dropFirst()) else {
                return line
            }
            return String(digits) + "\\" + String(after)
        default: return line
        }
    }

    /// Whether `first` and `second`, harmless each, mean something when they touch.
    static func clash(_ first: String, _ second: String) -> Bool {
        switch second.first {
        case "/": first.hasSuffix(":")
        case ".": first.hasSuffix("www")
        default: false
        }
    }

    /// Whether `<address>` is a link that shows exactly `address`.
    static func isPlainAddress(_ address: String) -> Bool {
        let scheme = address.unicodeScalars.prefix { isLetterOrDigit($0) }
        guard scheme.count > 1, scheme.count < 32, scheme.first.map({ !("0"..."9").contains($0) }) == true,
            address.dropFirst(scheme.count).first == ":"
        else { return false }
        return address.unicodeScalars.allSatisfy { $0.value > 0x20 && !"<>\\|&\u{7F}".unicodeScalars.contains($0) }
    }

    /// A destination in `[text](…)`, which takes any address; in angle brackets where it needs them.
    static func destination(_ address: String) -> String {
        let isPlain = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>()\\&".utf8.contains($0) }
        if isPlain, !address.isEmpty { return address }
        var result = "<"
        for scalar in address.unicodeScalars where scalar != "\n" && scalar != "\r" && scalar != "\0" {
            if scalar == "<" || scalar == ">" || scalar == "\\" || scalar == "&" { result.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + ">"
    }

    private static func endsWord(_ rest: Substring.UnicodeScalarView) -> Bool {
        rest.first.map { $0 == " " || $0 == "\t" } ?? true
    }

    static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": true
        default: false
        }
    }
}
