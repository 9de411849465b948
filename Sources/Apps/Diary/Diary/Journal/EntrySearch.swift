import DiaryClient
import Secrets
import TextIndex
import Zones

/// What entries are found by: the index of their words, and the entries whose texts wait to be in it.
final class EntrySearch {
    private struct Progress {
        /// Entries whose text waits to be indexed, the newest last.
        var waiting: [Identifier] = []
        /// Entries whose text the disk did not give, and when they are tried again.
        var postponed: [Identifier] = []
        var postponedUntil: Int64 = 0
    }

    private let clock: () -> Int64
    private let records: DiaryRecords
    private let heads: EntryHeads
    private let words: SearchTable
    private var progress = Progress()
    /// Entries whose text did not open when the search wanted it.
    private(set) var unsearched: Set<Identifier> = []

    init(_ records: DiaryRecords, _ heads: EntryHeads, clock: @escaping () -> Int64) throws {
        self.records = records
        self.heads = heads
        self.clock = clock
        words = try SearchTable()
    }

    private var now: Int64 { clock() }

    func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] { try words.find(query, limit: limit) }

    /// An entry's words.
    func indexed(_ entry: Identifier, _ header: EntryHeader, _ text: String) -> IndexedText {
        let place = [header.head.place?.name, header.head.place?.locality, header.head.place?.country]
        let title = (header.head.tags.map { "#\($0)" } + place.compactMap { $0 }).joined(separator: " ")
        // SQLite takes a NUL for the end.
        return IndexedText(id: entry, title: title, text: text.split(separator: "\0").joined(separator: " "))
    }

    /// - Parameter former: what was known of the entry before.
    func replace(_ text: IndexedText, former: IndexedText?) {
        change { try words.replace([text], former: former.map { [$0] } ?? []) }
    }

    func remove(_ entry: Identifier, former: IndexedText?) { change { try words.remove(entry, former: former) } }

    /// Changes the index of words; a failure costs finding by words, and nothing else.
    private func change(_ change: () throws -> Void) {
        do { try change() } catch { Log.error("the index of words could not be changed", error) }
    }

    func close() { words.close() }

    // MARK: In the background

    /// Whether texts are still to be indexed.
    var isIndexing: Bool { !progress.waiting.isEmpty }

    /// All heads have been read: the texts of all entries wait.
    func beginReading() {
        progress.waiting = heads.index.ordered.reversed().filter { heads.index.outline(of: $0)?.isDeleted == false }
    }

    /// Texts that the disk did not give are tried again after a while.
    func retryPostponed() {
        guard !progress.postponed.isEmpty, now >= progress.postponedUntil else { return }
        progress.waiting += progress.postponed
        progress.postponed = []
    }

    /// Reads a few texts that wait.
    func work() throws {
        let before = progress.waiting
        do { try words.replace(waitingTexts()) } catch {
            progress.waiting = before
            throw error
        }
        if progress.waiting.isEmpty { records.releaseMemory() }
    }

    /// The next few texts; few enough that nobody waits long for their turn.
    ///
    /// - Throws: where one cannot be opened now and may be later, such as for want of locked memory.
    private func waitingTexts() throws -> [IndexedText] {
        var texts: [IndexedText] = []
        var byteCount = 0
        while texts.count < 16, byteCount < 64 * 1024, let entry = progress.waiting.popLast() {
            // What was written since is in it already.
            guard !words.contains(entry), let header = heads[entry], header.deleted == nil else { continue }
            let body: EntryBody
            do { body = try records.body(of: header) } catch {
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

    /// A text that the disk did not give is tried again after a while.
    private static let postponedMicroseconds: Int64 = 10_000_000
}
