import Codecs
import Envelopes
import Localization
import MarkdownFolder
import NotesClient

/// Writes notes as one file for Joplin.
struct JexWriter {
    private var folders: [String: String] = [:]
    private var tags: [String: String] = [:]

    /// Thirty-two digits that are the same at every export.
    private static func identifier(_ kind: String, _ name: String) -> String {
        Digest.sha256(Array("tresor jex \(kind) \(name)".utf8)).prefix(16)
            .map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    mutating func write(
        _ note: NoteSummary, _ markdown: String, _ attachments: [AttachmentSummary], to file: OutgoingFile,
        load: AttachmentLoad
    ) throws {
        let time = Self.time(note.modified)
        let parent = try folder(note.folder, to: file)
        var placed: [AttachmentSummary] = []
        let replaced = AttachmentPlaces.replace(markdown, attachments) { attachment, label in
            placed.append(attachment)
            return "\(attachment.kind == .image || attachment.kind == .sketch ? "!" : "")[\(label)](:/\(attachment.id))"
        }
        var body = TitledText.body(of: replaced.text, note.title)
        for attachment in replaced.rest {
            if !body.isEmpty, !body.hasSuffix("\n\n") { body += body.hasSuffix("\n") ? "\n" : "\n\n" }
            body += "[\(MarkdownEscapes.inline(attachment.name, isLabel: true))](:/\(attachment.id))\n"
        }
        let created = Self.time(note.created)
        let facts = OwnFacts(note, typed: markdown, title: note.title, content: body, files: placed + replaced.rest)
        try put(
            note.id, title: note.title, body: body,
            [
                ("parent_id", parent), ("created_time", created), ("updated_time", time), ("is_conflict", "0"),
                ("latitude", "0.00000000"), ("longitude", "0.00000000"), ("altitude", "0.0000"), ("author", ""),
                ("source_url", ""), ("is_todo", "0"), ("todo_due", "0"), ("todo_completed", "0"),
                ("source", "tresor"), ("source_application", "tresor"), ("application_data", facts.text),
                ("order", "0"), ("user_created_time", created), ("user_updated_time", time),
                ("encryption_cipher_text", ""), ("encryption_applied", "0"), ("markup_language", "1"),
                ("is_shared", "0"), ("type_", "1"),
            ], to: file)
        for tag in note.tags { try put(tag, of: note.id, time, to: file) }
        for attachment in attachments { try put(attachment, time, to: file, load: load) }
    }

    /// Two blocks of zeros.
    func end(_ file: OutgoingFile) throws { try file.append([UInt8](repeating: 0, count: 2 * TarHeader.block)) }

    /// A note is in a notebook, always.
    static func notebooks(of folder: String) -> [String] {
        folder.isEmpty ? ["Notes"] : folder.split(separator: "/").map(String.init)
    }

    private mutating func folder(_ path: String, to file: OutgoingFile) throws -> String {
        var (parent, place) = ("", "")
        for name in Self.notebooks(of: path) {
            place += path.isEmpty ? "/" : name + "/"
            let id = Self.identifier("folder", place)
            if folders[place] == nil {
                folders[place] = id
                let time = Self.time(0)
                try put(
                    id, title: name, body: nil,
                    [
                        ("created_time", time), ("updated_time", time), ("user_created_time", time),
                        ("user_updated_time", time), ("encryption_cipher_text", ""), ("encryption_applied", "0"),
                        ("parent_id", parent), ("is_shared", "0"), ("type_", "2"),
                    ], to: file)
            }
            parent = id
        }
        return parent
    }

    private mutating func put(_ tag: String, of note: String, _ time: String, to file: OutgoingFile) throws {
        let id = Self.identifier("tag", tag)
        let times = [
            ("created_time", time), ("updated_time", time), ("user_created_time", time), ("user_updated_time", time),
            ("encryption_cipher_text", ""), ("encryption_applied", "0"), ("is_shared", "0"),
        ]
        if tags.updateValue(id, forKey: tag) == nil {
            try put(id, title: tag, body: nil, times + [("parent_id", ""), ("type_", "5")], to: file)
        }
        let link = Self.identifier("note tag", note + id)
        try put(link, title: nil, body: nil, [("note_id", note), ("tag_id", id)] + times + [("type_", "6")], to: file)
    }

    private func put(
        _ attachment: AttachmentSummary, _ time: String, to file: OutgoingFile, load: AttachmentLoad
    ) throws {
        guard attachment.byteCount < UInt64(TarHeader.largest) else {
            throw NoteFormatError(
                .tooLarge, localized("The attachment \(attachment.name) is too large for a tar file."))
        }
        let parts = attachment.name.split(separator: ".")
        let last = parts.count > 1 ? parts.last.map(String.init) ?? "" : ""
        let ending = last.utf8.count <= 10 && last.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? last : ""
        try put(
            attachment.id, title: attachment.name, body: nil,
            [
                ("mime", attachment.mediaType), ("filename", ""), ("created_time", time), ("updated_time", time),
                ("user_created_time", time), ("user_updated_time", time), ("file_extension", ending),
                ("encryption_cipher_text", ""), ("encryption_applied", "0"), ("encryption_blob_encrypted", "0"),
                ("size", String(attachment.byteCount)), ("is_shared", "0"), ("type_", "4"),
            ], to: file)
        let name = "resources/\(attachment.id)\(ending.isEmpty ? "" : "." + ending)"
        let count = Int(attachment.byteCount)
        try file.append(TarHeader.bytes(name, byteCount: count, seconds: 0))
        var written = 0
        try load(attachment) { part in
            written += part.count
            try file.append(part)
        }
        guard written == count else {
            throw NoteFormatError(
                .cannotWrite, localized("The attachment \(attachment.name) has another length than its note says."))
        }
        try file.append(TarHeader.padding(count))
    }

    private func put(
        _ id: String, title: String?, body: String?, _ properties: [(String, String)], to file: OutgoingFile
    ) throws {
        var parts: [String] = []
        if let title { parts.append(JexItem.title(title)) }
        if let body, !body.isEmpty { parts.append(body) }
        let lines = [("id", id)] + properties
        parts.append(lines.map { "\($0.0): \(Self.escaped($0.1))" }.joined(separator: "\n"))
        let bytes = Array(parts.joined(separator: "\n\n").utf8)
        try file.append(TarHeader.bytes("\(id).md", byteCount: bytes.count, seconds: 0))
        try file.append(bytes)
        try file.append(TarHeader.padding(bytes.count))
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\n", "\r\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.append(character)
            }
        }
    }

    /// To the millisecond, as Joplin has it.
    private static func time(_ microseconds: Int64) -> String {
        let time = ISODate.isWritable(microseconds) ? microseconds : 0
        let text = ISODate.format(time).dropLast()
        let fraction = text.count > 20 ? String(text.dropFirst(20).prefix(3)) : "000"
        return "\(text.prefix(19)).\(fraction)Z"
    }
}
