import Envelopes
import ImageSandbox
import Localization
import NotesClient
import Secrets
import Zones

/// A file that is coming in, sealed as it comes; what it is follows from its bytes.
final class IncomingAttachment {
    /// Nil where it is for a note that is yet to be imported.
    let note: Identifier?
    private let claimed: NewAttachment
    private let writer: AssetWriter
    /// Whether what no locked note may hold can be refused as soon as it is known.
    private let isForLockedNote: Bool
    private var beginning: [UInt8] = []
    private var hash = ContentDigest()
    /// The whole of an image, as long as it is small enough to be looked at.
    private var image: [UInt8]? = []
    private static let largestImage = 64 << 20

    init(note: Identifier?, _ claimed: NewAttachment, _ writer: AssetWriter, isForLockedNote: Bool) {
        self.note = note
        self.claimed = claimed
        self.writer = writer
        self.isForLockedNote = isForLockedNote
    }

    /// - Throws: `NotesError` with code `refused` where it is not what it has to be.
    func append(_ bytes: [UInt8]) throws {
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
            let (kind, other) = (found.kind.rawValue, demanded.rawValue)
            throw NotesError(.refused, marked("'\(found.name)' is of kind \(kind) by its content, and not \(other)"))
        }
        if isLocked && !found.kind.isLockable { throw NotesError.unlockable(found.name, found.kind) }
    }

    /// Puts the last bytes on the disk, and a thumbnail beside them; the image itself leaves memory.
    ///
    /// - Parameter makeThumbnail: from an image's bytes.
    func complete(in folder: AssetFolder, makeThumbnail: ([UInt8]) -> [UInt8]?) throws -> StagedAttachment {
        let found = description
        let picture = found.kind.isPicture ? image.take() ?? [] : []
        image = nil
        try writer.finish()
        let asset = writer.reference
        // A picture that can't be made smaller, or a disk that is full, costs the thumbnail alone.
        let thumbnail = picture.isEmpty ? nil : makeThumbnail(picture).flatMap { try? folder.store($0) }
        return StagedAttachment(found, asset, thumbnail, digest: hash.finish(), folder)
    }
}

extension AttachmentKind {
    /// Whether a thumbnail is made of it.
    var isPicture: Bool { self == .image || self == .sketch }
}

/// A file that is sealed on the disk, and waits for the note that it will be imported with.
final class StagedAttachment {
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

extension NotesError {
    /// What no locked note may hold.
    static func unlockable(_ name: String, _ kind: AttachmentKind) -> NotesError {
        NotesError(
            .refused,
            marked(
                """
                '\(name)' is of kind \(kind.rawValue); a locked note may hold images, sketches, tables, maps and \
                websites only
                """))
    }
}
