import NotesClient
import Secrets
import Zones

// Reading what is there: first all headers and locks, then text by text for the search.
extension Notebook {
    /// How far the notebook has been read since the device was unlocked.
    struct Progress {
        var headers: ZoneCursor? = .start
        var locks: ZoneCursor? = .start
        /// Notes whose text waits to be indexed.
        var waiting: [Identifier] = []
        /// Notes that wait to be added to a fresh index.
        var renewing: [Identifier] = []
        /// Whether some of these have never been indexed.
        var isRenewalFirst = false
        /// Whether what no head names is still to be looked for.
        var seeksStrays = false
        /// Notes whose text the disk did not give, and when they are tried again, by the boot clock.
        var postponed: [Identifier] = []
        var postponedUntil: UInt64 = 0
        /// Whether the background had to give up.
        var hasFailed = false
    }

    /// Whether headers or locks are still to be read.
    package var isLoading: Bool { progress.headers != nil || progress.locks != nil }
    /// Whether texts are still to be indexed.
    package var isIndexing: Bool { isLoading || !progress.waiting.isEmpty || progress.isRenewalFirst }

    /// Whether ``work()`` has something to do.
    package var isBusy: Bool {
        !progress.hasFailed && (isIndexing || search.isStale || search.isRenewing || search.isLockedStale)
    }

    /// Leaves what could not be done in the background to the next request, which fails loudly where it still can't.
    package func abandonWork() { progress.hasFailed = true }

    /// Reads all headers and locks that have not been read yet.
    func loadAll() throws {
        while isLoading { try load(limit: .max) }
        try seekStrays()
        retryPostponed()
        progress.hasFailed = false
    }

    /// Does a little of what is still to be read, so that requests need not wait for all of it.
    ///
    /// - Returns: whether there is more to do.
    package func work() throws -> Bool {
        if isLoading {
            try load(limit: 1000)
        } else if search.isRenewing, !progress.renewing.isEmpty {
            try renewTexts(limit: Self.textsPerTurn)
        } else if search.isRenewing {
            search.endRenewal()
            progress.isRenewalFirst = false
            store.releaseMemory()
        } else if search.isStale {
            // Before what waits: an import adds to that for half a minute, and the words of a note that has been locked
            // would stay in memory as long. One that is locked during a renewal has the next.
            try search.beginRenewal()
            progress.renewing = index.ordered.filter { $0.header.deleted == nil }.map(\.note)
            // What waits and is no locked note's is among them.
            let sealed = progress.waiting.filter { index[$0]?.isLocked == true }
            if sealed.count < progress.waiting.count { progress.isRenewalFirst = true }
            progress.waiting = sealed
        } else if search.isLockedStale {
            search.forgetLocked()
            let shown = index.ordered.filter { entry in
                entry.header.isLocked && entry.header.deleted == nil && isReadable(entry.header)
            }
            // The newest last, as above.
            progress.waiting += shown.map(\.note).reversed()
        } else if !progress.waiting.isEmpty {
            try indexTexts(limit: Self.textsPerTurn)
            if progress.waiting.isEmpty { store.releaseMemory() }
        }
        return isBusy
    }

    private func load(limit: Int) throws {
        if progress.headers != nil {
            try loadHeaders(limit)
        } else {
            try loadLocks(limit)
        }
        guard !isLoading else { return }
        index.sort()
        let recent = index.ordered.filter { $0.header.deleted == nil }.map(\.note)
        // The newest last: it is taken from the end.
        progress.waiting = recent.reversed()
        progress.seeksStrays = true
        recoverDrafts { !$0.isLocked }
        try seekStrays()
    }

    /// What no head names, once all heads are read.
    private func seekStrays() throws {
        guard progress.seeksStrays else { return }
        try findStrayTexts()
        putOrphansAside()
        progress.seeksStrays = false
    }

    /// Texts that the disk did not give are tried again after a while.
    private func retryPostponed() {
        guard !progress.postponed.isEmpty, clock().boot >= progress.postponedUntil else { return }
        progress.waiting += progress.postponed
        progress.postponed = []
    }

    private func postpone(_ note: Identifier) {
        unsearched.insert(note)
        progress.postponed.append(note)
        progress.postponedUntil = clock().boot + Self.postponedMilliseconds
    }

    private static let postponedMilliseconds: UInt64 = 10_000

    /// About ten milliseconds of work: requests wait no longer, and a transaction for fewer costs as much as they do.
    private static let (textsPerTurn, bytesPerTurn) = (96, 64 * 1024)

    private func loadHeaders(_ limit: Int) throws {
        guard let cursor = progress.headers else { return }
        let lose = { (note: Identifier) in
            self.damaged.insert(note)
            self.headless.insert(note)
        }
        progress.headers = try store.read { reader in
            if index.count == 0 { index.reserve(try reader.count(ofType: RecordType.header, in: zone)) }
            return try reader.records(
                ofType: RecordType.header, in: zone, after: cursor, limit: limit, damaged: lose
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
        guard let cursor = progress.locks else { return }
        progress.locks = try store.read { reader in
            try reader.records(
                ofType: RecordType.lock, in: zone, after: cursor, limit: limit, damaged: { damaged.insert($0) }
            ) { record in
                if let lock = try? NoteLock(from: record.content) {
                    index.locks[record.name] = lock.lockKey
                } else {
                    damaged.insert(record.name)
                }
            }
        }
    }

    private func indexTexts(limit: Int) throws {
        let before = progress.waiting
        do { try search.add(texts(takenFrom: \.waiting, limit)) } catch {
            progress.waiting = before
            throw error
        }
    }

    private func renewTexts(limit: Int) throws {
        let before = progress.renewing
        do { try search.renew(texts(takenFrom: \.renewing, limit)) } catch {
            progress.renewing = before
            throw error
        }
    }

    /// The next few texts; few enough that nobody waits long for their turn.
    ///
    /// - Throws: where one cannot be opened now and may be later, such as for want of locked memory.
    private func texts(takenFrom list: WritableKeyPath<Progress, [Identifier]>, _ limit: Int) throws -> [SearchText] {
        var texts: [SearchText] = []
        var seen: Set<Identifier> = []
        var (count, byteCount) = (0, 0)
        while count < limit, byteCount < Self.bytesPerTurn, let note = progress[keyPath: list].popLast() {
            count += 1
            // One that was changed while it waited, waits twice.
            guard seen.insert(note).inserted, let header = index[note], header.deleted == nil else { continue }
            if header.isLocked { texts.append(SearchText(titleOf: note, header)) }
            // A fresh table is of open notes alone.
            guard isReadable(header), list == \.waiting || !header.isLocked else { continue }
            // A note that does not open is said to be one with each answer; the others are found.
            let body: NoteBody
            do { body = try self.body(of: note, header) } catch {
                switch NotesError(error).code {
                case .damaged: unsearched.insert(note)
                case .storage: postpone(note)
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
        return texts.filter { !$0.isLocked || index[$0.note].map(isReadable) == true }
    }

    /// Makes a note findable by what it says now; one of a group when the others have had their turn.
    ///
    /// - Parameter body: nil where it can't be read.
    func indexAnew(_ note: Identifier, _ header: NoteHeader, _ body: NoteBody?) throws {
        guard header.deleted == nil else { return }
        // Who imports thousands waits for the disk, and not for words.
        guard !store.isInGroup else { return progress.waiting.append(note) }
        var texts: [SearchText] = []
        if header.isLocked { texts.append(SearchText(titleOf: note, header)) }
        if let body, isReadable(header) {
            texts.append(SearchText(note, header, body))
            unsearched.remove(note)
        }
        try search.add(texts)
    }

    /// A session has just been opened: its notes become findable, and edits that it cut short are taken up.
    func welcome(_ lockKey: Identifier) throws {
        try loadAll()
        recoverDrafts { self.lockKey(of: $0) == lockKey }
        let notes = index.ordered.filter { self.lockKey(of: $0.header) == lockKey && $0.header.deleted == nil }
        progress.waiting += notes.map(\.note).reversed()
        // Those that a full disk keeps hidden are shown at the next session.
        if settings.showsLockedTitles { try? showTitles { self.lockKey(of: $0) == lockKey } }
    }
}
