import Envelopes
import Localization
import NotesClient
import Secrets
import Tresor

/// The key of a locked note, while something is done to it.
final class NoteKey {
    let bytes: SecretBytes
    let suite: LockSuite

    init(_ bytes: consuming SecretBytes, _ suite: LockSuite) {
        self.bytes = bytes
        self.suite = suite
    }
}

/// The keys of locked notes: made and unwrapped by the sessions that are open, and held while somebody writes.
final class NoteKeys {
    struct MadeLock {
        let name: Identifier
        let lock: NoteLock
        let key: NoteKey
    }

    private let records: NoteRecords
    private let heads: NoteHeads
    private let keyring: Keyring
    private let sessions: OpenSessions
    /// The keys of locked notes that somebody is writing in: what an editor still holds when the session ends is sealed
    /// with them, and then they go.
    private var editKeys: [Identifier: NoteKey] = [:]
    /// Whether the daemon has forgotten a session: whoever drives the notebook ends it here as well.
    private(set) var hasLostSession = false
    private var whenLost: () -> Void = {}

    init(_ records: NoteRecords, _ heads: NoteHeads, _ keyring: Keyring, _ sessions: OpenSessions) {
        self.records = records
        self.heads = heads
        self.keyring = keyring
        self.sessions = sessions
    }

    /// Whoever has what sessions opened in memory hears from now on when one was lost.
    func tell(lost: @escaping () -> Void) { whenLost = lost }

    /// The loss of a session has been seen to.
    ///
    /// - Returns: whether there was one.
    func takeLoss() -> Bool {
        defer { hasLostSession = false }
        return hasLostSession
    }

    // MARK: Whether

    /// Whether a note can be read now.
    func isReadable(_ header: NoteHeader) -> Bool {
        guard header.isLocked else { return true }
        return heads.lockKey(of: header).map(sessions.isOpen) ?? false
    }

    /// Whether a locked note cannot be opened by any passphrase, because a record is damaged that it takes.
    func hasDamagedLock(_ header: NoteHeader) -> Bool {
        guard let lock = header.lock else { return false }
        return records.damaged.contains(lock) || heads.lockKey(of: header).map { keyring.lockKeys[$0] == nil } ?? true
    }

    /// Whether an older passphrase alone opens a note, one from before a reset.
    func hasOlderPassphrase(_ header: NoteHeader) -> Bool {
        heads.lockKey(of: header).map(keyring.isOlder) ?? false
    }

    /// Whether the session of a lock is open.
    func isOpen(_ lock: NoteLock) -> Bool { sessions.isOpen(lock.lockKey) }

    // MARK: Keys

    /// The key of a locked note; nil for an open one.
    ///
    /// - Throws: `NotesError.noteLocked` without a session.
    func key(of note: Identifier, _ header: NoteHeader) throws -> NoteKey? {
        guard let name = header.lock else { return nil }
        return try key(of: lock(name, of: note))
    }

    /// - Throws: `NotesError.noteLocked` without a session.
    func key(of lock: NoteLock) throws -> NoteKey {
        guard sessions.isOpen(lock.lockKey) else {
            throw keyring.isOlder(lock.lockKey) ? NotesError.noSession(ofOlder: lock.note) : .noSession
        }
        do {
            return NoteKey(try sessions.unwrap(lock.wrappedKey, lock.lockKey), lock.suite)
        } catch let error as NotesError where error.code == .noteLocked {
            // The daemon has forgotten the session: what it had opened goes here as well.
            hasLostSession = true
            whenLost()
            throw error
        }
    }

    private func lock(_ name: Identifier, of note: Identifier) throws -> NoteLock {
        let content = try records.content(name)
        guard let lock = try? NoteLock(from: content), lock.note == note else { throw records.damage(name) }
        return lock
    }

    /// The passphrase in force, whose session must be open.
    func currentOpenLockKey() throws -> Identifier {
        guard let current = keyring.settings.currentLockKey else {
            throw keyring.noPassphrase
        }
        guard sessions.isOpen(current) else {
            throw NotesError(.noteLocked, marked("no session is open; locking a note needs the passphrase"))
        }
        return current
    }

    /// A fresh key for a note, under a passphrase whose session is open.
    func makeLock(of note: Identifier, under lockKey: Identifier) throws -> MadeLock {
        guard let suite = keyring.lockKeys[lockKey]?.suite else { throw records.damage(lockKey) }
        let made = try sessions.makeKey(lockKey)
        let lock = NoteLock(note: note, lockKey: lockKey, suite: suite, wrappedKey: made.wrapped)
        return MadeLock(name: .makeRandom(), lock: lock, key: NoteKey(made.takeKey(), suite))
    }

    // MARK: Held while somebody writes

    /// The key of a note that is written in, also behind its session's end; nil for an open one.
    func editKey(of note: Identifier, _ header: NoteHeader) throws -> NoteKey? {
        try editKeys[note] ?? key(of: note, header)
    }

    func hold(_ key: NoteKey, of note: Identifier) { editKeys[note] = key }

    /// Holds a locked note's key while the note is on a screen.
    func holdKey(of note: Identifier) {
        guard editKeys[note] == nil, let header = heads[note] else { return }
        editKeys[note] = try? key(of: note, header)
    }

    /// Keys of notes that nobody looks at or writes in any more go.
    func holdKeys(only notes: Set<Identifier>) { editKeys = editKeys.filter { notes.contains($0.key) } }

    /// The note has another key, or none: the one of before goes.
    func forgetEditKey(of note: Identifier) { editKeys[note] = nil }

    /// The time for last drafts is over: no key of a locked note stays in memory.
    func forgetEditKeys() { editKeys.removeAll() }
}
