import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// The open zone of one account's notes: its records, and which of them are known not to open.
final class NoteRecords {
    private let store: ZoneStore
    private(set) var zone: OpenZone
    /// Records that do not open; they are kept.
    private(set) var damaged: Set<Identifier> = []
    /// Whether replaced bytes may still lie in the write-ahead log.
    private var needsScrub = true

    init(_ store: ZoneStore, _ zone: OpenZone) {
        self.store = store
        self.zone = zone
    }

    /// The files of attachments.
    var assets: AssetFolder { store.assets }
    /// Whether changes wait to be acknowledged together.
    var isInBatch: Bool { store.isInBatch }
    /// What was damaged and has been made good as the store was opened, in words for a log.
    var mended: [String] { store.mended }

    /// Whose notes they are; nil where the store has lost it.
    func account() throws -> ZoneAccount? { try store.accounts().first }

    // MARK: Damage

    /// A record was found not to open.
    func lose(_ name: Identifier) { damaged.insert(name) }

    /// Another record stands under the name of one that did not open.
    func replaced(_ name: Identifier) { damaged.remove(name) }

    func damage(_ name: Identifier) -> NotesError {
        damaged.insert(name)
        return NotesError(
            .damaged, marked("a record of this note cannot be decoded; it is kept, and 'status' lists it"))
    }

    // MARK: Reading

    func read<Result>(_ body: (ZoneReader) throws -> Result) throws -> Result { try store.read(body) }

    /// A record's content.
    ///
    /// - Throws: `NotesError` with code `damaged` where it is missing or does not open.
    func content(_ name: Identifier, _ reader: ZoneReader? = nil) throws -> [UInt8] {
        do {
            let record =
                if let reader { try reader.record(name, in: zone) } else {
                    try store.read { try $0.record(name, in: zone) }
                }
            guard let record else { throw damage(name) }
            return record.content
        } catch ZoneError.damagedRecord { throw damage(name) }
    }

    /// A record's content; nil where it does not open, of which nothing is noted.
    ///
    /// - Throws: where it cannot be read now: nobody knows then whose it is.
    func untold(_ name: Identifier) throws -> [UInt8]? {
        do { return try store.read { try $0.record(name, in: zone) }?.content } catch ZoneError.damagedRecord {
            return nil
        }
    }

    /// The second copies of records on which others hang.
    func spared(ofType type: UInt16) -> [ZoneRecord] { store.sparedRecords(ofType: type, in: zone) }

    /// Records of which each is named by one head, and that no head names.
    func strays(
        ofType type: UInt16, heads: Int = 0, named: () -> Set<Identifier>
    ) throws -> Set<Identifier> {
        try store.strays(ofType: type, in: zone, heads: heads, named: named)
    }

    // MARK: Writing

    /// Runs `body` in one transaction; where a head is changed, that is for ``NoteHeads/change(taking:_:)``.
    func write<Result>(_ body: (ZoneWriter) throws -> Result) throws -> Result { try store.write(body) }

    func beginBatch() throws { try store.beginBatch() }

    func endBatch() throws { try store.endBatch() }

    /// Empties the write-ahead log of what was replaced; where the disk forbids it now, the next change tries again.
    func scrub() {
        // In a batch the log is still written to; its end does it.
        guard !store.isInBatch else { return needsScrub = true }
        do {
            try store.scrub()
            needsScrub = false
        } catch { needsScrub = true }
    }

    /// After a change that replaces nothing.
    func scrubWhereDue() { if needsScrub { scrub() } }

    /// Removes files that have come to belong to no note.
    func discard(_ assets: [Identifier]) { for asset in assets { try? store.assets.remove(asset) } }

    /// Gives back what a reading of everything has left in memory.
    func releaseMemory() { store.releaseMemory() }

    func close() { store.close() }

    /// Moves all records into a zone of another class.
    ///
    /// - Parameters:
    ///   - account: whose notes they are.
    ///   - accountKey: opens the key that signs.
    ///   - time: microseconds since 1970.
    /// - Throws: `NotesError` with code `damaged` where a record does not open; nothing was changed then.
    func changeClass(
        to zoneClass: ZoneLogEntry.ZoneClass, of account: ZoneAccount, with accountKey: borrowing SecretBytes,
        time: UInt64
    ) throws {
        do {
            zone = try store.changeClass(
                of: zone, to: zoneClass, of: account, scope: NotebookOpener.scope, with: accountKey, time: time)
        } catch ZoneError.damagedRecord(let record) {
            damaged.insert(record)
            throw NotesError(
                .damaged, marked("the record \(record) does not open, so it cannot be moved: the class stays as it was")
            )
        }
        // The log of the database still has the key's wrap of before.
        scrub()
    }
}
