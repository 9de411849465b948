import DiaryClient
import Secrets
import Zones

/// Which entries the timeline had, the newest first, when the diary was closed.
///
/// With it the first page is there before fifty thousand headers have been read. It is sealed like everything else, and
/// good only as long as nothing was written to the zone since.
struct TimelineSnapshot: Equatable, Sendable {
    /// The place of the zone's last change before the snapshot itself was written.
    var sequence: UInt64
    var entries: [Identifier]

    init(sequence: UInt64, entries: [Identifier]) {
        self.sequence = sequence
        self.entries = entries
    }

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.uint64(sequence)
        writer.uint32(UInt32(entries.count))
        for entry in entries { writer.identifier(entry) }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var snapshot = TimelineSnapshot(sequence: try reader.uint64(), entries: [])
            let count = try reader.count(ofSize: 16)
            snapshot.entries.reserveCapacity(count)
            for _ in 0..<count { snapshot.entries.append(try reader.identifier()) }
            return snapshot
        }
    }
}

/// The timeline as it was when the diary was closed, kept for the next start.
final class KeptTimeline {
    private let records: DiaryRecords
    private let heads: EntryHeads
    /// Nil where anything was written since.
    private var snapshot: TimelineSnapshot?
    private var record: Identifier?

    init(_ records: DiaryRecords, _ heads: EntryHeads) throws {
        self.records = records
        self.heads = heads
        try load()
    }

    /// Fewer entries are read faster than a snapshot is worth.
    private static let fewestForSnapshot = 1000

    /// Takes up what was kept.
    private func load() throws {
        var found: [ZoneRecord] = []
        let sequence = try records.read { reader in
            _ = try reader.records(ofType: RecordType.timeline, in: records.zone, damaged: { _ in }) {
                found.append($0)
            }
            return try reader.sequence(of: records.zone)
        }
        guard let record = found.first else { return }
        self.record = record.name
        // One that does not decode, or is older than the last change, is none.
        guard let read = try? TimelineSnapshot(from: record.content), read.sequence &+ 1 == sequence else { return }
        snapshot = read
    }

    /// Keeps the timeline for the next start, where all of it is known and something has changed.
    func keep() throws {
        guard !heads.isLoading, heads.index.count >= Self.fewestForSnapshot else { return }
        let sequence = try records.read { try $0.sequence(of: records.zone) }
        if let snapshot, snapshot.sequence &+ 1 == sequence { return }
        let entries = heads.index.ordered.filter { entry in
            heads.index.outline(of: entry).map { !$0.isDeleted && !$0.isDraft } ?? false
        }
        let kept = TimelineSnapshot(sequence: sequence, entries: entries)
        let record = self.record ?? .makeRandom()
        try records.write { writer in
            _ = try writer.put(record, type: RecordType.timeline, kept.encoded, in: records.zone)
        }
        self.record = record
    }

    /// A page of the whole timeline from the snapshot; nil where it takes more than that.
    func page(_ filter: DiaryFilter) throws -> EntryList? {
        guard let snapshot, filter.part == .timeline, filter.tag == nil, !filter.starredOnly, filter.onThisDay == nil,
            filter.offset >= 0, filter.limit > 0,
            try records.read({ try $0.sequence(of: records.zone) }) == snapshot.sequence &+ 1
        else { return nil }
        var summaries: [EntrySummary] = []
        for entry in snapshot.entries.dropFirst(filter.offset).prefix(min(filter.limit, EntryLists.mostListed)) {
            // What is amiss is for the whole reading to find and to say.
            guard let record = try? records.read({ try $0.record(entry, in: records.zone) }),
                let header = try? EntryHeader(from: record.content)
            else { return nil }
            summaries.append(EntrySummary(entry, header))
        }
        return EntryList(entries: EntryLists.fitting(summaries), total: snapshot.entries.count)
    }
}
