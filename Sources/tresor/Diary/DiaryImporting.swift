import ArgumentParser
import DiaryClient
import DiaryFormats
import DiaryViews
import IdleInhibition
import ImageSandbox
import Linux
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct DiaryImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take in the entries of another diary, or a folder of photos.",
        discussion: """
            What came in once is not taken in again. What could not be carried over as it was is reported by kinds and \
            counts. --dry-run reads, reports, and changes nothing.
            """,
        subcommands: [DayOne.self, Jrnl.self, Photos.self])

    struct Options: ParsableArguments {
        @Flag(help: "Print JSON.")
        var json = false
        @Flag(help: "Read and report; change nothing.")
        var dryRun = false
        @Flag(help: "Keep the screen from locking by itself until all has come in.")
        var keepAwake = false
    }

    struct DayOne: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "day-one", abstract: "From Day One: its zip of JSON, or the folder unpacked from it.")

        @OptionGroup var options: Options
        @Argument(help: "The zip, the .json file or the folder.", completion: .file())
        var path: String

        func run() throws {
            try DiaryTransfer(options).run { try DayOneDiary(path, zone: DiaryOptions.zone.identifier) }
        }
    }

    struct Jrnl: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jrnl", abstract: "From jrnl: its export to JSON, or its plain text.")

        @OptionGroup var options: Options
        @Argument(help: "The file.", completion: .file())
        var path: String

        func run() throws {
            try DiaryTransfer(options).run {
                try JrnlDiary(path, zone: DiaryOptions.zone.identifier, clock: DiaryOptions.clock)
            }
        }
    }

    struct Photos: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "photos", abstract: "From a folder of photos: an entry for each day, with that day's photos.")

        @OptionGroup var options: Options
        @Argument(help: "The folder.", completion: .directory)
        var folder: String

        func run() throws {
            try DiaryTransfer(options).run {
                let listing = try PhotoListing(folder) { ImageKind(of: $0)?.mediaType }
                let facts = try PhotoReading().facts(of: listing.paths.map { listing.root + "/" + $0 })
                return PhotoDiary(listing, zone: DiaryOptions.zone.identifier, clock: DiaryOptions.clock) { facts[$0] }
            }
        }
    }
}

extension DiaryOptions {
    static var clock: ZoneClock { ZoneClock { DiaryZone($0).offset(at: $1) } }
}

extension ImageKind {
    /// As entries name it.
    fileprivate var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .tiff: "image/tiff"
        case .heif: "image/heic"
        }
    }
}

/// A file of an entry may be whole, and could not be read.
private struct UnreadFile: Error {}

/// Entries on their way from another diary into this one.
struct DiaryTransfer {
    private let options: DiaryImport.Options

    /// What is said at the end.
    struct Report: Encodable {
        var added = 0
        var unchanged = 0
        var leftOut = 0
        var media = 0
        /// Days that were there, and got photos that were not.
        var extended = 0
        /// Entries of those left out that may come in another time.
        var unread = 0
        /// How often each kind of remark was made.
        var remarks: [String: Int] = [:]
    }

    init(_ options: DiaryImport.Options) { self.options = options }

    /// A lock would end the import; a screen that stays open is the choice of who can stay with it.
    func run(_ open: () throws -> any ForeignDiary) throws {
        guard options.keepAwake && !options.dryRun else { return try take(open) }
        var hasBegun = false
        do {
            try IdleInhibitor.whileActive("Importing a diary", of: "Tresor") { isHeld in
                Output.error(
                    isHeld ? "the screen does not lock by itself while this runs" : "the screen locks by itself again")
            } _: {
                hasBegun = true
                try take(open)
            }
        } catch let error as SessionError where !hasBegun {
            Output.error("the screen may lock by itself: \(Self.reason(error))")
            try take(open)
        }
    }

    private static func reason(_ error: SessionError) -> String {
        switch error {
        case .unavailable: "there is no logind to ask"
        case .untrusted: "what answers for logind is not the system's"
        case .forbidden: "the system's policy forbids it"
        case .failed, .silent: "logind did not do as it was asked"
        }
    }

    private func take(_ open: () throws -> any ForeignDiary) throws {
        var connection = try Self.connect(isDryRun: options.dryRun)
        let diary: any ForeignDiary
        do { diary = try open() } catch let error as DiaryFormatError { throw Self.failure(error) }
        var report = Report()
        note(diary.remarks, in: &report)
        for index in 0..<diary.entryCount {
            let (entry, remarks) = diary.entry(at: index)
            note(remarks, in: &report)
            if entry == nil { report.leftOut += 1 }
            for part in entry.map({ Self.parts(of: $0) }) ?? [] {
                do { try take(part, of: diary, connection, &report) } catch let error where Self.isOfOneEntry(error) {
                    report.leftOut += 1
                    if error is UnreadFile { report.unread += 1 }
                    report.remarks[Self.remark(error), default: 0] += 1
                    // What was staged for it is not for the next.
                    connection = try DiaryOptions().connect()
                }
            }
            showProgress(index + 1, of: diary.entryCount)
        }
        try tell(report)
        guard report.unread > 0 else { return }
        throw Failure(
            ExitCode.storageFailed,
            "not all could be read; import again, which takes what is missing and nothing twice",
            hint: "where a file stays unreadable, take it out: its entry comes in without it")
    }

    /// A dry run compares with a diary that is open, and does without one that is not.
    private static func connect(isDryRun: Bool) throws -> DiaryConnection? {
        do {
            let connection = try DiaryOptions().connect()
            try connection.requireSignIn()
            return connection
        } catch let error as DiaryError where isDryRun && error.code != .unavailable {
            Output.error("nobody is signed in: what the diary has already is not told apart")
            return nil
        }
    }

    /// An entry without words and with more photos than one has, as several.
    private static func parts(of entry: ImportedEntry) -> [ImportedEntry] {
        guard entry.media.count > mostMedia, entry.text.isEmpty else { return [entry] }
        return stride(from: 0, to: entry.media.count, by: mostMedia).map { start in
            var part = entry
            part.media = Array(entry.media[start..<min(start + mostMedia, entry.media.count)])
            if start > 0 { part.source += "-\(start / mostMedia + 1)" }
            return part
        }
    }

    private static let mostMedia = 300

    /// Whether the next entry may do where this one did not.
    private static func isOfOneEntry(_ error: any Error) -> Bool {
        if error is UnreadFile { return true }
        if let diary = error as? DiaryError { return diary.code == .invalid || diary.code == .tooLarge }
        return error is Secrets.DecodingError
    }

    private static func remark(_ error: any Error) -> String {
        guard !(error is UnreadFile) else { return "An entry was left out: a file of it cannot be read now." }
        return "An entry does not fit: \(reason(error))."
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DiaryError)?.message ?? "it is larger than a message may be"
    }

    private func take(
        _ entry: ImportedEntry, of diary: any ForeignDiary, _ connection: DiaryConnection?, _ report: inout Report
    ) throws {
        if let connection, try connection.knows(entry.source) {
            // An export of ours names such days too, and its photos have lost their metadata on the way.
            guard diary is PhotoDiary else { return report.unchanged += 1 }
            return try addMissing(entry, of: diary, connection, &report)
        }
        guard let connection, !options.dryRun else {
            report.added += 1
            report.media += entry.media.count
            return
        }
        for media in entry.media { try stage(media, of: diary, connection, &report) }
        var head = ImportedHead(source: entry.source, head: entry.head)
        head.created = entry.created
        head.modified = entry.modified
        head.mediaCount = entry.media.count
        head.foreign = entry.foreign.isEmpty ? nil : String(decoding: entry.foreign, as: UTF8.self)
        let reply = try connection.ask(.importEntry(head), body: Array(entry.text.utf8)).reply
        guard case .imported(let outcome) = reply else { throw DiaryConnection.unexpected }
        if outcome.change == .added { report.added += 1 } else { report.unchanged += 1 }
        report.media += entry.media.count
    }

    /// A day of photos that came in before gets those that it has not, by name and size; its text stays.
    private func addMissing(
        _ day: ImportedEntry, of diary: any ForeignDiary, _ connection: DiaryConnection, _ report: inout Report
    ) throws {
        // Tells the entry of the source; without the file that it speaks of it makes none, whatever happened since.
        var head = ImportedHead(source: day.source, head: day.head)
        head.mediaCount = 1
        guard case .imported(let known) = try connection.ask(.importEntry(head)).reply,
            case (.entry(let entry), let text) = try connection.ask(.show(id: known.id))
        else { throw DiaryConnection.unexpected }
        let missing = day.media.filter { photo in
            !entry.media.contains { $0.name == photo.name && $0.byteCount == photo.byteCount }
        }
        guard !missing.isEmpty, entry.media.count + missing.count <= Self.mostMedia else {
            if !missing.isEmpty {
                report.remarks["A day has as many photos as an entry has room for.", default: 0] += 1
            }
            return report.unchanged += 1
        }
        if !options.dryRun {
            for media in missing { try stage(media, of: diary, connection, &report) }
        }
        report.extended += 1
        report.media += missing.count
        guard !options.dryRun else { return }
        try connection.ask(
            .edit(
                id: entry.id, base: entry.revision, head: entry.head, media: entry.media.map(\.id),
                isDraft: entry.isDraft), body: text)
    }

    /// What of a damaged file can be read comes in; that it ended early is said.
    ///
    /// - Throws: `UnreadFile` where a file may be whole and was not read: its entry, which comes in once, waits for it.
    private func stage(
        _ media: ImportedMedia, of diary: any ForeignDiary, _ connection: DiaryConnection, _ report: inout Report
    ) throws {
        let new = NewMedia(kind: media.kind, name: media.name, mediaType: media.mediaType)
        var failure: (any Error)?
        var hasSent = false
        var next: MediaParts?
        do { next = try diary.open(media) } catch { failure = error }
        try connection.ask(.stage(new), hasBody: true) {
            guard failure == nil, let next else {
                defer { hasSent = true }
                return hasSent ? nil : []
            }
            do {
                let part = try next()
                defer { hasSent = true }
                return part == nil && !hasSent ? [] : part
            } catch {
                failure = error
                defer { hasSent = true }
                return hasSent ? nil : []
            }
        } receive: { _ in
        }
        guard let failure else { return }
        guard DiaryFormatError.isOfFile(failure) else { throw UnreadFile() }
        report.remarks["A file is damaged; what of it could be read came in.", default: 0] += 1
    }

    private func note(_ remarks: [ImportRemark], in report: inout Report) {
        for remark in remarks { report.remarks[remark.text, default: 0] += 1 }
    }

    private func showProgress(_ done: Int, of total: Int) {
        guard Terminal.isTerminal(2), done == total || done % 16 == 0 else { return }
        _ = try? StandardStream.error.write("\r\(done) of \(total)\(done == total ? "\n" : "")")
    }

    private func tell(_ report: Report) throws {
        if options.json { return try Output.json(report) }
        let verb = options.dryRun ? "would be added" : "added"
        let files = report.media == 1 ? "1 file" : "\(report.media) files"
        let extended = report.extended == 0 ? "" : "\(report.extended) with photos added, "
        try Output.line(
            "\(report.added) \(verb) with \(files), \(extended)\(report.unchanged) there already, "
                + "\(report.leftOut) left out")
        for (remark, count) in report.remarks.sorted(by: { $0.key < $1.key }) {
            try Output.line(count == 1 ? "  \(remark)" : "  \(remark) (\(count) times)")
        }
    }

    static func failure(_ error: DiaryFormatError) -> Failure {
        switch error {
        case .notFound: Failure(ExitCode.usage, "there is no such file or folder; nothing was changed")
        case .unreadable: Failure(ExitCode.usage, "it cannot be read; nothing was changed", hint: "see its permissions")
        case .notADiary:
            Failure(ExitCode.usage, "there is no diary of this kind in it; nothing was changed")
        case .notUTF8:
            Failure(
                ExitCode.usage, "its text is no UTF-8; nothing was changed",
                hint: "for a file in Latin-1: iconv -f latin1 -t utf-8 FILE > NEW, and import that")
        case .damaged: Failure(ExitCode.damaged, "the file is cut short or broken; nothing was changed")
        case .tooLarge: Failure(ExitCode.usage, "it unpacks to more than any diary has; nothing was changed")
        case .alreadyThere:
            Failure(ExitCode.duplicate, "there is something at that place already; nothing was written")
        case .cannotWrite(let isFull):
            Failure(ExitCode.cannotWrite, isFull ? "the disk is full" : "the place cannot be written")
        }
    }
}

extension ResidentConnection<DiaryMessages> {
    fileprivate func knows(_ source: String) throws -> Bool {
        guard case .sources(let known) = try ask(.knownSources([source])).reply else { throw Self.unexpected }
        return !known.isEmpty
    }
}
