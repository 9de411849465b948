import Envelopes
import Localization
import NotesClient
import Secrets

/// Takes in notes from other apps; each is known by its source, so that a second import brings what has changed there.
final class NoteImport {
    private let clock: () -> SecureSession.Instant
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let texts: NoteTexts
    private let sources: ImportSources
    private let again: NoteReimport

    init(
        _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ texts: NoteTexts, _ sources: ImportSources,
        _ again: NoteReimport, clock: @escaping () -> SecureSession.Instant
    ) {
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.texts = texts
        self.sources = sources
        self.again = again
        self.clock = clock
    }

    private var now: Int64 { clock().wall }

    /// - Parameters:
    ///   - markdown: names its attachments as `![name](attachment:NUMBER)`, each in a paragraph of its own.
    ///   - staged: the attachments, in the order of their numbers; they and the note are stored together or not at all.
    /// - Throws: `NotesError` that says why nothing of it was taken.
    func take(
        _ head: ImportedNoteHead, markdown: String, staged: [StagedAttachment]
    ) throws -> ImportOutcome {
        try heads.loadAll()
        guard !head.source.isEmpty, head.source.utf8.count <= 4096, (head.formerSource ?? "").utf8.count <= 4096,
            (head.frontMatter ?? "").utf8.count <= 1 << 20
        else {
            throw NotesError(.invalid, marked("an imported note needs the name of its source, of at most 4096 bytes"))
        }
        guard staged.count == head.attachmentCount else {
            throw NotesError(.invalid, marked("the attachments of the imported note are not complete"))
        }
        let incoming = try IncomingNote(head, markdown, staged, sources.importKey())
        if let known = try known(incoming) { return try again.take(incoming, into: known) }
        return try takeFirst(incoming)
    }

    private func takeFirst(_ incoming: IncomingNote) throws -> ImportOutcome {
        let (head, staged) = (incoming.head, incoming.staged)
        if let refused = staged.map(\.description).first(where: { head.isLocked && !$0.kind.isLockable }) {
            throw NotesError.unlockable(refused.name, refused.kind)
        }
        let note = Identifier.makeRandom()
        let lockKey = head.isLocked ? try keys.currentOpenLockKey() : nil
        let attachments = staged.map { (name: Identifier.makeRandom(), staged: $0) }
        var header = header(incoming)
        header.attachments = attachments.map(\.name)
        header.assets = staged.flatMap { $0.attachment(of: note).assets }
        let blocks = incoming.blocks(attachments.map { (name: $0.name, label: $0.staged.description.name) })
        try texts.add(
            note, header, NoteBody(blocks: blocks, tags: incoming.tags), lockKey: lockKey, attachments: attachments,
            origin: incoming.origin(of: note, files: header.attachments))
        return ImportOutcome(id: note.description, change: .added)
    }

    private func header(_ incoming: IncomingNote) -> NoteHeader {
        let head = incoming.head
        var header = NoteHeader(title: "", created: IncomingNote.clamped(head.created ?? now))
        header.modified = IncomingNote.clamped(head.modified ?? header.created)
        header.source = incoming.source
        header.origin = .makeRandom()
        header.sourceRevision = header.textRevision
        header.folder = incoming.folder
        header.isPinned = head.isPinned
        header.deleted = head.isDeleted ? now : nil
        return header
    }

    /// The note that this one became at an earlier import.
    private func known(_ incoming: IncomingNote) throws -> Identifier? {
        let head = incoming.head
        if let exported = head.id.flatMap(Identifier.init), heads[exported] != nil { return exported }
        if let known = heads.index.sources[incoming.source] { return known }
        guard let former = heads.index.sources[incoming.formerSource], let header = heads[former],
            header.origin == nil
        else {
            return nil
        }
        // Version 0.1 knew a note by its path alone, which two folders may share: there has to be something more.
        let isCertain = head.origin == nil || head.isFormerCertain == true
        return try isCertain || resembles(incoming, former, header) ? former : nil
    }

    /// Whether a note came in at the same moment as this one was made, or has said what it says.
    private func resembles(_ incoming: IncomingNote, _ note: Identifier, _ header: NoteHeader) throws -> Bool {
        if let created = incoming.head.created, IncomingNote.clamped(created) == header.created { return true }
        guard keys.isReadable(header) else { return false }
        return try again.revision(thatSays: incoming, of: note, header, keys.key(of: note, header)) != nil
    }

    /// Lines of the front matter of a note's source that mean nothing here.
    func frontMatter(of note: Identifier) throws -> String? {
        let header = try heads.header(note)
        let text = try parts.origin(of: note, header, keys.key(of: note, header))?.frontMatter
        return text?.isEmpty == false ? text : nil
    }
}
