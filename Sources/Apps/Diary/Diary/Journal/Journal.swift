import DiaryClient
import Linux
import Secrets
import TextIndex
import Zones

/// The diary, open: its entries' headers in memory, their texts and files sealed in its zone.
///
/// It goes away, and the process image with it, when the diary locks.
package final class Journal {
    let store: ZoneStore
    let zone: OpenZone
    private let clock: () -> Int64
    var index = EntryIndex()
    var progress = Progress()
    /// Of a look at everything that began here.
    var texts: TextCensus?
    let search: SearchTable
    /// Records that cannot be decoded; they are kept.
    var damaged: Set<Identifier> = []
    /// Entries whose head is one of them.
    var headless: Set<Identifier> = []
    /// Texts that no head names.
    var strayTexts: Set<Identifier> = []
    /// Entries whose text did not open when the search wanted it.
    var unsearched: Set<Identifier> = []
    /// Whether replaced bytes may still lie in the write-ahead log.
    private var needsScrub = true
    private(set) var settings = StoredSettings()
    private var settingsRecord: Identifier?
    /// The timeline as it was when the diary was closed; nil where anything was written since.
    var snapshot: TimelineSnapshot?
    var snapshotRecord: Identifier?
    /// Files that were there when the diary was opened.
    var foundAssets: [Identifier]

    /// How far the diary has been read since it was opened.
    struct Progress {
        var headers: ZoneCursor? = .start
        /// Entries whose text waits to be indexed, the newest last.
        var waiting: [Identifier] = []
        /// Whether what no head names is still to be looked for.
        var seeksStrays = false
        /// Entries whose text the disk did not give, and when they are tried again.
        var postponed: [Identifier] = []
        var postponedUntil: Int64 = 0
        var hasFailed = false
    }

    /// - Parameter clock: microseconds since 1970, UTC.
    init(store: ZoneStore, zone: OpenZone, clock: @escaping () -> Int64) throws {
        self.store = store
        self.zone = zone
        self.clock = clock
        search = try SearchTable()
        foundAssets = try store.assets.names()
        try loadSettings()
        try loadSnapshot()
        // A kill may have come between a change and the removal of what it replaced.
        scrub()
    }

    var now: Int64 { clock() }

    /// Empties the write-ahead log of what was replaced; where the disk forbids it now, the next change tries again.
    func scrub() {
        do {
            try store.scrub()
            needsScrub = false
        } catch { needsScrub = true }
    }

    /// After a change that replaces nothing.
    func scrubWhereDue() { if needsScrub { scrub() } }

    package func close() {
        // Without it the next first page waits for all headers, and nothing else is lost.
        do { try keepSnapshot() } catch { Log.error("the timeline's snapshot could not be kept", error) }
        search.close()
        store.close()
    }

    // MARK: Settings

    private func loadSettings() throws {
        var found: [ZoneRecord] = []
        _ = try store.read { reader in
            try reader.records(ofType: RecordType.settings, in: zone, damaged: { damaged.insert($0) }) {
                found.append($0)
            }
        }
        for record in found {
            guard let read = try? StoredSettings(from: record.content) else {
                damaged.insert(record.name)
                continue
            }
            (settings, settingsRecord) = (read, record.name)
        }
    }

    /// - Throws: `DiaryError` with code `invalid`.
    func changeSettings(_ changes: DiarySettings) throws {
        var changed = settings
        if let minutes = changes.lockMinutes {
            guard let stored = UInt16(exactly: minutes), stored <= StoredSettings.mostMinutes else {
                throw DiaryError(.invalid, "the diary locks after 0 (never by itself) to 1440 minutes")
            }
            changed.lockMinutes = stored
        }
        if let locks = changes.locksOnResign { changed.locksOnResign = locks }
        if let excluded = changes.isExcludedFromBackup { changed.isExcludedFromBackup = excluded }
        let record = settingsRecord ?? .makeRandom()
        try store.write { writer in
            _ = try writer.put(record, type: RecordType.settings, changed.encoded, in: zone)
        }
        (settings, settingsRecord) = (changed, record)
    }

    var shownSettings: DiarySettings {
        DiarySettings(
            lockMinutes: Int(settings.lockMinutes), locksOnResign: settings.locksOnResign,
            isExcludedFromBackup: settings.isExcludedFromBackup)
    }
}

// Reading what is there: first all headers, then text by text for the search.
extension Journal {
    package var isLoading: Bool { progress.headers != nil }
    package var isIndexing: Bool { isLoading || !progress.waiting.isEmpty }
    /// Whether ``work()`` has something to do.
    package var isBusy: Bool { !progress.hasFailed && isIndexing }

    /// Leaves what could not be done in the background to the next request, which fails loudly where it still can't.
    package func abandonWork() { progress.hasFailed = true }

    /// Reads all headers that have not been read yet.
    func loadAll() throws {
        while isLoading { try loadHeaders(limit: .max) }
        try seekStrays()
        if !progress.postponed.isEmpty, now >= progress.postponedUntil {
            progress.waiting += progress.postponed
            progress.postponed = []
        }
        progress.hasFailed = false
    }

    /// Does a little of what is still to be read, so that requests need not wait for all of it.
    package func work() throws {
        if isLoading { return try loadHeaders(limit: 1000) }
        let before = progress.waiting
        do { try search.replace(waitingTexts()) } catch {
            progress.waiting = before
            throw error
        }
        if progress.waiting.isEmpty { store.releaseMemory() }
    }

    /// The next few texts; few enough that nobody waits long for their turn.
    ///
    /// - Throws: where one cannot be opened now and may be later, such as for want of locked memory.
    private func waitingTexts() throws -> [IndexedText] {
        var texts: [IndexedText] = []
        var byteCount = 0
        while texts.count < 16, byteCount < 64 * 1024, let entry = progress.waiting.popLast() {
            // What was written since is in it already.
            guard !search.contains(entry), let header = index[entry], header.deleted == nil else { continue }
            let body: EntryBody
            do { body = try self.body(of: header) } catch {
                let code = DiaryError(error).code
                guard [.damaged, .storage].contains(code) else { throw error }
                unsearched.insert(entry)
                if code == .storage {
                    progress.postponed.append(entry)
                    progress.postponedUntil = now + Self.postponedMicroseconds
                }
                continue
            }
            unsearched.remove(entry)
            let text = indexed(entry, header, body.text)
            byteCount += text.text.utf8.count
            texts.append(text)
        }
        return texts
    }

    private func loadHeaders(limit: Int) throws {
        guard let cursor = progress.headers else { return }
        let lose = { (entry: Identifier) in
            self.damaged.insert(entry)
            self.headless.insert(entry)
        }
        progress.headers = try store.read { reader in
            try reader.records(
                ofType: RecordType.header, in: zone, after: cursor, limit: limit, damaged: lose
            ) { record in
                do { try index.load(record.content, of: record.name) } catch { lose(record.name) }
            }
        }
        guard !isLoading else { return }
        index.sort()
        progress.waiting = index.ordered.reversed().filter { index.outline(of: $0)?.isDeleted == false }
        progress.seeksStrays = true
        try seekStrays()
    }

    /// What no head names, once all heads are read.
    private func seekStrays() throws {
        guard progress.seeksStrays else { return }
        try findStrayTexts()
        putOrphansAside()
        progress.seeksStrays = false
    }

    /// A text that the disk did not give is tried again after a while.
    private static let postponedMicroseconds: Int64 = 10_000_000

    /// Puts files aside that no entry names: what a crash left behind, or all that is left of an entry whose row has
    /// gone.
    ///
    /// Not while a record is damaged: its files are kept with it.
    private func putOrphansAside() {
        defer { foundAssets = [] }
        guard damaged.isEmpty, strayTexts.isEmpty else { return }
        let named = Set(index.ordered.flatMap { index[$0]?.assets ?? [] })
        store.assets.sort(foundAssets, named: named, now: now / 1_000_000)
    }

    /// Removes files that have come to belong to no entry.
    func discard(_ assets: [Identifier]) { for asset in assets { try? store.assets.remove(asset) } }

    func indexed(_ entry: Identifier, _ header: EntryHeader, _ text: String) -> IndexedText {
        let place = [header.head.place?.name, header.head.place?.locality, header.head.place?.country]
        let title = (header.head.tags.map { "#\($0)" } + place.compactMap { $0 }).joined(separator: " ")
        // SQLite takes a NUL for the end.
        return IndexedText(id: entry, title: title, text: text.split(separator: "\0").joined(separator: " "))
    }

    func body(of header: EntryHeader) throws -> EntryBody {
        guard let record = try store.read({ try $0.record(header.body, in: zone) }) else {
            throw ZoneError.damagedRecord(header.body)
        }
        return try EntryBody(from: record.content)
    }
}
