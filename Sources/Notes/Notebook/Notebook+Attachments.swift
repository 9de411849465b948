import Envelopes
package import NotesClient
package import Secrets
package import Zones

/// A file that is coming in, sealed as it comes.
package final class IncomingAttachment {
    /// Nil where it is for a note that is yet to be imported.
    package let note: Identifier?
    let description: NewAttachment
    let writer: AssetWriter
    /// The beginning of an image, as long as it is small enough to be looked at.
    fileprivate var image: [UInt8]?
    fileprivate static let largestImage = 64 << 20

    fileprivate init(note: Identifier?, _ description: NewAttachment, _ writer: AssetWriter) {
        self.note = note
        self.description = description
        self.writer = writer
        image = description.kind == .image || description.kind == .sketch ? [] : nil
    }

    package func append(_ bytes: [UInt8]) throws {
        try bytes.withSpan { try writer.append($0) }
        guard let count = image?.count else { return }
        if count + bytes.count > Self.largestImage { image = nil } else { image? += bytes }
    }
}

/// A file that is sealed on the disk, and waits for the note that it will be imported with.
package final class StagedAttachment {
    let description: NewAttachment
    let asset: AssetReference
    let thumbnail: AssetReference?
    private let folder: AssetFolder
    /// Whether a note has taken it.
    var isTaken = false

    fileprivate init(
        _ description: NewAttachment, _ asset: AssetReference, _ thumbnail: AssetReference?, _ folder: AssetFolder
    ) {
        self.description = description
        self.asset = asset
        self.thumbnail = thumbnail
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

    /// Begins to take a file in.
    ///
    /// - Throws: `NotesError` with code `refused` where the note is locked and may not have this kind of attachment.
    package func beginAttachment(to note: Identifier, _ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        let header = try header(note)
        if header.isLocked && !new.kind.isLockable { throw Self.unlockable(new.name, new.kind) }
        _ = try key(of: note, header)
        return IncomingAttachment(note: note, new, try store.assets.makeWriter())
    }

    /// Begins to take in a file of a note that will be imported with it.
    package func stageAttachment(_ new: NewAttachment) throws -> IncomingAttachment {
        try Self.check(new)
        return IncomingAttachment(note: nil, new, try store.assets.makeWriter())
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
        if header.isLocked && !incoming.description.kind.isLockable {
            throw Self.unlockable(incoming.description.name, incoming.description.kind)
        }
        let key = try key(of: note, header)
        let name = Identifier.makeRandom()
        let staged = try complete(incoming)
        let attachment = staged.attachment(of: note)
        header.attachments.append(name)
        header.assets += attachment.assets
        var body = try whole(note, header, key)
        body.blocks.append(Block(content: .attachment(id: name, name: attachment.name)))
        try change { writer in
            try store(attachment, as: name, key, writer)
            try replaceText(of: note, &header, body, key, writer)
            try put(header, of: note, writer)
        }
        staged.isTaken = true
        try indexAnew(note, header, fill(&header, with: body, isLocked: header.isLocked))
        return summary(attachment, name)
    }

    /// Puts a file's last bytes on the disk, and a thumbnail beside it; the image itself leaves memory.
    package func complete(_ incoming: IncomingAttachment) throws -> StagedAttachment {
        let image = incoming.image.take() ?? []
        try incoming.writer.finish()
        let asset = incoming.writer.reference
        // A picture that can't be made smaller, or a disk that is full, costs the thumbnail alone.
        let thumbnail = image.isEmpty ? nil : makeThumbnail(image).flatMap { try? store.assets.store($0) }
        return StagedAttachment(incoming.description, asset, thumbnail, store.assets)
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

    /// Stores a text without a version of its own: a file came or went, and nobody wrote.
    private func replaceText(
        of note: Identifier, _ header: inout NoteHeader, _ body: NoteBody, _ key: NoteKey?, _ writer: ZoneWriter
    ) throws {
        let filled = fill(&header, with: body, isLocked: header.isLocked)
        header.markChanged(at: now)
        try store(
            filled.encoded, in: header.body, type: RecordType.body, as: LockPart(note: note, kind: .body), key, writer)
    }

    package func attachments(of note: Identifier) throws -> [AttachmentSummary] {
        let header = try header(note)
        let key = try key(of: note, header)
        return try header.attachments.map { name in try summary(attachment(name, of: note, key), name) }
    }

    private func summary(_ attachment: NoteAttachment, _ name: Identifier) -> AttachmentSummary {
        AttachmentSummary(
            id: name.description, name: attachment.name, kind: attachment.kind, mediaType: attachment.mediaType,
            byteCount: attachment.asset.byteCount, hasThumbnail: attachment.thumbnail != nil)
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
            let isPicture = attachment.kind == .image || attachment.kind == .sketch
            throw NotesError(
                .notFound, isPicture ? "no thumbnail could be made of it" : "only images and sketches have thumbnails")
        }
        let reader = try store.assets.makeReader(reference)
        return (summary: summary(attachment, name), reader: reader)
    }

    private func findAttachment(
        _ wanted: String, of note: Identifier, _ header: NoteHeader, _ key: NoteKey?
    ) throws -> (name: Identifier, attachment: NoteAttachment) {
        let all = try header.attachments.map { try (name: $0, attachment: attachment($0, of: note, key)) }
        let named = all.filter { $0.attachment.name == wanted }
        let matches =
            named.isEmpty && wanted.utf8.count >= 4
            ? all.filter { $0.name.description.hasPrefix(wanted.lowercased()) } : named
        guard let only = matches.first else { throw NotesError(.notFound, "the note has no such attachment") }
        guard matches.count == 1 else { throw NotesError(.ambiguous, "several attachments match; give the id") }
        return only
    }

    /// Takes a file out of the note, for good.
    package func detach(_ wanted: String, from note: Identifier) throws {
        var header = try header(note)
        let key = try key(of: note, header)
        let (name, attachment) = try findAttachment(wanted, of: note, header, key)
        header.attachments.removeAll { $0 == name }
        header.assets.removeAll { attachment.assets.contains($0) }
        var body = try whole(note, header, key)
        body.blocks.removeAll { block in
            if case .attachment(let id, _) = block.content { return id == name }
            return false
        }
        try change { writer in
            try writer.remove(name, in: zone)
            try replaceText(of: note, &header, body, key, writer)
            try put(header, of: note, writer)
        }
        discard(attachment.assets)
        try indexAnew(note, header, fill(&header, with: body, isLocked: header.isLocked))
        scrub()
    }

    /// Removes files that were there when the notebook was opened and that no note names: what a crash left behind.
    ///
    /// Not while a record is damaged: its files are kept with it.
    func removeOrphanedAssets() {
        defer { foundAssets = [] }
        guard damaged.isEmpty, !foundAssets.isEmpty else { return }
        let named = Set(index.ordered.flatMap(\.header.assets))
        discard(foundAssets.filter { !named.contains($0) })
    }
}
