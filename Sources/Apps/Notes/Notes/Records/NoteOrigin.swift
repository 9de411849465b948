import Secrets
import Zones

/// How an imported note stood at its source when it was last looked at: what a later import is compared with.
struct NoteOrigin: Equatable, Sendable {
    /// A file that came with it.
    struct File: Equatable, Sendable {
        /// ``ImportKey/mark(ofFile:digest:)``, 32 bytes.
        var mark: [UInt8]
        /// The attachment that it became.
        var attachment: Identifier
    }

    var note: Identifier
    /// ``ImportKey/mark(ofState:)``, 32 bytes.
    var state: [UInt8]
    var folder = ""
    var tags: [String] = []
    var isPinned = false
    var isDeleted = false
    var files: [File] = []
    /// Lines of its front matter that mean nothing here, as they were.
    var frontMatter = ""

    static let markCount = 32

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.identifier(note)
        writer.raw(state)
        writer.uint8((isPinned ? 1 : 0) | (isDeleted ? 2 : 0))
        writer.field(folder)
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        writer.uint32(UInt32(files.count))
        for file in files {
            writer.raw(file.mark)
            writer.identifier(file.attachment)
        }
        writer.field(frontMatter)
        return writer.bytes
    }

    init(note: Identifier, state: [UInt8]) {
        self.note = note
        self.state = state
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            var origin = NoteOrigin(note: try reader.identifier(), state: try reader.bytes(Self.markCount))
            let flags = try reader.uint8()
            guard flags < 4 else { throw .invalid }
            origin.isPinned = flags & 1 != 0
            origin.isDeleted = flags & 2 != 0
            origin.folder = try reader.text()
            for _ in 0..<(try reader.count(ofSize: 4)) { origin.tags.append(try reader.text()) }
            for _ in 0..<(try reader.count(ofSize: Self.markCount + 16)) {
                origin.files.append(File(mark: try reader.bytes(Self.markCount), attachment: try reader.identifier()))
            }
            origin.frontMatter = try reader.text()
            return origin
        }
    }
}

/// A folder or file that notes were imported from; its record's name is its identity, which stands beside the import.
struct ImportSource: Equatable, Sendable {
    /// What it is, such as `markdown`.
    var kind: String
    /// Where it was at the last import.
    var place: String
    /// Microseconds since 1970, UTC.
    var first: Int64
    var last: Int64

    var encoded: [UInt8] {
        var writer = RecordLayout.begin()
        writer.field(kind)
        writer.field(place)
        writer.int64(first)
        writer.int64(last)
        return writer.bytes
    }

    init(kind: String, place: String, first: Int64, last: Int64) {
        self.kind = kind
        self.place = place
        self.first = first
        self.last = last
    }

    init(from bytes: [UInt8]) throws(DecodingError) {
        self = try RecordLayout.read(bytes) { (reader) throws(DecodingError) in
            ImportSource(
                kind: try reader.stringField(limit: 64), place: try reader.stringField(limit: 4096),
                first: try reader.int64(), last: try reader.int64())
        }
    }
}
