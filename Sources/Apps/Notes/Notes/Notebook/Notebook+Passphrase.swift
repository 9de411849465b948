import Envelopes
import KeyEnvelopes
package import NotesClient
import Protection
import Protection
package import Secrets
import Zones

// The passphrase of the account: set, change, reset; and the sessions that it opens.
extension Notebook {
    /// From the so-manieth wrong passphrase in a row on, the hint is part of the answer.
    private static let triesBeforeHint: UInt32 = 3
    private static let longestPassphrase = 1024

    private func check(_ passphrase: borrowing SecretBytes) throws {
        guard passphrase.count > 0 else { throw NotesError(.invalid, "the passphrase is empty") }
        guard passphrase.count <= Self.longestPassphrase else {
            throw NotesError(.invalid, "a passphrase has at most \(Self.longestPassphrase) bytes")
        }
    }

    /// Sets the first passphrase, and opens a session with it.
    package func setPassphrase(_ new: borrowing SecretBytes, hint: String?) throws {
        guard !hasLostSettings || settings.currentLockKey != nil else { throw noPassphrase }
        guard settings.currentLockKey == nil else {
            throw NotesError(
                .passphraseExists, "a passphrase is set already; change it, or reset it if it is forgotten")
        }
        try install(new, hint: hint)
    }

    /// A new passphrase for notes locked from now on; those locked before keep theirs.
    ///
    /// The caller has verified the account's password before.
    package func resetPassphrase(_ new: borrowing SecretBytes, hint: String?) throws {
        try install(new, hint: hint)
    }

    private func install(_ new: borrowing SecretBytes, hint: String?) throws {
        try check(new)
        try loadAll()
        let made = try makeLockKey(new, hint: hint, settings.suite)
        let old = settings.currentLockKey
        try change { writer in
            try writer.put(made.lockKey.id, type: RecordType.lockKey, made.lockKey.encoded, in: zone)
            lockKeys[made.lockKey.id] = made.lockKey
            if let old, !index.locks.values.contains(old) { try drop(old, writer) }
            settings.currentLockKey = made.lockKey.id
            try put(settings, writer)
            try forgetTries(writer)
        }
        tries = 0
        // They are written anew, under a name of their own.
        hasLostSettings = false
        // The verifier of a forgotten one, by which it could be looked for.
        if old != nil { scrub() }
        // The passphrase is set, whether or not a session can be opened with it now.
        try? openSession(made.lockKey.id, made.kek.bytes)
    }

    /// A passphrase that no note names any more; where a record is damaged, nobody can tell, and it stays.
    private func drop(_ lockKey: Identifier, _ writer: ZoneWriter) throws {
        guard damaged.isEmpty else { return }
        try writer.remove(lockKey, in: zone)
        lockKeys[lockKey] = nil
    }

    private struct MadeLockKey {
        let lockKey: LockKey
        let kek: NoteKey
    }

    private func makeLockKey(
        _ passphrase: borrowing SecretBytes, hint: String?, _ suite: LockSuite
    ) throws -> MadeLockKey {
        let salt = Random.bytes(count: suite.saltByteCount)
        let rounds = Calibration.rounds(suite)
        let kek = try derive(passphrase, salt: salt, rounds: rounds, suite)
        let verifier = try NoteLockEnvelope.wrap(try NoteLockEnvelope.makeKey(suite), under: kek)
        let trimmed = hint.flatMap { $0.isEmpty ? nil : $0 }
        guard (trimmed?.utf8.count ?? 0) <= 1024 else { throw NotesError(.invalid, "a hint has at most 1024 bytes") }
        let lockKey = LockKey(
            id: .makeRandom(), suite: suite, rounds: rounds, salt: salt, verifier: verifier, hint: trimmed,
            created: now)
        return MadeLockKey(lockKey: lockKey, kek: NoteKey(kek, suite))
    }

    private func derive(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], rounds: UInt32, _ suite: LockSuite
    ) throws -> SecretBytes {
        do {
            return try NoteLockEnvelope.deriveKey(from: passphrase, salt: salt, rounds: rounds, suite: suite)
        } catch EnvelopeError.malformed { throw NotesError(.invalid, "the passphrase is not UTF-8 text") }
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
    package func changePassphrase(
        from current: borrowing SecretBytes, to new: borrowing SecretBytes, hint: String?
    ) throws {
        guard let old = settings.currentLockKey.flatMap({ lockKeys[$0] }) else {
            throw noPassphrase
        }
        try check(new)
        guard let oldKEK = try kek(old, current) else { throw try wrong(old) }
        try loadAll()
        // The keys of notes stay, and with them their suite; a chosen one begins with the next passphrase that is set.
        let made = try makeLockKey(new, hint: hint, old.suite)
        try change { writer in
            try writer.put(made.lockKey.id, type: RecordType.lockKey, made.lockKey.encoded, in: zone)
            try rewrap(from: old.id, oldKEK, to: made, writer)
            lockKeys[made.lockKey.id] = made.lockKey
            try drop(old.id, writer)
            settings.currentLockKey = made.lockKey.id
            try put(settings, writer)
            try forgetTries(writer)
        }
        tries = 0
        scrub()
        // The daemon may have forgotten it before.
        try? sessions.close(old.id)
        // The passphrase is changed, whether or not a session can be opened with it now.
        try? openSession(made.lockKey.id, made.kek.bytes)
    }

    private func rewrap(
        from old: Identifier, _ oldKEK: NoteKey, to made: MadeLockKey, _ writer: ZoneWriter
    ) throws {
        var cursor: ZoneCursor? = .start
        while let place = cursor {
            var batch: [(name: Identifier, lock: NoteLock)] = []
            cursor = try writer.reader.records(
                ofType: RecordType.lock, in: zone, after: place, limit: 4096, damaged: { damaged.insert($0) }
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
                guard lock.suite == made.lockKey.suite, again.equals(key) else { throw damage(name) }
                try put(next, as: name, writer)
            }
        }
    }

    // MARK: Sessions

    /// Opens a session with a passphrase: that of a note, or the one in force, or any that notes still name.
    package func unlock(_ note: Identifier?, with passphrase: borrowing SecretBytes) throws {
        try check(passphrase)
        let candidates = try candidates(note)
        guard !candidates.isEmpty else {
            throw settings.currentLockKey.map(damage) ?? noPassphrase
        }
        for lockKey in candidates {
            guard let kek = try kek(lockKey, passphrase) else { continue }
            try setTries(0)
            return try openSession(lockKey.id, kek.bytes)
        }
        // It may be the right one for what cannot be read any more.
        if note == nil, let lost = index.locks.values.first(where: { lockKeys[$0] == nil }) { throw damage(lost) }
        throw try wrong(candidates.first)
    }

    private func candidates(_ note: Identifier?) throws -> [LockKey] {
        try loadAll()
        if let note {
            let header = try header(note)
            guard header.isLocked else { throw NotesError(.refused, "the note is not locked") }
            guard let name = lockKey(of: header) else { throw damage(header.lock ?? note) }
            guard let lockKey = lockKeys[name] else { throw damage(name) }
            return [lockKey]
        }
        let current = settings.currentLockKey
        return lockKeys.values.sorted { one, other in
            (one.id == current ? 1 : 0, one.created) > (other.id == current ? 1 : 0, other.created)
        }
    }

    private func openSession(_ lockKey: Identifier, _ kek: borrowing SecretBytes) throws {
        try sessions.open(lockKey, kek, minutes: settings.sessionMinutes, now: clock())
        try welcome(lockKey)
    }

    private func wrong(_ lockKey: LockKey?) throws -> NotesError {
        try setTries(tries + 1)
        let hint = tries >= Self.triesBeforeHint ? lockKey?.hint : nil
        return NotesError(.wrongPassphrase, "wrong passphrase", hint: hint)
    }

    /// Counts over restarts.
    private func setTries(_ count: UInt32) throws {
        guard count != tries else { return }
        try change { try put(tries: count, $0) }
        tries = count
    }

    private func put(tries count: UInt32, _ writer: ZoneWriter) throws {
        var layout = RecordLayout.begin()
        layout.uint32(count)
        try writer.put(triesRecord, type: RecordType.tries, layout.bytes, in: zone)
    }

    /// In the transaction of a new passphrase: behind it, a failing disk would hide that the passphrase is another.
    private func forgetTries(_ writer: ZoneWriter) throws {
        if tries > 0 { try put(tries: 0, writer) }
    }

    /// The hint, once it may be shown.
    package func hint() throws -> String? {
        guard let current = settings.currentLockKey else {
            throw noPassphrase
        }
        guard tries >= Self.triesBeforeHint else {
            throw NotesError(.refused, "the hint is shown after three wrong passphrases in a row")
        }
        return lockKeys[current]?.hint
    }

    /// Tells the sessions of an event; what they had opened leaves memory with them.
    ///
    /// - Returns: whether a session ended with it.
    package func handle(_ event: SecureSession.Event) -> Bool {
        let ended = sessions.handle(event)
        guard !ended.isEmpty else { return false }
        forgetLocked()
        return true
    }

    /// What sessions had opened leaves memory; notes of those that go on are indexed again.
    func forgetLocked() {
        search.forgetLocked()
        for lockKey in sessions.openLockKeys { try? welcome(lockKey) }
    }

    /// Holds a locked note's key while the note is on a screen.
    func holdKey(of note: Identifier) {
        guard editKeys[note] == nil, let header = index[note] else { return }
        editKeys[note] = try? key(of: note, header)
    }

    /// Keys of notes that nobody looks at or writes in any more go.
    func holdKeys(only notes: Set<Identifier>) { editKeys = editKeys.filter { notes.contains($0.key) } }

    package var hasOpenSession: Bool { !sessions.openLockKeys.isEmpty }

    /// The time for last drafts is over: no key of a locked note stays in memory.
    package func forgetEditKeys() { editKeys.removeAll() }

    /// Milliseconds until the first session ends; nil where none is open.
    package var sessionRemaining: UInt64? { sessions.remaining(at: clock()) }

    package var session: SessionSummary {
        let remaining = sessionRemaining
        return SessionSummary(
            isOpen: remaining != nil, endsIn: remaining.map { Int(($0 + 999) / 1000) },
            hasPassphrase: settings.currentLockKey != nil || hasLostSettings)
    }

    /// Why there is no passphrase to open or to change.
    var noPassphrase: NotesError {
        guard hasLostSettings else { return NotesError(.noPassphrase, "no passphrase for locked notes is set") }
        return NotesError(
            .damaged,
            """
            the settings of notes are damaged, and with them which passphrase is in force; 'tresor repair --from' \
            takes them from a copy, and without one 'tresor notes passphrase reset' sets a new one
            """)
    }

    // MARK: Settings

    func put(_ settings: AccountSettings, _ writer: ZoneWriter) throws {
        try writer.put(settingsRecord, type: RecordType.settings, settings.encoded, in: zone)
    }

    package func changeSettings(_ changes: NotesSettings) throws {
        guard !hasLostSettings || settings.currentLockKey != nil else { throw noPassphrase }
        let next = try settings(after: changes)
        try loadAll()
        let hides = settings.showsLockedTitles && !next.showsLockedTitles
        let shown = next.showsLockedTitles ? hiddenTitles { _ in true } : []
        // What stays as it is is not written: it could fail behind a change of the class.
        guard next != settings || !shown.isEmpty else { return }
        try change { writer in
            settings = next
            try put(next, writer)
            for (note, header) in shown { try put(header, of: note, writer) }
            guard hides else { return }
            for (note, header) in index.ordered where header.isLocked && !header.title.isEmpty {
                var bare = header
                bare.title = ""
                try put(bare, of: note, writer)
            }
        }
        sessions.setMinutes(next.sessionMinutes, now: clock())
        if hides { scrub() }
        for (note, header) in shown { try search.add([SearchText(titleOf: note, header)]) }
        guard hides else { return }
        for (note, header) in index.ordered where header.isLocked && header.deleted == nil {
            try search.add([SearchText(titleOf: note, header)])
        }
        search.forgetRemoved()
    }

    /// What the settings are to become.
    ///
    /// - Throws: `NotesError.invalid` for a value that none can have.
    func settings(after changes: NotesSettings) throws -> AccountSettings {
        var next = settings
        if let minutes = changes.sessionMinutes {
            guard minutes == 3 || minutes == 8 else { throw NotesError(.invalid, "a session lasts 3 or 8 minutes") }
            next.sessionMinutes = UInt8(minutes)
        }
        if let name = changes.lockSuite {
            guard let suite = LockSuite(name: name) else {
                let known = LockSuite.allCases.map(\.name).joined(separator: ", ")
                throw NotesError(.invalid, "there is no lock suite of this name; there are: \(known)")
            }
            next.suite = suite
        }
        next.showsLockedTitles = changes.showsLockedTitles ?? settings.showsLockedTitles
        if let name = changes.protectionClass { _ = try Self.noteClass(name) }
        return next
    }

    /// Titles that were hidden come back from the sealed texts that can be read now.
    func showTitles(where isWanted: (NoteHeader) -> Bool) throws {
        let shown = hiddenTitles(where: isWanted)
        guard !shown.isEmpty else { return }
        try change { writer in
            for (note, header) in shown { try put(header, of: note, writer) }
        }
        for (note, header) in shown { try search.add([SearchText(titleOf: note, header)]) }
    }

    /// The heads of notes whose titles were hidden, with the titles that their sealed texts have.
    private func hiddenTitles(where isWanted: (NoteHeader) -> Bool) -> [(note: Identifier, header: NoteHeader)] {
        var shown: [(note: Identifier, header: NoteHeader)] = []
        for (note, header) in index.ordered
        where header.isLocked && header.title.isEmpty && isReadable(header) && isWanted(header) {
            // One that does not open is listed as damaged; the others are shown.
            guard let body = try? body(of: note, header), !body.title.isEmpty else { continue }
            var titled = header
            titled.title = body.title
            shown.append((note: note, header: titled))
        }
        return shown
    }

    package var publicSettings: NotesSettings {
        NotesSettings(
            showsLockedTitles: settings.showsLockedTitles, sessionMinutes: Int(settings.sessionMinutes),
            lockSuite: settings.suite.name, protectionClass: protectionClass.name)
    }
}
