import Envelopes
import Localization
import NotesClient
import Protection
import Secrets
import Zones

/// What the account's owner chose, and what follows from it for the notes that are there: whether titles of locked ones
/// are shown, how long sessions last, in which lock states all of them can be read.
final class NotebookSettings {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keyring: Keyring
    private let sessions: OpenSessions
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keyring: Keyring, _ sessions: OpenSessions, _ keys: NoteKeys,
        _ parts: SealedParts, _ search: NoteSearch, clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.keyring = keyring
        self.sessions = sessions
        self.keys = keys
        self.parts = parts
        self.search = search
        self.clock = clock
    }

    func change(_ changes: NotesSettings) throws {
        guard !keyring.isUnknown else { throw keyring.noPassphrase }
        let next = try settings(after: changes)
        try heads.loadAll()
        let hides = keyring.settings.showsLockedTitles && !next.showsLockedTitles
        let shown = next.showsLockedTitles ? hiddenTitles { _ in true } : []
        // What stays as it is is not written: it could fail behind a change of the class.
        guard next != keyring.settings || !shown.isEmpty else { return }
        try keyring.change(to: next) { writer in
            for (note, header) in shown { try heads.put(header, of: note, writer) }
            guard hides else { return }
            for (note, header) in heads.index.ordered where header.isLocked && !header.title.isEmpty {
                var bare = header
                bare.title = ""
                try heads.put(bare, of: note, writer)
            }
        }
        sessions.setMinutes(next.sessionMinutes, now: clock())
        if hides { records.scrub() }
        for (note, header) in shown { try search.indexTitle(of: note, header) }
        guard hides else { return }
        for (note, header) in heads.index.ordered where header.isLocked && header.deleted == nil {
            try search.indexTitle(of: note, header)
        }
        search.forgetRemoved()
    }

    /// What the settings are to become.
    ///
    /// - Throws: `NotesError.invalid` for a value that none can have.
    func settings(after changes: NotesSettings) throws -> AccountSettings {
        var next = keyring.settings
        if let minutes = changes.sessionMinutes {
            guard minutes == 3 || minutes == 8 else {
                throw NotesError(.invalid, marked("a session lasts 3 or 8 minutes"))
            }
            next.sessionMinutes = UInt8(minutes)
        }
        if let name = changes.lockSuite {
            guard let suite = LockSuite(name: name) else {
                let known = LockSuite.allCases.map(\.name).joined(separator: ", ")
                throw NotesError(.invalid, marked("there is no lock suite of this name; there are: \(known)"))
            }
            next.suite = suite
        }
        next.showsLockedTitles = changes.showsLockedTitles ?? keyring.settings.showsLockedTitles
        if let name = changes.protectionClass { _ = try Self.noteClass(name) }
        return next
    }

    /// Titles that were hidden come back from the sealed texts that can be read now.
    func showTitles(where isWanted: (NoteHeader) -> Bool) throws {
        let shown = hiddenTitles(where: isWanted)
        guard !shown.isEmpty else { return }
        try heads.change { writer in
            for (note, header) in shown { try heads.put(header, of: note, writer) }
        }
        for (note, header) in shown { try search.indexTitle(of: note, header) }
    }

    /// The heads of notes whose titles were hidden, with the titles that their sealed texts have.
    private func hiddenTitles(where isWanted: (NoteHeader) -> Bool) -> [(note: Identifier, header: NoteHeader)] {
        var shown: [(note: Identifier, header: NoteHeader)] = []
        for (note, header) in heads.index.ordered
        where header.isLocked && header.title.isEmpty && keys.isReadable(header) && isWanted(header) {
            // One that does not open is listed as damaged; the others are shown.
            guard let body = try? parts.body(of: note, header), !body.title.isEmpty else { continue }
            var titled = header
            titled.title = body.title
            shown.append((note: note, header: titled))
        }
        return shown
    }

    var shown: NotesSettings {
        NotesSettings(
            showsLockedTitles: keyring.settings.showsLockedTitles,
            sessionMinutes: Int(keyring.settings.sessionMinutes), lockSuite: keyring.settings.suite.name,
            protectionClass: protectionClass.name)
    }

    // MARK: The class

    /// The zone's class.
    var protectionClass: ProtectionClass { records.zone.zoneClass == .whenUnlocked ? .whenUnlocked : .afterFirstUnlock }

    /// Moves all notes into a zone of another class; sessions, and what was read, stay.
    ///
    /// - Parameters:
    ///   - name: of the class.
    ///   - account: whose notes they are.
    ///   - accountKey: opens the key that signs.
    /// - Throws: `NotesError`: `invalid` for a class that notes can't have, `damaged` where a record does not open;
    ///   nothing was changed then.
    func changeClass(
        to name: String, of account: ZoneAccount, with accountKey: borrowing SecretBytes
    ) throws {
        let wanted = try Self.noteClass(name)
        guard wanted != protectionClass else { return }
        try records.changeClass(
            to: wanted == .whenUnlocked ? .whenUnlocked : .afterFirstUnlock, of: account, with: accountKey,
            time: UInt64(clamping: clock().wall))
    }

    /// Changes settings, the class among them, which comes first, once it is known that nothing else will be refused.
    ///
    /// - Parameter changeClass: as ``changeClass(to:of:with:)``, by the name of the class.
    func change(_ changes: NotesSettings, byClass changeClass: (String) throws -> Void) throws {
        _ = try settings(after: changes)
        let former = protectionClass
        if let name = changes.protectionClass { try changeClass(name) }
        do { try change(changes) } catch {
            guard protectionClass != former, (error as? ZoneError) != .replaced else { throw error }
            // What it says of changes holds for the other settings alone.
            let failure = NotesError(error)
            throw NotesError(
                failure.code, marked("the class of the notes was changed; then this failed: \(failure.message)"))
        }
    }

    /// - Throws: `NotesError.invalid`.
    static func noteClass(_ name: String) throws -> ProtectionClass {
        guard let known = ProtectionClass(name: name), known == .whenUnlocked || known == .afterFirstUnlock else {
            throw NotesError(.invalid, marked("notes are of class whenUnlocked or afterFirstUnlock"))
        }
        return known
    }
}
