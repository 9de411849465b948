package import DiaryFormats
import Linux
import PrintStream

/// Writes a diary as a book in one PDF: a first page, the entries in the caller's order, photos, page numbers, an
/// outline by years and months.
///
/// ```swift
/// let writer = try PDFDiaryWriter("diary.pdf", book, program: folder + "/tresor-print") { try preview($0) }
/// for entry in entries { try writer.add(entry) }
/// try writer.finish()
/// ```
///
/// Pages are set by a program of its own, `tresor-print`: fonts and what lays them out are large, and read letters that
/// nobody vouches for. The file has mode 0600 and its name only when it is whole; nothing is overwritten. One entry is
/// in memory at a time, and one of its photos.
package final class PDFDiaryWriter {
    private let path: String
    private let temporary: String
    private let file: FileDescriptor
    private let printer: Printer
    private let preview: MediaPreview
    private var pages: EntryPages
    private var isFinished = false

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - path: of a file that does not exist yet.
    ///   - program: the path of `tresor-print`.
    ///   - preview: asked for each photo once.
    package init(
        _ path: String, _ book: PrintedBook, program: String, preview: @escaping MediaPreview
    ) throws(PrintError) {
        self.path = path
        self.preview = preview
        temporary = "\(path).\(CurrentProcess.id).part"
        guard (try? FileSystem.status(path)) == nil else { throw .alreadyThere }
        do { file = try FileDescriptor.open(temporary, FileFlags.create) } catch { throw Self.failure(error) }
        do { printer = try Printer(program: program, output: file) } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
        pages = EntryPages(book.language)
        do {
            try printer.send(.cover(book.cover))
            if let map = book.map { try printer.send(.map(map)) }
        } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
    }

    deinit { if !isFinished { try? FileSystem.remove(temporary) } }

    /// - Throws: ``PrintError``, and what the preview throws.
    package func add(_ entry: ImportedEntry) throws {
        try pages.add(entry, preview: preview) { message in try printer.send(message) }
    }

    /// Waits until all is printed, and gives the file its name.
    package func finish() throws(PrintError) {
        for message in pages.lastMessages { try printer.send(message) }
        try printer.finish()
        do { try file.sync() } catch { throw Self.failure(error) }
        // An empty file of ours holds the name, so that the renaming replaces nobody else's.
        do { _ = try FileDescriptor.open(path, FileFlags.create) } catch {
            throw (try? FileSystem.status(path)) != nil ? .alreadyThere : Self.failure(error)
        }
        do { try FileSystem.rename(temporary, to: path) } catch {
            try? FileSystem.remove(path)
            throw Self.failure(error)
        }
        isFinished = true
        do { try FileSystem.syncDirectory(FileSystem.directory(of: path)) } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: LinuxError) -> PrintError {
        .cannotWrite(isFull: error.isOutOfSpace)
    }
}
