import ArgumentParser
import Linux
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct NotesAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: "Attach a file to a note, and print the attachment's id.",
        discussion: """
            The kind follows from the file's name, unless --as says it. A locked note takes images, sketches, tables, \
            maps and websites; anything else is refused (exit code 7), and named.
            """)

    @OptionGroup var options: NotesOptions
    @Argument(help: "The note's id.")
    var id: String
    @Argument(help: "The file.", completion: .file())
    var file: String
    @Option(name: .customLong("as"), help: "What it is: image, sketch, table, map, website, audio, video, pdf or file.")
    var kind: AttachmentKind?

    func run() throws {
        let connection = try options.connect()
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let type = MediaType(fileName: name)
        let new = NewAttachment(name: name, kind: kind ?? type.kind, mediaType: type.name)
        let reply = try FileUpload.send(file, as: .attach(id: id, new), over: connection)
        guard case .attachment(let attachment) = reply else { throw NotesConnection.unexpected }
        if options.json { try Output.json(attachment) } else { try Output.line(attachment.id) }
    }
}

extension AttachmentKind: ExpressibleByArgument {}

/// A file on its way to tresor-notes, part by part.
enum FileUpload {
    static func send(_ path: String, as request: NotesRequest, over connection: NotesConnection) throws -> NotesReply {
        let parts = try FileParts(path, otherwise: "nothing was attached")
        return try connection.ask(request, hasBody: true) {
            try parts.next()
        } receive: { _ in
        }
    }
}

/// What a file's name says of it.
struct MediaType {
    let name: String
    let kind: AttachmentKind

    private static let known: [String: (name: String, kind: AttachmentKind)] = [
        "jpg": ("image/jpeg", .image), "jpeg": ("image/jpeg", .image), "png": ("image/png", .image),
        "gif": ("image/gif", .image), "webp": ("image/webp", .image), "heic": ("image/heic", .image),
        "avif": ("image/avif", .image), "tif": ("image/tiff", .image), "tiff": ("image/tiff", .image),
        "svg": ("image/svg+xml", .image), "pdf": ("application/pdf", .pdf), "mp3": ("audio/mpeg", .audio),
        "m4a": ("audio/mp4", .audio), "ogg": ("audio/ogg", .audio), "opus": ("audio/opus", .audio),
        "flac": ("audio/flac", .audio), "wav": ("audio/wav", .audio), "mp4": ("video/mp4", .video),
        "mov": ("video/quicktime", .video), "mkv": ("video/x-matroska", .video), "webm": ("video/webm", .video),
        "csv": ("text/csv", .table), "tsv": ("text/tab-separated-values", .table),
        "html": ("text/html", .website), "htm": ("text/html", .website), "webloc": ("application/x-webloc", .website),
        "url": ("application/x-mswinurl", .website), "geojson": ("application/geo+json", .map),
        "gpx": ("application/gpx+xml", .map), "kml": ("application/vnd.google-earth.kml+xml", .map),
    ]

    init(fileName: String) {
        let parts = fileName.split(separator: ".")
        let found = parts.count > 1 ? parts.last.flatMap { Self.known[$0.lowercased()] } : nil
        name = found?.name ?? ""
        kind = found?.kind ?? .file
    }
}

struct NotesDetach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detach", abstract: "Take an attachment out of a note, for good.")

    @OptionGroup var options: NotesOptions
    @Argument(help: "The note's id.")
    var id: String
    @Argument(help: "The attachment: its name, or its id.")
    var attachment: String

    func run() throws {
        let note = try options.connect().note(.detach(id: id, attachment: attachment))
        try NotesOutput.print(note, json: options.json)
    }
}

struct NotesAttachments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: "List a note's attachments.")

    @OptionGroup var options: NotesOptions
    @Argument(help: "The note's id.")
    var id: String

    func run() throws {
        guard case .attachments(let all) = try options.connect().ask(.attachments(id: id)).reply else {
            throw NotesConnection.unexpected
        }
        if options.json { return try Output.json(all) }
        for attachment in all {
            let thumbnail = attachment.hasThumbnail ? ", thumbnail" : ""
            try Output.line(
                "\(attachment.id.prefix(8))  \(attachment.kind.rawValue)  \(attachment.byteCount) bytes  "
                    + SafeText.line(attachment.name) + thumbnail)
        }
    }
}

struct NotesExtract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Write an attachment to standard output.")

    @OptionGroup var options: NotesOptions
    @Argument(help: "The note's id.")
    var id: String
    @Argument(help: "The attachment: its name, or its id.")
    var attachment: String
    @Flag(help: "Its thumbnail instead, a JPEG of at most 512 pixels a side.")
    var thumbnail = false

    func run() throws {
        guard !Terminal.isTerminal(1) else {
            throw Failure(ExitCode.usage, "a file does not go to a terminal", hint: "write it to one: … > file")
        }
        let request = NotesRequest.attachment(id: id, attachment: attachment, isThumbnail: thumbnail)
        try options.connect().ask(request, hasBody: false) {
            nil
        } receive: { part in
            guard try part.withSpan({ try StandardStream.output.write($0) }) else {
                throw Failure(ExitCode.unavailable, "nobody reads the output any more")
            }
        }
    }
}
