import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// Files that belong to notes: they come in, are read, and are taken out.
final class Attachments {
    private let clock: () -> SecureSession.Instant
    private let records: NoteRecords
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch
    /// Makes a thumbnail of an image; nil where it can't.
    private let makeThumbnail: ([UInt8]) -> [UInt8]?
    private static let longestName = 255

    init(
        _ records: NoteRecords, _ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ search: NoteSearch,
        clock: @escaping () -> SecureSession.Instant, makeThumbnail: @escaping ([UInt8]) -> [UInt8]?
    ) {
        self.records = records
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.search = search
        self.clock = clock
        self.makeThumbnail = makeThumbnail
    }

    private var now: Int64 { clock().wall }

    /// Begins to take a file in; what it is, and whether the note may have it, its bytes say.
    func begin(to note: Identifier, _ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        let header = try heads.header(note)
        _ = try keys.key(of: note, header)
        return IncomingAttachment(note: note, new, try records.assets.makeWriter(), isForLockedNote: header.isLocked)
    }

    /// Begins to take in a file of a note that will be imported with it.
    func stage(_ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        return IncomingAttachment(note: nil, new, try records.assets.makeWriter(), isForLockedNote: false)
    }

    private static func check(_ new: NewAttachment) throws {
        guard !new.name.isEmpty, new.name.utf8.count <= longestName, new.mediaType.utf8.count <= longestName else {
            throw NotesError(.invalid, marked("an attachment's name has 1 to \(longestName) bytes"))
        }
    }

    /// The file is complete: it becomes part of the note, at its end.
    @discardableResult
    func finish(_ incoming: IncomingAttachment) throws -> AttachmentSummary {
        guard let note = incoming.note else { throw NotesError(.invalid, marked("the attachment waits for its note")) }
        var header = try heads.header(note)
        // The note may have been locked while the file came.
        try incoming.check(isLocked: header.isLocked)
        let key = try keys.key(of: note, header)
        let name = Identifier.makeRandom()
        let staged = try complete(incoming)
        let attachment = staged.attachment(of: note)
        header.attachments.append(name)
        header.assets += attachment.assets
        var body = try parts.whole(note, header, key)
        var past = NotePast(try parts.history(header))
        keepSource(body, of: &header, &past)
        body.blocks = AttachmentText.appending([(id: name, name: attachment.name)], to: body.blocks)
        try heads.change(taking: [staged]) { writer in
            try parts.store(attachment, as: name, key, writer)
            try parts.store(past, of: note, header, key, writer)
            try replaceText(of: note, &header, body, key, writer)
            try heads.put(header, of: note, writer)
        }
        try search.indexAnew(note, header, parts.fill(&header, with: body, isLocked: header.isLocked))
        return summary(attachment, name)
    }

    /// Puts a file's last bytes on the disk, and a thumbnail beside it; the image itself leaves memory.
    func complete(_ incoming: IncomingAttachment) throws -> StagedAttachment {
        try incoming.complete(in: records.assets, makeThumbnail: makeThumbnail)
    }

    /// An imported text stays as it was: a later import has to know what was changed here.
    private func keepSource(_ body: NoteBody, of header: inout NoteHeader, _ past: inout NotePast) {
        guard header.origin != nil, header.sourceRevision == header.textRevision else { return }
        past.keep(body, header.modified, of: &header)
        past.trim(to: NoteTexts.mostVersions, keeping: header.sourceRevision)
    }

    /// Stores a text without a version of its own: a file came or went, and nobody wrote.
    private func replaceText(
        of note: Identifier, _ header: inout NoteHeader, _ body: NoteBody, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        let filled = parts.fill(&header, with: body, isLocked: header.isLocked)
        header.markChanged(at: now)
        try parts.store(
            filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key, writer)
    }

    func list(of note: Identifier) throws -> [AttachmentSummary] {
        let header = try heads.header(note)
        let key = try keys.key(of: note, header)
        return try header.attachments.map { name in
            do { return summary(try parts.attachment(name, of: note, key), name) } catch {
                guard NotesError(error).code == .damaged else { throw error }
                var lost = AttachmentSummary(
                    id: name.description, name: "", kind: .file, mediaType: "", byteCount: 0, hasThumbnail: false)
                lost.isDamaged = true
                return lost
            }
        }
    }

    /// What an attachment's file is, whatever its record says: records of version 0.1 took a caller's word for it.
    ///
    /// - Throws: `NotesError` with code `damaged`.
    func content(of attachment: NoteAttachment) throws -> AttachmentContent {
        let first = try records.assets.makeReader(attachment.asset).chunk(0)
        return AttachmentContent(
            Array(first.prefix(AttachmentContent.beginningByteCount)), byteCount: attachment.asset.byteCount)
    }

    private func summary(_ attachment: NoteAttachment, _ name: Identifier) -> AttachmentSummary {
        // Of what no locked note may hold nobody gains by a lie; and a list must not fail for one file.
        let content = attachment.kind.isLockable ? try? self.content(of: attachment) : nil
        var summary = AttachmentSummary(
            id: name.description, name: attachment.name,
            kind: content?.kind(claimed: attachment.kind) ?? attachment.kind,
            mediaType: content?.mediaType(claimed: attachment.mediaType) ?? attachment.mediaType,
            byteCount: attachment.asset.byteCount, hasThumbnail: attachment.thumbnail != nil)
        summary.place = content?.place
        summary.address = content?.address
        return summary
    }

    /// Refuses an attachment that no locked note may hold, by its bytes.
    func refuseUnlockable(_ attachment: NoteAttachment) throws {
        let kind: AttachmentKind
        do { kind = try content(of: attachment).kind(claimed: attachment.kind) } catch {
            let meaning = NotesError(error)
            guard meaning.code == .damaged else { throw meaning }
            throw NotesError(
                .damaged,
                marked("the file of '\(attachment.name)' cannot be read, and nobody can tell what it is; take it out"))
        }
        guard kind.isLockable else { throw NotesError.unlockable(attachment.name, kind) }
    }

    /// Opens a file for reading, chunk by chunk.
    ///
    /// - Parameter wanted: the attachment's identity or its beginning, or its name.
    func read(
        _ wanted: String, of note: Identifier, isThumbnail: Bool
    ) throws -> (summary: AttachmentSummary, reader: AssetReader) {
        let header = try heads.header(note)
        let key = try keys.key(of: note, header)
        let (name, attachment) = try findAttachment(wanted, of: note, header, key)
        let reference = isThumbnail ? attachment.thumbnail : attachment.asset
        guard let reference else {
            throw NotesError(
                .notFound,
                attachment.kind.isPicture
                    ? marked("no thumbnail could be made of it") : marked("only images and sketches have thumbnails"))
        }
        let reader = try records.assets.makeReader(reference)
        return (summary: summary(attachment, name), reader: reader)
    }

    private func findAttachment(
        _ wanted: String, of note: Identifier, _ header: NoteHeader, _ key: NoteKey?
    ) throws -> (name: Identifier, attachment: NoteAttachment) {
        var lost: (any Error)?
        let all = header.attachments.compactMap { name -> (name: Identifier, attachment: NoteAttachment)? in
            do { return (name: name, attachment: try parts.attachment(name, of: note, key)) } catch {
                lost = error
                return nil
            }
        }
        let named = all.filter { $0.attachment.name == wanted }
        let matches =
            named.isEmpty && wanted.utf8.count >= 4
            ? all.filter { $0.name.description.hasPrefix(wanted.lowercased()) } : named
        guard let only = matches.first else {
            // It may be the one whose record does not open.
            throw lost ?? NotesError(.notFound, marked("the note has no such attachment"))
        }
        guard matches.count == 1 else { throw NotesError(.ambiguous, marked("several attachments match; give the id")) }
        return only
    }

    /// The files of a note, in their order.
    func files(of note: Identifier) throws -> [Identifier] { try heads.header(note).attachments }

    /// A text that somebody wrote who knew other files: those that came since stand at its end, where the note's text
    /// shows them, and those that have gone stand in it no more.
    ///
    /// - Parameter seen: the files that the note had then.
    /// - Returns: nil where the text stays as it is.
    func withPresentFiles(_ text: [UInt8], of note: Identifier, seen: [Identifier]) throws -> [UInt8]? {
        let header = try heads.header(note)
        guard header.attachments != seen else { return nil }
        let key: NoteKey?
        // Why it is shut, the change itself says.
        do { key = try keys.editKey(of: note, header) } catch { return nil }
        var blocks = Markdown.split(text)
        for gone in seen where !header.attachments.contains(gone) {
            blocks = AttachmentText.removing(gone, from: blocks)
        }
        let written = Set(AttachmentText.attachments(in: blocks))
        let new = AttachmentText.attachments(in: try parts.body(of: note, header, key).blocks).filter {
            !seen.contains($0) && !written.contains($0) && header.attachments.contains($0)
        }
        let named = new.compactMap { name in
            (try? parts.attachment(name, of: note, key)).map { (id: name, name: $0.name) }
        }
        blocks = AttachmentText.appending(named, to: blocks)
        return blocks.text == text ? nil : blocks.text
    }

    /// Takes a file out of the note, for good.
    func detach(_ wanted: String, from note: Identifier) throws {
        var header = try heads.header(note)
        let key = try keys.key(of: note, header)
        let (name, attachment) = try findAttachment(wanted, of: note, header, key)
        header.attachments.removeAll { $0 == name }
        header.assets.removeAll { attachment.assets.contains($0) }
        var body = try parts.whole(note, header, key)
        var past = NotePast(try parts.history(header))
        keepSource(body, of: &header, &past)
        body.blocks = AttachmentText.removing(name, from: body.blocks)
        try heads.change { writer in
            try writer.remove(name, in: records.zone)
            try parts.store(past, of: note, header, key, writer)
            try replaceText(of: note, &header, body, key, writer)
            try heads.put(header, of: note, writer)
        }
        records.discard(attachment.assets)
        try search.indexAnew(note, header, parts.fill(&header, with: body, isLocked: header.isLocked))
        records.scrub()
    }
}
