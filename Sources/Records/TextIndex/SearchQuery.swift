/// What a person typed into the search: words, of which the last may be unfinished, and "phrases".
package struct SearchQuery {
    /// Characters, and terms, that are looked at: the time of a query rises faster than their number.
    private static let longest = 1000
    private static let mostTerms = 32

    /// FTS5's own query; nil where there is nothing to look for.
    package let match: String?
    /// The words, for excerpts.
    package let words: [String]

    /// The line of a text in which it is found, cut to a hundred characters.
    ///
    /// - Parameter text: its first 65,536 bytes are looked at, which bounds the time.
    package func excerpt(of text: String) -> String {
        Excerpt.make(String(decoding: text.utf8.prefix(65_536), as: UTF8.self), around: words)
    }

    /// - Parameter text: as it was typed; its first 1,000 characters count.
    package init(_ text: String) {
        let text = String(text.prefix(Self.longest))
        var terms: [String] = []
        var words: [String] = []
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isPhrase = number % 2 == 1
            let found = part.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map(String.init)
            words += found
            if isPhrase {
                if !found.isEmpty { terms.append("\"" + found.joined(separator: " ") + "\"") }
            } else {
                terms += found.map { "\"\($0)\"*" }
            }
        }
        self.words = words
        var known: Set<String> = []
        let distinct = terms.filter { known.insert($0).inserted }.prefix(Self.mostTerms)
        match = distinct.isEmpty ? nil : distinct.joined(separator: " AND ")
    }
}
