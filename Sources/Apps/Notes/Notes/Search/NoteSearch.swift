import NotesClient
import Secrets
import TextIndex

/// What notes are found by: the index of their words, and the notes whose texts wait to be in it.
final class NoteSearch {
    /// How far texts have been read since the device was unlocked.
    private struct Progress {
        /// Notes whose text waits to be indexed.
        var waiting: [Identifier] = []
        /// Notes that wait to be added to a fresh index.
        var renewing: [Identifier] = []
        /// Whether some of these have never been indexed.
        var isRenewalFirst = false
        /// Notes whose text the disk did not give, and when they are tried again, by the boot clock.
        var postponed: [Identifier] = []
        var postponedUntil: UInt64 = 0
    }

    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let words: SearchIndex
    /// Notes whose text did not open when the search wanted it.
    private(set) var unsearched: Set<Identifier> = []
    private var progress = Progress()

    init(
        _ words: SearchIndex, _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts,
        clock: @escaping () -> SecureSession.Instant
    ) {
        self.words = words
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.clock = clock
    }

    /// Notes that can be found by their text.
    var count: Int { words.count }

    /// Notes that contain all of a query's words, best first.
    func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] { try words.find(query, limit: limit) }

    // MARK: Changes

    /// Makes a note findable by what it says now; one of a batch when the others have had their turn.
    ///
    /// - Parameter body: nil where it can't be read.
    func indexAnew(_ note: Identifier, _ header: NoteHeader, _ body: NoteBody?) throws {
        guard header.deleted == nil else { return }
        // Who imports thousands waits for the disk, and not for words.
        guard !records.isInBatch else { return progress.waiting.append(note) }
        var texts: [SearchText] = []
        if header.isLocked { texts.append(SearchText(titleOf: note, header)) }
        if let body, keys.isReadable(header) {
            texts.append(SearchText(note, header, body))
            unsearched.remove(note)
        }
        try words.add(texts)
    }

    /// Makes a locked note findable by the title that its head has now.
    func indexTitle(of note: Identifier, _ header: NoteHeader) throws {
        try words.add([SearchText(titleOf: note, header)])
    }

    /// The text of a note is read when its turn comes.
    func postpone(_ note: Identifier) { progress.waiting.append(note) }

    func remove(_ note: Identifier) throws { try words.remove(note) }

    /// What is left in memory of removed texts is to go as well: one of them belongs to a note that has been locked.
    func forgetRemoved() { words.forgetRemoved() }

    /// Sessions have ended: nothing of any locked note stays in memory.
    func forgetLocked() { words.forgetLocked() }

    func close() { words.close() }

    // MARK: In the background

    /// Whether texts are still to be indexed.
    var isIndexing: Bool { !progress.waiting.isEmpty || progress.isRenewalFirst }

    /// Whether ``work()`` has something to do.
    var hasWork: Bool { isIndexing || isStale || isRenewing || isLockedStale }

    /// Whether words of removed texts are still in memory that have to go.
    var isStale: Bool { words.isStale }
    var isRenewing: Bool { words.isRenewing }
    /// Whether the words of locked notes are to be made anew.
    var isLockedStale: Bool { words.isLockedStale }

    /// All heads have been read: the texts of all notes wait.
    func beginReading() {
        let recent = heads.index.ordered.filter { $0.header.deleted == nil }.map(\.note)
        // The newest last: it is taken from the end.
        progress.waiting = recent.reversed()
    }

    /// A session has just been opened: the texts of its notes wait.
    func beginReading(under lockKey: Identifier) {
        let notes = heads.index.ordered.filter {
            heads.lockKey(of: $0.header) == lockKey && $0.header.deleted == nil
        }
        progress.waiting += notes.map(\.note).reversed()
    }

    /// Texts that the disk did not give are tried again after a while.
    func retryPostponed() {
        guard !progress.postponed.isEmpty, clock().boot >= progress.postponedUntil else { return }
        progress.waiting += progress.postponed
        progress.postponed = []
    }

    /// Does a little of what is still to be read, so that requests need not wait for all of it.
    func work() throws {
        if words.isRenewing, !progress.renewing.isEmpty {
            try renewTexts(limit: Self.textsPerTurn)
        } else if words.isRenewing {
            words.endRenewal()
            progress.isRenewalFirst = false
            records.releaseMemory()
        } else if words.isStale {
            // Before what waits: an import adds to that for half a minute, and the words of a note that has been locked
            // would stay in memory as long. One that is locked during a renewal has the next.
            try words.beginRenewal()
            progress.renewing = heads.index.ordered.filter { $0.header.deleted == nil }.map(\.note)
            // What waits and is no locked note's is among them.
            let sealed = progress.waiting.filter { heads[$0]?.isLocked == true }
            if sealed.count < progress.waiting.count { progress.isRenewalFirst = true }
            progress.waiting = sealed
        } else if words.isLockedStale {
            words.forgetLocked()
            let shown = heads.index.ordered.filter { entry in
                entry.header.isLocked && entry.header.deleted == nil && keys.isReadable(entry.header)
            }
            // The newest last, as above.
            progress.waiting += shown.map(\.note).reversed()
        } else if !progress.waiting.isEmpty {
            try indexTexts(limit: Self.textsPerTurn)
            if progress.waiting.isEmpty { records.releaseMemory() }
        }
    }

    private func tryLater(_ note: Identifier) {
        unsearched.insert(note)
        progress.postponed.append(note)
        progress.postponedUntil = clock().boot + Self.postponedMilliseconds
    }

    private static let postponedMilliseconds: UInt64 = 10_000

    /// About ten milliseconds of work: requests wait no longer, and a transaction for fewer costs as much as they do.
    private static let (textsPerTurn, bytesPerTurn) = (96, 64 * 1024)

    private func indexTexts(limit: Int) throws {
        let before = progress.waiting
        do { try words.add(texts(takenFrom: \.waiting, limit)) } catch {
            progress.waiting = before
            throw error
        }
    }

    private func renewTexts(limit: Int) throws {
        let before = progress.renewing
        do { try words.renew(texts(takenFrom: \.renewing, limit)) } catch {
            progress.renewing = before
            throw error
        }
    }

    /// The next few texts; few enough that nobody waits long for their turn.
    ///
    /// - Throws: where one cannot be opened now and may be later, such as for want of locked memory.
    private func texts(
        takenFrom list: WritableKeyPath<Progress, [Identifier]>, _ limit: Int
    ) throws -> [SearchText] {
        var texts: [SearchText] = []
        var seen: Set<Identifier> = []
        var (count, byteCount) = (0, 0)
        while count < limit, byteCount < Self.bytesPerTurn, let note = progress[keyPath: list].popLast() {
            count += 1
            // One that was changed while it waited, waits twice.
            guard seen.insert(note).inserted, let header = heads[note], header.deleted == nil else { continue }
            if header.isLocked { texts.append(SearchText(titleOf: note, header)) }
            // A fresh table is of open notes alone.
            guard keys.isReadable(header), list == \.waiting || !header.isLocked else { continue }
            // A note that does not open is said to be one with each answer; the others are found.
            let body: NoteBody
            do { body = try parts.body(of: note, header) } catch {
                switch NotesError(error).code {
                case .damaged: unsearched.insert(note)
                case .storage: tryLater(note)
                // A session has just ended.
                case .noteLocked: break
                default: throw error
                }
                continue
            }
            let text = SearchText(note, header, body)
            unsearched.remove(note)
            byteCount += text.text.utf8.count
            texts.append(text)
        }
        // A session may have been lost while these were opened.
        return texts.filter { !$0.isLocked || heads[$0.note].map(keys.isReadable) == true }
    }
}
