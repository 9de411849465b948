import Localization
import NotesClient
import Secrets
import Tresor

/// The secure sessions that are open: one per passphrase.
final class OpenSessions {
    private struct Open {
        let vaultSession: UInt64
        var session: SecureSession
    }

    private let vault: any SessionVault
    private var sessions: [Identifier: Open] = [:]
    /// The vault's own limit is a little later: it is there for the case that we are not.
    private static let vaultSlack = Duration.seconds(5)

    init(vault: any SessionVault) { self.vault = vault }

    /// The passphrases whose sessions are open, by their lock keys.
    var openLockKeys: Set<Identifier> { Set(sessions.keys) }

    func isOpen(_ lockKey: Identifier) -> Bool { sessions[lockKey] != nil }

    func open(
        _ lockKey: Identifier, _ kek: borrowing SecretBytes, minutes: UInt8, now: SecureSession.Instant
    ) throws {
        try? close(lockKey)
        var session = SecureSession(minutes: minutes)
        let number = try vault.openSession(kek, lifetime: Duration.milliseconds(session.limit) + Self.vaultSlack)
        _ = session.handle(.accepted(at: now))
        sessions[lockKey] = Open(vaultSession: number, session: session)
    }

    func close(_ lockKey: Identifier) throws {
        guard let open = sessions.removeValue(forKey: lockKey) else { return }
        try vault.closeSession(open.vaultSession)
    }

    /// The owner has chosen another time: a shorter one holds for what is open, too.
    ///
    /// A longer one holds for the next session: any program may ask for it, and this one was opened for less.
    /// What is over by it is ended by the next event that says what time it is.
    func setMinutes(_ minutes: UInt8, now: SecureSession.Instant) {
        for (lockKey, open) in sessions {
            var session = open.session
            guard session.shorten(toMinutes: minutes) else { continue }
            let remaining = session.remaining(at: now) ?? 0
            sessions[lockKey]?.session = session
            try? vault.extendSession(open.vaultSession, lifetime: Duration.milliseconds(remaining) + Self.vaultSlack)
        }
    }

    /// Tells every session of an event.
    ///
    /// - Returns: the lock keys whose sessions ended with it.
    func handle(_ event: SecureSession.Event) -> [Identifier] {
        var ended: [Identifier] = []
        for (lockKey, open) in sessions {
            var session = open.session
            if session.handle(event) {
                ended.append(lockKey)
            } else {
                sessions[lockKey]?.session = session
                if case .touched = event {
                    // A vault that has lost the session says so at the next key.
                    try? vault.extendSession(
                        open.vaultSession, lifetime: Duration.milliseconds(session.limit) + Self.vaultSlack)
                }
            }
        }
        for lockKey in ended { try? close(lockKey) }
        return ended
    }

    /// Seconds until the first of them ends; nil where none is open.
    func remaining(at now: SecureSession.Instant) -> UInt64? {
        sessions.values.compactMap { $0.session.remaining(at: now) }.min()
    }

    func remaining(_ lockKey: Identifier, at now: SecureSession.Instant) -> UInt64? {
        sessions[lockKey]?.session.remaining(at: now)
    }

    func makeKey(_ lockKey: Identifier) throws -> WrappedSessionKey {
        guard let open = sessions[lockKey] else { throw NotesError.noSession }
        do { return try vault.makeSessionKey(open.vaultSession) } catch { throw lost(lockKey, error) }
    }

    func unwrap(_ wrapped: [UInt8], _ lockKey: Identifier) throws -> SecretBytes {
        guard let open = sessions[lockKey] else { throw NotesError.noSession }
        do { return try vault.unwrap(wrapped, session: open.vaultSession) } catch { throw lost(lockKey, error) }
    }

    /// A session that the daemon does not know any more is over: it expired there, or the daemon was restarted.
    private func lost(_ lockKey: Identifier, _ error: any Error) -> any Error {
        guard let error = error as? TresorError, error.code == .notFound else { return error }
        sessions[lockKey] = nil
        return NotesError.noSession
    }
}

extension NotesError {
    static let noSession = NotesError(.noteLocked, marked("the note is locked; open a session with its passphrase"))

    /// A session of the passphrase in force does not help.
    static func noSession(ofOlder note: Identifier) -> NotesError {
        NotesError(
            .noteLocked, marked("the note is locked under an older passphrase, from before a reset"),
            olderNote: note.description)
    }
}
