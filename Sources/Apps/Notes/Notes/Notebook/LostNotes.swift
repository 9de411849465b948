import Envelopes
import NotesClient
import Secrets
import Zones

/// Notes whose head does not open or is gone: they are listed as damaged, and their owner has them put together again
/// of their texts.
final class LostNotes {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let parts: SealedParts
    private let search: NoteSearch
    private let edits: NoteEdits
    private let strays: StrayParts

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ parts: SealedParts, _ search: NoteSearch, _ edits: NoteEdits,
        _ strays: StrayParts, clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.parts = parts
        self.search = search
        self.edits = edits
        self.strays = strays
        self.clock = clock
    }

    /// Gives a text without a head a new one: what only the head knew (folder, times, tags and former texts of an open
    /// note) is lost.
    ///
    /// - Parameter lost: a note whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the note.
    /// - Throws: `NotesError` with code `damaged` where no such text opens, and `noteLocked` where one may with its
    ///   passphrase.
    func renewHead(_ lost: Identifier) throws -> Identifier {
        let text = try strays.text(of: lost)
        // Where several are lost nobody knows whose an open text is: no damaged head is replaced by another note's.
        let isSure = heads.headless == [lost] && heads.strayTexts.count == 1
        let note = text.lock?.lock.note ?? (isSure ? lost : Identifier.makeRandom())
        var header = NoteHeader(title: "", created: clock().wall)
        (header.lock, header.textRevision, header.history) = (text.lock?.name, text.revision, text.history)
        let files = try strays.files(of: text, owner: text.lock?.lock.note ?? (isSure ? lost : nil))
        header.attachments = files.map(\.name)
        header.assets = files.flatMap(\.attachment.assets)
        header.draft = try strays.draft(of: text)
        let filled = parts.fill(&header, with: text.body, isLocked: header.isLocked)
        try heads.change { writer in
            for file in files {
                var attachment = file.attachment
                attachment.note = note
                try parts.store(attachment, as: file.name, text.key, writer)
            }
            try parts.store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), text.key, writer)
            // Where an earlier copy brings the old head back, its text comes with it.
            try writer.remove(text.name, in: records.zone)
            try heads.put(header, of: note, writer)
        }
        heads.found(text.name, of: note)
        try search.indexAnew(note, header, filled)
        // What was typed and not saved is taken up as at an unlock.
        if let draft = header.draft { edits.recoverDrafts { $0.draft == draft } }
        return note
    }
}
