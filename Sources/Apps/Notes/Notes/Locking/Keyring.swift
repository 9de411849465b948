import Localization
import NotesClient
import Secrets
import Zones

/// The account's passphrases, as their records tell of them: which there are, which is in force, and how many wrong
/// ones were given in a row; with what else its owner chose, which stands in the same record.
///
/// No key is here: a passphrase opens one, and ``OpenSessions`` has it.
final class Keyring {
    private let records: NoteRecords
    private let heads: NoteHeads
    private(set) var settings = AccountSettings()
    private(set) var settingsRecord = Identifier.makeRandom()
    /// Whether the settings do not open: then the passphrases that are known tell which is in force.
    private(set) var hasLostSettings = false
    /// Kept as long as any note names them.
    private(set) var lockKeys: [Identifier: LockKey] = [:]
    /// Wrong passphrases in a row.
    private(set) var tries: UInt32 = 0
    private var triesRecord = Identifier.makeRandom()

    init(_ records: NoteRecords, _ heads: NoteHeads) throws {
        self.records = records
        self.heads = heads
        try records.read { reader in
            try loadSettings(reader)
            try loadLockKeys(reader)
        }
        // The newest passphrase is the one in force, as far as anybody can tell.
        let newest = lockKeys.values.max { $0.created < $1.created }
        if hasLostSettings, let newest { settings.currentLockKey = newest.id }
    }

    private func loadSettings(_ reader: ZoneReader) throws {
        var isThere = false
        func take(_ record: ZoneRecord) {
            guard let known = try? AccountSettings(from: record.content) else { return records.lose(record.name) }
            (settings, settingsRecord, isThere) = (known, record.name, true)
        }
        let before = records.damaged.count
        _ = try reader.records(ofType: RecordType.settings, in: records.zone, damaged: records.lose, take)
        hasLostSettings = records.damaged.count > before && !isThere
        if hasLostSettings { records.spared(ofType: RecordType.settings).forEach(take) }
        hasLostSettings = hasLostSettings && !isThere
        _ = try reader.records(ofType: RecordType.tries, in: records.zone, damaged: records.lose) { record in
            let count = try? RecordLayout.read(record.content) { (reader) throws(DecodingError) in try reader.uint32() }
            guard let count else { return records.lose(record.name) }
            tries = count
            triesRecord = record.name
        }
    }

    private func loadLockKeys(_ reader: ZoneReader) throws {
        var isDamaged = false
        func take(_ record: ZoneRecord) {
            guard let lockKey = try? LockKey(record.name, from: record.content) else {
                return records.lose(record.name)
            }
            lockKeys[record.name] = lockKey
        }
        func note(_ name: Identifier) {
            records.lose(name)
            isDamaged = true
        }
        _ = try reader.records(ofType: RecordType.lockKey, in: records.zone, damaged: note, take)
        guard isDamaged else { return }
        // What the store itself can read counts.
        for record in records.spared(ofType: RecordType.lockKey) where lockKeys[record.name] == nil {
            take(record)
        }
    }

    /// The passphrase in force; nil where none is set, or its record is lost.
    var current: LockKey? { settings.currentLockKey.flatMap { lockKeys[$0] } }

    /// Whether another passphrase has followed this one: it is from before a reset.
    func isOlder(_ lockKey: Identifier) -> Bool {
        settings.currentLockKey.map { $0 != lockKey } ?? false
    }

    /// Whether nobody can tell if there is a passphrase: the settings are lost, and no passphrase is known.
    var isUnknown: Bool { hasLostSettings && settings.currentLockKey == nil }

    /// Why there is no passphrase to open or to change.
    var noPassphrase: NotesError {
        guard hasLostSettings else { return NotesError(.noPassphrase, marked("no passphrase for locked notes is set")) }
        return NotesError(
            .damaged,
            marked(
                """
                the settings of notes are damaged, and with them which passphrase is in force; 'tresor repair --from' \
                takes them from a copy, and without one 'tresor notes passphrase reset' sets a new one
                """))
    }

    // MARK: Changing

    /// Stores a passphrase and puts it in force, in one transaction; the wrong ones of before do not count any more.
    ///
    /// - Parameter rest: what else belongs into the transaction, behind the passphrase's own record.
    func install(_ lockKey: LockKey, _ rest: (ZoneWriter) throws -> Void) throws {
        try change { writer in
            try writer.put(lockKey.id, type: RecordType.lockKey, lockKey.encoded, in: records.zone)
            lockKeys[lockKey.id] = lockKey
            try rest(writer)
            settings.currentLockKey = lockKey.id
            try put(settings, writer)
            try forgetTries(writer)
        }
        tries = 0
        // They are written anew, under a name of their own.
        hasLostSettings = false
    }

    /// A passphrase that no note names any more; where a record is damaged, nobody can tell, and it stays.
    func drop(_ lockKey: Identifier, _ writer: ZoneWriter) throws {
        guard records.damaged.isEmpty else { return }
        try writer.remove(lockKey, in: records.zone)
        lockKeys[lockKey] = nil
    }

    /// Other settings, and what follows from them, in one transaction.
    func change(to next: AccountSettings, _ rest: (ZoneWriter) throws -> Void) throws {
        try change { writer in
            settings = next
            try put(next, writer)
            try rest(writer)
        }
    }

    /// Runs `body` in a transaction; what it says of passphrases and settings holds once it is on the disk.
    private func change(_ body: (ZoneWriter) throws -> Void) throws {
        let (keys, chosen) = (lockKeys, settings)
        do { try heads.change(body) } catch {
            (lockKeys, settings) = (keys, chosen)
            throw error
        }
    }

    private func put(_ settings: AccountSettings, _ writer: ZoneWriter) throws {
        try writer.put(settingsRecord, type: RecordType.settings, settings.encoded, in: records.zone)
    }

    // MARK: Tries

    /// Counts over restarts.
    func setTries(_ count: UInt32) throws {
        guard count != tries else { return }
        try heads.change { try put(tries: count, $0) }
        tries = count
    }

    private func put(tries count: UInt32, _ writer: ZoneWriter) throws {
        var layout = RecordLayout.begin()
        layout.uint32(count)
        try writer.put(triesRecord, type: RecordType.tries, layout.bytes, in: records.zone)
    }

    /// In the transaction of a new passphrase: behind it, a failing disk would hide that the passphrase is another.
    private func forgetTries(_ writer: ZoneWriter) throws {
        if tries > 0 { try put(tries: 0, writer) }
    }
}
