import Envelopes
import ImageSandbox
package import NotesClient
package import Secrets
package import Zones

/// A file that is coming in, sealed as it comes; what it is follows from its bytes.
package final class IncomingAttachment {
    /// Nil where it is for a note that is yet to be imported.
    package let note: Identifier?
    let claimed: NewAttachment
    let writer: AssetWriter
    /// Whether what no locked note may hold can be refused as soon as it is known.
    private let isForLockedNote: Bool
    private var beginning: [UInt8] = []
    fileprivate var hash = ContentDigest()
    /// The whole of an image, as long as it is small enough to be looked at.
    fileprivate var image: [UInt8]? = []
    fileprivate static let largestImage = 64 << 20

    fileprivate init(note: Identifier?, _ claimed: NewAttachment, _ writer: AssetWriter, isForLockedNote: Bool) {
        self.note = note
        self.claimed = claimed
        self.writer = writer
        self.isForLockedNote = isForLockedNote
    }

    /// - Throws: `NotesError` with code `refused` where it is not what it has to be.
    package func append(_ bytes: [UInt8]) throws {
        try bytes.withSpan { try writer.append($0) }
        hash.update(bytes)
        let room = AttachmentContent.beginningByteCount - beginning.count
        if room > 0 {
            beginning += bytes.prefix(room)
            if beginning.count >= ImageKind.headerByteCount && ImageKind(of: beginning) == nil { image = nil }
            if bytes.count > room { try check(isLocked: isForLockedNote) }
        }
        guard let count = image?.count else { return }
        if count + bytes.count > Self.largestImage { image = nil } else { image? += bytes }
    }

    /// What has come so far, by its bytes.
    var description: NewAttachment {
        let content = AttachmentContent(beginning, byteCount: writer.byteCount)
        var found = claimed
        found.kind = content.kind(claimed: claimed.kind)
        found.mediaType = content.mediaType(claimed: claimed.mediaType)
        return found
    }

    /// Refuses what it must not be.
    func check(isLocked: Bool) throws {
        let found = description
        if let demanded = claimed.demandedKind, demanded != found.kind {
            let kinds = "of kind \(found.kind.rawValue) by its content, and not \(demanded.rawValue)"
            throw NotesError(.refused, "'\(found.name)' is \(kinds)")
        }
        if isLocked && !found.kind.isLockable { throw Notebook.unlockable(found.name, found.kind) }
    }
}

extension AttachmentKind {
    fileprivate var isPicture: Bool { self == .image || self == .sketch }
}

/// A file that is sealed on the disk, and waits for the note that it will be imported with.
package final class StagedAttachment {
    let description: NewAttachment
    let asset: AssetReference
    let thumbnail: AssetReference?
    /// SHA-256 of the file; it stays in memory.
    let digest: [UInt8]
    private let folder: AssetFolder
    /// Whether a note has taken it, or may have.
    var isTaken = false

    fileprivate init(
        _ description: NewAttachment, _ asset: AssetReference, _ thumbnail: AssetReference?, digest: [UInt8],
        _ folder: AssetFolder
    ) {
        self.description = description
        self.asset = asset
        self.thumbnail = thumbnail
        self.digest = digest
        self.folder = folder
    }

    deinit {
        guard !isTaken else { return }
        for asset in [asset.asset] + (thumbnail.map { [$0.asset] } ?? []) { try? folder.remove(asset) }
    }

    func attachment(of note: Identifier) -> NoteAttachment {
        NoteAttachment(
            note: note, kind: description.kind, name: description.name, mediaType: description.mediaType, asset: asset,
            thumbnail: thumbnail)
    }
}

// Files that belong to notes.
extension Notebook {
    private static let longestName = 255

    /// Begins to take a file in; what it is, and whether the note may have it, its bytes say.
    package func beginAttachment(to note: Identifier, _ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        let header = try header(note)
        _ = try key(of: note, header)
        return IncomingAttachment(note: note, new, try store.assets.makeWriter(), isForLockedNote: header.isLocked)
    }

    /// Begins to take in a file of a note that will be imported with it.
    package func stageAttachment(_ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        return IncomingAttachment(note: nil, new, try store.assets.makeWriter(), isForLockedNote: false)
    }

    private static func check(_ new: NewAttachment) throws {
        guard !new.name.isEmpty, new.name.utf8.count <= longestName, new.mediaType.utf8.count <= longestName else {
            throw NotesError(.invalid, "an attachment's name has 1 to \(longestName) bytes")
        }
    }

    /// The file is complete: it becomes part of the note, at its end.
    @discardableResult
    package func finish(_ incoming: IncomingAttachment) throws -> AttachmentSummary {
        guard let note = incoming.note else { throw NotesError(.invalid, "the attachment waits for its note") }
        var header = try header(note)
        // The note may have been locked while the file came.
        try incoming.check(isLocked: header.isLocked)
        let key = try key(of: note, header)
        let name = Identifier.makeRandom()
        let staged = try complete(incoming)
        let attachment = staged.attachment(of: note)
        header.attachments.append(name)
        header.assets += attachment.assets
        var body = try whole(note, header, key)
        var past = NotePast(try history(header))
        keepSource(body, of: &header, &past)
        body.blocks = AttachmentText.appending([(id: name, name: attachment.name)], to: body.blocks)
        try change(taking: [staged]) { writer in
            try store(attachment, as: name, key, writer)
            try store(past, of: note, header, key, writer)
            try replaceText(of: note, &header, body, key, writer)
            try put(header, of: note, writer)
        }
        try indexAnew(note, header, fill(&header, with: body, isLocked: header.isLocked))
        return summary(attachment, name)
    }

    /// Puts a file's last bytes on the disk, and a thumbnail beside it; the image itself leaves memory.
    package func complete(_ incoming: IncomingAttachment) throws -> StagedAttachment {
        let description = incoming.description
        let image = description.kind.isPicture ? incoming.image.take() ?? [] : []
        incoming.image = nil
        try incoming.writer.finish()
        let asset = incoming.writer.reference
        // A picture that can't be made smaller, or a disk that is full, costs the thumbnail alone.
        let thumbnail = image.isEmpty ? nil : makeThumbnail(image).flatMap { try? store.assets.store($0) }
        return StagedAttachment(description, asset, thumbnail, digest: incoming.hash.finish(), store.assets)
    }

    func store(
        _ attachment: NoteAttachment, as name: Identifier, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        try store(
            attachment.encoded, in: name, type: RecordType.attachment,
            as: LockPart(note: attachment.note, kind: .attachment, id: name), key, writer)
    }

    /// Removes files that have come to belong to no note.
    func discard(_ assets: [Identifier]) { for asset in assets { try? store.assets.remove(asset) } }

    /// An imported text stays as it was: a later import has to know what was changed here.
    private func keepSource(_ body: NoteBody, of header: inout NoteHeader, _ past: inout NotePast) {
        guard header.origin != nil, header.sourceRevision == header.textRevision else { return }
        past.keep(body, header.modified, of: &header)
        past.trim(to: Self.mostVersions, keeping: header.sourceRevision)
    }

    /// Stores a text without a version of its own: a file came or went, and nobody wrote.
    private func replaceText(
        of note: Identifier, _ header: inout NoteHeader, _ body: NoteBody, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        let filled = fill(&header, with: body, isLocked: header.isLocked)
        header.markChanged(at: now)
        try store(
            filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key, writer)
    }

    package func attachments(of note: Identifier) throws -> [AttachmentSummary] {
        let header = try header(note)
        let key = try key(of: note, header)
        return try header.attachments.map { name in
            do { return summary(try attachment(name, of: note, key), name) } catch {
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
        let first = try store.assets.makeReader(attachment.asset).chunk(0)
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
                "the file of '\(attachment.name)' cannot be read, and nobody can tell what it is; take it out")
        }
        guard kind.isLockable else { throw Self.unlockable(attachment.name, kind) }
    }

    /// Opens a file for reading, chunk by chunk.
    ///
    /// - Parameter wanted: the attachment's identity or its beginning, or its name.
    package func readAttachment(
        _ wanted: String, of note: Identifier, isThumbnail: Bool
    ) throws -> (summary: AttachmentSummary, reader: AssetReader) {
        let header = try header(note)
        let key = try key(of: note, header)
        let (name, attachment) = try findAttachment(wanted, of: note, header, key)
        let reference = isThumbnail ? attachment.thumbnail : attachment.asset
        guard let reference else {
            throw NotesError(
                .notFound,
                attachment.kind.isPicture
                    ? "no thumbnail could be made of it" : "only images and sketches have thumbnails")
        }
        let reader = try store.assets.makeReader(reference)
        return (summary: summary(attachment, name), reader: reader)
    }

    private func findAttachment(
        _ wanted: String, of note: Identifier, _ header: NoteHeader, _ key: NoteKey?
    ) throws -> (name: Identifier, attachment: NoteAttachment) {
        var lost: (any Error)?
        let all = header.attachments.compactMap { name -> (name: Identifier, attachment: NoteAttachment)? in
            do { return (name: name, attachment: try attachment(name, of: note, key)) } catch {
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
            throw lost ?? NotesError(.notFound, "the note has no such attachment")
        }
        guard matches.count == 1 else { throw NotesError(.ambiguous, "several attachments match; give the id") }
        return only
    }

    /// The files of a note, in their order.
    package func files(of note: Identifier) throws -> [Identifier] { try header(note).attachments }

    /// A text that somebody wrote who knew other files: those that came since stand at its end, where the note's text
    /// shows them, and those that have gone stand in it no more.
    ///
    /// - Parameter seen: the files that the note had then.
    /// - Returns: nil where the text stays as it is.
    package func withPresentFiles(_ text: [UInt8], of note: Identifier, seen: [Identifier]) throws -> [UInt8]? {
        let header = try header(note)
        guard header.attachments != seen else { return nil }
        let key: NoteKey?
        // Why it is shut, the change itself says.
        do { key = try editKeys[note] ?? self.key(of: note, header) } catch { return nil }
        var blocks = Markdown.split(text)
        for gone in seen where !header.attachments.contains(gone) {
            blocks = AttachmentText.removing(gone, from: blocks)
        }
        let written = Set(AttachmentText.attachments(in: blocks))
        let new = AttachmentText.attachments(in: try body(of: note, header, key).blocks).filter {
            !seen.contains($0) && !written.contains($0) && header.attachments.contains($0)
        }
        let named = new.compactMap { name in
            (try? attachment(name, of: note, key)).map { (id: name, name: $0.name) }
        }
        blocks = AttachmentText.appending(named, to: blocks)
        return blocks.text == text ? nil : blocks.text
    }

    /// Takes a file out of the note, for good.
    package func detach(_ wanted: String, from note: Identifier) throws {
        var header = try header(note)
        let key = try key(of: note, header)
        let (name, attachment) = try findAttachment(wanted, of: note, header, key)
        header.attachments.removeAll { $0 == name }
        header.assets.removeAll { attachment.assets.contains($0) }
        var body = try whole(note, header, key)
        var past = NotePast(try history(header))
        keepSource(body, of: &header, &past)
        body.blocks = AttachmentText.removing(name, from: body.blocks)
        try change { writer in
            try writer.remove(name, in: zone)
            try store(past, of: note, header, key, writer)
            try replaceText(of: note, &header, body, key, writer)
            try put(header, of: note, writer)
        }
        discard(attachment.assets)
        try indexAnew(note, header, fill(&header, with: body, isLocked: header.isLocked))
        scrub()
    }

    /// Puts files aside that were there when the notebook was opened and that no note names: what a crash left behind,
    /// or all that is left of a note whose row has gone.
    ///
    /// Not while a record is damaged: its files are kept with it.
    func putOrphansAside() {
        defer { foundAssets = [] }
        guard damaged.isEmpty, strayTexts.isEmpty else { return }
        let named = Set(index.ordered.flatMap(\.header.assets))
        store.assets.sort(foundAssets, named: named, now: now / 1_000_000)
    }
}
