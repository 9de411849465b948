import Envelopes
import KeyEnvelopes
import NotesClient
import Secrets
import Zones

/// The key of a locked note, while something is done to it.
final class NoteKey {
    let bytes: SecretBytes
    let suite: LockSuite

    init(_ bytes: consuming SecretBytes, _ suite: LockSuite) {
        self.bytes = bytes
        self.suite = suite
    }
}

// Parts of notes: text, attachments, versions, drafts; as they are, or under the note's key.
extension Notebook {
    /// The key of a locked note; nil for an open one.
    ///
    /// - Throws: `NotesError.noteLocked` without a session.
    func key(of note: Identifier, _ header: NoteHeader) throws -> NoteKey? {
        guard let name = header.lock else { return nil }
        return try key(of: lock(name, of: note))
    }

    /// - Throws: `NotesError.noteLocked` without a session.
    func key(of lock: NoteLock) throws -> NoteKey {
        guard sessions.isOpen(lock.lockKey) else { throw NotesError.noSession }
        do {
            return NoteKey(try sessions.unwrap(lock.wrappedKey, lock.lockKey), lock.suite)
        } catch let error as NotesError where error.code == .noteLocked {
            // The daemon has forgotten the session: what it had opened goes here as well.
            hasLostSession = true
            forgetLocked()
            throw error
        }
    }

    func lock(_ name: Identifier, of note: Identifier) throws -> NoteLock {
        let content = try content(name)
        guard let lock = try? NoteLock(from: content), lock.note == note else { throw damage(name) }
        return lock
    }

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

    func damage(_ name: Identifier) -> NotesError {
        damaged.insert(name)
        return NotesError(
            .damaged, "a record of this note cannot be decoded; it is kept, and 'status' lists it")
    }

    /// Opens a part of a note.
    ///
    /// One that is bound to a text revision opens as of that revision alone: whoever holds the zone and not the
    /// passphrase must not put a former text in the present one's place.
    func open(_ name: Identifier, as part: LockPart, _ key: NoteKey?, _ reader: ZoneReader? = nil) throws -> [UInt8] {
        let content = try content(name, reader)
        do {
            switch (try PartContent(from: content), key) {
            case (.open(let bytes), nil): return bytes
            case (.locked(let suite, let sealed, let isBound), let key?)
            where suite == key.suite && (!isBound || part.revision != nil):
                return try NoteLockEnvelope.open(
                    sealed, under: key.bytes, of: isBound ? part : part.unbound, suite: suite)
            default: throw damage(name)
            }
        } catch is DecodingError { throw damage(name) } catch is EnvelopeError { throw damage(name) }
    }

    /// Stores a part of a note, under its key if it has one.
    func store(
        _ bytes: [UInt8], in name: Identifier, type: UInt16, as part: LockPart, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        var content = PartContent.open(bytes)
        if let key {
            let sealed = try bytes.withSpan {
                try NoteLockEnvelope.seal($0, under: key.bytes, of: part, suite: key.suite)
            }
            content = .locked(key.suite, sealed: sealed, isBound: part.revision != nil)
        }
        try writer.put(name, type: type, content.encoded, in: zone)
    }

    func body(of note: Identifier, _ header: NoteHeader) throws -> NoteBody {
        try body(of: note, header, key(of: note, header))
    }

    func body(
        of note: Identifier, _ header: NoteHeader, _ key: NoteKey?, _ reader: ZoneReader? = nil
    ) throws -> NoteBody {
        let bytes = try open(header.body, as: .body(of: note, header), key, reader)
        guard let body = try? NoteBody(from: bytes) else { throw damage(header.body) }
        return body
    }

    /// Which former texts a note has; one entry that names the list where it does not open.
    ///
    /// A list of before that did not open, and opens again, is part of it.
    func history(_ header: NoteHeader) throws -> NoteHistory {
        guard let name = header.history else { return NoteHistory() }
        guard var history = try readableHistory(name) else { return .lost(name, created: header.created) }
        var seen: Set = [name]
        while let lost = history.entries.first(where: \.isLostList)?.version, seen.insert(lost).inserted,
            let former = try readableHistory(lost)
        {
            history.join(former, named: lost)
        }
        return history
    }

    private func readableHistory(_ name: Identifier) throws -> NoteHistory? {
        do {
            let content = try content(name)
            guard let history = try? NoteHistory(from: content) else { throw damage(name) }
            return history
        } catch let error as NotesError where error.code == .damaged { return nil }
    }

    /// A former text; nil where it does not open.
    func readableVersion(_ entry: NoteHistory.Entry, of note: Identifier, _ key: NoteKey?) throws -> NoteBody? {
        do { return try version(entry, of: note, key) } catch let error as NotesError where error.code == .damaged {
            return nil
        }
    }

    func version(_ entry: NoteHistory.Entry, of note: Identifier, _ key: NoteKey?) throws -> NoteBody {
        guard !entry.isLostList else { throw damage(entry.version) }
        let bytes = try open(entry.version, as: .version(of: note, entry), key)
        guard let body = try? NoteBody(from: bytes) else { throw damage(entry.version) }
        return body
    }

    func draft(_ name: Identifier, of note: Identifier, _ key: NoteKey?) throws -> NoteDraft {
        let bytes = try open(name, as: LockPart(note: note, kind: .draft, id: name), key)
        guard let draft = try? NoteDraft(from: bytes) else { throw damage(name) }
        return draft
    }

    /// How an imported note stood at its source; nil where nothing is known of that.
    func origin(of note: Identifier, _ header: NoteHeader, _ key: NoteKey?) throws -> NoteOrigin? {
        guard let name = header.origin else { return nil }
        let bytes = try open(name, as: LockPart(note: note, kind: .origin, id: name), key)
        guard let origin = try? NoteOrigin(from: bytes), origin.note == note else { throw damage(name) }
        return origin
    }

    func store(_ origin: NoteOrigin, as name: Identifier, _ key: NoteKey?, _ writer: ZoneWriter) throws {
        try store(
            origin.encoded, in: name, type: RecordType.origin,
            as: LockPart(note: origin.note, kind: .origin, id: name), key, writer)
    }

    func attachment(_ name: Identifier, of note: Identifier, _ key: NoteKey?) throws -> NoteAttachment {
        let bytes = try open(name, as: LockPart(note: note, kind: .attachment, id: name), key)
        guard let attachment = try? NoteAttachment(from: bytes), attachment.note == note else { throw damage(name) }
        return attachment
    }
}

extension LockPart {
    /// The text, as of the revision that the header says.
    static func body(of note: Identifier, _ header: NoteHeader) -> LockPart {
        LockPart(note: note, kind: .body, revision: header.textRevision)
    }

    /// A former text, as of the revision that it was.
    static func version(of note: Identifier, _ entry: NoteHistory.Entry) -> LockPart {
        LockPart(note: note, kind: .version, id: entry.version, revision: entry.revision)
    }
}
