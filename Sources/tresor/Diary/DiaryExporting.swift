import ArgumentParser
import DiaryClient
import DiaryFormats
import DiaryViews
import Linux
import ResidentClient
import TerminalScreen
import Wire

struct DiaryExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the whole timeline: for Day One, as Markdown, or as pages to print.",
        discussion: """
            What is written is open to everybody who can read it. Photos go out without what their files say of place, \
            time and camera, unless --keep-metadata is given; sounds and films go out as they came. day-one writes a \
            zip that 'import day-one' and Day One take in; markdown a folder with a file for each entry and its files \
            beside it; html a folder of pages. Drafts and the trash stay. Nothing that is there is overwritten.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case dayOne = "day-one"
        case markdown, html
    }

    @Option(help: "day-one, markdown or html.")
    var format: Format
    @Flag(help: "Write photos as they came, with their metadata.")
    var keepMetadata = false
    @Argument(help: "The file or folder to write.", completion: .file())
    var out: String

    func run() throws {
        let connection = try DiaryOptions().connect()
        try connection.requireSignIn()
        do {
            let files = ExportedFiles(connection, keepsMetadata: keepMetadata)
            let writer = try DiaryWriter(format, out, files)
            var count = 0
            // The oldest first, as one reads.
            for id in try connection.all(DiaryFilter()).map(\.id).reversed() {
                try writer.add(files.entry(id))
                count += 1
            }
            try writer.finish()
            Output.error("\(count == 1 ? "1 entry" : "\(count) entries") written; nothing of it is sealed")
            try files.failForEmptyOnes()
        } catch let error as DiaryFormatError { throw DiaryTransfer.failure(error) }
    }
}

/// Entries and their files, on their way out of the diary.
private final class ExportedFiles {
    private let connection: DiaryConnection
    private let keepsMetadata: Bool
    /// Whose each file is.
    private var owners: [String: String] = [:]
    /// Photos whose metadata cannot be taken out, with the reason.
    private var emptyOnes: [(name: String, entry: String, reason: String)] = []

    init(_ connection: DiaryConnection, keepsMetadata: Bool) {
        self.connection = connection
        self.keepsMetadata = keepsMetadata
    }

    func entry(_ id: String) throws -> ImportedEntry {
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

    /// Hands a file on; nothing of a photo whose metadata cannot be taken out.
    func read(_ media: ImportedMedia, _ append: ([UInt8]) throws -> Void) throws {
        guard let entry = owners[media.id] else { throw DiaryConnection.unexpected }
        let request = DiaryRequest.media(id: entry, media: media.id, size: keepsMetadata ? .original : .shared)
        var hasBegun = false
        do {
            try connection.ask(request, hasBody: false) {
                nil
            } receive: { part in
                hasBegun = true
                try append(part)
            }
        } catch let error as DiaryError where error.code == .notFound && !keepsMetadata && !hasBegun {
            emptyOnes.append((name: media.name, entry: entry, reason: error.message))
        }
    }

    /// Says what stands empty in the export, so that nobody takes it for whole.
    func failForEmptyOnes() throws {
        guard !emptyOnes.isEmpty else { return }
        for photo in emptyOnes {
            Output.error("left empty: \(SafeText.line(photo.name)) of \(photo.entry): \(photo.reason)")
        }
        throw Failure(
            ExitCode.damaged,
            emptyOnes.count == 1
                ? "the metadata of 1 photo cannot be taken out; an empty file stands in its place"
                : "the metadata of \(emptyOnes.count) photos cannot be taken out; empty files stand in their place",
            hint: "--keep-metadata writes photos as they came")
    }
}

/// One of the formats, being written.
private final class DiaryWriter {
    private enum Kind {
        case dayOne(DayOneWriter)
        case markdown(MarkdownDiaryWriter)
        case pages(PageDiaryWriter)
    }

    private var kind: Kind

    init(_ format: DiaryExport.Format, _ out: String, _ files: ExportedFiles) throws {
        let bytes: MediaBytes = { media, append in try files.read(media, append) }
        switch format {
        case .dayOne: kind = .dayOne(try DayOneWriter(out, media: bytes))
        case .markdown: kind = .markdown(try MarkdownDiaryWriter(out, clock: DiaryOptions.clock, media: bytes))
        case .html:
            let title = DiaryPhrase.title.text(in: DiaryOptions.language)
            kind = .pages(try PageDiaryWriter(out, title: title, clock: DiaryOptions.clock, media: bytes))
        }
    }

    func add(_ entry: ImportedEntry) throws {
        switch kind {
        case .dayOne(let writer): try writer.add(entry)
        case .markdown(var writer):
            try writer.add(entry)
            kind = .markdown(writer)
        case .pages(let writer): try writer.add(entry)
        }
    }

    func finish() throws {
        switch kind {
        case .dayOne(let writer): try writer.finish()
        case .markdown: break
        case .pages(let writer): try writer.finish()
        }
    }
}
