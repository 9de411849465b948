import Localization
import NotesClient
import Secrets
import Zones

/// The trash: notes come into it, out of it, and from it to their end.
final class Trash {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let filing: NoteFiling
    private let lost: LostNotes
    private let search: NoteSearch

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ filing: NoteFiling,
        _ lost: LostNotes, _ search: NoteSearch, clock: @escaping () -> SecureSession.Instant
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.filing = filing
        self.lost = lost
        self.search = search
        self.clock = clock
    }

    /// To the trash, or from the trash for good.
    func delete(_ note: Identifier, forever: Bool) throws {
        let header = try heads.header(note)
        guard forever else {
            guard header.deleted == nil else { return }
            try filing.update(note) { $0.deleted = clock().wall }
            return try search.remove(note)
        }
        guard header.deleted != nil else {
            throw NotesError(.refused, marked("the note is not in the trash; only what is there is deleted for good"))
        }
        try erase(note, header)
    }

    /// Takes a note out of the trash, or puts one together again whose head is damaged or gone.
    ///
    /// - Returns: the note; where only a text was left of it, under a new name.
    @discardableResult
    func restore(_ note: Identifier) throws -> Identifier {
        if heads.isHeadless(note) { return try lost.renewHead(note) }
        try filing.update(note) { $0.deleted = nil }
        let header = try heads.header(note)
        var body: NoteBody?
        if keys.isReadable(header) {
            // Where it cannot be read now it is indexed, or named, when its turn comes.
            do { body = try parts.body(of: note, header) } catch { search.postpone(note) }
        }
        try search.indexAnew(note, header, body)
        return note
    }

    private func erase(_ note: Identifier, _ header: NoteHeader) throws {
        let past = try parts.history(header)
        try heads.change { writer in
            let names = past.entries.map(\.version) + past.joined + header.attachments
            if let lock = header.lock { try heads.removeLock(lock, writer) }
            let single = [header.body, header.history, header.draft, header.origin].compactMap(\.self)
            for name in names + single + [note] { try writer.remove(name, in: records.zone) }
            heads.forget(note)
        }
        records.discard(header.assets)
        try search.remove(note)
        search.forgetRemoved()
        records.scrub()
    }
}
