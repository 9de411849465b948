/// What an entry is called where its program wants a title: the first words of it, without Markdown.
enum EntryTitle {
    private static let longest = 80

    /// Empty where no line has a letter or a digit outside pictures.
    static func of(_ text: String) -> String {
        for line in text.split(separator: "\n").prefix(100) {
            let plain = plain(line.prefix(2000))
            guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            guard plain.count > longest else { return plain }
            return String(plain.prefix(longest - 1)) + "…"
        }
        return ""
    }

    private static func plain(_ line: Substring) -> String {
        var result = ""
        var rest = line.drop { $0.isWhitespace || "#>*+-".contains($0) }
        while let character = rest.first {
            if character == "!" || character == "[", let link = link(rest) {
                // Of a picture nothing stays, of a link its text.
                if character == "[" { result += link.label }
                rest = link.rest
            } else {
                if character == "\\", rest.count > 1 { rest = rest.dropFirst() }
                if character == "\\" || !"*`~".contains(character) { result.append(rest.first ?? " ") }
                rest = rest.dropFirst()
            }
        }
        return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func link(_ text: Substring) -> (label: Substring, rest: Substring)? {
        let start = text.first == "!" ? text.dropFirst() : text
        guard start.first == "[", let middle = start.firstIndex(of: "]"), start[middle...].dropFirst().first == "(",
            let end = start[middle...].firstIndex(of: ")")
        else { return nil }
        return (label: start[..<middle].dropFirst(), rest: start[end...].dropFirst())
    }
}
