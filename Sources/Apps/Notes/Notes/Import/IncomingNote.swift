import Envelopes
import Localization
import NotesClient
import Secrets

/// A note that is being imported, with what it is known by.
struct IncomingNote {
    let head: ImportedNoteHead
    let markdown: String
    let staged: [StagedAttachment]
    let folder: String
    let tags: [String]
    /// What the header calls its source.
    let source: String
    /// ``ImportKey/mark(ofFile:digest:)`` of each file.
    let fileMarks: [[UInt8]]
    /// ``ImportKey/mark(ofState:)``.
    let state: [UInt8]

    init(_ head: ImportedNoteHead, _ markdown: String, _ staged: [StagedAttachment], _ key: ImportKey) throws {
        self.head = head
        self.markdown = markdown
        self.staged = staged
        folder = try NoteFiling.folder(head.folder ?? "")
        tags = try NoteFiling.tags(head.tags)
        let origin = try head.origin.map { text in
            guard let id = Identifier(text) else {
                throw NotesError(.invalid, marked("a source's id has 32 hexadecimal digits"))
            }
            return id
        }
        source = Hexadecimal.encode(key.mark(ofNote: head.source, in: origin))
        fileMarks = staged.map { key.mark(ofFile: $0.description.name, digest: $0.digest) }
        var writer = ByteWriter()
        for text in [head.title ?? "", folder, markdown, head.frontMatter ?? ""] { writer.field(text) }
        writer.uint32(UInt32(tags.count))
        for tag in tags { writer.field(tag) }
        for flag in [head.isPinned, head.isDeleted, head.isLocked] { writer.bool(flag) }
        for mark in fileMarks { writer.raw(mark) }
        state = key.mark(ofState: writer.bytes)
    }

    /// The source's name as version 0.1 kept it.
    var formerSource: String {
        let name = head.formerSource ?? head.source
        return Hexadecimal.encode(Digest.sha256(Array("tresor import source v1".utf8) + Array(name.utf8)))
    }

    func origin(of note: Identifier, files: [Identifier]) -> NoteOrigin {
        var origin = NoteOrigin(note: note, state: state)
        origin.folder = folder
        origin.tags = tags
        origin.isPinned = head.isPinned
        origin.isDeleted = head.isDeleted
        origin.files = zip(fileMarks, files).map { NoteOrigin.File(mark: $0, attachment: $1) }
        origin.frontMatter = head.frontMatter ?? ""
        return origin
    }

    /// The text, in which paragraphs that hold an attachment's place become the attachment; one without a place stands
    /// at the end.
    ///
    /// - Parameter files: what those are called that the text does not name.
    func blocks(_ files: [(name: Identifier, label: String)]) -> [SourceBlock] {
        AttachmentText.blocks(of: markdown, title: head.title, files.map { (id: $0.name, name: $0.label) })
    }

    /// From 1 to 9999: what a calendar can show.
    static func clamped(_ time: Int64) -> Int64 {
        min(max(time, -62_135_596_800_000_000), 253_402_300_799_000_000)
    }
}
