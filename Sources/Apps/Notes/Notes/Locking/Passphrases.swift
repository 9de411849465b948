import Envelopes
import KeyEnvelopes
import Localization
import NotesClient
import Secrets
import Zones

/// The passphrase of the account: set, changed, reset, and tried at a session's door.
final class Passphrases {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keyring: Keyring
    private let sessions: NoteSessions

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keyring: Keyring, _ sessions: NoteSessions,
        clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.keyring = keyring
        self.sessions = sessions
        self.clock = clock
    }

    private var now: Int64 { clock().wall }

    /// From the so-manieth wrong passphrase in a row on, the hint is part of the answer.
    private static let triesBeforeHint: UInt32 = 3
    private static let longestPassphrase = 1024

    private func check(_ passphrase: borrowing SecretBytes) throws {
        guard passphrase.count > 0 else { throw NotesError(.invalid, marked("the passphrase is empty")) }
        guard passphrase.count <= Self.longestPassphrase else {
            throw NotesError(.invalid, marked("a passphrase has at most \(Self.longestPassphrase) bytes"))
        }
    }

    private func check(_ hint: String, of passphrase: borrowing SecretBytes) throws {
        guard hint.utf8.count <= 1024 else { throw NotesError(.invalid, marked("a hint has at most 1024 bytes")) }
        // Whoever is shown such a hint has the passphrase.
        guard try !Self.readable(passphrase, { try NoteLockEnvelope.isContained($0, in: hint) }) else {
            throw NotesError(.invalid, marked("the hint contains the passphrase; nothing was changed"))
        }
    }

    /// Sets the first passphrase, and opens a session with it.
    func set(_ new: borrowing SecretBytes, hint: String?) throws {
        guard !keyring.isUnknown else { throw keyring.noPassphrase }
        guard keyring.settings.currentLockKey == nil else {
            throw NotesError(
                .passphraseExists, marked("a passphrase is set already; change it, or reset it if it is forgotten"))
        }
        try install(new, hint: hint)
    }

    /// A new passphrase for notes locked from now on; those locked before keep theirs.
    ///
    /// The caller has verified the account's password before.
    func reset(_ new: borrowing SecretBytes, hint: String?) throws {
        try install(new, hint: hint)
    }

    private func install(_ new: borrowing SecretBytes, hint: String?) throws {
        try check(new)
        try heads.loadAll()
        let made = try makeLockKey(new, hint: hint, keyring.settings.suite)
        let old = keyring.settings.currentLockKey
        try keyring.install(made.lockKey) { writer in
            if let old, !heads.index.locks.values.contains(old) { try keyring.drop(old, writer) }
        }
        // The verifier of a forgotten one, by which it could be looked for.
        if old != nil { records.scrub() }
        // The passphrase is set, whether or not a session can be opened with it now.
        try? sessions.open(made.lockKey.id, made.kek.bytes)
    }

    private struct MadeLockKey {
        let lockKey: LockKey
        let kek: NoteKey
    }

    private func makeLockKey(
        _ passphrase: borrowing SecretBytes, hint: String?, _ suite: LockSuite
    ) throws -> MadeLockKey {
        let trimmed = hint.flatMap { $0.isEmpty ? nil : $0 }
        if let trimmed { try check(trimmed, of: passphrase) }
        let salt = Random.bytes(count: suite.saltByteCount)
        let rounds = Calibration.rounds(suite)
        let kek = try derive(passphrase, salt: salt, rounds: rounds, suite)
        let verifier = try NoteLockEnvelope.wrap(try NoteLockEnvelope.makeKey(suite), under: kek)
        let lockKey = LockKey(
            id: .makeRandom(), suite: suite, rounds: rounds, salt: salt, verifier: verifier, hint: trimmed,
            created: now)
        return MadeLockKey(lockKey: lockKey, kek: NoteKey(kek, suite))
    }

    private func derive(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], rounds: UInt32, _ suite: LockSuite
    ) throws -> SecretBytes {
        try Self.readable(passphrase) {
            try NoteLockEnvelope.deriveKey(from: $0, salt: salt, rounds: rounds, suite: suite)
        }
    }

    /// What `body` makes of a passphrase, which has to be text.
    private static func readable<Made: ~Copyable>(
        _ passphrase: borrowing SecretBytes, _ body: (borrowing SecretBytes) throws -> Made
    ) throws -> Made {
        do { return try body(passphrase) } catch EnvelopeError.malformed {
            throw NotesError(.invalid, marked("the passphrase is not UTF-8 text"))
        }
    }

    /// The KEK of a passphrase; nil where it is not this lock key's.
    private func kek(_ lockKey: LockKey, _ passphrase: borrowing SecretBytes) throws -> NoteKey? {
        let kek = try derive(passphrase, salt: lockKey.salt, rounds: lockKey.rounds, lockKey.suite)
        do { _ = try NoteLockEnvelope.unwrap(lockKey.verifier, under: kek) } catch EnvelopeError.notAuthentic {
            return nil
        }
        return NoteKey(kek, lockKey.suite)
    }

    /// Changes the passphrase: every note under the present one gets its key wrapped anew, and nothing else of it
    /// changes; notes under other passphrases stay as they are.
    func change(
        from current: borrowing SecretBytes, to new: borrowing SecretBytes, hint: String?
    ) throws {
        guard let old = keyring.current else {
            throw keyring.noPassphrase
        }
        try check(new)
        guard let oldKEK = try kek(old, current) else { throw try wrong(old) }
        try heads.loadAll()
        // The keys of notes stay, and with them their suite; a chosen one begins with the next passphrase that is set.
        let made = try makeLockKey(new, hint: hint, old.suite)
        try keyring.install(made.lockKey) { writer in
            try rewrap(from: old.id, oldKEK, to: made, writer)
            try keyring.drop(old.id, writer)
        }
        records.scrub()
        // The daemon may have forgotten it before.
        try? sessions.close(old.id)
        // The passphrase is changed, whether or not a session can be opened with it now.
        try? sessions.open(made.lockKey.id, made.kek.bytes)
    }

    private func rewrap(
        from old: Identifier, _ oldKEK: NoteKey, to made: MadeLockKey, _ writer: ZoneWriter
    ) throws {
        var cursor: ZoneCursor? = .start
        while let place = cursor {
            var batch: [(name: Identifier, lock: NoteLock)] = []
            cursor = try writer.reader.records(
                ofType: RecordType.lock, in: records.zone, after: place, limit: 4096, damaged: records.lose
            ) { record in
                if let lock = try? NoteLock(from: record.content), lock.lockKey == old {
                    batch.append((name: record.name, lock: lock))
                }
            }
            for (name, lock) in batch {
                // One that does not unwrap would be lost with its passphrase's record: then nothing is changed.
                let key = try NoteLockEnvelope.unwrap(lock.wrappedKey, under: oldKEK.bytes)
                var next = lock
                next.lockKey = made.lockKey.id
                next.wrappedKey = try NoteLockEnvelope.wrap(key, under: made.kek.bytes)
                let again = try NoteLockEnvelope.unwrap(next.wrappedKey, under: made.kek.bytes)
                guard lock.suite == made.lockKey.suite, again.equals(key) else { throw records.damage(name) }
                try heads.put(next, as: name, writer)
            }
        }
    }

    // MARK: Trying

    /// Opens a session with a passphrase: that of a note, or the one in force, or any that notes still name.
    func unlock(_ note: Identifier?, with passphrase: borrowing SecretBytes) throws {
        try check(passphrase)
        let candidates = try candidates(note)
        guard !candidates.isEmpty else {
            throw keyring.settings.currentLockKey.map(records.damage) ?? keyring.noPassphrase
        }
        for lockKey in candidates {
            guard let kek = try kek(lockKey, passphrase) else { continue }
            try keyring.setTries(0)
            return try sessions.open(lockKey.id, kek.bytes)
        }
        // It may be the right one for what cannot be read any more.
        if note == nil, let lost = heads.index.locks.values.first(where: { keyring.lockKeys[$0] == nil }) {
            throw records.damage(lost)
        }
        throw try wrong(candidates.first, for: note)
    }

    private func candidates(_ note: Identifier?) throws -> [LockKey] {
        try heads.loadAll()
        if let note {
            let header = try heads.header(note)
            guard header.isLocked else { throw NotesError(.refused, marked("the note is not locked")) }
            guard let name = heads.lockKey(of: header) else { throw records.damage(header.lock ?? note) }
            guard let lockKey = keyring.lockKeys[name] else { throw records.damage(name) }
            return [lockKey]
        }
        let current = keyring.settings.currentLockKey
        return keyring.lockKeys.values.sorted { one, other in
            (one.id == current ? 1 : 0, one.created) > (other.id == current ? 1 : 0, other.created)
        }
    }

    /// - Parameter note: that is to be opened; nil for any.
    private func wrong(_ lockKey: LockKey?, for note: Identifier? = nil) throws -> NotesError {
        try keyring.setTries(keyring.tries + 1)
        let hint = keyring.tries >= Self.triesBeforeHint ? lockKey?.hint : nil
        guard let note, let lockKey, keyring.isOlder(lockKey.id) else {
            return NotesError(.wrongPassphrase, marked("wrong passphrase"), hint: hint)
        }
        return NotesError(
            .wrongPassphrase, marked("wrong passphrase: the note is under an older one, from before a reset"),
            hint: hint, olderNote: note.description)
    }

    /// The hint, once it may be shown.
    func hint() throws -> String? {
        guard let current = keyring.settings.currentLockKey else {
            throw keyring.noPassphrase
        }
        guard keyring.tries >= Self.triesBeforeHint else {
            throw NotesError(.refused, marked("the hint is shown after three wrong passphrases in a row"))
        }
        return keyring.lockKeys[current]?.hint
    }
}
