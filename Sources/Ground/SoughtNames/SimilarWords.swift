/// Words that somebody may have meant who typed another.
package enum SimilarWords {
    /// How many are offered.
    private static let most = 3

    /// The nearest words, capitals aside: few letters apart, as many as a word of that length may have wrong.
    ///
    /// - Parameter spellings: of each word, all that count as it.
    package static func nearest(
        to word: String, among words: some Sequence<String>, spellings: (String) -> [String] = { [$0] }
    ) -> [String] {
        let folded = Array(word.lowercased())
        let allowed = folded.count < 3 ? 1 : min(3, max(2, folded.count / 3))
        var near: [(distance: Int, word: String)] = []
        for other in words {
            let distances = spellings(other).map { Array($0.lowercased()) }.filter {
                abs($0.count - folded.count) <= allowed
            }.map { distance(folded, $0) }
            // With as many wrong letters as there are, any word is near.
            guard let distance = distances.min(), distance <= allowed, distance < folded.count else { continue }
            near.append((distance: distance, word: other))
        }
        return near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(most).map(\.word)
    }

    /// How many slips lie between two words: a letter too many, one too few, another one, or two that changed places.
    package static func distance(_ one: String, _ other: String) -> Int { distance(Array(one), Array(other)) }

    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...other.count))
        for row in 0..<one.count {
            var next = [row + 1]
            for column in 0..<other.count {
                let isSame = one[row] == other[column]
                var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[other.count]
    }
}
