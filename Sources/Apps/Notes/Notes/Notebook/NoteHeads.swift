import Localization
import NotesClient
import Secrets
import Zones

/// The heads of all notes in memory, as far as they have been read, and the transactions that change them.
///
/// What lists say of a note follows its head, and a head in memory follows the one on the disk: it is another when the
/// transaction is there, and as it was where that failed.
final class NoteHeads {
    private let records: NoteRecords
    private let clock: () -> SecureSession.Instant
    private(set) var index = NoteIndex()
    /// Notes whose head does not open.
    private(set) var headless: Set<Identifier> = []
    /// Texts that no head names.
    private(set) var strayTexts: Set<Identifier> = []
    /// How far heads and locks have been read since the device was unlocked.
    private var headers: ZoneCursor? = .start
    private var locks: ZoneCursor? = .start
    /// Whether what no head names is still to be looked for.
    private var seeksStrays = false
    /// Files of assets that were there when the notebook was opened: those that no note names go.
    private var foundAssets: [Identifier]
    /// What the transaction that is under way says of heads.
    private var pending: [NoteIndex.Change] = []
    /// Of a batch that is under way: the heads that notes had before, nil where there was none.
    private var formers: [Identifier: NoteHeader?] = [:]
    private var whenRead: () -> Void = {}
    private var whenAsked: () -> Void = {}

    init(_ records: NoteRecords, clock: @escaping () -> SecureSession.Instant) throws {
        self.records = records
        self.clock = clock
        foundAssets = try records.assets.names()
    }

    /// Whoever stands above hears from now on when all heads have been read, and each time that somebody wants them.
    func tell(read: @escaping () -> Void, asked: @escaping () -> Void) { (whenRead, whenAsked) = (read, asked) }

    // MARK: Finding

    /// The one note whose identity begins so.
    ///
    /// - Parameter prefix: at least four hexadecimal digits.
    func find(_ prefix: String) throws -> Identifier {
        try loadAll()
        let digits = prefix.lowercased()
        guard digits.utf8.count >= 4, digits.utf8.count <= 32,
            digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { throw NotesError(.invalid, marked("an id is 4 to 32 hexadecimal digits; 'list' shows them")) }
        if let whole = Identifier(digits), index[whole] != nil { return whole }
        let lost = headless.union(strayTexts).filter { $0.description.hasPrefix(digits) }
        let matches = index.identifiers(beginningWith: digits) + lost
        guard let only = matches.first else { throw NotesError(.notFound, marked("no note with this id")) }
        guard matches.count == 1 else {
            throw NotesError(.ambiguous, marked("\(matches.count) notes have ids that begin so; give more digits"))
        }
        return only
    }

    subscript(note: Identifier) -> NoteHeader? { index[note] }

    func header(_ note: Identifier) throws -> NoteHeader {
        if let header = index[note] { return header }
        guard isHeadless(note) else { throw NotesError(.notFound, marked("no note with this id")) }
        throw NotesError.headless(note)
    }

    /// Whether it is a note whose head is lost, or a text that no head names.
    func isHeadless(_ note: Identifier) -> Bool { headless.contains(note) || strayTexts.contains(note) }

    /// What lists name: heads that do not open; and where more texts than these are without one, all such texts.
    var headlessNotes: [Identifier] {
        let gone = strayTexts.count > headless.count ? strayTexts : []
        return headless.union(gone).sorted { $0.precedes($1) }
    }

    /// A note has a head again, which names a text that none did.
    func found(_ text: Identifier, of note: Identifier) {
        strayTexts.remove(text)
        headless.remove(note)
        records.replaced(note)
    }

    /// The passphrase under which a note is locked; nil for an open note, or where its lock can't be read.
    func lockKey(of header: NoteHeader) -> Identifier? { header.lock.flatMap { index.locks[$0] } }

    // MARK: Changing

    /// Runs `body` in a transaction; what it says of heads holds once it is on the disk.
    ///
    /// - Parameter files: are the note's from then on.
    func change<Result>(
        taking files: [StagedAttachment] = [], _ body: (ZoneWriter) throws -> Result
    ) throws -> Result {
        pending.removeAll()
        do {
            let result = try records.write(body)
            for file in files { file.isTaken = true }
            for change in pending {
                if records.isInBatch { noteFormer(of: change) }
                index.apply(change)
            }
            records.scrubWhereDue()
            return result
        } catch {
            if ZoneError.mayHaveHappened(error) { for file in files { file.isTaken = true } }
            throw error
        }
    }

    func put(_ header: NoteHeader, of note: Identifier, _ writer: ZoneWriter) throws {
        try writer.put(note, type: RecordType.header, header.encoded, in: records.zone)
        pending.append(.header(header, of: note))
    }

    func put(_ lock: NoteLock, as name: Identifier, _ writer: ZoneWriter) throws {
        try writer.put(name, type: RecordType.lock, lock.encoded, in: records.zone)
        pending.append(.lock(name, under: lock.lockKey))
    }

    /// The note is removed in this transaction.
    func forget(_ note: Identifier) { pending.append(.gone(note)) }

    func removeLock(_ lock: Identifier, _ writer: ZoneWriter) throws {
        try writer.remove(lock, in: records.zone)
        pending.append(.lockGone(lock))
    }

    // MARK: Batches

    /// From now on changes are acknowledged together, by ``endBatch()``.
    func beginBatch() throws { try records.beginBatch() }

    /// - Throws: `ZoneError`; then none of the batch's changes was done, and ``undoBatch()`` follows.
    func endBatch() throws {
        try records.endBatch()
        formers.removeAll()
        records.scrubWhereDue()
    }

    /// Brings what is in memory back to what was before a batch that was not done.
    ///
    /// - Returns: the notes that it had changed.
    func undoBatch() -> [Identifier] {
        let changed = Array(formers.keys)
        for (note, former) in formers {
            if let former { index.set(former, of: note) } else { index.remove(note) }
        }
        formers.removeAll()
        return changed
    }

    private func noteFormer(of change: NoteIndex.Change) {
        // A note that comes in has a lock of its own, which nobody asks for once the note is gone.
        guard case .header(_, let note) = change, formers[note] == nil else { return }
        formers[note] = .some(index[note])
    }

    // MARK: Reading

    /// Whether headers or locks are still to be read.
    var isLoading: Bool { headers != nil || locks != nil }

    /// Reads all headers and locks that have not been read yet.
    func loadAll() throws {
        while isLoading { try load(limit: .max) }
        try seekStrays()
        whenAsked()
    }

    /// As many as others may wait for.
    func loadSome() throws { try load(limit: 1000) }

    private func load(limit: Int) throws {
        if headers != nil {
            try loadHeaders(limit)
        } else {
            try loadLocks(limit)
        }
        guard !isLoading else { return }
        index.sort()
        seeksStrays = true
        whenRead()
        try seekStrays()
    }

    private func loadHeaders(_ limit: Int) throws {
        guard let cursor = headers else { return }
        let lose = { (note: Identifier) in
            self.records.lose(note)
            self.headless.insert(note)
        }
        headers = try records.read { reader in
            if index.count == 0 { index.reserve(try reader.count(ofType: RecordType.header, in: records.zone)) }
            return try reader.records(
                ofType: RecordType.header, in: records.zone, after: cursor, limit: limit, damaged: lose
            ) { record in
                if let header = try? NoteHeader(from: record.content) {
                    index.load(header, of: record.name)
                } else {
                    lose(record.name)
                }
            }
        }
    }

    private func loadLocks(_ limit: Int) throws {
        guard let cursor = locks else { return }
        locks = try records.read { reader in
            try reader.records(
                ofType: RecordType.lock, in: records.zone, after: cursor, limit: limit, damaged: records.lose
            ) { record in
                if let lock = try? NoteLock(from: record.content) {
                    index.locks[record.name] = lock.lockKey
                } else {
                    records.lose(record.name)
                }
            }
        }
    }

    /// What no head names, once all heads are read.
    private func seekStrays() throws {
        guard seeksStrays else { return }
        strayTexts = try records.strays(ofType: RecordType.body, heads: index.count) {
            Set(index.ordered.map(\.header.body))
        }
        putOrphansAside()
        seeksStrays = false
    }

    /// Puts files aside that were there when the notebook was opened and that no note names: what a crash left behind,
    /// or all that is left of a note whose row has gone.
    ///
    /// Not while a record is damaged: its files are kept with it.
    private func putOrphansAside() {
        defer { foundAssets = [] }
        guard records.damaged.isEmpty, strayTexts.isEmpty else { return }
        let named = Set(index.ordered.flatMap(\.header.assets))
        records.assets.sort(foundAssets, named: named, now: clock().wall / 1_000_000)
    }
}

extension NotesError {
    /// A note whose head is lost is not read; its owner has one put together.
    static func headless(_ note: Identifier) -> NotesError {
        NotesError(
            .damaged,
            marked(
                """
                the head of the note \(note) is damaged or gone, so its title and where its text is are not known; \
                all that belongs to it is kept. 'tresor repair --from' takes it from an earlier copy; without one, \
                'tresor notes restore \(note)' makes a note of a text without a head
                """))
    }
}
