import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct NotesAttach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach", abstract: localized("Attach a file to a note, and print the attachment's id."),
        discussion: localized(
            """
            What the file is its bytes say, not its name. A locked note takes pictures (JPEG, PNG, GIF, WebP, TIFF, \
            HEIC, AVIF), places ('tresor notes place') and saved pages; anything else is refused (exit code 7), and \
            named. A table is no file: write it into the note's text.
            """))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(help: ArgumentHelp(localized("The file.")), completion: .file())
    var file: String
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            localized("What it has to be, else it is refused (7): image, website, audio, video, pdf or file.")))
    var kind: AttachmentKind?
    @Option(
        help: ArgumentHelp(
            localized(
                "The file is a page of the web, saved from this address: written into the copy, where it lacks one.")))
    var address: String?

    func validate() throws {
        switch kind {
        case .table:
            throw ValidationError(localized("a table is no file: write it into the note's text, as | a | b |"))
        case .sketch:
            throw ValidationError(localized("sketches come with notes of other programs; a picture of one is an image"))
        case .map: throw ValidationError(localized("'tresor notes place' attaches a place"))
        default: break
        }
        guard let address else { return }
        guard address.hasPrefix("https://") || address.hasPrefix("http://"), address.utf8.count < 2048,
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"<>\"".utf8.contains($0) })
        else { throw ValidationError(localized("--address is that of a page, such as https://example.org/")) }
    }

    func run() throws {
        let connection = try options.connect()
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let type = MediaType(fileName: name)
        var new = NewAttachment(name: name, kind: type.kind, mediaType: type.name)
        new.demandedKind = address == nil ? kind : .website
        let reply = try FileUpload.send(
            file, as: .attach(id: note.forChange(connection), new), over: connection, savedFrom: address)
        guard case .attachment(let attachment) = reply else { throw NotesConnection.unexpected }
        if options.json { try Output.json(attachment) } else { try Output.line(attachment.id) }
    }
}

extension AttachmentKind: ExpressibleByArgument {}

/// A file on its way to tresor-notes, part by part.
enum FileUpload {
    /// - Parameter address: where a page was saved from, written before it where it does not say so itself.
    static func send(
        _ path: String, as request: NotesRequest, over connection: NotesConnection, savedFrom address: String? = nil
    ) throws -> NotesReply {
        let parts = try FileParts(path, otherwise: localized("nothing was attached"))
        var mark = address.map(mark)
        var waiting: [UInt8]?
        return try connection.ask(request, hasBody: true) {
            if let part = waiting.take() { return part }
            let part = try parts.next()
            guard let line = mark.take(), let part, !part.prefix(4096).isMarked else { return part }
            waiting = part
            return line
        } receive: { _ in
        }
    }

    /// As browsers write it: the number of bytes in four digits, and the address.
    private static func mark(_ address: String) -> [UInt8] {
        let count = String(address.utf8.count)
        let digits = String(repeating: "0", count: max(0, 4 - count.count)) + count
        return Array("<!-- saved from url=(\(digits))\(address) -->\n".utf8)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isMarked: Bool {
        let mark = Array("<!-- saved from url=(".utf8)
        return indices.contains { self[$0...].starts(with: mark) }
    }
}

/// What a file's name says of it; of a note's attachment its bytes say more.
struct MediaType {
    let name: String
    let kind: AttachmentKind

    private static let known: [String: (name: String, kind: AttachmentKind)] = [
        "jpg": ("image/jpeg", .image), "jpeg": ("image/jpeg", .image), "png": ("image/png", .image),
        "gif": ("image/gif", .image), "webp": ("image/webp", .image), "heic": ("image/heic", .image),
        "avif": ("image/avif", .image), "tif": ("image/tiff", .image), "tiff": ("image/tiff", .image),
        "svg": ("image/svg+xml", .file), "pdf": ("application/pdf", .pdf), "mp3": ("audio/mpeg", .audio),
        "m4a": ("audio/mp4", .audio), "ogg": ("audio/ogg", .audio), "opus": ("audio/opus", .audio),
        "flac": ("audio/flac", .audio), "wav": ("audio/wav", .audio), "mp4": ("video/mp4", .video),
        "mov": ("video/quicktime", .video), "mkv": ("video/x-matroska", .video), "webm": ("video/webm", .video),
        "csv": ("text/csv", .file), "tsv": ("text/tab-separated-values", .file), "html": ("text/html", .website),
        "htm": ("text/html", .website), "webloc": ("application/x-webloc", .file),
        "url": ("application/x-mswinurl", .file), "geojson": ("application/geo+json", .map),
        "gpx": ("application/gpx+xml", .file), "kml": ("application/vnd.google-earth.kml+xml", .file),
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
        commandName: "detach", abstract: localized("Take an attachment out of a note, for good."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(help: ArgumentHelp(localized("The attachment: its name, or its id.")))
    var attachment: String
    @OptionGroup var consent: ConsentOption

    func run() throws {
        try consent.ask(localized("Take \(SafeText.line(attachment)) out for good?"))
        let connection = try options.connect()
        let id = try note.forChange(connection)
        let changed = try SoughtPart.attachment.sought {
            try connection.note(.detach(id: id, attachment: attachment))
        }
        try NotesOutput.print(changed, json: options.json)
    }
}

struct NotesAttachments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: localized("List a note's attachments."),
        discussion: localized("What of them cannot be read is named; then the exit code is 8."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName

    func run() throws {
        let connection = try options.connect()
        let id = try note.forReading(connection)
        guard case .attachments(let all) = try connection.ask(.attachments(id: id)).reply else {
            throw NotesConnection.unexpected
        }
        if options.json { try Output.json(all) }
        var rows = ListRows(
            [localized("ID"), localized("KIND"), localized("SIZE"), localized("NAME"), localized("MORE")],
            yielding: [.shortened(4, to: 12), .dropped(4), .dropped(1), .dropped(2), .shortened(3, to: 6)])
        for attachment in options.json ? [] : all {
            try rows.add(Self.cells(attachment), elsewhere: Self.line(attachment))
        }
        try rows.finish()
        try NotesOutput.report(unread: all.filter(\.isUnread), of: id)
    }

    private static func cells(_ attachment: AttachmentSummary) -> [String] {
        if attachment.isDamaged == true {
            return [attachment.id, localized("damaged"), "", "", localized("its record cannot be read; kept")]
        }
        let more = [
            attachment.place?.words ?? attachment.address, attachment.hasThumbnail ? localized("thumbnail") : nil,
        ]
        return [
            String(attachment.id.prefix(8)), attachment.kind.rawValue,
            localized("\(attachment.byteCount) bytes"), attachment.name,
            more.compactMap(\.self).joined(separator: ", "),
        ]
    }

    private static func line(_ attachment: AttachmentSummary) -> String {
        // Of one whose record is lost nothing else is known, so all of its id is needed to tell it from others.
        if attachment.isDamaged == true {
            return "\(attachment.id)  damaged: its record cannot be read; it is kept"
        }
        let thumbnail = attachment.hasThumbnail ? ", thumbnail" : ""
        let more = attachment.place?.words ?? attachment.address
        return "\(attachment.id.prefix(8))  \(attachment.kind.rawValue)  \(attachment.byteCount) bytes  "
            + SafeText.line(attachment.name) + thumbnail + (more.map { "  " + SafeText.line($0) } ?? "")
    }
}

extension AttachmentSummary {
    /// Whether its record cannot be read, or its file, where that has to be read to list it: it says where a place is
    /// and where a page is from.
    var isUnread: Bool {
        switch kind {
        case _ where isDamaged == true: true
        case .map: place == nil
        case .website: address == nil
        default: false
        }
    }
}

struct NotesExtract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: localized("Write an attachment to standard output."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(help: ArgumentHelp(localized("The attachment: its name, or its id.")))
    var attachment: String
    @Flag(help: ArgumentHelp(localized("Its thumbnail instead, a JPEG of at most 512 pixels a side.")))
    var thumbnail = false

    func run() throws {
        guard !Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("a file does not go to a terminal"),
                hint: localized("write it to one: … > file"))
        }
        let connection = try options.connect()
        let request = NotesRequest.attachment(
            id: try note.forReading(connection), attachment: attachment, isThumbnail: thumbnail)
        _ = try SoughtPart.attachment.sought {
            try connection.ask(request, hasBody: false) {
                nil
            } receive: { part in
                guard try part.withSpan({ try StandardStream.output.write($0) }) else {
                    throw Failure(ExitCode.unavailable, localized("nobody reads the output any more"))
                }
            }
        }
    }
}
