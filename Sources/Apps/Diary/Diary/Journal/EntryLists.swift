import DiaryClient
import DiaryViews
import Localization
import Resident
import Secrets
import TextIndex
import Zones

/// What lists, searches and looks back say of entries.
final class EntryLists {
    private let records: DiaryRecords
    private let heads: EntryHeads
    private let search: EntrySearch
    private let timeline: KeptTimeline

    init(_ records: DiaryRecords, _ heads: EntryHeads, _ search: EntrySearch, _ timeline: KeptTimeline) {
        self.records = records
        self.heads = heads
        self.search = search
        self.timeline = timeline
    }

    static let mostListed = 1000

    func list(_ filter: DiaryFilter) throws -> EntryList {
        if heads.isLoading, let page = try timeline.page(filter) { return page }
        let today = try check(filter)
        let found = heads.index.ordered.filter { matches($0, filter, today) }
        let page = found.dropFirst(filter.offset).prefix(min(filter.limit, Self.mostListed))
        return EntryList(
            entries: try Self.fitting(page.lazy.map(summary)), total: found.count, unread: unread(filter))
    }

    /// Which entries a list of all shows is decided here; what it says of each is what it is when its row is made.
    func listAll(_ filter: DiaryFilter) throws -> (list: EntryList, rows: RowBody) {
        let today = try check(filter)
        let found = heads.index.ordered.filter { matches($0, filter, today) }
        let rows = RowBody(of: Array(found.dropFirst(filter.offset).prefix(filter.limit))) { [self] entry in
            try matches(entry, filter, today) ? summary(entry) : nil
        }
        return (list: EntryList(entries: [], total: found.count, unread: unread(filter)), rows: rows)
    }

    private func summary(_ entry: Identifier) throws -> EntrySummary { EntrySummary(entry, try heads.header(entry)) }

    /// Loads what a list is made of.
    ///
    /// - Returns: the day whose anniversaries are wanted.
    private func check(_ filter: DiaryFilter) throws -> LocalDay? {
        try heads.loadAll()
        guard filter.offset >= 0, filter.limit > 0 else {
            throw DiaryError(.invalid, marked("a list begins at 0 or later and has at least one entry"))
        }
        let today = filter.onThisDay.flatMap { LocalDay(year: $0.year, month: $0.month, day: $0.day) }
        guard filter.onThisDay == nil || today != nil else {
            throw DiaryError(.invalid, marked("there is no such day"))
        }
        return today
    }

    private func unread(_ filter: DiaryFilter) -> [UnreadEntry]? { filter.part == .trash ? nil : heads.headlessEntries }

    /// What no search can look at.
    private func unreadEntries() -> [UnreadEntry]? {
        let texts = search.unsearched.map { UnreadEntry(id: $0.description, part: .text, date: heads[$0]?.head.date) }
        let all = (heads.headlessEntries ?? []) + texts.filter { $0.date != nil }.sorted { $0.id < $1.id }
        return all.isEmpty ? nil : Array(all.prefix(Self.mostListed))
    }

    /// As many as fit into one answer, and one at least; whoever wants more goes on behind them.
    static func fitting(_ summaries: some Sequence<EntrySummary>) -> [EntrySummary] {
        var room = 384 * 1024
        var page: [EntrySummary] = []
        for summary in summaries {
            room -= summary.mostBytes
            if room < 0 && !page.isEmpty { break }
            page.append(summary)
        }
        return page
    }

    /// Decodes no header of which its outline says enough.
    private func matches(_ entry: Identifier, _ filter: DiaryFilter, _ today: LocalDay?) -> Bool {
        guard let outline = heads.index.outline(of: entry) else { return false }
        switch filter.part {
        case .timeline: guard !outline.isDeleted, !outline.isDraft else { return false }
        case .drafts: guard !outline.isDeleted, outline.isDraft else { return false }
        case .trash: guard outline.isDeleted else { return false }
        }
        if filter.starredOnly && !outline.isStarred { return false }
        if let tag = filter.tag {
            guard outline.hasTags, heads[entry]?.head.tags.contains(tag) == true else { return false }
        }
        guard let today else { return true }
        // Clocks are up to a day apart, and `/` rounds towards 1970.
        let number = Int(outline.date / 86_400_000_000)
        guard
            (-2...1).contains(where: { OnThisDay.distance(from: LocalDay(dayNumber: number + $0), to: today) != nil }),
            let header = heads[entry]
        else { return false }
        return OnThisDay.distance(from: header.head.localDay, to: today) != nil
    }

    /// Finds by text, tag and place.
    ///
    /// - Parameter offset: how many of those found are passed over; nil begins, and counts no others than it names.
    func find(_ text: String, limit: Int, offset: Int? = nil) throws -> EntryList {
        guard offset ?? 0 >= 0 else { throw DiaryError(.invalid, "a search begins at 0 or later") }
        try heads.loadAll()
        let query = SearchQuery(text)
        // Of all that match, those that are no entries any more count for no page.
        let hits = try search.find(query, limit: offset == nil ? limit : .max)
            .filter { heads.index.outline(of: $0.id)?.isDeleted == false }
        let found = hits.dropFirst(offset ?? 0).prefix(limit).compactMap { hit -> EntrySummary? in
            guard let header = heads[hit.id] else { return nil }
            var summary = EntrySummary(hit.id, header)
            summary.excerpt = query.excerpt(of: (try? records.body(of: header).text) ?? header.opening)
            return summary
        }
        return EntryList(
            entries: Self.fitting(found), total: hits.count, isPartial: search.isIndexing, unread: unreadEntries())
    }

    /// All entries of the timeline, in short.
    func outline() throws -> [EntryOutline] {
        try heads.loadAll()
        return heads.index.ordered.compactMap { entry in
            guard let outline = heads.index.outline(of: entry), !outline.isDeleted, !outline.isDraft,
                let header = heads[entry]
            else { return nil }
            let head = header.head
            return EntryOutline(
                id: entry.description, date: head.date, timeZone: head.timeZone, latitude: head.place?.latitude,
                longitude: head.place?.longitude, media: header.media.count, words: Int(header.words),
                isStarred: head.isStarred, tags: head.tags)
        }
    }

    /// Those of these sources that entries have come from.
    func known(_ sources: [String]) throws -> [String] {
        try heads.loadAll()
        guard sources.count <= Self.mostListed else {
            throw DiaryError(.tooLarge, marked("ask for 1000 sources at most"))
        }
        return sources.filter { heads.index.entry(from: $0) != nil }
    }

    func tags() throws -> [TagCount] {
        try heads.loadAll()
        var counts: [String: Int] = [:]
        for entry in heads.index.ordered {
            guard let outline = heads.index.outline(of: entry), outline.hasTags, !outline.isDeleted,
                let header = heads[entry]
            else { continue }
            for tag in header.head.tags { counts[tag, default: 0] += 1 }
        }
        return counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            .map { TagCount(tag: $0.key, count: $0.value) }
    }
}

extension EntrySummary {
    /// What a list says of an entry.
    init(_ entry: Identifier, _ header: EntryHeader) {
        self.init(
            id: entry.description, head: header.head,
            // Stored before it was cut by bytes as well.
            opening: OpeningWords.cut(header.opening, length: EntryHeader.openingLength),
            media: header.media.map(\.summary), created: header.created, modified: header.modified,
            revision: header.revision)
        isDraft = header.isDraft
    }

    /// More than it takes as JSON, where a character may take six.
    fileprivate var mostBytes: Int {
        let place = [head.place?.name, head.place?.locality, head.place?.region, head.place?.country]
        let texts = [opening, excerpt ?? "", head.timeZone] + head.tags + place.compactMap { $0 }
        let files = media.reduce(0) { $0 + 600 + 2 * ($1.name.utf8.count + ($1.problem?.utf8.count ?? 0)) }
        return texts.reduce(700 + files) { $0 + 2 * $1.utf8.count + 8 }
    }
}
