import DiaryClient
import Localization
import Secrets
import Zones

/// A file that is coming in, sealed as it comes.
package final class IncomingMedia {
    let description: NewMedia
    private let writer: AssetWriter

    init(_ description: NewMedia, _ journal: Journal) throws {
        guard !description.name.isEmpty, description.name.utf8.count <= 255, description.mediaType.utf8.count <= 255
        else { throw DiaryError(.invalid, marked("a file's name has 1 to 255 bytes")) }
        self.description = description
        writer = try journal.store.assets.makeWriter()
    }

    func append(_ bytes: [UInt8]) throws { try bytes.withSpan { try writer.append($0) } }

    /// Puts the last bytes on the disk.
    func finish(_ journal: Journal) throws -> StagedMedia {
        try writer.finish()
        return StagedMedia(EntryMedia(description, original: writer.reference), journal.store.assets)
    }
}

/// A file that is sealed on the disk, and waits for the entry that it is for.
package final class StagedMedia {
    var media: EntryMedia
    let folder: AssetFolder
    /// Whether an entry has taken it, or may have.
    var isTaken = false

    init(_ media: EntryMedia, _ folder: AssetFolder) {
        self.media = media
        self.folder = folder
    }

    /// A disk that is full costs the small picture alone.
    ///
    /// An entry that has taken the file has it looked at by itself.
    func take(_ look: PhotoLook) { if !isTaken { media.take(look, in: folder) } }

    deinit {
        guard !isTaken else { return }
        for asset in media.assets { try? folder.remove(asset) }
    }
}
