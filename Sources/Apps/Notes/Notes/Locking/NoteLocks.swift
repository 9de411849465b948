import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// Locks notes, and unlocks them for good: each one transaction, after whose end nothing of the other form is left.
final class NoteLocks {
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let attachments: Attachments
    private let search: NoteSearch

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ attachments: Attachments,
        _ search: NoteSearch
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.attachments = attachments
        self.search = search
    }

    /// Locks a note under the passphrase in force.
    ///
    /// - Throws: `NotesError` with code `refused` that names an attachment which no locked note may have.
    func lock(_ note: Identifier) throws {
        let header = try heads.header(note)
        guard !header.isLocked else { throw NotesError(.refused, marked("the note is locked already")) }
        for name in header.attachments {
            try attachments.refuseUnlockable(parts.attachment(name, of: note, nil))
        }
        let made = try keys.makeLock(of: note, under: try keys.currentOpenLockKey())
        var next = header
        next.lock = made.name
        try reseal(note, from: header, nil, to: &next, made.key) { writer in
            try heads.put(made.lock, as: made.name, writer)
        }
    }

    /// Unlocks a note for good.
    func removeLock(_ note: Identifier) throws {
        let header = try heads.header(note)
        guard let lock = header.lock else { throw NotesError(.refused, marked("the note is not locked")) }
        let key = try keys.key(of: note, header)
        var next = header
        next.lock = nil
        try reseal(note, from: header, key, to: &next, nil) { try heads.removeLock(lock, $0) }
    }

    /// Stores every part of a note anew under another key, or none, and opens each before the old ones go.
    ///
    /// - Parameter also: stores or removes the lock itself, in the same transaction.
    private func reseal(
        _ note: Identifier, from old: NoteHeader, _ oldKey: NoteKey?, to header: inout NoteHeader, _ newKey: NoteKey?,
        _ also: (ZoneWriter) throws -> Void
    ) throws {
        let body = try parts.whole(note, old, oldKey)
        var history = try parts.history(old)
        let versions = try history.entries.map { try (entry: $0, body: parts.version($0, of: note, oldKey)) }
        let draft = try old.draft.map { try (name: $0, draft: parts.draft($0, of: note, oldKey)) }
        // Their files stay as they are: what opens them goes under the note's key. See docs/decisions/0015.
        let files = try old.attachments.map { try (name: $0, attachment: parts.attachment($0, of: note, oldKey)) }
        let origin = try parts.origin(of: note, old, oldKey)
        let filled = parts.fill(&header, with: body, isLocked: newKey != nil)
        for index in history.entries.indices {
            // A size tells something of a text.
            let size = versions[index].body.blocks.byteCount
            history.entries[index].byteCount = newKey == nil ? UInt32(clamping: size) : 0
        }
        let next = header
        try heads.change { writer in
            try also(writer)
            for (entry, body) in versions {
                try parts.store(
                    body.encoded, in: entry.version, type: RecordType.version, as: .version(of: note, entry), newKey,
                    writer)
            }
            if let name = header.history {
                try parts.store(history, as: name, writer)
            }
            if let draft {
                try parts.store(
                    draft.draft.encoded, in: draft.name, type: RecordType.draft,
                    as: LockPart(note: note, kind: .draft, id: draft.name), newKey, writer)
            }
            for (name, attachment) in files {
                try parts.store(attachment, as: name, newKey, writer)
            }
            if let origin, let name = next.origin { try parts.store(origin, as: name, newKey, writer) }
            try parts.store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header),
                newKey, writer)
            try heads.put(next, of: note, writer)
            try verify(note, next, filled, versions.map(\.entry), newKey, writer.reader)
        }
        // From here on the note has its new form, whatever happens.
        keys.forgetEditKey(of: note)
        try search.remove(note)
        if newKey != nil { search.forgetRemoved() }
        try search.indexAnew(note, next, filled)
        records.scrub()
    }

    /// Opens what was just stored, before the originals go for good.
    private func verify(
        _ note: Identifier, _ header: NoteHeader, _ stored: NoteBody, _ versions: [NoteHistory.Entry], _ key: NoteKey?,
        _ reader: ZoneReader
    ) throws {
        guard try parts.body(of: note, header, key, reader) == stored else { throw records.damage(header.body) }
        for entry in versions {
            _ = try parts.open(entry.version, as: .version(of: note, entry), key, reader)
        }
        for name in header.attachments {
            _ = try parts.open(name, as: LockPart(note: note, kind: .attachment, id: name), key, reader)
        }
        if let name = header.origin {
            _ = try parts.open(name, as: LockPart(note: note, kind: .origin, id: name), key, reader)
        }
    }
}
