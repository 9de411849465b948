/// How somebody felt.
package enum Mood: String, Codable, Sendable, CaseIterable {
    case awful, low, fair, good, great
}

/// What an entry is besides its text and its files.
///
/// Text is Markdown; a picture in it is written `![caption](media:NUMBER)`, counted from 0 in the order of the
/// entry's files.
package struct EntryHead: Codable, Sendable, Equatable {
    /// When it happened: microseconds since 1970, UTC.
    package var date: Int64
    /// Where its clock stood: a name of the time zone database such as `Europe/Oslo`, or `GMT+0200`.
    package var timeZone: String
    /// In the order in which they were given, each once.
    package var tags: [String] = []
    /// Nil where nobody said.
    package var mood: Mood?
    /// Whether it was marked as one to come back to.
    package var isStarred = false
    /// Nil where nobody said.
    package var place: DiaryPlace?

    /// - Parameters:
    ///   - date: microseconds since 1970, UTC.
    ///   - timeZone: a name of the time zone database, or `GMT+0200`.
    package init(date: Int64, timeZone: String) {
        self.date = date
        self.timeZone = timeZone
    }
}

/// An entry as lists show it.
package struct EntrySummary: Codable, Sendable, Equatable {
    /// 32 hexadecimal digits.
    package var id: String
    /// When, where, and how it is marked.
    package var head: EntryHead
    /// The first words of its text, in one line, without Markdown.
    package var opening: String
    /// In the entry's order, by which its text names them.
    package var media: [MediaSummary]
    /// Microseconds since 1970, UTC.
    package var created: Int64
    /// By whom it was changed last does not matter: microseconds since 1970, UTC.
    package var modified: Int64
    /// The revision that an edit names as its base.
    package var revision: UInt64
    /// Begun and not finished: out of the timeline, and kept.
    package var isDraft = false
    /// A line of text around a search hit.
    package var excerpt: String?
    /// Where it was imported from, and what was said there besides; told of an entry that is shown as a whole.
    package var source: String?
    /// As JSON; it goes back with an export.
    package var foreign: String?

    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - created: microseconds since 1970, UTC.
    ///   - modified: likewise.
    package init(
        id: String, head: EntryHead, opening: String, media: [MediaSummary], created: Int64, modified: Int64,
        revision: UInt64
    ) {
        self.id = id
        self.head = head
        self.opening = opening
        self.media = media
        self.created = created
        self.modified = modified
        self.revision = revision
    }
}
