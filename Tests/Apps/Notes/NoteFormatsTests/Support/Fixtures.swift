import Foundation
import NoteFormats
import NotesClient
import Testing

/// A folder of its own for a test, removed with it.
final class FormatFixture {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/note-formats-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    func notes(_ name: String, _ format: NoteFormat) throws -> [FormatNote] {
        let archive = try NoteArchive(path + "/" + name, format)
        return try (0..<archive.count).map { try archive.note(at: $0) }
    }

    /// The notes of a file with this content.
    static func notes(_ text: String, _ format: NoteFormat) throws -> [FormatNote] {
        try notes(Array(text.utf8), format)
    }

    static func notes(_ bytes: [UInt8], _ format: NoteFormat) throws -> [FormatNote] {
        let fixture = try FormatFixture()
        try fixture.write("file", bytes)
        return try fixture.notes("file", format)
    }
}

extension FormatAttachment {
    var bytes: [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .file(let path): (FileManager.default.contents(atPath: path)).map(Array.init) ?? []
        }
    }
}

/// A note on its way out, with its files.
struct LeavingNote {
    var summary: NoteSummary
    var markdown: String
    var files: [(summary: AttachmentSummary, bytes: [UInt8])] = []

    init(_ title: String, _ markdown: String, id: Int = 1, folder: String = "") {
        let digits = String(id, radix: 16)
        let name = String(repeating: "0", count: 32 - digits.count) + digits
        summary = NoteSummary(
            id: name, title: title, created: 1_700_000_000_123_456, modified: 1_700_000_001_654_321, revision: 1)
        summary.folder = folder
        self.markdown = markdown
    }

    /// - Returns: the line that names it.
    mutating func attach(_ name: String, _ kind: AttachmentKind, _ type: String, _ bytes: [UInt8], id: Int) -> String {
        let digits = String(id, radix: 16)
        let identity = String(repeating: "a", count: 32 - digits.count) + digits
        files.append(
            (
                summary: AttachmentSummary(
                    id: identity, name: name, kind: kind, mediaType: type, byteCount: UInt64(bytes.count),
                    hasThumbnail: false), bytes: bytes
            ))
        summary.attachmentCount = files.count
        return "![\(name)](attachment:\(identity))"
    }

    func write(to writer: NoteArchiveWriter) throws {
        _ = try writer.write(summary, markdown: markdown, files.map(\.summary)) { attachment, append in
            let bytes = files.first { $0.summary.id == attachment.id }?.bytes ?? []
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                try append(Array(bytes[start..<min(bytes.count, start + 1000)]))
            }
        }
    }

    static func roundTrip(_ notes: [LeavingNote], _ format: NoteFormat) throws -> [FormatNote] {
        let fixture = try FormatFixture()
        let writer = try NoteArchiveWriter(fixture.path + "/out", format)
        for note in notes { try note.write(to: writer) }
        try writer.finish()
        var back = try fixture.notes("out", format).sorted { ($0.id ?? "") < ($1.id ?? "") }
        // The folder goes with this function.
        for note in back.indices {
            for file in back[note].attachments.indices {
                back[note].attachments[file].content = .bytes(back[note].attachments[file].bytes)
            }
        }
        return back
    }
}
