/// Puts a backslash before what would mean something in Markdown, and before nothing else.
enum MarkdownEscapes {
    /// A text in a paragraph, apart from what its line begins with.
    ///
    /// - Parameter isLabel: in brackets that a link closes.
    static func inline(_ text: String, isLabel: Bool = false) -> String {
        let scalars = Array(text.unicodeScalars)
        let tildes = scalars.count { $0 == "~" }
        let hasBrackets = isLabel || isLinkLike(text)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let before = index > 0 ? scalars[index - 1] : " "
            let after = index + 1 < scalars.count ? scalars[index + 1] : " "
            let isMeant =
                switch scalar {
                case "\\": isPunctuation(after) || after == "\n"
                case "`": true
                case "*": !(isBlank(before) && isBlank(after))
                case "_": !(isWord(before) && isWord(after)) && !(isBlank(before) && isBlank(after))
                case "[", "]": hasBrackets
                case "<": after.properties.isAlphabetic || "/!?".unicodeScalars.contains(after)
                case "&": after == "#" || after.properties.isAlphabetic
                case "~": tildes > 1
                case "!": after == "["
                default: false
                }
            if isMeant { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    /// Whether brackets in it could be a link.
    private static func isLinkLike(_ text: String) -> Bool {
        text.contains("](") || text.contains("][") || text.contains("]:")
    }

    /// A line of a paragraph, whose first characters could begin a block.
    static func start(of line: String) -> String {
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        if (1...9).contains(digits.count), let mark = rest.first, ".)".contains(mark),
            rest.dropFirst().first.map(\.isWhitespace) ?? true
        {
            return digits + "\\" + rest
        }
        guard let first = line.first else { return line }
        let next = line.dropFirst().first
        let isMeant =
            switch first {
            case "#": (line.drop { $0 == "#" }.first.map(\.isWhitespace) ?? true) && line.prefix { $0 == "#" }.count < 7
            case ">": true
            case "-", "+": next.map(\.isWhitespace) ?? true || isRuleLike(line)
            case "*": next.map(\.isWhitespace) ?? true
            case "=": isRuleLike(line)
            case "~": line.hasPrefix("~~~")
            case "|": true
            default: false
            }
        return isMeant ? "\\" + line : line
    }

    private static func isRuleLike(_ line: String) -> Bool {
        guard let first = line.first else { return false }
        return line.allSatisfy { $0 == first || $0 == " " || $0 == "|" || $0 == ":" }
    }

    /// A title as the text of a heading.
    static func heading(_ title: String) -> String {
        let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        let text = inline(line)
        guard text.hasSuffix("#") else { return text }
        return text.dropLast() + "\\#"
    }

    /// The address of a link.
    static func destination(_ address: String) -> String {
        let text = address.filter { !$0.isNewline }
        guard text.contains(where: { " ()<>\\".contains($0) }) else { return text }
        return "<" + text.reduce(into: "") { $0 += "<>\\".contains($1) ? "\\\($1)" : String($1) } + ">"
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 33...47, 58...64, 91...96, 123...126: true
        default: false
        }
    }
}
