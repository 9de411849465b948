import Secrets
import Zones

/// The open zone of the diary: its records, and which of them are known not to open.
final class DiaryRecords {
    private let store: ZoneStore
    let zone: OpenZone
    /// Records that cannot be decoded; they are kept.
    private(set) var damaged: Set<Identifier> = []
    /// Whether replaced bytes may still lie in the write-ahead log.
    private var needsScrub = true

    init(_ store: ZoneStore, _ zone: OpenZone) {
        self.store = store
        self.zone = zone
    }

    /// The files of entries.
    var assets: AssetFolder { store.assets }

    /// A record was found not to open.
    func lose(_ name: Identifier) { damaged.insert(name) }

    /// Another record stands under the name of one that did not open.
    func replaced(_ name: Identifier) { damaged.remove(name) }

    func read<Result>(_ body: (ZoneReader) throws -> Result) throws -> Result { try store.read(body) }

    /// All records of a type; those that do not open are noted.
    func records(ofType type: UInt16) throws -> [ZoneRecord] {
        var found: [ZoneRecord] = []
        _ = try store.read { reader in
            try reader.records(ofType: type, in: zone, damaged: lose) { found.append($0) }
        }
        return found
    }

    func body(of header: EntryHeader) throws -> EntryBody {
        guard let record = try store.read({ try $0.record(header.body, in: zone) }) else {
            throw ZoneError.damagedRecord(header.body)
        }
        return try EntryBody(from: record.content)
    }

    /// Texts that no head names.
    func strayTexts(heads: Int, named: () -> Set<Identifier>) throws -> Set<Identifier> {
        try store.strays(ofType: RecordType.body, in: zone, heads: heads, named: named)
    }

    func write<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result { try store.write(body) }

    /// Empties the write-ahead log of what was replaced; where the disk forbids it now, the next change tries again.
    func scrub() {
        do {
            try store.scrub()
            needsScrub = false
        } catch { needsScrub = true }
    }

    /// After a change that replaces nothing.
    func scrubWhereDue() { if needsScrub { scrub() } }

    /// Removes files that have come to belong to no entry.
    func discard(_ assets: [Identifier]) { for asset in assets { try? store.assets.remove(asset) } }

    /// Gives back what a reading of everything has left in memory.
    func releaseMemory() { store.releaseMemory() }
}
