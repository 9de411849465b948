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
            What is written is open to everybody who can read it. Photos go out as they came, with all that they say \
            of place, time and camera. day-one writes a zip that 'import day-one' and Day One take in; markdown a \
            folder with a file for each entry and its files beside it; html a folder of pages. Drafts and the trash \
            stay. Nothing that is there is overwritten.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case dayOne = "day-one"
        case markdown, html
    }

    @Option(help: "day-one, markdown or html.")
    var format: Format
    @Argument(help: "The file or folder to write.", completion: .file())
    var out: String

    func run() throws {
        let connection = try DiaryOptions().connect()
        try connection.requireSignIn()
        do {
            let writer = try DiaryWriter(format, out, connection)
            var count = 0
            // The oldest first, as one reads.
            for id in try connection.all(DiaryFilter()).map(\.id).reversed() {
                try writer.add(Self.entry(id, connection), id: id)
                count += 1
            }
            try writer.finish()
            Output.error("\(count == 1 ? "1 entry" : "\(count) entries") written; nothing of it is sealed")
        } catch let error as DiaryFormatError { throw DiaryTransfer.failure(error) }
    }

    private static func entry(_ id: String, _ connection: DiaryConnection) throws -> ImportedEntry {
        let (reply, body) = try connection.ask(.show(id: id))
        guard case .entry(let summary) = reply else { throw DiaryConnection.unexpected }
        var entry = ImportedEntry(
            source: summary.source ?? summary.id, head: summary.head, text: String(decoding: body, as: UTF8.self),
            created: summary.created, modified: summary.modified)
        entry.foreign = summary.foreign.map { Array($0.utf8) } ?? []
        entry.media = summary.media.map { file in
            ImportedMedia(
                id: file.id, kind: file.kind, name: file.name, mediaType: file.mediaType,
                byteCount: file.byteCount)
        }
        return entry
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
    /// Whose each file is.
    private final class Owners { var entries: [String: String] = [:] }
    private let owners = Owners()

    init(_ format: DiaryExport.Format, _ out: String, _ connection: DiaryConnection) throws {
        let owners = owners
        let bytes: MediaBytes = { media, append in
            guard let entry = owners.entries[media.id] else { throw DiaryConnection.unexpected }
            let request = DiaryRequest.media(id: entry, media: media.id, size: .original)
            try connection.ask(request, hasBody: false) {
                nil
            } receive: { part in
                try append(part)
            }
        }
        switch format {
        case .dayOne: kind = .dayOne(try DayOneWriter(out, media: bytes))
        case .markdown: kind = .markdown(try MarkdownDiaryWriter(out, clock: DiaryOptions.clock, media: bytes))
        case .html:
            let title = DiaryPhrase.title.text(in: DiaryOptions.language)
            kind = .pages(try PageDiaryWriter(out, title: title, clock: DiaryOptions.clock, media: bytes))
        }
    }

    func add(_ entry: ImportedEntry, id: String) throws {
        for file in entry.media { owners.entries[file.id] = id }
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
