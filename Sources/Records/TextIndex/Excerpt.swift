@_spi(_Unicode) import Swift

/// The line of a text that a search hit is shown with.
enum Excerpt {
    private static let length = 100
    /// Characters before the hit.
    private static let lead = 30

    /// The first line in which one of the words begins; the first line of all where none does.
    ///
    /// - Parameters:
    ///   - text: the beginning of the note's text; its length bounds the time.
    ///   - words: what was looked for; the last letters may be missing.
    static func make(_ text: String, around words: [String]) -> String {
        let wanted = words.map(fold)
        var first: Substring?
        for line in text.split(whereSeparator: \.isNewline) {
            first = first ?? line
            if let hit = hit(in: line, wanted) { return cut(line, around: hit) }
        }
        return first.map { cut($0, around: $0.startIndex) } ?? ""
    }

    private static func hit(in line: Substring, _ wanted: [String]) -> String.Index? {
        line.split { !($0.isLetter || $0.isNumber) }.first { word in
            let folded = fold(word)
            return wanted.contains { folded.hasPrefix($0) }
        }?.startIndex
    }

    private static func cut(_ line: Substring, around hit: String.Index) -> String {
        let start = line.index(hit, offsetBy: -lead, limitedBy: line.startIndex) ?? line.startIndex
        let end = line.index(start, offsetBy: length, limitedBy: line.endIndex) ?? line.endIndex
        return (start > line.startIndex ? "…" : "") + line[start..<end] + (end < line.endIndex ? "…" : "")
    }

    /// Without case and accents, as the index has it.
    private static func fold(_ text: some StringProtocol) -> String {
        let lower = text.lowercased()
        guard !lower.utf8.allSatisfy({ $0 < 0x80 }) else { return lower }
        var scalars = String.UnicodeScalarView()
        for scalar in lower._nfd where scalar.properties.generalCategory != .nonspacingMark { scalars.append(scalar) }
        return String(scalars)
    }
}
