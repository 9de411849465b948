import NotesClient
import Secrets
import Zones

// Notes whose head does not open or is gone: they are listed as damaged, and their owner has them put together again
// of their texts.
extension Notebook {
    /// Looks for texts that no head names.
    func findStrayTexts() throws {
        strayTexts = try store.strays(ofType: RecordType.body, in: zone, heads: index.count) {
            Set(index.ordered.map(\.header.body))
        }
    }

    /// What lists name: heads that do not open; and where more texts than these are without one, all such texts.
    var headlessNotes: [Identifier] {
        let gone = strayTexts.count > headless.count ? strayTexts : []
        return headless.union(gone).sorted { $0.precedes($1) }
    }

    static func headlessSummary(_ note: Identifier) -> NoteSummary {
        var summary = NoteSummary(id: note.description, title: "", created: 0, modified: 0, revision: 0)
        summary.damage = [.head]
        return summary
    }

    static func headlessError(_ note: Identifier) -> NotesError {
        NotesError(
            .damaged,
            """
            the head of the note \(note) is damaged or gone, so its title and where its text is are not known; \
            all that belongs to it is kept. 'tresor repair --from' takes it from an earlier copy; without one, \
            'tresor notes restore \(note)' makes a note of a text without a head
            """)
    }

    /// Gives a text without a head a new one: what only the head knew (folder, tags, times, former texts) is lost.
    ///
    /// - Parameter lost: a note whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the note.
    /// - Throws: `NotesError` with code `damaged` where no such text opens; a locked one opens by its head alone.
    func renewHead(_ lost: Identifier) throws -> Identifier {
        let candidates = strayTexts.contains(lost) ? [lost] : strayTexts.sorted { $0.precedes($1) }
        guard let (text, body) = candidates.lazy.compactMap({ self.openText($0) }).first else {
            throw NotesError(
                .damaged,
                "no text without a head can be read, and a locked one opens by its head alone; all is kept")
        }
        // Where several are lost nobody knows whose text it is: no damaged head is replaced by another note's.
        let note = headless == [lost] && strayTexts.count == 1 ? lost : Identifier.makeRandom()
        var header = NoteHeader(title: "", created: now)
        let files = AttachmentText.attachments(in: body.blocks).compactMap { name in
            strayAttachment(name).map { (name: name, attachment: $0) }
        }
        header.attachments = files.map(\.name)
        header.assets = files.flatMap(\.attachment.assets)
        let filled = fill(&header, with: body, isLocked: false)
        try change { writer in
            for file in files {
                var attachment = file.attachment
                attachment.note = note
                try store(attachment, as: file.name, nil, writer)
            }
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), nil, writer)
            // Where an earlier copy brings the old head back, its text comes with it.
            try writer.remove(text, in: zone)
            try put(header, of: note, writer)
        }
        strayTexts.remove(text)
        headless.remove(note)
        damaged.remove(note)
        try indexAnew(note, header, filled)
        return note
    }

    private func openText(_ name: Identifier) -> (name: Identifier, body: NoteBody)? {
        guard case .open(let bytes) = try? PartContent(from: content(name)),
            let body = try? NoteBody(from: bytes)
        else { return nil }
        return (name: name, body: body)
    }

    /// A file's record that no head names, and that opens.
    private func strayAttachment(_ name: Identifier) -> NoteAttachment? {
        guard !index.ordered.contains(where: { $0.header.attachments.contains(name) }),
            case .open(let bytes) = try? PartContent(from: content(name))
        else { return nil }
        return try? NoteAttachment(from: bytes)
    }
}
