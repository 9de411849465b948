import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// What editors hand in: texts that are saved, and drafts that are not, which are taken up later.
final class NoteEdits {
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let texts: NoteTexts
    /// Notes with a draft that could not be taken up yet.
    private var waitingDrafts: Set<Identifier> = []

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ texts: NoteTexts
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.texts = texts
    }

    /// Replaces the text; what somebody else has changed since `base` is kept as well.
    ///
    /// - Returns: whether the text is another than `markdown` now.
    @discardableResult
    func edit(_ note: Identifier, base: UInt64, markdown: String) throws -> Bool {
        try takeUpEarlierDraft(of: note)
        return try texts.replace(note, base: base, markdown: markdown)
    }

    /// Makes a former text the present one; the present one becomes a version.
    func revert(_ note: Identifier, to version: Int) throws {
        let markdown = try texts.markdown(of: note, version: version)
        try edit(note, base: try heads.header(note).textRevision, markdown: markdown)
    }

    // MARK: Drafts

    /// Seals what an editor holds and has not saved.
    func keepDraft(of note: Identifier, base: UInt64, markdown: String) throws {
        try takeUpEarlierDraft(of: note)
        var header = try heads.header(note)
        let key = try keys.editKey(of: note, header)
        if let key { keys.hold(key, of: note) }
        if let draft = header.draft, records.damaged.contains(draft) { header.draft = nil }
        let name = header.draft ?? .makeRandom()
        let draft = NoteDraft(base: base, markdown: markdown)
        try heads.change { writer in
            try parts.store(
                draft.encoded, in: name, type: RecordType.draft, as: LockPart(note: note, kind: .draft, id: name), key,
                writer)
            guard header.draft == nil else { return }
            header.draft = name
            try heads.put(header, of: note, writer)
        }
    }

    func discardDraft(of note: Identifier) throws {
        var header = try heads.header(note)
        guard header.draft != nil else { return }
        try heads.change { try texts.dropDraft(of: note, &header, $0) }
    }

    /// Takes up an edit that was cut short: it becomes the text, merged with what came since.
    func recoverDraft(of note: Identifier) throws {
        guard let header = heads[note], let name = header.draft, keys.isReadable(header) else { return }
        do {
            let draft = try parts.draft(name, of: note, keys.key(of: note, header))
            try texts.replace(note, base: draft.base, markdown: draft.markdown)
            waitingDrafts.remove(note)
        } catch {
            if NotesError(error).code == .damaged { waitingDrafts.remove(note) } else { waitingDrafts.insert(note) }
            throw error
        }
    }

    /// Another draft takes no place of one that could not be taken up before.
    private func takeUpEarlierDraft(of note: Identifier) throws {
        guard waitingDrafts.contains(note), let header = heads[note] else { return }
        guard let draft = header.draft, !records.damaged.contains(draft) else {
            return _ = waitingDrafts.remove(note)
        }
        guard keys.isReadable(header) else {
            throw NotesError(
                .noteLocked,
                marked("an earlier draft of this note is to be taken up before; open a session with its passphrase"))
        }
        try recoverDraft(of: note)
    }

    func recoverDrafts(where isWanted: (NoteHeader) -> Bool) {
        let cut = heads.index.ordered.filter { $0.header.draft != nil && isWanted($0.header) }.map(\.note)
        for note in cut {
            // One that does not open, or that a full disk forbids to take up, is kept for another time.
            try? recoverDraft(of: note)
        }
    }
}
