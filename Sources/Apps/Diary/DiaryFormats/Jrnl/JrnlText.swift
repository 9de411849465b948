import Codecs

/// jrnl's journal in plain text: entries that begin with `[2024-06-16 09:00]`.
enum JrnlText {
    /// - Returns: the entries, and whether there is text before the first.
    static func read(_ text: String) -> (entries: [JrnlEntry], hasPreamble: Bool) {
        var entries: [JrnlEntry] = []
        var hasPreamble = false
        var body: [Substring] = []
        func close() {
            guard !entries.isEmpty else { return }
            while body.last?.allSatisfy(\.isWhitespace) == true { body.removeLast() }
            let kept = body.drop { $0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
            entries[entries.count - 1].body = kept
            let tags = tags(in: entries[entries.count - 1].title + "\n" + kept)
            entries[entries.count - 1].tags = tags
            body = []
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            if let entry = entry(line) {
                close()
                entries.append(entry)
            } else if entries.isEmpty {
                hasPreamble = hasPreamble || !line.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" }
            } else {
                body.append(line)
            }
        }
        close()
        return (entries: entries, hasPreamble: hasPreamble)
    }

    /// The first line of an entry; nil for every other.
    private static func entry(_ line: Substring) -> JrnlEntry? {
        guard line.first == "[", let end = line.prefix(40).firstIndex(of: "]"),
            let wall = wall(line[line.index(after: line.startIndex)..<end])
        else { return nil }
        var title = String(line[end...].dropFirst().drop { $0 == " " })
        while title.last?.isWhitespace == true { title.removeLast() }
        let isStarred = title == "*" || title.hasSuffix(" *") || title.hasPrefix("* ")
        if isStarred {
            title = String(title.hasPrefix("* ") ? title.dropFirst(2) : title.dropLast())
            while title.last?.isWhitespace == true { title.removeLast() }
        }
        return JrnlEntry(wall: wall, title: title, body: "", tags: [], isStarred: isStarred)
    }

    /// Of `2024-06-16 09:00`, `2024-06-16 09:00:00` and `2024-06-16 09:00:00 PM`.
    private static func wall(_ text: Substring) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 2 || words.count == 3, let date = CivilTime.parse("\(words[0])T\(words[1])") else {
            return nil
        }
        guard words.count == 3 else { return date }
        let hour = Int64(words[1].prefix(2)) ?? 0
        guard (1...12).contains(hour) else { return nil }
        switch words[2].uppercased() {
        case "AM": return date - (hour == 12 ? 12 : 0) * 3600 * CivilTime.second
        case "PM": return date + (hour == 12 ? 0 : 12) * 3600 * CivilTime.second
        default: return nil
        }
    }

    /// Words that begin with `@`, in lower case as jrnl has them.
    private static func tags(in text: String) -> [String] {
        var tags: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) where word.first == "@" {
            let name = word.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }.lowercased()
            if !name.isEmpty, name.utf8.count <= 256, !tags.contains(name) { tags.append(name) }
        }
        return tags
    }
}
