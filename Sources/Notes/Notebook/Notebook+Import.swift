package import NotesClient
import Envelopes
import Secrets

// Notes from other apps; each is known by its source, so that a second import changes nothing.
extension Notebook {
    /// - Parameters:
    ///   - markdown: names its attachments as `![name](attachment:NUMBER)`, each in a paragraph of its own.
    ///   - staged: the attachments, in the order of their numbers; they and the note are stored together or not at all.
    package func importNote(
        _ head: ImportedNoteHead, markdown: String, staged: [StagedAttachment]
    ) throws -> ImportOutcome {
        try loadAll()
        guard !head.source.isEmpty, head.source.utf8.count <= 1024 else {
            throw NotesError(.invalid, "an imported note needs the name of its source, of at most 1024 bytes")
        }
        guard staged.count == head.attachmentCount else {
            throw NotesError(.invalid, "the attachments of the imported note are not complete")
        }
        let exported = head.id.flatMap(Identifier.init).flatMap { index[$0] == nil ? nil : $0 }
        if let known = exported ?? index.sources[Self.name(of: head.source)] {
            return try importAgain(known, head, markdown)
        }
        if let refused = staged.map(\.description).first(where: { head.isLocked && !$0.kind.isLockable }) {
            throw Self.unlockable(refused.name, refused.kind)
        }
        let note = Identifier.makeRandom()
        let lockKey = head.isLocked ? try currentOpenLockKey() : nil
        let attachments = staged.map { (name: Identifier.makeRandom(), attachment: $0.attachment(of: note)) }
        var header = try Self.header(head, now: now)
        header.attachments = attachments.map(\.name)
        header.assets = attachments.flatMap(\.attachment.assets)
        let blocks = Self.placing(attachments, in: Markdown.blocks(from: markdown), head)
        let body = NoteBody(blocks: blocks, tags: try Self.tags(head.tags))
        try add(note, header, body, lockKey: lockKey, attachments: attachments)
        for attachment in staged { attachment.isTaken = true }
        return ImportOutcome(id: note.description, change: .added)
    }

    /// A source is known again by its hash: its own name may hold a title, which a lock can hide.
    private static func name(of source: String) -> String {
        Hexadecimal.encode(Digest.sha256(Array("tresor import source v1".utf8) + Array(source.utf8)))
    }

    private static func header(_ head: ImportedNoteHead, now: Int64) throws -> NoteHeader {
        var header = NoteHeader(title: "", created: clamped(head.created ?? now))
        header.modified = clamped(head.modified ?? header.created)
        header.source = name(of: head.source)
        header.folder = try folder(head.folder ?? "")
        header.isPinned = head.isPinned
        header.deleted = head.isDeleted ? now : nil
        return header
    }

    /// From 1 to 9999: what a calendar can show.
    private static func clamped(_ time: Int64) -> Int64 {
        min(max(time, -62_135_596_800_000_000), 253_402_300_799_000_000)
    }

    /// Paragraphs that hold an attachment's place become the attachment; one without a place stands at the end.
    private static func placing(
        _ attachments: [(name: Identifier, attachment: NoteAttachment)], in parsed: [Block], _ head: ImportedNoteHead
    ) -> [Block] {
        var blocks = parsed
        if blocks.isEmpty, let title = head.title, !title.isEmpty {
            blocks = [Block(content: .heading(level: 1, text: Markdown.escape(title)))]
        }
        for (number, attachment) in attachments.enumerated() {
            let content = Block.Content.attachment(id: attachment.name, name: attachment.attachment.name)
            let place = blocks.firstIndex { block in
                guard case .paragraph(let text) = block.content else { return false }
                return text.hasPrefix("![") && text.hasSuffix("](attachment:\(number))")
            }
            if let place { blocks[place].content = content } else { blocks.append(Block(content: content)) }
        }
        return blocks
    }

    /// Only what its source has changed since is taken, as a new version: an edit made here stays in the history.
    private func importAgain(
        _ note: Identifier, _ head: ImportedNoteHead, _ markdown: String
    ) throws -> ImportOutcome {
        let header = try header(note)
        guard let modified = head.modified, Self.clamped(modified) > header.modified else {
            return ImportOutcome(id: note.description, change: .unchanged)
        }
        // A note that has been locked there must not put its text into an open one here.
        guard isReadable(header), !head.isLocked || header.isLocked else {
            return ImportOutcome(id: note.description, change: .conflicting)
        }
        // Attachments follow only at the first import: a text with places for them would have none to show.
        guard head.attachmentCount == 0 else { return ImportOutcome(id: note.description, change: .conflicting) }
        try edit(note, base: header.textRevision, markdown: markdown)
        return ImportOutcome(id: note.description, change: .updated)
    }
}
