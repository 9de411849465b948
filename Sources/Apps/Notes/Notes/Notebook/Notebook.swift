import Envelopes
import NotesClient
import Secrets
import TextIndex
import Zones

/// The notes of one account whose zone is open: puts the parts together, each of which owns what it does, and drives
/// what none of them does alone.
///
/// Not thread-safe, on purpose: one thread owns it. It goes away, with all that it has read, when the device locks.
///
/// From the ground up: ``records`` and ``heads`` have what the zone says; ``keyring`` and ``keys`` what opens locked
/// notes; ``parts`` reads and writes under these keys. All else stands on them, and knows none that comes later here.
final class Notebook {
    let records: NoteRecords
    let heads: NoteHeads
    let keyring: Keyring
    let keys: NoteKeys
    let parts: SealedParts
    let search: NoteSearch
    let texts: NoteTexts
    let edits: NoteEdits
    let attachments: Attachments
    let locks: NoteLocks
    let settings: NotebookSettings
    let sessions: NoteSessions
    let passphrases: Passphrases
    let filing: NoteFiling
    let trash: Trash
    let lists: NoteLists
    let sources: ImportSources
    let imports: NoteImport
    let damage: DamageLook
    /// Whether the background had to give up.
    private var hasFailed = false

    /// What a test may want otherwise.
    struct Limits {
        var words: () throws -> SearchTable = { try SearchTable() }
        /// Of texts that a search opens for the lines around its hits.
        var excerptByteCount = 1 << 20
    }

    /// - Parameters:
    ///   - vault: where the KEKs of sessions are kept.
    ///   - clock: both clocks.
    ///   - makeThumbnail: from an image's bytes.
    /// - Throws: `ZoneError`.
    init(
        store: ZoneStore, zone: OpenZone, vault: any SessionVault, limits: Limits = Limits(),
        clock: @escaping () -> SecureSession.Instant, makeThumbnail: @escaping ([UInt8]) -> [UInt8]?
    ) throws {
        let open = OpenSessions(vault: vault)
        records = NoteRecords(store, zone)
        heads = try NoteHeads(records, clock: clock)
        keyring = try Keyring(records, heads)
        keys = NoteKeys(records, heads, keyring, open)
        parts = SealedParts(records, keyring, keys)
        search = NoteSearch(try SearchIndex(makeTable: limits.words), records, heads, keys, parts, clock: clock)
        texts = NoteTexts(records, heads, keys, parts, search, clock: clock)
        edits = NoteEdits(records, heads, keys, parts, texts)
        attachments = Attachments(records, heads, keys, parts, search, clock: clock, makeThumbnail: makeThumbnail)
        locks = NoteLocks(records, heads, keys, parts, attachments, search)
        settings = NotebookSettings(records, heads, keyring, open, keys, parts, search, clock: clock)
        sessions = NoteSessions(open, heads, keyring, settings, search, edits, clock: clock)
        passphrases = Passphrases(records, heads, keyring, sessions, clock: clock)
        filing = NoteFiling(heads, keys, parts, search)
        let strays = StrayParts(records, heads, keys)
        let lost = LostNotes(records, heads, parts, search, edits, strays, clock: clock)
        trash = Trash(records, heads, keys, parts, filing, lost, search, clock: clock)
        lists = NoteLists(heads, keyring, keys, parts, search, excerptByteLimit: limits.excerptByteCount)
        sources = ImportSources(records, heads, clock: clock)
        let again = NoteReimport(records, heads, keys, parts, search, sources, clock: clock)
        imports = NoteImport(heads, keys, parts, texts, sources, again, clock: clock)
        damage = DamageLook(ZoneInspector(store), records, heads, keys, parts)
        listen()
        // A crash may have come between a lock and the removal of what it replaced.
        records.scrub()
    }

    /// What is read, and what is lost, concerns parts that stand above whoever finds it out.
    private func listen() {
        heads.tell { [weak self] in
            guard let self else { return }
            search.beginReading()
            edits.recoverDrafts { !$0.isLocked }
        } asked: { [weak self] in
            guard let self else { return }
            search.retryPostponed()
            hasFailed = false
        }
        keys.tell { [weak self] in self?.sessions.forgetLocked() }
    }

    /// Everything that was read leaves memory.
    func close() {
        search.close()
        records.close()
    }

    // MARK: In the background

    /// Whether headers or locks are still to be read.
    var isLoading: Bool { heads.isLoading }
    /// Whether texts are still to be indexed.
    var isIndexing: Bool { isLoading || search.isIndexing }

    /// Whether ``work()`` has something to do.
    var isBusy: Bool { !hasFailed && (isLoading || search.hasWork) }

    /// Leaves what could not be done in the background to the next request, which fails loudly where it still can't.
    func abandonWork() { hasFailed = true }

    /// Does a little of what is still to be read, so that requests need not wait for all of it.
    ///
    /// - Returns: whether there is more to do.
    func work() throws -> Bool {
        if isLoading { try heads.loadSome() } else { try search.work() }
        return isBusy
    }

    // MARK: Batches

    /// From now on changes are acknowledged together, by ``endBatch()``.
    func beginBatch() throws { try heads.beginBatch() }

    /// - Throws: `ZoneError`; then none of the batch's changes was done, and ``undoBatch()`` follows.
    func endBatch() throws { try heads.endBatch() }

    /// Brings what is in memory back to what was before a batch that was not done.
    func undoBatch() {
        for note in heads.undoBatch() { search.postpone(note) }
    }

    // MARK: What everybody asks

    /// The one note whose identity begins so.
    ///
    /// - Parameter prefix: at least four hexadecimal digits.
    func find(_ prefix: String) throws -> Identifier { try heads.find(prefix) }

    func summary(of note: Identifier) throws -> NoteSummary { try lists.summary(of: note) }

    /// Tells the sessions of an event; what they had opened leaves memory with them.
    ///
    /// - Returns: whether a session ended with it.
    func handle(_ event: SecureSession.Event) -> Bool { sessions.handle(event) }

    var session: SessionSummary { sessions.summary }

    var hasOpenSession: Bool { sessions.hasOpen }

    /// Milliseconds until the first session ends; nil where none is open.
    var sessionRemaining: UInt64? { sessions.remaining }

    func status(process: Int32) throws -> NotesStatus {
        try heads.loadAll()
        let index = heads.index
        return NotesStatus(
            session: session, account: "On this device", notes: index.count - index.trashedCount,
            locked: index.lockedCount, trashed: index.trashedCount,
            damaged: records.damaged.union(heads.headlessNotes).map(\.description).sorted(), indexed: search.count,
            settings: settings.shown,
            process: process)
    }
}
