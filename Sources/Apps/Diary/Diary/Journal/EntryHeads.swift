import DiaryClient
import Localization
import Secrets
import Zones

/// The heads of all entries in memory, as far as they have been read.
final class EntryHeads {
    private let records: DiaryRecords
    private let clock: () -> Int64
    private(set) var index = EntryIndex()
    /// Entries whose head does not open.
    private(set) var headless: Set<Identifier> = []
    /// Texts that no head names.
    private(set) var strayTexts: Set<Identifier> = []
    /// How far heads have been read since the diary was opened.
    private var headers: ZoneCursor? = .start
    /// Whether what no head names is still to be looked for.
    private var seeksStrays = false
    /// Files that were there when the diary was opened.
    private var foundAssets: [Identifier]
    private var whenRead: () -> Void = {}
    private var whenAsked: () -> Void = {}

    /// - Parameter clock: microseconds since 1970, UTC.
    init(_ records: DiaryRecords, clock: @escaping () -> Int64) throws {
        self.records = records
        self.clock = clock
        foundAssets = try records.assets.names()
    }

    /// Whoever stands above hears from now on when all heads have been read, and each time that somebody wants them.
    func tell(read: @escaping () -> Void, asked: @escaping () -> Void) { (whenRead, whenAsked) = (read, asked) }

    // MARK: Finding

    subscript(entry: Identifier) -> EntryHeader? { index[entry] }

    func header(_ entry: Identifier) throws -> EntryHeader {
        guard let header = index[entry] else { throw DiaryError.noSuchEntry }
        return header
    }

    /// The one entry whose identity begins so.
    func find(_ text: String) throws -> Identifier {
        try loadAll()
        do { return try index.find(text) } catch {
            guard error.code == .notFound, let lost = findHeadless(text) else { throw error }
            throw DiaryError.headless(lost)
        }
    }

    /// What lists name: heads that do not open; and where more texts than these are without one, all such texts.
    ///
    /// Where they belong nobody knows, so no list but the trash is whole without them.
    var headlessEntries: [UnreadEntry]? {
        let gone = strayTexts.count > headless.count ? strayTexts : []
        let all = headless.union(gone).map(\.description).sorted()
        return all.isEmpty ? nil : all.prefix(EntryLists.mostListed).map { UnreadEntry(id: $0, part: .head) }
    }

    /// The head that is lost and has this id or one that begins so; nil for none.
    func findHeadless(_ text: String) -> Identifier? {
        let beginning = text.lowercased()
        guard beginning.utf8.count >= 4 else { return nil }
        let found = headless.union(strayTexts).filter { $0.description.hasPrefix(beginning) }
        return found.count == 1 ? found.first : nil
    }

    // MARK: Changes that are on the disk

    func put(_ header: EntryHeader, of entry: Identifier) { index.put(header, of: entry) }

    func remove(_ entry: Identifier) { index.remove(entry) }

    /// An entry has a head again, which took over a text that none named.
    func found(_ text: Identifier, of entry: Identifier) {
        strayTexts.remove(text)
        headless.remove(entry)
        records.replaced(entry)
    }

    // MARK: Reading

    var isLoading: Bool { headers != nil }

    /// Reads all headers that have not been read yet.
    func loadAll() throws {
        while isLoading { try loadHeaders(limit: .max) }
        try seekStrays()
        whenAsked()
    }

    /// As many as others may wait for.
    func loadSome() throws { try loadHeaders(limit: 1000) }

    private func loadHeaders(limit: Int) throws {
        guard let cursor = headers else { return }
        let lose = { (entry: Identifier) in
            self.records.lose(entry)
            self.headless.insert(entry)
        }
        headers = try records.read { reader in
            try reader.records(
                ofType: RecordType.header, in: records.zone, after: cursor, limit: limit, damaged: lose
            ) { record in
                do { try index.load(record.content, of: record.name) } catch { lose(record.name) }
            }
        }
        guard !isLoading else { return }
        index.sort()
        seeksStrays = true
        whenRead()
        try seekStrays()
    }

    /// What no head names, once all heads are read.
    private func seekStrays() throws {
        guard seeksStrays else { return }
        strayTexts = try records.strayTexts(heads: index.count) {
            Set(index.ordered.compactMap { index[$0]?.body })
        }
        putOrphansAside()
        seeksStrays = false
    }

    /// Puts files aside that no entry names: what a crash left behind, or all that is left of an entry whose row has
    /// gone.
    ///
    /// Not while a record is damaged: its files are kept with it.
    private func putOrphansAside() {
        defer { foundAssets = [] }
        guard records.damaged.isEmpty, strayTexts.isEmpty else { return }
        let named = Set(index.ordered.flatMap { index[$0]?.assets ?? [] })
        records.assets.sort(foundAssets, named: named, now: clock() / 1_000_000)
    }
}

extension DiaryError {
    /// An entry whose head is lost is not read; its owner has one put together.
    static func headless(_ entry: Identifier) -> DiaryError {
        DiaryError(
            .damaged,
            marked(
                """
                the head of the entry \(entry) is damaged or gone, so its date and where its text is are not known; \
                all that belongs to it is kept. 'tresor repair --from' takes it from an earlier copy; without one, \
                'tresor diary restore \(entry)' makes an entry of today of a text without a head
                """))
    }
}
