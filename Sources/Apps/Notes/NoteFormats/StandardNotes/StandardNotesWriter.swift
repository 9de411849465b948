import Codecs
import Envelopes
import FoundationEssentials
import MarkdownFolder
import NotesClient

/// Writes notes as a decrypted backup for Standard Notes, which has no place for files.
struct StandardNotesWriter {
    private var references: [String: [StandardNotesFile.Reference]] = [:]
    private var isFirst = true

    func begin(_ file: OutgoingFile) throws { try file.append("{\"version\":\"004\",\"items\":[\n") }

    mutating func write(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], to file: OutgoingFile
    ) throws {
        var text = AttachmentPlaces.replace(markdown, attachments) { _, label in "[\(label)]" }.text
        text = TitledText.body(of: text, note.title)
        var content = StandardNotesFile.Content(title: note.title, text: text, references: [])
        content.noteType = "markdown"
        var facts = OwnFacts(note, typed: markdown, title: note.title, content: text, files: [])
        facts.leftFiles = attachments.count
        content.appData = .init(
            standardNotes: .init(pinned: note.isPinned, client_updated_at: Self.time(note.modified)),
            tresor: facts)
        let uuid = Self.uuid(note.id)
        try put(
            .init(
                uuid: uuid, content_type: "Note", content: content, created_at: Self.time(note.created),
                updated_at: Self.time(note.modified)), to: file)
        for tag in note.tags { references[tag, default: []].append(.init(uuid: uuid, content_type: "Note")) }
    }

    /// Tags name their notes, and so come last.
    mutating func end(_ file: OutgoingFile) throws {
        for (tag, notes) in references.sorted(by: { $0.key < $1.key }) {
            let id = Digest.sha256(Array("tresor standard notes tag \(tag)".utf8)).prefix(16)
                .map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
            let time = Self.time(0)
            try put(
                .init(
                    uuid: Self.uuid(id), content_type: "Tag",
                    content: .init(title: tag, text: nil, references: notes), created_at: time, updated_at: time),
                to: file)
        }
        try file.append("\n]}\n")
    }

    private mutating func put(_ item: StandardNotesFile.Item, to file: OutgoingFile) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(item)
        try file.append((isFirst ? [] : Array(",\n".utf8)) + Array(bytes))
        isFirst = false
    }

    private static func uuid(_ id: String) -> String {
        let digits = Array(id)
        guard digits.count == 32 else { return id }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func time(_ microseconds: Int64) -> String {
        ISODate.format(ISODate.isWritable(microseconds) ? microseconds : 0)
    }
}
