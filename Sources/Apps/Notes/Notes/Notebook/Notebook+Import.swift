package import NotesClient
import Envelopes
import Secrets

// Notes from other apps; each is known by its source, so that a second import brings what has changed there.
extension Notebook {
    /// - Parameters:
    ///   - markdown: names its attachments as `![name](attachment:NUMBER)`, each in a paragraph of its own.
    ///   - staged: the attachments, in the order of their numbers; they and the note are stored together or not at all.
    /// - Throws: `NotesError` that says why nothing of it was taken.
    package func importNote(
        _ head: ImportedNoteHead, markdown: String, staged: [StagedAttachment]
    ) throws -> ImportOutcome {
        try loadAll()
        guard !head.source.isEmpty, head.source.utf8.count <= 4096, (head.formerSource ?? "").utf8.count <= 4096,
            (head.frontMatter ?? "").utf8.count <= 1 << 20
        else {
            throw NotesError(.invalid, "an imported note needs the name of its source, of at most 4096 bytes")
        }
        guard staged.count == head.attachmentCount else {
            throw NotesError(.invalid, "the attachments of the imported note are not complete")
        }
        let incoming = try IncomingNote(head, markdown, staged, importKey())
        if let known = try known(incoming) { return try importAgain(known, incoming) }
        return try importFirst(incoming)
    }

    private func importFirst(_ incoming: IncomingNote) throws -> ImportOutcome {
        let (head, staged) = (incoming.head, incoming.staged)
        if let refused = staged.map(\.description).first(where: { head.isLocked && !$0.kind.isLockable }) {
            throw Self.unlockable(refused.name, refused.kind)
        }
        let note = Identifier.makeRandom()
        let lockKey = head.isLocked ? try currentOpenLockKey() : nil
        let attachments = staged.map { (name: Identifier.makeRandom(), staged: $0) }
        var header = header(incoming)
        header.attachments = attachments.map(\.name)
        header.assets = staged.flatMap { $0.attachment(of: note).assets }
        let blocks = incoming.blocks(attachments.map { (name: $0.name, label: $0.staged.description.name) })
        try add(
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
        if let exported = head.id.flatMap(Identifier.init), index[exported] != nil { return exported }
        if let known = index.sources[incoming.source] { return known }
        guard let former = index.sources[incoming.formerSource], let header = index[former], header.origin == nil else {
            return nil
        }
        // Version 0.1 knew a note by its path alone, which two folders may share: there has to be something more.
        let isCertain = head.origin == nil || head.isFormerCertain == true
        return try isCertain || resembles(incoming, former, header) ? former : nil
    }

    /// Whether a note came in at the same moment as this one was made, or has said what it says.
    private func resembles(_ incoming: IncomingNote, _ note: Identifier, _ header: NoteHeader) throws -> Bool {
        if let created = incoming.head.created, IncomingNote.clamped(created) == header.created { return true }
        guard isReadable(header) else { return false }
        return try revision(thatSays: incoming, of: note, header, key(of: note, header)) != nil
    }
}
