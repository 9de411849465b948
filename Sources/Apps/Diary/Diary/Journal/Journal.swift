import DiaryClient
import Linux
import Secrets
import TextIndex
import Zones

/// The diary, open: puts the parts together, each of which owns what it does, and drives what none of them does alone.
///
/// It goes away, and the process image with it, when the diary locks.
final class Journal {
    let store: ZoneStore
    let records: DiaryRecords
    let heads: EntryHeads
    let search: EntrySearch
    let entries: Entries
    let lists: EntryLists
    let settings: JournalSettings
    let templates: Templates
    let damage: DamageLook
    private let timeline: KeptTimeline
    /// Whether the background had to give up.
    private var hasFailed = false

    /// - Parameter clock: microseconds since 1970, UTC.
    init(store: ZoneStore, zone: OpenZone, clock: @escaping () -> Int64) throws {
        self.store = store
        records = DiaryRecords(store, zone)
        heads = try EntryHeads(records, clock: clock)
        search = try EntrySearch(records, heads, clock: clock)
        settings = try JournalSettings(records)
        timeline = try KeptTimeline(records, heads)
        entries = Entries(records, heads, search, clock: clock)
        lists = EntryLists(records, heads, search, timeline)
        templates = Templates(records)
        damage = DamageLook(ZoneInspector(store), records, heads)
        heads.tell { [weak self] in
            self?.search.beginReading()
        } asked: { [weak self] in
            self?.search.retryPostponed()
            self?.hasFailed = false
        }
        // A kill may have come between a change and the removal of what it replaced.
        records.scrub()
    }

    func close() {
        // Without it the next first page waits for all headers, and nothing else is lost.
        do { try timeline.keep() } catch { Log.error("the timeline's snapshot could not be kept", error) }
        search.close()
        store.close()
    }

    // MARK: In the background

    var isLoading: Bool { heads.isLoading }
    /// Whether ``work()`` has something to do.
    var isBusy: Bool { !hasFailed && (isLoading || search.isIndexing) }

    /// Leaves what could not be done in the background to the next request, which fails loudly where it still can't.
    func abandonWork() { hasFailed = true }

    /// Does a little of what is still to be read, so that requests need not wait for all of it.
    func work() throws {
        if isLoading { try heads.loadSome() } else { try search.work() }
    }

    // MARK: What everybody asks

    /// The one entry whose identity begins so.
    func find(_ text: String) throws -> Identifier { try heads.find(text) }

    func summary(of entry: Identifier) throws -> EntrySummary { EntrySummary(entry, try heads.header(entry)) }

    /// - Parameter waitingPhotos: how many are still to be looked at.
    func status(process: Int32, locksIn: Int?, waitingPhotos: Int) throws -> DiaryStatus {
        try heads.loadAll()
        let headers = heads.index.ordered.compactMap { heads.index.outline(of: $0) }
        let present = headers.filter { !$0.isDeleted }
        var status = DiaryStatus(
            isRegistered: true, isSignedIn: true, locksIn: locksIn, entries: present.count { !$0.isDraft },
            damaged: Set(records.damaged.map(\.description) + (heads.headlessEntries ?? []).map(\.id)).sorted(),
            settings: settings.shown, process: process)
        status.drafts = present.count { $0.isDraft }
        status.trashed = headers.count - present.count
        status.waitingPhotos = waitingPhotos
        status.media = present.reduce(0) { $0 + Int($1.mediaCount) }
        return status
    }
}
