import DiaryClient
import DiaryViews
import Resident
import Secrets
import TextIndex
import Zones

// Lists, searches, and one entry with its files.
extension Journal {
    static let mostListed = 1000

    func list(_ filter: DiaryFilter) throws -> EntryList {
        if isLoading, let page = try snapshotPage(filter) { return page }
        let today = try check(filter)
        let found = index.ordered.filter { matches($0, filter, today) }
        let page = found.dropFirst(filter.offset).prefix(min(filter.limit, Self.mostListed))
        return EntryList(
            entries: try Self.fitting(page.lazy.map(summary)), total: found.count, unread: unread(filter))
    }

    /// Which entries a list of all shows is decided here; what it says of each is what it is when its row is made.
    func listAll(_ filter: DiaryFilter) throws -> (list: EntryList, rows: RowBody) {
        let today = try check(filter)
        let found = index.ordered.filter { matches($0, filter, today) }
        let rows = RowBody(of: Array(found.dropFirst(filter.offset).prefix(filter.limit))) { [self] entry in
            try matches(entry, filter, today) ? summary(of: entry) : nil
        }
        return (list: EntryList(entries: [], total: found.count, unread: unread(filter)), rows: rows)
    }

    /// Loads what a list is made of.
    ///
    /// - Returns: the day whose anniversaries are wanted.
    private func check(_ filter: DiaryFilter) throws -> LocalDay? {
        try loadAll()
        guard filter.offset >= 0, filter.limit > 0 else {
            throw DiaryError(.invalid, "a list begins at 0 or later and has at least one entry")
        }
        let today = filter.onThisDay.flatMap { LocalDay(year: $0.year, month: $0.month, day: $0.day) }
        guard filter.onThisDay == nil || today != nil else { throw DiaryError(.invalid, "there is no such day") }
        return today
    }

    private func unread(_ filter: DiaryFilter) -> [UnreadEntry]? { filter.part == .trash ? nil : headlessEntries }

    /// What no search can look at.
    private func unreadEntries() -> [UnreadEntry]? {
        let texts = unsearched.map { UnreadEntry(id: $0.description, part: .text, date: index[$0]?.head.date) }
        let all = (headlessEntries ?? []) + texts.filter { $0.date != nil }.sorted { $0.id < $1.id }
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
        guard let outline = index.outline(of: entry) else { return false }
        switch filter.part {
        case .timeline: guard !outline.isDeleted, !outline.isDraft else { return false }
        case .drafts: guard !outline.isDeleted, outline.isDraft else { return false }
        case .trash: guard outline.isDeleted else { return false }
        }
        if filter.starredOnly && !outline.isStarred { return false }
        if let tag = filter.tag {
            guard outline.hasTags, index[entry]?.head.tags.contains(tag) == true else { return false }
        }
        guard let today else { return true }
        // Clocks are up to a day apart, and `/` rounds towards 1970.
        let number = Int(outline.date / 86_400_000_000)
        guard
            (-2...1).contains(where: { OnThisDay.distance(from: LocalDay(dayNumber: number + $0), to: today) != nil }),
            let header = index[entry]
        else { return false }
        return OnThisDay.distance(from: header.head.localDay, to: today) != nil
    }

    func find(_ text: String) throws -> Identifier {
        try loadAll()
        do { return try index.find(text) } catch {
            guard error.code == .notFound, let lost = findHeadless(text) else { throw error }
            throw Self.headlessError(lost)
        }
    }

    func summary(of entry: Identifier) throws -> EntrySummary { Self.summary(entry, try header(entry)) }

    static func summary(_ entry: Identifier, _ header: EntryHeader) -> EntrySummary {
        var summary = EntrySummary(
            id: entry.description, head: header.head,
            // Stored before it was cut by bytes as well.
            opening: OpeningWords.cut(header.opening, length: Self.openingLength), media: header.media.map(\.summary),
            created: header.created, modified: header.modified, revision: header.revision)
        summary.isDraft = header.isDraft
        return summary
    }

    /// Finds by text, tag and place.
    func find(_ text: String, limit: Int) throws -> EntryList {
        try loadAll()
        let query = SearchQuery(text)
        let found = try search.find(query, limit: limit).compactMap { hit -> EntrySummary? in
            guard let header = index[hit.id], header.deleted == nil else { return nil }
            var summary = Self.summary(hit.id, header)
            summary.excerpt = query.excerpt(of: (try? body(of: header).text) ?? header.opening)
            return summary
        }
        return EntryList(
            entries: Self.fitting(found), total: found.count, isPartial: isIndexing, unread: unreadEntries())
    }

    /// An entry with its text and what came with it from elsewhere.
    func whole(_ entry: Identifier) throws -> (summary: EntrySummary, text: String) {
        let header = try header(entry)
        let body = try body(of: header)
        var summary = try summary(of: entry)
        summary.source = header.source.isEmpty ? nil : header.source
        summary.foreign = body.foreign.isEmpty ? nil : body.foreign
        return (summary: summary, text: body.text)
    }

    /// A file of an entry.
    ///
    /// - Parameter wanted: the file's identity or its beginning, or its number in the entry, from 0.
    func media(_ wanted: String, of entry: Identifier) throws -> EntryMedia {
        guard let file = Self.file(wanted, in: try header(entry)) else {
            throw DiaryError(.notFound, "the entry has no such file")
        }
        return file
    }

    private static func file(_ wanted: String, in header: EntryHeader) -> EntryMedia? {
        if let number = Int(wanted), header.media.indices.contains(number) { return header.media[number] }
        let beginning = wanted.lowercased()
        guard beginning.utf8.count >= 4 else { return nil }
        return header.media.first { $0.id.description.hasPrefix(beginning) }
    }

    /// All entries of the timeline, in short.
    func outline() throws -> [EntryOutline] {
        try loadAll()
        return index.ordered.compactMap { entry in
            guard let outline = index.outline(of: entry), !outline.isDeleted, !outline.isDraft,
                let header = index[entry]
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
        try loadAll()
        guard sources.count <= Self.mostListed else { throw DiaryError(.tooLarge, "ask for 1000 sources at most") }
        return sources.filter { index.entry(from: $0) != nil }
    }

    func tags() throws -> [TagCount] {
        try loadAll()
        var counts: [String: Int] = [:]
        for entry in index.ordered {
            guard let outline = index.outline(of: entry), outline.hasTags, !outline.isDeleted, let header = index[entry]
            else { continue }
            for tag in header.head.tags { counts[tag, default: 0] += 1 }
        }
        return counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            .map { TagCount(tag: $0.key, count: $0.value) }
    }

    /// - Parameter waitingPhotos: how many are still to be looked at.
    func status(process: Int32, locksIn: Int?, waitingPhotos: Int) throws -> DiaryStatus {
        try loadAll()
        let headers = index.ordered.compactMap { index.outline(of: $0) }
        let present = headers.filter { !$0.isDeleted }
        var status = DiaryStatus(
            isRegistered: true, isSignedIn: true, locksIn: locksIn, entries: present.count { !$0.isDraft },
            damaged: Set(damaged.map(\.description) + (headlessEntries ?? []).map(\.id)).sorted(),
            settings: shownSettings, process: process)
        status.drafts = present.count { $0.isDraft }
        status.trashed = headers.count - present.count
        status.waitingPhotos = waitingPhotos
        status.media = present.reduce(0) { $0 + Int($1.mediaCount) }
        return status
    }
}

extension EntrySummary {
    /// More than it takes as JSON, where a character may take six.
    fileprivate var mostBytes: Int {
        let place = [head.place?.name, head.place?.locality, head.place?.region, head.place?.country]
        let texts = [opening, excerpt ?? "", head.timeZone] + head.tags + place.compactMap { $0 }
        let files = media.reduce(0) { $0 + 600 + 2 * ($1.name.utf8.count + ($1.problem?.utf8.count ?? 0)) }
        return texts.reduce(700 + files) { $0 + 2 * $1.utf8.count + 8 }
    }
}
