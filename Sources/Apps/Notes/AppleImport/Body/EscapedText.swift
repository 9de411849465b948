/// One stretch of text on its way into Markdown: each sign is looked at where it stands.
struct EscapedText {
    private let scalars: [Unicode.Scalar]
    private let before: Unicode.Scalar?
    private let after: Unicode.Scalar?
    private let isLabel: Bool
    private var result = String.UnicodeScalarView()

    init(_ text: String, before: Character?, after: Character?, isLabel: Bool) {
        scalars = Array(text.unicodeScalars)
        self.before = before?.unicodeScalars.last
        self.after = after?.unicodeScalars.first
        self.isLabel = isLabel
    }

    mutating func escaped() -> String {
        var index = 0
        while index < scalars.count {
            if let end = endOfAddress(from: index) {
                result.append(contentsOf: scalars[index..<end])
                index = end
                continue
            }
            if needsEscape(index) { result.append("\\") }
            result.append(scalars[index] == "\0" ? "\u{FFFD}" : scalars[index])
            index += 1
        }
        return String(result)
    }

    /// What stands there, beyond both ends as well.
    private subscript(index: Int) -> Unicode.Scalar? {
        if index < 0 { return index == -1 ? before : nil }
        return index < scalars.count ? scalars[index] : index == scalars.count ? after : nil
    }

    private func needsEscape(_ index: Int) -> Bool {
        let (previous, next) = (self[index - 1], self[index + 1])
        switch scalars[index] {
        case "\\": return index + 1 == scalars.count || next.map(Self.isPunctuation) ?? true
        case "`": return true
        // Between spaces it neither opens nor closes anything; at the start of a line it would be an item.
        case "*": return previous == nil || next == nil || !Self.isSpace(previous) || !Self.isSpace(next)
        case "_": return !followsWord(index)
        // GitHub's readers pair runs of one length; one that nothing precedes closes none.
        case "~": return isLabel || next == "~" || !Self.isSpace(previous)
        // At the start of a line it could begin a definition, a check mark or a table.
        case "[": return isLabel || previous == nil || next == "["
        case "]": return isLabel || next == "(" || next == "[" || next == ":"
        case "|": return previous == nil
        case "<":
            guard let next else { return true }
            return Self.isLetter(next) || "/!?".unicodeScalars.contains(next) || isMailbox(after: index)
        case "&": return isReference(after: index)
        // Readers of GitHub's kind make a link of it, and take escapes inside for a part of the address.
        case ":": return next == "/" && self[index + 2] == "/" && isScheme(before: index)
        case ".": return index >= 3 && isWWW(index - 3)
        default: return false
        }
    }

    /// Such underscores open nothing (CommonMark, section 6.2), and where nothing is opened, nothing is closed.
    private func followsWord(_ index: Int) -> Bool {
        var first = index
        while self[first - 1] == "_" { first -= 1 }
        return Self.isWord(self[first - 1])
    }

    /// Whether `<` could begin an email address in angle brackets, whose name may begin with nearly any sign
    /// (CommonMark, section 6.5); what follows the text may end it.
    private func isMailbox(after index: Int) -> Bool {
        let name = scalars[(index + 1)...].prefix { !Self.isSpace($0) && $0 != "<" && $0 != ">" }
        return name.contains("@") || (name.endIndex == scalars.count && !Self.isSpace(after))
    }

    /// Whether `&` begins a character reference: a name or a number, then `;`.
    private func isReference(after index: Int) -> Bool {
        let name = scalars[(index + 1)...].prefix(40).prefix { MarkdownEscaping.isLetterOrDigit($0) || $0 == "#" }
        return !name.isEmpty && self[index + 1 + name.count] == ";"
    }
}

// Addresses that GitHub's readers find without marks around them.
extension EscapedText {
    /// Behind an address that begins here and shows what it says; nil where none does.
    ///
    /// One with a sign that could mean something at its end or inside is none: what would be a link is escaped then.
    private func endOfAddress(from index: Int) -> Int? {
        guard !isLabel, Self.isSpace(self[index - 1]) || self[index - 1] == "(" else { return nil }
        let rest = scalars[index...]
        let starts = ["http://", "https://", "ftp://", "www."]
        guard let start = starts.first(where: { rest.starts(with: $0.unicodeScalars) }) else { return nil }
        let address = rest.prefix { !Self.isSpace($0) }
        guard address.endIndex < scalars.count || after == nil || Self.isSpace(after) else { return nil }
        let host = address.dropFirst(start.unicodeScalars.count).prefix { !"/?#".unicodeScalars.contains($0) }
        guard let first = host.first, MarkdownEscaping.isLetterOrDigit(first), address.allSatisfy(Self.isPlain),
            !host.contains(where: { "_~&".unicodeScalars.contains($0) }),
            let last = address.last, !"_~&".unicodeScalars.contains(last),
            !address.indices.contains(where: { address[$0] == "&" && isReference(after: $0) })
        else { return nil }
        return address.endIndex
    }

    private func isScheme(before index: Int) -> Bool {
        let letters = scalars[..<index].reversed().prefix { Self.isLetter($0) }
        // What stands before the text belongs to it.
        if letters.count == index, before.map(Self.isLetter) ?? false { return true }
        return ["http", "https", "ftp"].contains(String(String.UnicodeScalarView(letters.reversed())).lowercased())
    }

    private func isWWW(_ index: Int) -> Bool { scalars[index..<index + 3].allSatisfy { $0 == "w" || $0 == "W" } }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        MarkdownEscaping.isLetterOrDigit(scalar) || "-._~:/?#@!$&'(),;=%+".unicodeScalars.contains(scalar)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? true }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && !MarkdownEscaping.isLetterOrDigit(scalar) && scalar.value > 0x20 && scalar.value < 0x7F
    }
}
