import DiaryClient
import DiaryViews
import Localization

extension EntryHead {
    private enum Limit {
        static let tags = 100
        static let tagBytes = 256
        static let names = 1024
    }

    /// - Throws: `DiaryError` with code `invalid` for what no entry can have.
    func check() throws(DiaryError) {
        try Self.check(tags)
        let names = [place?.name, place?.locality, place?.region, place?.country]
        guard !timeZone.isEmpty, timeZone.utf8.count <= 64,
            names.allSatisfy({ ($0?.utf8.count ?? 0) <= Limit.names })
        else { throw DiaryError(.invalid, marked("the time zone or a place has no name, or one that is too long")) }
    }

    /// - Throws: `DiaryError` with code `invalid`.
    static func check(_ tags: [String]) throws(DiaryError) {
        guard tags.count <= Limit.tags, tags.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Limit.tagBytes }) else {
            throw DiaryError(.invalid, marked("an entry has at most 100 tags of 1 to 256 bytes"))
        }
    }
}

extension EntryHeader {
    /// Characters of the opening words.
    static let openingLength = 120

    /// The first words without the marks of Markdown, and how many words there are.
    static func beginning(of text: String) -> (opening: String, words: UInt32) {
        (OpeningWords.of(text, length: openingLength), UInt32(clamping: WordCount.words(in: text)))
    }
}
