import ArgumentParser
import DiaryClient
import DiaryFormats
import DiaryPrint
import DiaryViews
import FoundationEssentials
import Linux
import Localization
import PrintStream
import ResidentClient
import TerminalScreen
import Wire

struct DiaryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: localized("Write the whole timeline: for Day One, as Markdown, as pages, or as a book to print."),
        discussion: localized(
            """
            What is written is open to everybody who can read it. Photos go out without what their files say of place, \
            time and camera, unless --keep-metadata is given; sounds and films go out as they came. day-one writes a \
            zip that 'import day-one' and Day One take in; markdown a folder with a file for each entry and its files \
            beside it; html a folder of pages; pdf a book, with photos as large as a page needs them. Drafts and the \
            trash stay. Nothing that is there is overwritten.

            To move to another computer, export nothing: 'tresor admin where' says how all of it moves.
            """))

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case dayOne = "day-one"
        case markdown, html, pdf
    }

    enum Paper: String, ExpressibleByArgument, CaseIterable {
        case a4, letter

        var printed: PrintPaper { self == .a4 ? .a4 : .letter }
    }

    @Option(help: ArgumentHelp(localized("day-one, markdown, html or pdf.")))
    var format: Format
    @Option(help: ArgumentHelp(localized("Of a PDF: a4 or letter.")))
    var paper = Paper.a4
    @Flag(help: ArgumentHelp(localized("Write photos as they came, with their metadata.")))
    var keepMetadata = false
    @OptionGroup var options: DiaryOptions
    @Argument(help: ArgumentHelp(localized("The file or folder to write.")), completion: .file())
    var out: String

    func run() throws {
        let connection = try options.connect()
        try connection.requireSignIn()
        let files = try ExportedFiles(connection, keepsMetadata: keepMetadata)
        do {
            // The oldest first, as one reads.
            var unread: [UnreadEntry] = []
            let entries = Array(try connection.all(DiaryFilter(), unread: &unread).reversed())
            let writer = try DiaryWriter(format, out, files, paper: paper.printed, heads: entries.map(\.head))
            var count = 0
            for entry in entries {
                let whole: ImportedEntry
                do { whole = try files.entry(entry.id) } catch let error as DiaryError where error.code == .damaged {
                    unread.append(UnreadEntry(id: entry.id, part: .text, date: entry.head.date))
                    continue
                } catch let error as DiaryError where error.code == .notFound {
                    // Deleted since it was listed.
                    continue
                }
                try writer.add(whole)
                count += 1
            }
            try writer.finish()
            if options.json { try Output.json(files.document(exported: count, unread: unread)) }
            Output.remark(
                localized(
                    count, one: "1 entry written; nothing of it is sealed",
                    many: "\(count) entries written; nothing of it is sealed"))
            // Both are said before either ends the command.
            let hasUnread = files.reportDamage() || !unread.isEmpty
            DiaryOutput.name(unread)
            try files.failForEmptyOnes()
            if hasUnread { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
        } catch let error as DiaryFormatError { throw DiaryTransfer.failure(error) } catch let error as PrintError {
            // A signal of the terminal ends the printer as well.
            try files.goOn()
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: PrintError) -> Failure {
        switch error {
        case .alreadyThere: DiaryTransfer.failure(.alreadyThere)
        case .cannotWrite(let isFull): DiaryTransfer.failure(.cannotWrite(isFull: isFull))
        case .missingProgram:
            Failure(
                ExitCode.unavailable, localized("tresor-print is missing"),
                hint: localized("it is installed beside tresor"))
        case .failed(.exited(code: PrintExit.noSandbox)):
            Failure(ExitCode.unavailable, localized("this system does not let tresor-print close itself off"))
        case .failed, .system:
            Failure(
                ExitCode.unavailable, localized("tresor-print has failed; nothing was written"),
                hint: localized("are there fonts?"))
        }
    }
}

/// Entries and their files, on their way out of the diary.
private final class ExportedFiles {
    private let connection: DiaryConnection
    let keepsMetadata: Bool
    /// Whose each file is.
    private var owners: [String: String] = [:]
    /// Photos whose metadata cannot be taken out, with the reason.
    private var emptyOnes: [(name: String, entry: String, reason: String)] = []
    /// Files that are damaged, with the reason.
    private var damagedOnes: [(name: String, entry: String, reason: String)] = []
    /// Photos that a book names in words, with the reason.
    private var leftOut: [(name: String, entry: String, reason: String)] = []
    private let interruption: InterruptionWatch

    init(_ connection: DiaryConnection, keepsMetadata: Bool) throws {
        interruption = try InterruptionWatch(localized("the export"))
        self.connection = connection
        self.keepsMetadata = keepsMetadata
    }

    /// - Throws: `Failure` where the export is to end: then its writer removes what it has begun.
    func goOn() throws { try interruption.goOn() }

    func entry(_ id: String) throws -> ImportedEntry {
        try goOn()
        let (reply, body) = try connection.ask(.show(id: id))
        guard case .entry(let summary) = reply else { throw DiaryConnection.unexpected }
        var entry = ImportedEntry(
            source: summary.source ?? summary.id, head: summary.head, text: String(decoding: body, as: UTF8.self),
            created: summary.created, modified: summary.modified)
        entry.foreign = summary.foreign.map { Array($0.utf8) } ?? []
        entry.media = summary.media.map { keepsMetadata ? $0 : $0.shared }.map { file in
            owners[file.id] = id
            return ImportedMedia(
                id: file.id, kind: file.kind, name: file.name, mediaType: file.mediaType, byteCount: file.byteCount)
        }
        return entry
    }

    /// Hands a file on; nothing of a photo whose metadata cannot be taken out, and of a file that is damaged.
    ///
    /// Half of a file must not look like all of it, so none is handed on before it is known to be whole: a large one is
    /// read twice.
    func read(_ media: ImportedMedia, _ append: ([UInt8]) throws -> Void) throws {
        do {
            if media.byteCount <= Self.mostInMemory {
                var parts: [[UInt8]] = []
                try load(media) { parts.append($0) }
                for part in parts { try append(part) }
            } else {
                try load(media) { _ in }
                try load(media, append)
            }
        } catch let error as DiaryError where error.code == .damaged {
            damagedOnes.append((name: media.name, entry: try owner(of: media), reason: error.message))
        } catch let error as DiaryError where error.code == .notFound && !keepsMetadata {
            emptyOnes.append((name: media.name, entry: try owner(of: media), reason: error.message))
        }
    }

    private static let mostInMemory: UInt64 = 64 << 20

    private func owner(of media: ImportedMedia) throws -> String {
        guard let entry = owners[media.id] else { throw DiaryConnection.unexpected }
        return entry
    }

    private func load(_ media: ImportedMedia, _ receive: ([UInt8]) throws -> Void) throws {
        let size: MediaSize = keepsMetadata ? .original : .shared
        try connection.ask(.media(id: owner(of: media), media: media.id, size: size), hasBody: false) {
            nil
        } receive: { part in
            try goOn()
            try receive(part)
        }
    }

    /// A photo as small as a page needs it; nil where none can be made.
    func preview(_ media: ImportedMedia) throws -> [UInt8]? {
        guard let entry = owners[media.id] else { throw DiaryConnection.unexpected }
        do {
            var bytes: [UInt8] = []
            let request = DiaryRequest.media(id: entry, media: media.id, size: .preview)
            try connection.ask(request, hasBody: false) {
                nil
            } receive: { part in
                bytes += part
            }
            return bytes
        } catch let error as DiaryError where error.code == .notFound {
            leftOut.append((name: media.name, entry: entry, reason: error.message))
            return nil
        } catch let error as DiaryError where error.code == .damaged {
            damagedOnes.append((name: media.name, entry: entry, reason: error.message))
            return nil
        }
    }

    /// What `--json` prints.
    struct Document: Encodable {
        struct File: Encodable {
            let name: String
            let entry: String
            let reason: String
        }
        struct Unread: Encodable {
            let id: String
            let part: String
            let date: Date?
        }

        let exported: Int
        let unread: [Unread]
        let damagedFiles: [File]
        let emptyFiles: [File]
        let namedFiles: [File]
    }

    func document(exported: Int, unread: [UnreadEntry]) -> Document {
        func files(_ list: [(name: String, entry: String, reason: String)]) -> [Document.File] {
            list.map { Document.File(name: $0.name, entry: $0.entry, reason: $0.reason) }
        }
        return Document(
            exported: exported,
            unread: unread.map {
                Document.Unread(id: $0.id, part: $0.part.rawValue, date: $0.date.map(DiaryOutput.date))
            },
            damagedFiles: files(damagedOnes), emptyFiles: files(emptyOnes), namedFiles: files(leftOut))
    }

    /// What a page shows of a photo; nil where none can be made, and the page shows the photo itself.
    func thumbnail(_ media: ImportedMedia) throws -> [UInt8]? {
        guard let entry = owners[media.id] else { throw DiaryConnection.unexpected }
        do {
            var bytes: [UInt8] = []
            let request = DiaryRequest.media(id: entry, media: media.id, size: .thumbnail)
            try connection.ask(request, hasBody: false) {
                nil
            } receive: { part in
                bytes += part
            }
            return bytes
        } catch let error as DiaryError where error.code == .notFound || error.code == .damaged { return nil }
    }

    /// Names the files that are damaged.
    ///
    /// - Returns: whether there are any.
    func reportDamage() -> Bool {
        for file in damagedOnes {
            Output.error(localized("damaged: \(SafeText.line(file.name)) of \(file.entry): \(file.reason)"))
        }
        return !damagedOnes.isEmpty
    }

    /// Says what stands empty in the export, so that nobody takes it for whole.
    func failForEmptyOnes() throws {
        if !leftOut.isEmpty {
            for photo in leftOut {
                Output.error(
                    localized("named in words: \(SafeText.line(photo.name)) of \(photo.entry): \(photo.reason)"))
            }
            throw Failure(
                ExitCode.damaged, localized("a photo could not be shown; its name stands in its place"),
                hint: localized("the book is written"))
        }
        guard !emptyOnes.isEmpty else { return }
        for photo in emptyOnes {
            Output.error(localized("left empty: \(SafeText.line(photo.name)) of \(photo.entry): \(photo.reason)"))
        }
        throw Failure(
            ExitCode.damaged,
            localized(
                emptyOnes.count, one: "the metadata of 1 photo cannot be taken out; an empty file stands in its place",
                many: "the metadata of \(emptyOnes.count) photos cannot be taken out; empty files stand in their place"
            ),
            hint: localized("--keep-metadata writes photos as they came"))
    }
}

/// One of the formats, being written.
private final class DiaryWriter {
    private enum Kind {
        case dayOne(DayOneWriter)
        case markdown(MarkdownDiaryWriter)
        case pages(PageDiaryWriter)
        case book(PDFDiaryWriter)
    }

    private var kind: Kind

    init(
        _ format: DiaryExport.Format, _ out: String, _ files: ExportedFiles, paper: PrintPaper, heads: [EntryHead]
    ) throws {
        let language = DiaryOptions.language
        let title = DiaryPhrase.title.text(in: language)
        let bytes: MediaBytes = { media, append in try files.read(media, append) }
        switch format {
        case .dayOne:
            kind = .dayOne(try DayOneWriter(out, keepsMetadata: files.keepsMetadata, media: bytes))
        case .markdown: kind = .markdown(try MarkdownDiaryWriter(out, clock: DiaryOptions.clock, media: bytes))
        case .html:
            kind = .pages(
                try PageDiaryWriter(
                    out, title: title, clock: DiaryOptions.clock, language: language, media: bytes,
                    thumbnail: files.thumbnail))
        case .pdf:
            let book = PrintedBook(title: title, language: language, paper: paper, heads: heads)
            let program = try CurrentProcess.executableDirectory() + "/tresor-print"
            kind = .book(try PDFDiaryWriter(out, book, program: program, preview: files.preview))
        }
    }

    func add(_ entry: ImportedEntry) throws {
        switch kind {
        case .dayOne(let writer): try writer.add(entry)
        case .markdown(var writer):
            try writer.add(entry)
            kind = .markdown(writer)
        case .pages(let writer): try writer.add(entry)
        case .book(let writer): try writer.add(entry)
        }
    }

    func finish() throws {
        switch kind {
        case .dayOne(let writer): try writer.finish()
        case .markdown(let writer): try writer.finish()
        case .pages(let writer): try writer.finish()
        case .book(let writer): try writer.finish()
        }
    }
}
