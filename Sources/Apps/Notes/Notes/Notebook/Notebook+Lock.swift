import Envelopes
import NotesClient
package import Secrets
import Tresor
import Zones

// Locking a note, and unlocking it for good: each one transaction, after whose end nothing of the other form is left.
extension Notebook {
    struct MadeLock {
        let name: Identifier
        let lock: NoteLock
        let key: NoteKey
    }

    /// A fresh key for a note, under a passphrase whose session is open.
    func makeLock(of note: Identifier, under lockKey: Identifier) throws -> MadeLock {
        guard let suite = lockKeys[lockKey]?.suite else { throw damage(lockKey) }
        let made = try sessions.makeKey(lockKey)
        let lock = NoteLock(note: note, lockKey: lockKey, suite: suite, wrappedKey: made.wrapped)
        return MadeLock(name: .makeRandom(), lock: lock, key: NoteKey(made.takeKey(), suite))
    }

    /// The passphrase in force, whose session must be open.
    func currentOpenLockKey() throws -> Identifier {
        guard let current = settings.currentLockKey else {
            throw noPassphrase
        }
        guard sessions.isOpen(current) else {
            throw NotesError(.noteLocked, "no session is open; locking a note needs the passphrase")
        }
        return current
    }

    /// Locks a note under the passphrase in force.
    ///
    /// - Throws: `NotesError` with code `refused` that names an attachment which no locked note may have.
    package func lock(_ note: Identifier) throws {
        let header = try header(note)
        guard !header.isLocked else { throw NotesError(.refused, "the note is locked already") }
        for name in header.attachments {
            try refuseUnlockable(attachment(name, of: note, nil))
        }
        let made = try makeLock(of: note, under: try currentOpenLockKey())
        var next = header
        next.lock = made.name
        try reseal(note, from: header, nil, to: &next, made.key) { writer in
            try put(made.lock, as: made.name, writer)
        }
    }

    static func unlockable(_ name: String, _ kind: AttachmentKind) -> NotesError {
        NotesError(
            .refused,
            """
            '\(name)' is of kind \(kind.rawValue); a locked note may hold images, sketches, tables, maps and websites \
            only
            """)
    }

    /// Unlocks a note for good.
    package func removeLock(_ note: Identifier) throws {
        let header = try header(note)
        guard let lock = header.lock else { throw NotesError(.refused, "the note is not locked") }
        let key = try key(of: note, header)
        var next = header
        next.lock = nil
        try reseal(note, from: header, key, to: &next, nil) { try removeLock(lock, $0) }
    }

    /// Stores every part of a note anew under another key, or none, and opens each before the old ones go.
    ///
    /// - Parameter also: stores or removes the lock itself, in the same transaction.
    private func reseal(
        _ note: Identifier, from old: NoteHeader, _ oldKey: NoteKey?, to header: inout NoteHeader, _ newKey: NoteKey?,
        _ also: (ZoneWriter) throws -> Void
    ) throws {
        let body = try whole(note, old, oldKey)
        var history = try history(old)
        let versions = try history.entries.map { try (entry: $0, body: version($0, of: note, oldKey)) }
        let draft = try old.draft.map { try (name: $0, draft: self.draft($0, of: note, oldKey)) }
        // Their files stay as they are: what opens them goes under the note's key. See docs/decisions/0015.
        let attachments = try old.attachments.map { try (name: $0, attachment: attachment($0, of: note, oldKey)) }
        let origin = try origin(of: note, old, oldKey)
        let filled = fill(&header, with: body, isLocked: newKey != nil)
        for index in history.entries.indices {
            // A size tells something of a text.
            let size = versions[index].body.blocks.byteCount
            history.entries[index].byteCount = newKey == nil ? UInt32(clamping: size) : 0
        }
        let next = header
        try change { writer in
            try also(writer)
            for (entry, body) in versions {
                try store(
                    body.encoded, in: entry.version, type: RecordType.version, as: .version(of: note, entry), newKey,
                    writer)
            }
            if let name = header.history {
                try store(history, as: name, writer)
            }
            if let draft {
                try store(
                    draft.draft.encoded, in: draft.name, type: RecordType.draft,
                    as: LockPart(note: note, kind: .draft, id: draft.name), newKey, writer)
            }
            for (name, attachment) in attachments {
                try store(attachment, as: name, newKey, writer)
            }
            if let origin, let name = next.origin { try store(origin, as: name, newKey, writer) }
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header),
                newKey, writer)
            try put(next, of: note, writer)
            try verify(note, next, filled, versions.map(\.entry), newKey, writer.reader)
        }
        // From here on the note has its new form, whatever happens.
        editKeys[note] = nil
        try search.remove(note)
        if newKey != nil { search.forgetRemoved() }
        try indexAnew(note, next, filled)
        scrub()
    }

    /// Opens what was just stored, before the originals go for good.
    private func verify(
        _ note: Identifier, _ header: NoteHeader, _ stored: NoteBody, _ versions: [NoteHistory.Entry], _ key: NoteKey?,
        _ reader: ZoneReader
    ) throws {
        guard try body(of: note, header, key, reader) == stored else { throw damage(header.body) }
        for entry in versions {
            _ = try open(entry.version, as: .version(of: note, entry), key, reader)
        }
        for name in header.attachments {
            _ = try open(name, as: LockPart(note: note, kind: .attachment, id: name), key, reader)
        }
        if let name = header.origin {
            _ = try open(name, as: LockPart(note: note, kind: .origin, id: name), key, reader)
        }
    }
}
