import DiaryClient
import DiaryViews

/// A list of entries under headings: the timeline, what a search found, and the like.
struct EntryPane: Sendable {
    enum Source: Equatable, Sendable {
        case timeline
        case drafts
        /// What was deleted, and can be taken back.
        case trash
        case starred
        case onThisDay(LocalDay)
        case tag(String)
        case search(String)
        /// Some that another page knows, such as those of a place.
        case chosen([String])
    }

    enum Line: Equatable, Sendable {
        case section(String)
        case day(String)
        /// - Parameter clock: what the clock showed where it was written.
        case entry(EntrySummary, clock: String)
    }

    let source: Source
    private(set) var entries: [EntrySummary] = []
    /// Beyond what has been loaded, too.
    private(set) var total = 0
    private(set) var isLoaded = false
    private(set) var isPartial = false
    /// Entries asked for at once; fewer where their files made an answer too long.
    private(set) var pageSize = 100
    /// What is drawn.
    private(set) var lines: [Line] = []
    /// The entries among the lines, as they stand there.
    private(set) var order: [EntrySummary] = []
    /// The selected one of these.
    var row = 0
    /// Whether the last entry is wanted, of a list that has not been loaded so far.
    var goesToEnd = false
    /// The entry that is to be selected as soon as it is in the list.
    private var awaited: String?

    init(_ source: Source) { self.source = source }

    /// Whether there is more than has been loaded, and it can be asked for.
    var hasMore: Bool { isPaged && entries.count < total }

    var selected: EntrySummary? { order.indices.contains(row) ? order[row] : nil }

    /// Whether one asks for more of it by and by.
    private var isPaged: Bool {
        switch source {
        case .timeline, .drafts, .trash, .starred, .tag, .search: true
        case .onThisDay, .chosen: false
        }
    }

    // MARK: Asking

    /// What to ask for, from the start.
    func requests() -> [DiaryRequest] {
        if case .chosen(let ids) = source { return ids.map { .find(id: $0) } }
        return [request(offset: 0)]
    }

    /// The next page; nil where there is none, or what is loaded reaches far enough.
    func requestForMore(near height: Int) -> DiaryRequest? {
        guard isPaged, isLoaded, entries.count < total, row + height >= entries.count else { return nil }
        return request(offset: entries.count)
    }

    private func request(offset: Int) -> DiaryRequest {
        var filter = DiaryFilter()
        (filter.offset, filter.limit) = (offset, pageSize)
        switch source {
        case .search(let text): return .search(text: text, limit: pageSize, offset: offset)
        case .tag(let tag): filter.tag = tag
        case .drafts: filter.part = .drafts
        case .trash: filter.part = .trash
        case .starred: filter.starredOnly = true
        case .onThisDay(let day):
            filter.onThisDay = DiaryFilter.Anniversary(year: day.year, month: day.month, day: day.day)
            filter.limit = 1000
        case .timeline, .chosen: break
        }
        return .list(filter)
    }

    /// The same question for fewer at once; nil where it was not this list's, or was for one already.
    mutating func retryWithFewer(_ request: DiaryRequest) -> DiaryRequest? {
        guard pageSize > 1, case .list(let filter) = request, request == self.request(offset: filter.offset) else {
            return nil
        }
        pageSize = max(1, pageSize / 10)
        return self.request(offset: filter.offset)
    }

    // MARK: Taking answers

    /// False where the answer is to another list's question.
    mutating func accept(_ list: EntryList, _ request: DiaryRequest, _ language: DiaryLanguage, _ viewpoint: Viewpoint)
        -> Bool
    {
        let offset =
            switch request {
            case .list(let filter): filter.offset
            case .search(_, _, let passed): passed ?? 0
            default: 0
            }
        guard request == self.request(offset: offset), offset == 0 || offset == entries.count else { return false }
        entries = offset == 0 ? list.entries : entries + list.entries
        (total, isPartial, isLoaded) = (list.total, list.isPartial, true)
        // Where nothing follows any more, nothing is asked for again.
        if offset > 0, list.entries.isEmpty { total = entries.count }
        arrange(language, viewpoint)
        if goesToEnd {
            row = max(0, order.count - 1)
            goesToEnd = hasMore
        }
        return true
    }

    /// Takes one entry that was asked for by itself, or is another by now.
    mutating func accept(_ entry: EntrySummary, _ language: DiaryLanguage, _ viewpoint: Viewpoint) {
        if let index = entries.firstIndex(where: { $0.id == entry.id }) {
            entries[index] = entry
        } else if case .chosen(let ids) = source, ids.contains(entry.id) {
            entries.append(entry)
            (total, isLoaded) = (entries.count, true)
        } else {
            return
        }
        arrange(language, viewpoint)
    }

    /// Takes an entry out that is gone.
    mutating func remove(_ id: String, _ language: DiaryLanguage, _ viewpoint: Viewpoint) {
        let count = entries.count
        entries.removeAll { $0.id == id }
        total -= count - entries.count
        arrange(language, viewpoint)
    }

    // MARK: Lines

    /// Draws the lines anew, of the same entries.
    mutating func arrange(_ language: DiaryLanguage, _ viewpoint: Viewpoint) {
        let former = awaited.flatMap { id in entries.contains { $0.id == id } ? id : nil } ?? selected?.id
        if former == awaited { awaited = nil }
        switch source {
        case .timeline, .starred, .tag, .chosen:
            lines = Timeline(entries, seenFrom: viewpoint).rows(in: language).map { row in
                switch row {
                case .section(let title): .section(title)
                case .day(_, let heading): .day(heading)
                case .entry(let entry, let clock): .entry(entry, clock: clock)
                }
            }
        case .onThisDay:
            lines = OnThisDay(entries, seenFrom: viewpoint).memories.flatMap { memory in
                [.section(memory.heading(in: language))]
                    + memory.entries.map { .entry($0, clock: $0.head.localTime.label) }
            }
        // The best hit first, as it was answered; drafts by when they were begun.
        case .search, .drafts, .trash:
            lines = entries.flatMap { entry -> [Line] in
                [.day(language.heading(entry.head.localDay)), .entry(entry, clock: entry.head.localTime.label)]
            }
        }
        order = lines.compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
        let kept = former.flatMap { id in order.firstIndex { $0.id == id } }
        row = kept ?? min(row, max(0, order.count - 1))
    }

    mutating func move(by step: Int) { row = min(max(row + step, 0), max(0, order.count - 1)) }

    /// To the first entry of the nearest other day.
    mutating func moveByDay(isLater: Bool) {
        guard let day = selected?.head.localDay else { return }
        let others = order.indices.filter { isLater ? order[$0].head.localDay > day : order[$0].head.localDay < day }
        guard let nearest = isLater ? others.last(where: { $0 < row }) : others.first(where: { $0 > row }) else {
            return
        }
        let found = order[nearest].head.localDay
        row = order.firstIndex { $0.head.localDay == found } ?? nearest
    }

    /// Selects an entry, where it is not in the list yet as soon as it is.
    mutating func select(_ id: String) {
        guard let index = order.firstIndex(where: { $0.id == id }) else {
            awaited = id
            return
        }
        row = index
    }
}
