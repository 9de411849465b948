import Envelopes
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

    /// Gives a text without a head a new one: what only the head knew (folder, times, tags and former texts of an open
    /// note) is lost.
    ///
    /// - Parameter lost: a note whose head does not open, which gets one of the texts that no head names, or such a
    ///   text.
    /// - Returns: the note.
    /// - Throws: `NotesError` with code `damaged` where no such text opens, and `noteLocked` where one may with its
    ///   passphrase.
    func renewHead(_ lost: Identifier) throws -> Identifier {
        let text = try strayText(of: lost)
        // Where several are lost nobody knows whose an open text is: no damaged head is replaced by another note's.
        let isSure = headless == [lost] && strayTexts.count == 1
        let note = text.lock?.lock.note ?? (isSure ? lost : Identifier.makeRandom())
        var header = NoteHeader(title: "", created: now)
        (header.lock, header.textRevision, header.history) = (text.lock?.name, text.revision, text.history)
        let files = try strayFiles(of: text, owner: text.lock?.lock.note ?? (isSure ? lost : nil))
        header.attachments = files.map(\.name)
        header.assets = files.flatMap(\.attachment.assets)
        header.draft = try strayDraft(of: text)
        let filled = fill(&header, with: text.body, isLocked: header.isLocked)
        try change { writer in
            for file in files {
                var attachment = file.attachment
                attachment.note = note
                try store(attachment, as: file.name, text.key, writer)
            }
            try store(
                filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), text.key, writer)
            // Where an earlier copy brings the old head back, its text comes with it.
            try writer.remove(text.name, in: zone)
            try put(header, of: note, writer)
        }
        strayTexts.remove(text.name)
        headless.remove(note)
        damaged.remove(note)
        try indexAnew(note, header, filled)
        // What was typed and not saved is taken up as at an unlock.
        if let draft = header.draft { recoverDrafts { $0.draft == draft } }
        return note
    }
}
