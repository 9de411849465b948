/// The line of a text that a search hit is shown with.
enum Excerpt {
    private static let length = 100

    /// - Parameter words: what was looked for; the last may be unfinished.
    static func make(_ text: String, around words: [String]) -> String {
        let folded = words.map(fold)
        let line =
            text.split(separator: "\n").first { line in
                let line = fold(String(line.prefix(10_000)))
                return folded.contains { line.contains($0) }
            } ?? text.split(separator: "\n").first ?? ""
        return shorten(String(line.prefix(10_000)), to: folded)
    }

    private static func shorten(_ line: String, to words: [String]) -> String {
        guard line.count > length else { return line }
        let characters = Array(line)
        let folded = characters.map { fold(String($0)) }.joined()
        // Folding keeps the number of characters for nearly all text; where it does not, the cut is a little off.
        let hit = words.compactMap { folded.firstRange(of: $0) }.map {
            folded.distance(from: folded.startIndex, to: $0.lowerBound)
        }.min()
        let start = max(0, min(hit ?? 0, characters.count) - 30)
        let end = min(characters.count, start + length)
        return (start > 0 ? "…" : "") + String(characters[start..<end]) + (end < characters.count ? "…" : "")
    }

    /// Whether a text has words that begin as all of these do.
    static func contains(_ text: String, _ words: [String]) -> Bool {
        let found = fold(text).split { !($0.isLetter || $0.isNumber) }
        return words.map(fold).allSatisfy { word in found.contains { $0.hasPrefix(word) } }
    }

    /// Without case and diacritics, as the index has it.
    private static func fold(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for character in text.lowercased() {
            for scalar in Self.decomposed(character) where scalar.properties.generalCategory != .nonspacingMark {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static func decomposed(_ character: Character) -> [Unicode.Scalar] {
        guard !character.isASCII else { return Array(character.unicodeScalars) }
        return Decomposition.canonical(String(character))
    }
}
