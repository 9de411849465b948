import Linux
import Localization
import MarkdownFolder
package import NotesClient

/// Hands a file's bytes to its second argument, part by part.
package typealias AttachmentLoad = (AttachmentSummary, _ append: ([UInt8]) throws -> Void) throws -> Void

/// Writes notes for another program: one file, or a folder of pages.
///
/// Files have mode 0600; nothing that exists is overwritten.
package final class NoteArchiveWriter {
    private let format: NoteFormat
    private let file: OutgoingFile?
    private var pages: MarkdownFolderWriter?
    private var joplin = JexWriter()
    private var standardNotes = StandardNotesWriter()

    /// Makes the file, or the folder.
    package init(_ path: String, _ format: NoteFormat) throws {
        self.format = format
        switch format {
        case .html, .markdown:
            file = nil
            pages = try MarkdownFolderWriter(path, ending: ".html", text: PageText.page)
        default: file = try OutgoingFile(path)
        }
        guard let file else { return }
        switch format {
        case .enex: try EnexWriter.begin(file)
        case .standardNotes: try standardNotes.begin(file)
        default: break
        }
    }

    /// Writes one note and its files.
    ///
    /// - Parameter markdown: names its attachments as `![name](attachment:<identifier>)`.
    /// - Returns: how many of its files came along.
    package func write(
        _ note: NoteSummary, markdown: String, _ attachments: [AttachmentSummary], load: AttachmentLoad
    ) throws -> Int {
        switch (format, file) {
        case (.enex, let file?):
            try file.whole { try EnexWriter.write(note, markdown, attachments, to: file, load: load) }
        case (.jex, let file?):
            let before = joplin
            do { try file.whole { try joplin.write(note, markdown, attachments, to: file, load: load) } } catch {
                // Folders and tags that it had written first are not there, either.
                joplin = before
                throw error
            }
        case (.standardNotes, let file?):
            try file.whole { try standardNotes.write(note, markdown, attachments, to: file) }
            return 0
        default: try pages?.write(note, markdown: markdown, attachments, load: load)
        }
        return attachments.count
    }

    /// Writes what comes last, and waits until all of it is on the disk.
    package func finish() throws {
        try pages?.finish()
        guard let file else { return }
        switch format {
        case .enex: try EnexWriter.end(file)
        case .jex: try joplin.end(file)
        case .standardNotes: try standardNotes.end(file)
        default: break
        }
        try file.finish()
    }

    /// Removes what was written: half a file never looks like a whole one.
    package func abandon() { file?.remove() }
}

/// A file that is written from its beginning to its end.
final class OutgoingFile {
    private let path: String
    private let file: FileDescriptor
    private(set) var offset = 0

    init(_ path: String) throws(NoteFormatError) {
        self.path = path
        do { file = try FileDescriptor.open(path, FileFlags.create) } catch {
            throw error.code == 17
                ? NoteFormatError(.exists, localized("There is a file of this name, which is not overwritten."))
                : NoteFormatError(.cannotWrite, localized("The file cannot be written: \(error)."))
        }
    }

    func append(_ text: String) throws(NoteFormatError) { try append(Array(text.utf8)) }

    func append(_ bytes: [UInt8]) throws(NoteFormatError) {
        do { try file.write(bytes, at: offset) } catch {
            throw NoteFormatError(.cannotWrite, localized("The file cannot be written: \(error)."))
        }
        offset += bytes.count
    }

    /// Writes over what is there.
    func patch(_ bytes: [UInt8], at place: Int) throws(NoteFormatError) {
        do { try file.write(bytes, at: place) } catch {
            throw NoteFormatError(.cannotWrite, localized("The file cannot be written: \(error)."))
        }
    }

    /// A note that fails leaves nothing of itself: the next is written over it.
    func whole(_ body: () throws -> Void) throws {
        let start = offset
        do { try body() } catch {
            offset = start
            throw error
        }
    }

    func finish() throws(NoteFormatError) {
        do {
            try file.truncate(to: offset)
            try file.sync()
            try FileSystem.syncDirectory(FileSystem.directory(of: path))
        } catch { throw NoteFormatError(.cannotWrite, localized("The file cannot be written: \(error).")) }
    }

    func remove() { try? FileSystem.remove(path) }
}
