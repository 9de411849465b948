import Foundation
import MarkdownFolder
import NotesClient
import Testing

/// A folder of its own for a test, removed with it.
final class FolderFixture {
    let path: String

    init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/markdown-folder-"
        path = template + String(UInt64.random(in: 0 ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws { try write(name, Data(text.utf8)) }

    func write(_ name: String, _ data: Data) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    func reader(_ name: String = "") throws -> MarkdownFolderReader {
        try MarkdownFolderReader(name.isEmpty ? path : path + "/" + name)
    }

    /// The one note of the folder, or the one of this path.
    func note(_ wanted: String? = nil) throws -> MarkdownNote {
        let reader = try reader()
        let index = try #require(wanted.map { reader.paths.firstIndex(of: $0) } ?? 0)
        return try reader.note(at: index)
    }

    /// The note that this text alone makes.
    static func note(_ text: String) throws -> MarkdownNote {
        let folder = try FolderFixture()
        try folder.write("Note.md", text)
        return try folder.note()
    }
}

/// A note on its way out, with its files.
struct OutgoingNote {
    var summary: NoteSummary
    var markdown: String
    var files: [(summary: AttachmentSummary, bytes: [UInt8])] = []

    init(_ title: String, _ markdown: String, folder: String = "", id: Int = 1) {
        summary = NoteSummary(
            id: Self.identifier(id), title: title, created: 1_700_000_000_000_000, modified: 1_700_000_001_000_001,
            revision: 1)
        summary.folder = folder
        self.markdown = markdown
    }

    static func identifier(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// Adds a file, and returns how the text names it.
    mutating func attach(_ name: String, _ bytes: [UInt8], id: Int) -> String {
        let attachment = AttachmentSummary(
            id: Self.identifier(id), name: name, kind: .file, mediaType: "", byteCount: UInt64(bytes.count),
            hasThumbnail: false)
        files.append((summary: attachment, bytes: bytes))
        summary.attachmentCount = files.count
        return "![\(name)](attachment:\(attachment.id))"
    }

    func write(to writer: inout MarkdownFolderWriter) throws {
        try writer.write(summary, markdown: markdown, files.map(\.summary)) { attachment, append in
            let file = try #require(files.first { $0.summary.id == attachment.id })
            for start in stride(from: 0, to: file.bytes.count, by: 1000) {
                try append(Array(file.bytes[start..<min(file.bytes.count, start + 1000)]))
            }
        }
    }
}
