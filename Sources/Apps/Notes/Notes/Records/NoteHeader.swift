import Secrets
import Zones

/// What lists need of a note; its record is named as the note is.
struct NoteHeader: Equatable, Sendable {
    /// Empty in a locked note whose title is not to be seen.
    var title: String
    /// A path such as `Work/Plans`; empty for none.
    var folder = ""
    /// Empty in a locked note: they stand in its sealed body.
    var tags: [String] = []
    /// Microseconds since 1970, UTC.
    var created: Int64
    var modified: Int64
    /// When it went to the trash.
    var deleted: Int64?
    var isPinned = false
    /// An edit could not be merged without keeping both sides of a block.
    var hasConflict = false
    /// The record of the text.
    var body: Identifier
    /// Rises with each change of the text; an edit names the one that it began from.
    var textRevision: UInt64 = 1
    /// The record of the lock, in a locked note.
    var lock: Identifier?
    var history: Identifier?
    var draft: Identifier?
    /// Where it was imported from, as 64 hexadecimal digits; empty for none.
    ///
    /// With an ``origin`` a keyed hash, else what version 0.1 wrote: one that anybody can compute.
    var source = ""
    /// The record of how it stood there.
    var origin: Identifier?
    /// The ``textRevision`` whose text was the source's.
    var sourceRevision: UInt64 = 0
    var attachments: [Identifier] = []
    /// The files of its attachments, by name alone: so that ownerless files are known while the note is locked.
    var assets: [Identifier] = []

    var isLocked: Bool { lock != nil }

    init(title: String, created: Int64, body: Identifier = .makeRandom()) {
        self.title = title
        self.created = created
        modified = created
        self.body = body
    }

    /// Later than before, whatever the clock says.
    mutating func markChanged(at now: Int64) { modified = max(now, modified == .max ? modified : modified + 1) }

    /// Of version 2 where the note has an origin, else of version 1.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.uint8(origin == nil ? 1 : 2)
        writer.uint8((isPinned ? 1 : 0) | (hasConflict ? 2 : 0))
        writer.field(title)
        writer.field(folder)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        writer.int64(created)
        writer.int64(modified)
        writer.int64(deleted ?? 0)
        writer.identifier(body)
        writer.uint64(textRevision)
        writer.optionalIdentifier(lock)
        writer.optionalIdentifier(history)
        writer.optionalIdentifier(draft)
        if let origin {
            writer.raw(Hexadecimal.decode(source) ?? [UInt8](repeating: 0, count: NoteOrigin.markCount))
            writer.identifier(origin)
            writer.uint64(sourceRevision)
        } else {
            writer.field(source)
        }
        writer.uint32(UInt32(attachments.count))
        for attachment in attachments { writer.identifier(attachment) }
        writer.uint32(UInt32(assets.count))
        for asset in assets { writer.identifier(asset) }
        return writer.bytes
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            let version = try reader.uint8()
            guard version == 1 || version == 2 else { throw .invalid }
            let header = try NoteHeader(&reader, version)
            try reader.end()
            return header
        }
    }

    private init(_ reader: inout ByteReader, _ version: UInt8) throws(DecodingError) {
        let flags = try reader.uint8()
        guard flags < 4 else { throw .invalid }
        isPinned = flags & 1 != 0
        hasConflict = flags & 2 != 0
        title = try reader.text()
        folder = try reader.text()
        for _ in 0..<(try reader.count(ofSize: 4)) { tags.append(try reader.text()) }
        created = try reader.int64()
        modified = try reader.int64()
        let deletion = try reader.int64()
        deleted = deletion == 0 ? nil : deletion
        body = try reader.identifier()
        textRevision = try reader.uint64()
        lock = try reader.optionalIdentifier()
        history = try reader.optionalIdentifier()
        draft = try reader.optionalIdentifier()
        if version == 1 {
            source = try reader.text()
        } else {
            source = Hexadecimal.encode(try reader.bytes(NoteOrigin.markCount))
            origin = try reader.optionalIdentifier()
            guard origin != nil else { throw .invalid }
            sourceRevision = try reader.uint64()
        }
        for _ in 0..<(try reader.count(ofSize: 16)) { attachments.append(try reader.identifier()) }
        for _ in 0..<(try reader.count(ofSize: 16)) { assets.append(try reader.identifier()) }
    }
}
