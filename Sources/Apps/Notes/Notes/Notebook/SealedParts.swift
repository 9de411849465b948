import Envelopes
import KeyEnvelopes
import NotesClient
import Secrets
import Zones

/// Parts of notes as the zone has them: text, former texts, drafts, attachments, origin; each as it is, or under its
/// note's key.
final class SealedParts {
    private let records: NoteRecords
    private let keyring: Keyring
    private let keys: NoteKeys

    init(_ records: NoteRecords, _ keyring: Keyring, _ keys: NoteKeys) {
        self.records = records
        self.keyring = keyring
        self.keys = keys
    }

    /// Opens a part of a note.
    ///
    /// One that is bound to a text revision opens as of that revision alone: whoever holds the zone and not the
    /// passphrase must not put a former text in the present one's place.
    func open(_ name: Identifier, as part: LockPart, _ key: NoteKey?, _ reader: ZoneReader? = nil) throws -> [UInt8] {
        let content = try records.content(name, reader)
        do {
            switch (try PartContent(from: content), key) {
            case (.open(let bytes), nil): return bytes
            case (.locked(let suite, let sealed, let isBound), let key?)
            where suite == key.suite && (!isBound || part.revision != nil):
                return try NoteLockEnvelope.open(
                    sealed, under: key.bytes, of: isBound ? part : part.unbound, suite: suite)
            default: throw records.damage(name)
            }
        } catch is DecodingError { throw records.damage(name) } catch is EnvelopeError { throw records.damage(name) }
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
        try writer.put(name, type: type, content.encoded, in: records.zone)
    }

    // MARK: The text

    func body(of note: Identifier, _ header: NoteHeader) throws -> NoteBody {
        try body(of: note, header, keys.key(of: note, header))
    }

    func body(
        of note: Identifier, _ header: NoteHeader, _ key: NoteKey?, _ reader: ZoneReader? = nil
    ) throws -> NoteBody {
        let bytes = try open(header.body, as: .body(of: note, header), key, reader)
        guard let body = try? NoteBody(from: bytes) else { throw records.damage(header.body) }
        return body
    }

    /// The text and tags of a note, wherever they stand.
    func whole(_ note: Identifier, _ header: NoteHeader, _ key: NoteKey?) throws -> NoteBody {
        var body = try body(of: note, header, key)
        if !header.isLocked { body.tags = header.tags }
        return body
    }

    /// Sets what the header shows of a text, and gives the text back as it is to be stored.
    func fill(_ header: inout NoteHeader, with body: NoteBody, isLocked: Bool) -> NoteBody {
        let title = Markdown.title(ofText: body.markdown)
        header.title = isLocked && !keyring.settings.showsLockedTitles ? "" : title
        header.tags = isLocked ? [] : body.tags
        return NoteBody(blocks: body.blocks, title: isLocked ? title : "", tags: isLocked ? body.tags : [])
    }

    // MARK: Former texts

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
            let content = try records.content(name)
            guard let history = try? NoteHistory(from: content) else { throw records.damage(name) }
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
        guard !entry.isLostList else { throw records.damage(entry.version) }
        let bytes = try open(entry.version, as: .version(of: note, entry), key)
        guard let body = try? NoteBody(from: bytes) else { throw records.damage(entry.version) }
        return body
    }

    func store(
        _ past: NotePast, of note: Identifier, _ header: NoteHeader, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        for (entry, version) in past.versions {
            try store(
                version.encoded, in: entry.version, type: RecordType.version, as: .version(of: note, entry), key,
                writer)
        }
        for entry in past.dropped { try writer.remove(entry.version, in: records.zone) }
        guard !past.versions.isEmpty, let name = header.history else { return }
        try store(past.history, as: name, writer)
    }

    func store(_ history: NoteHistory, as name: Identifier, _ writer: ZoneWriter) throws {
        try writer.put(name, type: RecordType.history, history.encoded, in: records.zone)
        for former in history.joined { try writer.remove(former, in: records.zone) }
    }

    // MARK: What else belongs to a note

    func draft(_ name: Identifier, of note: Identifier, _ key: NoteKey?) throws -> NoteDraft {
        let bytes = try open(name, as: LockPart(note: note, kind: .draft, id: name), key)
        guard let draft = try? NoteDraft(from: bytes) else { throw records.damage(name) }
        return draft
    }

    /// One that does not open is let go of and kept.
    func removeDraft(_ header: inout NoteHeader, _ writer: ZoneWriter) throws {
        if let draft = header.draft, !records.damaged.contains(draft) { try writer.remove(draft, in: records.zone) }
        header.draft = nil
    }

    /// How an imported note stood at its source; nil where nothing is known of that.
    func origin(of note: Identifier, _ header: NoteHeader, _ key: NoteKey?) throws -> NoteOrigin? {
        guard let name = header.origin else { return nil }
        let bytes = try open(name, as: LockPart(note: note, kind: .origin, id: name), key)
        guard let origin = try? NoteOrigin(from: bytes), origin.note == note else { throw records.damage(name) }
        return origin
    }

    func store(_ origin: NoteOrigin, as name: Identifier, _ key: NoteKey?, _ writer: ZoneWriter) throws {
        try store(
            origin.encoded, in: name, type: RecordType.origin,
            as: LockPart(note: origin.note, kind: .origin, id: name), key, writer)
    }

    func attachment(_ name: Identifier, of note: Identifier, _ key: NoteKey?) throws -> NoteAttachment {
        let bytes = try open(name, as: LockPart(note: note, kind: .attachment, id: name), key)
        guard let attachment = try? NoteAttachment(from: bytes), attachment.note == note else {
            throw records.damage(name)
        }
        return attachment
    }

    func store(
        _ attachment: NoteAttachment, as name: Identifier, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        try store(
            attachment.encoded, in: name, type: RecordType.attachment,
            as: LockPart(note: attachment.note, kind: .attachment, id: name), key, writer)
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
