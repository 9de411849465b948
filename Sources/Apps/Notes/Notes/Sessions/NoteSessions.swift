import NotesClient
import Secrets

/// What the secure sessions mean for the notes under them: what becomes readable with a session, and what leaves memory
/// at its end.
final class NoteSessions {
    private let clock: () -> SecureSession.Instant
    private let heads: NoteHeads
    private let keyring: Keyring
    private let sessions: OpenSessions
    private let settings: NotebookSettings
    private let search: NoteSearch
    private let edits: NoteEdits

    init(
        _ sessions: OpenSessions, _ heads: NoteHeads, _ keyring: Keyring, _ settings: NotebookSettings,
        _ search: NoteSearch, _ edits: NoteEdits, clock: @escaping () -> SecureSession.Instant
    ) {
        self.sessions = sessions
        self.heads = heads
        self.keyring = keyring
        self.settings = settings
        self.search = search
        self.edits = edits
        self.clock = clock
    }

    /// Opens the session of a passphrase.
    ///
    /// - Parameter kek: the passphrase's, which was checked.
    func open(_ lockKey: Identifier, _ kek: borrowing SecretBytes) throws {
        try sessions.open(lockKey, kek, minutes: keyring.settings.sessionMinutes, now: clock())
        try welcome(lockKey)
    }

    /// The passphrase is none any more.
    func close(_ lockKey: Identifier) throws { try sessions.close(lockKey) }

    /// A session has just been opened: its notes become findable, and edits that it cut short are taken up.
    private func welcome(_ lockKey: Identifier) throws {
        try heads.loadAll()
        edits.recoverDrafts { heads.lockKey(of: $0) == lockKey }
        search.beginReading(under: lockKey)
        // Those that a full disk keeps hidden are shown at the next session.
        if keyring.settings.showsLockedTitles { try? settings.showTitles { heads.lockKey(of: $0) == lockKey } }
    }

    /// Tells the sessions of an event; what they had opened leaves memory with them.
    ///
    /// - Returns: whether a session ended with it.
    func handle(_ event: SecureSession.Event) -> Bool {
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

    var hasOpen: Bool { !sessions.openLockKeys.isEmpty }

    /// Milliseconds until the first session ends; nil where none is open.
    var remaining: UInt64? { sessions.remaining(at: clock()) }

    var summary: SessionSummary {
        let remaining = self.remaining
        return SessionSummary(
            isOpen: remaining != nil, endsIn: remaining.map { Int(($0 + 999) / 1000) },
            hasPassphrase: keyring.settings.currentLockKey != nil || keyring.hasLostSettings)
    }
}
