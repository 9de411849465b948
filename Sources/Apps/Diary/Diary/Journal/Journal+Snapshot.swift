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

extension Journal {
    /// Fewer entries are read faster than a snapshot is worth.
    private static let fewestForSnapshot = 1000

    func loadSnapshot() throws {
        var found: [ZoneRecord] = []
        let sequence = try store.read { reader in
            _ = try reader.records(ofType: RecordType.timeline, in: zone, damaged: { _ in }) { found.append($0) }
            return try reader.sequence(of: zone)
        }
        guard let record = found.first else { return }
        snapshotRecord = record.name
        // One that does not decode, or is older than the last change, is none.
        guard let read = try? TimelineSnapshot(from: record.content), read.sequence &+ 1 == sequence else { return }
        snapshot = read
    }

    /// Keeps the timeline for the next start, where all of it is known and something has changed.
    func keepSnapshot() throws {
        guard !isLoading, index.count >= Self.fewestForSnapshot else { return }
        let sequence = try store.read { try $0.sequence(of: zone) }
        if let snapshot, snapshot.sequence &+ 1 == sequence { return }
        let entries = index.ordered.filter { entry in
            index.outline(of: entry).map { !$0.isDeleted && !$0.isDraft } ?? false
        }
        let kept = TimelineSnapshot(sequence: sequence, entries: entries)
        let record = snapshotRecord ?? .makeRandom()
        try store.write { writer in
            _ = try writer.put(record, type: RecordType.timeline, kept.encoded, in: zone)
        }
        snapshotRecord = record
    }

    /// A page of the whole timeline from the snapshot; nil where it takes more than that.
    func snapshotPage(_ filter: DiaryFilter) throws -> EntryList? {
        guard let snapshot, filter.part == .timeline, filter.tag == nil, !filter.starredOnly, filter.onThisDay == nil,
            filter.offset >= 0, filter.limit > 0,
            try store.read({ try $0.sequence(of: zone) }) == snapshot.sequence &+ 1
        else { return nil }
        var summaries: [EntrySummary] = []
        for entry in snapshot.entries.dropFirst(filter.offset).prefix(min(filter.limit, Self.mostListed)) {
            // What is amiss is for the whole reading to find and to say.
            guard let record = try? store.read({ try $0.record(entry, in: zone) }),
                let header = try? EntryHeader(from: record.content)
            else { return nil }
            summaries.append(Self.summary(entry, header))
        }
        return EntryList(entries: Self.fitting(summaries), total: snapshot.entries.count)
    }
}
