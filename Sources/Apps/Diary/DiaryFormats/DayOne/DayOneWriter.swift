import Codecs
import DiaryClient
import Linux

/// Writes what Day One imports, and ``DayOneDiary`` reads back as it was.
///
///     let writer = try DayOneWriter("diary.zip") { media, append in try read(media.id, append) }
///     for entry in entries { try writer.add(entry) }
///     try writer.finish()
///
/// The file has mode 0600; none is left unless it was finished. Until then the entries' files lie on the same disk
/// without a name: an export takes twice its room.
package final class DayOneWriter {
    private let path: String
    private let zip: ZipOutput
    private let spool: Spool
    private let media: MediaBytes
    private let keepsMetadata: Bool
    private var journal: [UInt8] = Array(#"{"metadata":{"version":"1.0"},"entries":["#.utf8)
    private var entryCount = 0
    private var names: Set<String> = []
    private var newest: Int64 = 0
    private var isFinished = false

    /// - Parameters:
    ///   - path: of a file that does not exist yet.
    ///   - keepsMetadata: whether what Day One had noted beside a photo, place and camera among it, is given back.
    ///   - media: asked for each file once; what it throws ends the export.
    package init(
        _ path: String, keepsMetadata: Bool = true, media: @escaping MediaBytes
    ) throws(DiaryFormatError) {
        self.path = path
        self.keepsMetadata = keepsMetadata
        self.media = media
        do {
            // The first file of the name is the one that loses it.
            spool = try Spool(path)
            _ = try FileDescriptor.open(path, FileFlags.create)
        } catch {
            throw (try? FileSystem.status(path)) != nil ? .alreadyThere : .cannotWrite(isFull: error.isOutOfSpace)
        }
        do { zip = try ZipOutput(overwriting: path) } catch {
            try? FileSystem.remove(path)
            throw error
        }
    }

    deinit { if !isFinished { try? FileSystem.remove(path) } }

    /// - Throws: `tooLarge` for more text than could be read back, and what reading a file throws.
    package func add(_ entry: ImportedEntry) throws {
        var stored: [StoredMedia] = []
        for item in entry.media { stored.append(try store(item, of: entry)) }
        let json = JSONValue.object(DayOneEntryWriter(entry, stored, keepsMetadata: keepsMetadata).object).encoded
        guard journal.count + json.count + 3 <= DayOneDiary.largestJournals else { throw DiaryFormatError.tooLarge }
        if entryCount > 0 { journal.append(UInt8(ascii: ",")) }
        journal += json
        entryCount += 1
        newest = max(newest, entry.modified)
    }

    /// Writes the archive, and waits until it is on the disk.
    package func finish() throws {
        journal += "]}".utf8
        let bytes = journal
        try zip.add(
            "Journal.json", byteCount: UInt64(bytes.count), modified: newest / CivilTime.second, isPacked: true
        ) { offset in Array(bytes[Int(offset)...].prefix(mediaPart)) }
        try zip.finish()
        do {
            // libzip has put another file in the place of ours.
            try FileDescriptor.open(path, FileFlags.read).sync()
            try NewFolders.syncNames(in: FileSystem.directory(of: path))
        } catch { throw DiaryFormatError.cannotWrite(isFull: error.isOutOfSpace, path: path) }
        isFinished = true
    }

    private func store(_ item: ImportedMedia, of entry: ImportedEntry) throws -> StoredMedia {
        let spooled = try spool.take { append in try media(item, append) }
        let stored = StoredMedia(
            media: item, fingerprint: spooled.fingerprint, ending: MediaTypes.ending(of: item),
            byteCount: UInt64(spooled.range.count))
        let name = "\(DayOneFiles.folder(of: item.kind))/\(stored.fingerprint).\(stored.ending)"
        guard names.insert(name).inserted else {
            spool.cut(to: spooled.range.lowerBound)
            return stored
        }
        try zip.add(
            name, byteCount: stored.byteCount, modified: entry.modified / CivilTime.second, isPacked: false,
            spool.content(spooled.range))
        return stored
    }
}

/// The files until they are in the archive: on the same disk without a name, gone with the process.
///
/// libzip asks for bytes when it wants them, and a diary hands them on when it has them.
private final class Spool {
    private let file: OpenFile
    private var byteCount = 0
    private var fingerprint = FileFingerprint()

    /// - Parameter path: of a file that does not exist, and does not afterwards.
    init(_ path: String) throws(LinuxError) {
        file = try OpenFile(path, FileFlags.create)
        try FileSystem.remove(path)
    }

    /// Keeps what `fill` hands on, as one file.
    func take(_ fill: (_ append: ([UInt8]) throws -> Void) throws -> Void) throws -> (
        range: Range<Int>, fingerprint: String
    ) {
        let start = byteCount
        fingerprint = FileFingerprint()
        try fill(append)
        return (range: start..<byteCount, fingerprint: fingerprint.finish())
    }

    private func append(_ bytes: [UInt8]) throws {
        do { try file.descriptor.write(bytes, at: byteCount) } catch {
            throw DiaryFormatError.cannotWrite(isFull: error.isOutOfSpace)
        }
        fingerprint.add(bytes)
        byteCount += bytes.count
    }

    /// What follows is written over the rest.
    func cut(to count: Int) { byteCount = count }

    func content(_ range: Range<Int>) -> ZipOutput.Content {
        { [self] offset in
            let start = range.lowerBound + Int(offset)
            return try file.descriptor.read(count: min(mediaPart, range.upperBound - start), at: start)
        }
    }
}

/// A file as it lies in the archive.
struct StoredMedia {
    let media: ImportedMedia
    let fingerprint: String
    let ending: String
    let byteCount: UInt64
}
