import Envelopes
import NotesClient
package import Secrets
import Tresor
package import Zones

/// The notes of one account whose zone is open: what can be done to them, and the rules about it.
///
/// Not thread-safe, on purpose: one thread owns it. It goes away, with all that it has read, when the device locks.
package final class Notebook {
    let store: ZoneStore
    var zone: OpenZone
    let sessions: OpenSessions
    /// Microseconds since 1970, and the boot clock beside it.
    let clock: () -> SecureSession.Instant
    /// Makes a thumbnail of an image; nil where it can't.
    let makeThumbnail: ([UInt8]) -> [UInt8]?
    var settings = AccountSettings()
    var settingsRecord = Identifier.makeRandom()
    var lockKeys: [Identifier: LockKey] = [:]
    /// Wrong passphrases in a row.
    var tries: UInt32 = 0
    var triesRecord = Identifier.makeRandom()
    var index = NoteIndex()
    /// Marks what is imported; read when it is needed first.
    var knownImportKey: ImportKey?
    var search: SearchIndex
    /// Of texts that a search opens for the lines around its hits.
    var excerptByteLimit = 1 << 20
    /// Records that do not open; they are kept.
    package internal(set) var damaged: Set<Identifier> = []
    /// Whether the settings are one of them: then the passphrases that are known tell which is in force.
    var hasLostSettings = false
    /// Notes whose head is one of them.
    var headless: Set<Identifier> = []
    /// Texts that no head names.
    var strayTexts: Set<Identifier> = []
    /// Notes whose text did not open when the search wanted it.
    var unsearched: Set<Identifier> = []
    var progress = Progress()
    /// Notes with a draft that could not be taken up yet.
    var waitingDrafts: Set<Identifier> = []
    /// Of a look at everything that began here.
    var texts: TextCensus?
    /// Files of assets that were there when the notebook was opened: those that no note names go.
    var foundAssets: [Identifier] = []
    /// Whether replaced bytes may still lie in the write-ahead log.
    private var needsScrub = true
    private var pending: [NoteIndex.Change] = []
    /// Of a group that is under way: the heads that notes had before, nil where there was none.
    private var formers: [Identifier: NoteHeader?] = [:]
    /// The keys of locked notes that somebody is writing in: what an editor still holds when the session ends is sealed
    /// with them, and then they go.
    var editKeys: [Identifier: NoteKey] = [:]
    /// Whether the daemon has forgotten a session: whoever drives the notebook ends it here as well.
    var hasLostSession = false

    /// - Parameters:
    ///   - vault: where the KEKs of sessions are kept.
    ///   - clock: both clocks.
    ///   - makeThumbnail: from an image's bytes.
    /// - Throws: `ZoneError`.
    package init(
        store: ZoneStore, zone: OpenZone, vault: any SessionVault, clock: @escaping () -> SecureSession.Instant,
        makeThumbnail: @escaping ([UInt8]) -> [UInt8]?
    ) throws {
        self.store = store
        self.zone = zone
        self.clock = clock
        self.makeThumbnail = makeThumbnail
        sessions = OpenSessions(vault: vault)
        search = try SearchIndex()
        try store.read { reader in
            try loadSettings(reader)
            try loadLockKeys(reader)
        }
        // The newest passphrase is the one in force, as far as anybody can tell.
        let newest = lockKeys.values.max { $0.created < $1.created }
        if hasLostSettings, let newest { settings.currentLockKey = newest.id }
        foundAssets = try store.assets.names()
        // A crash may have come between a lock and the removal of what it replaced.
        scrub()
    }

    private func loadSettings(_ reader: ZoneReader) throws {
        var isThere = false
        func take(_ record: ZoneRecord) {
            guard let known = try? AccountSettings(from: record.content) else { return _ = damaged.insert(record.name) }
            (settings, settingsRecord, isThere) = (known, record.name, true)
        }
        let before = damaged.count
        _ = try reader.records(ofType: RecordType.settings, in: zone, damaged: { damaged.insert($0) }, take)
        hasLostSettings = damaged.count > before && !isThere
        if hasLostSettings { store.sparedRecords(ofType: RecordType.settings, in: zone).forEach(take) }
        hasLostSettings = hasLostSettings && !isThere
        _ = try reader.records(ofType: RecordType.tries, in: zone, damaged: { damaged.insert($0) }) { record in
            let count = try? RecordLayout.read(record.content) { (reader) throws(DecodingError) in try reader.uint32() }
            guard let count else { return _ = damaged.insert(record.name) }
            tries = count
            triesRecord = record.name
        }
    }

    private func loadLockKeys(_ reader: ZoneReader) throws {
        var isDamaged = false
        func take(_ record: ZoneRecord) {
            guard let lockKey = try? LockKey(record.name, from: record.content) else {
                return _ = damaged.insert(record.name)
            }
            lockKeys[record.name] = lockKey
        }
        func note(_ name: Identifier) {
            damaged.insert(name)
            isDamaged = true
        }
        _ = try reader.records(ofType: RecordType.lockKey, in: zone, damaged: note, take)
        guard isDamaged else { return }
        // What the store itself can read counts.
        for record in store.sparedRecords(ofType: RecordType.lockKey, in: zone) where lockKeys[record.name] == nil {
            take(record)
        }
    }

    var now: Int64 { clock().wall }

    // MARK: Finding

    /// The one note whose identity begins so.
    ///
    /// - Parameter prefix: at least four hexadecimal digits.
    package func find(_ prefix: String) throws -> Identifier {
        try loadAll()
        let digits = prefix.lowercased()
        guard digits.utf8.count >= 4, digits.utf8.count <= 32,
            digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { throw NotesError(.invalid, "an id is 4 to 32 hexadecimal digits; 'list' shows them") }
        if let whole = Identifier(digits), index[whole] != nil { return whole }
        let lost = headless.union(strayTexts).filter { $0.description.hasPrefix(digits) }
        let matches = index.identifiers(beginningWith: digits) + lost
        guard let only = matches.first else { throw NotesError(.notFound, "no note with this id") }
        guard matches.count == 1 else {
            throw NotesError(.ambiguous, "\(matches.count) notes have ids that begin so; give more digits")
        }
        return only
    }

    func header(_ note: Identifier) throws -> NoteHeader {
        if let header = index[note] { return header }
        guard headless.contains(note) || strayTexts.contains(note) else {
            throw NotesError(.notFound, "no note with this id")
        }
        throw Self.headlessError(note)
    }

    /// Runs `body` in a transaction; what it says of headers, passphrases and settings holds once it is on the disk.
    func change<Result>(
        taking files: [StagedAttachment] = [], _ body: (ZoneWriter) throws -> Result
    ) throws -> Result {
        let (keys, chosen) = (lockKeys, settings)
        pending.removeAll()
        do {
            let result = try store.write(body)
            for file in files { file.isTaken = true }
            for change in pending {
                if store.isInGroup { noteFormer(of: change) }
                index.apply(change)
            }
            if needsScrub { scrub() }
            return result
        } catch {
            (lockKeys, settings) = (keys, chosen)
            if ZoneError.mayHaveHappened(error) { for file in files { file.isTaken = true } }
            throw error
        }
    }

    /// From now on changes are acknowledged together, by ``endGroup()``.
    package func beginGroup() throws { try store.beginGroup() }

    /// - Throws: `ZoneError`; then none of the group's changes was done, and ``undoGroup()`` follows.
    package func endGroup() throws {
        try store.endGroup()
        formers.removeAll()
        if needsScrub { scrub() }
    }

    /// Brings what is in memory back to what was before a group that was not done.
    package func undoGroup() {
        for (note, former) in formers {
            if let former { index.set(former, of: note) } else { index.remove(note) }
            progress.waiting.append(note)
        }
        formers.removeAll()
    }

    private func noteFormer(of change: NoteIndex.Change) {
        // A note that comes in has a lock of its own, which nobody asks for once the note is gone.
        guard case .header(_, let note) = change, formers[note] == nil else { return }
        formers[note] = .some(index[note])
    }

    /// Empties the write-ahead log of what was replaced; where the disk forbids it now, the next change tries again.
    func scrub() {
        // In a group the log is still written to; its end does it.
        guard !store.isInGroup else { return needsScrub = true }
        do {
            try store.scrub()
            needsScrub = false
        } catch { needsScrub = true }
    }

    func put(_ header: NoteHeader, of note: Identifier, _ writer: ZoneWriter) throws {
        try writer.put(note, type: RecordType.header, header.encoded, in: zone)
        pending.append(.header(header, of: note))
    }

    func put(_ lock: NoteLock, as name: Identifier, _ writer: ZoneWriter) throws {
        try writer.put(name, type: RecordType.lock, lock.encoded, in: zone)
        pending.append(.lock(name, under: lock.lockKey))
    }

    /// The note is removed in this transaction.
    func forget(_ note: Identifier) { pending.append(.gone(note)) }

    func removeLock(_ lock: Identifier, _ writer: ZoneWriter) throws {
        try writer.remove(lock, in: zone)
        pending.append(.lockGone(lock))
    }

    /// The passphrase under which a note is locked; nil for an open note, or where its lock can't be read.
    func lockKey(of header: NoteHeader) -> Identifier? { header.lock.flatMap { index.locks[$0] } }

    /// Whether a locked note cannot be opened by any passphrase, because a record is damaged that it takes.
    func hasDamagedLock(_ header: NoteHeader) -> Bool {
        guard let lock = header.lock else { return false }
        return damaged.contains(lock) || lockKey(of: header).map { lockKeys[$0] == nil } ?? true
    }

    /// Whether a note can be read now.
    func isReadable(_ header: NoteHeader) -> Bool {
        guard header.isLocked else { return true }
        return lockKey(of: header).map(sessions.isOpen) ?? false
    }
}
