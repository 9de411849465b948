package import DiaryClient
package import DiaryViews
package import PrintStream

/// What a book is besides its entries.
///
/// ```swift
/// let book = PrintedBook(title: "Diary", language: .english, paper: .a4, heads: entries.map(\.head))
/// ```
package struct PrintedBook: Sendable {
    package let title: String
    package let language: DiaryLanguage
    package let paper: PrintPaper
    private let lines: [String]
    /// Nil where no entry has a place.
    let map: PrintMap?

    /// - Parameters:
    ///   - title: on the first page and above all others.
    ///   - language: of dates and of the words that are not the diary's own.
    ///   - heads: of all entries that are going to be printed, in any order; the first page tells of them.
    package init(title: String, language: DiaryLanguage, paper: PrintPaper, heads: [EntryHead]) {
        self.title = title
        self.language = language
        self.paper = paper
        map = PrintedMap.of(heads.compactMap(\.place), title: DiaryPhrase.map.text(in: language))
        let days = heads.map(\.localTime.day)
        guard let first = days.min(), let last = days.max() else {
            lines = []
            return
        }
        let range = [first, last].map(language.written)
        lines = [
            first == last ? range[0] : range.joined(separator: " – "), PrintedWords(language).entries(heads.count),
        ]
    }

    var cover: PrintCover {
        PrintCover(
            paper: paper, language: language.rawValue, title: PrintWords.line(title), lines: lines,
            brokenPicture: PrintedWords(language).brokenPicture)
    }
}
