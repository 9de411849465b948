import DiaryClient
import DiaryFormats
import DiaryViews
import IdleInhibition
import Linux
import Localization
import ResidentClient
import Secrets
import TerminalScreen
import Wire

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
        /// The names of files that are damaged; their entries came in without them.
        var damaged: [String] = []
        /// How often each kind of remark was made.
        var remarks: [String: Int] = [:]
    }

    init(_ options: DiaryImport.Options) { self.options = options }

    /// A lock would end the import; a screen that stays open is the choice of who can stay with it.
    func run(_ open: () throws -> any ForeignDiary) throws {
        if options.json { Localization.speakEnglish() }
        guard options.keepAwake && !options.dryRun else { return try take(open) }
        var hasBegun = false
        do {
            try IdleInhibitor.whileActive(localized("Importing a diary"), of: "Tresor") { isHeld in
                Output.remark(
                    isHeld
                        ? localized("the screen does not lock by itself while this runs")
                        : localized("the screen locks by itself again"))
            } _: {
                hasBegun = true
                try take(open)
            }
        } catch let error as SessionError where !hasBegun {
            Output.remark(localized("the screen may lock by itself: \(Self.reason(error))"))
            try take(open)
        }
    }

    private static func reason(_ error: SessionError) -> String {
        switch error {
        case .unavailable: localized("there is no logind to ask")
        case .untrusted: localized("what answers for logind is not the system's")
        case .forbidden: localized("the system's policy forbids it")
        case .failed, .silent: localized("logind did not do as it was asked")
        }
    }

    private func take(_ open: () throws -> any ForeignDiary) throws {
        var connection = try Self.connect(isDryRun: options.dryRun)
        let diary: any ForeignDiary
        do { diary = try open() } catch let error as DiaryFormatError { throw Self.failure(error) }
        var report = Report()
        note(diary.remarks, in: &report)
        do { try takeEntries(of: diary, &connection, &report) } catch {
            // What came in stays, whatever ended the rest.
            let done = report.added + report.extended
            if done > 0, !options.dryRun {
                try? tell(report)
                Output.error(
                    localized(
                        done, one: "1 entry had come in before; a second run goes on from there",
                        many: "\(done) entries had come in before; a second run goes on from there"))
            }
            throw error
        }
        try tell(report)
        try Self.fail(for: report)
    }

    private func takeEntries(
        of diary: any ForeignDiary, _ connection: inout DiaryConnection?, _ report: inout Report
    ) throws {
        for index in 0..<diary.entryCount {
            let (entry, remarks) = diary.entry(at: index)
            note(remarks, in: &report)
            if entry == nil { report.leftOut += 1 }
            for part in entry.map({ Self.parts(of: $0) }) ?? [] {
                do { try take(part, of: diary, &connection, &report) } catch let error where Self.isOfOneEntry(error) {
                    report.leftOut += 1
                    if error is UnreadFile { report.unread += 1 }
                    report.remarks[Self.remark(error), default: 0] += 1
                    // What was staged for it is not for the next.
                    connection = try DiaryOptions().connect()
                }
            }
            showProgress(index + 1, of: diary.entryCount)
        }
    }

    private static func fail(for report: Report) throws {
        guard report.unread == 0 else {
            throw Failure(
                ExitCode.storageFailed,
                localized("not all could be read; import again, which takes what is missing and nothing twice"),
                hint: localized("where a file stays unreadable, take it out: its entry comes in without it"))
        }
        guard !report.damaged.isEmpty else { return }
        let count = report.damaged.count
        throw Failure(
            ExitCode.damaged,
            localized(
                count, one: "a file is damaged and did not come in",
                many: "\(count) files are damaged and did not come in"),
            hint: localized("import an archive in which all is whole: it brings what is missing, and nothing twice"))
    }

    /// A dry run compares with a diary that is open, and does without one that is not.
    private static func connect(isDryRun: Bool) throws -> DiaryConnection? {
        do {
            let connection = try DiaryOptions().connect()
            try connection.requireSignIn()
            return connection
        } catch let error as DiaryError where isDryRun && error.code != .unavailable {
            Output.remark(localized("nobody is signed in: what the diary has already is not told apart"))
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
        guard !(error is UnreadFile) else {
            return localized("An entry was left out: a file of it cannot be read now.")
        }
        return localized("An entry does not fit: \(reason(error)).")
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DiaryError)?.description ?? localized("it is larger than a message may be")
    }

    private func take(
        _ entry: ImportedEntry, of diary: any ForeignDiary, _ connection: inout DiaryConnection?,
        _ report: inout Report
    ) throws {
        if let open = connection {
            var begun = entry
            begun.source += ImportedEntry.incompleteMark
            let known = try open.known(of: [entry.source, begun.source])
            if known.contains(begun.source) { return try addMissing(begun, of: diary, &connection, &report) }
            if known.contains(entry.source) {
                // An export of ours names such days too, and its photos have lost their metadata on the way.
                guard diary is PhotoDiary else { return report.unchanged += 1 }
                return try addMissing(entry, of: diary, &connection, &report)
            }
        }
        guard connection != nil, !options.dryRun else {
            report.added += 1
            report.media += entry.media.count
            return
        }
        let numbers = try stage(entry.media, of: diary, &connection, &report)
        guard numbers.count < entry.media.count else { return try bring(entry, connection, &report) }
        // A day without a photo that is whole comes another time.
        guard !numbers.isEmpty || !entry.text.isEmpty else { return report.leftOut += 1 }
        var rest = Self.keeping(numbers, of: entry)
        // Days of photos get what they lack in any case.
        if !(diary is PhotoDiary) { rest.source += ImportedEntry.incompleteMark }
        try bring(rest, connection, &report)
    }

    /// An entry with some of its files; where its text showed others, their captions stay.
    private static func keeping(_ numbers: [Int], of entry: ImportedEntry) -> ImportedEntry {
        var rest = entry
        rest.media = numbers.map { entry.media[$0] }
        rest.text = MediaReferences.renumbered(entry.text) { numbers.firstIndex(of: $0) }
        return rest
    }

    /// Makes an entry whose files are staged.
    private func bring(_ entry: ImportedEntry, _ connection: DiaryConnection?, _ report: inout Report) throws {
        guard let connection else { throw DiaryConnection.unexpected }
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

    /// An entry that came in before gets the files that it has not, by name and size; its text stays.
    private func addMissing(
        _ source: ImportedEntry, of diary: any ForeignDiary, _ connection: inout DiaryConnection?,
        _ report: inout Report
    ) throws {
        guard let asked = connection else { throw DiaryConnection.unexpected }
        // Tells the entry of the source; without the file that it speaks of it makes none, whatever happened since.
        var head = ImportedHead(source: source.source, head: source.head)
        head.mediaCount = 1
        guard case .imported(let known) = try asked.ask(.importEntry(head)).reply,
            case (.entry(let entry), let text) = try asked.ask(.show(id: known.id))
        else { throw DiaryConnection.unexpected }
        let missing = source.media.filter { file in
            !entry.media.contains { $0.name == file.name && $0.byteCount == file.byteCount }
        }
        guard !missing.isEmpty, entry.media.count + missing.count <= Self.mostMedia else {
            if !missing.isEmpty {
                report.remarks[localized("A day has as many photos as an entry has room for."), default: 0] += 1
            }
            return report.unchanged += 1
        }
        let count = try options.dryRun ? missing.count : stage(missing, of: diary, &connection, &report).count
        guard count > 0 else { return report.unchanged += 1 }
        report.extended += 1
        report.media += count
        guard !options.dryRun, let connection else { return }
        try connection.ask(
            .edit(
                id: entry.id, base: entry.revision, head: entry.head, media: entry.media.map(\.id),
                isDraft: entry.isDraft), body: text)
    }

    private func note(_ remarks: [ImportRemark], in report: inout Report) {
        for remark in remarks { report.remarks[remark.text, default: 0] += 1 }
    }

    private func showProgress(_ done: Int, of total: Int) {
        guard !Manner.isQuiet, Terminal.isTerminal(2), done == total || done % 16 == 0 else { return }
        _ = try? StandardStream.error.write("\r" + localized("\(done) of \(total)") + (done == total ? "\n" : ""))
    }

    private func tell(_ report: Report) throws {
        if options.json { return try Output.json(report) }
        let isClean = report.remarks.isEmpty && report.damaged.isEmpty && report.leftOut == 0
        guard !Manner.isQuiet || options.dryRun || !isClean else { return }
        try Output.words(words(of: report))
        for (remark, count) in report.remarks.sorted(by: { $0.key < $1.key }) {
            try Output.words(count == 1 ? "  \(remark)" : localized("  \(remark) (\(count) times)"))
        }
        for name in report.damaged { Output.error(localized("damaged, not taken: \(SafeText.line(name))")) }
    }

    private func words(of report: Report) -> String {
        let begun =
            options.dryRun
            ? localized(
                report.media, one: "\(report.added) would be added with \(report.media) file",
                many: "\(report.added) would be added with \(report.media) files")
            : localized(
                report.media, one: "\(report.added) added with \(report.media) file",
                many: "\(report.added) added with \(report.media) files")
        let rest = localized("\(report.unchanged) there already, \(report.leftOut) left out")
        let extended = report.extended == 0 ? [] : [localized("\(report.extended) with photos added")]
        return ([begun] + extended + [rest]).joined(separator: ", ")
    }

    static func failure(_ error: DiaryFormatError) -> Failure {
        switch error {
        case .notFound: Failure(ExitCode.usage, localized("there is no such file or folder; nothing was changed"))
        case .unreadable:
            Failure(
                ExitCode.usage, localized("it cannot be read; nothing was changed"),
                hint: localized("see its permissions"))
        case .notADiary:
            Failure(ExitCode.usage, localized("there is no diary of this kind in it; nothing was changed"))
        case .notUTF8:
            Failure(
                ExitCode.usage, localized("its text is no UTF-8; nothing was changed"),
                hint: localized("for a file in Latin-1: iconv -f latin1 -t utf-8 FILE > NEW, and import that"))
        case .damaged: Failure(ExitCode.damaged, localized("the file is cut short or broken; nothing was changed"))
        case .tooLarge: Failure(ExitCode.usage, localized("it unpacks to more than any diary has; nothing was changed"))
        case .alreadyThere:
            Failure(ExitCode.duplicate, localized("there is something at that place already; nothing was written"))
        case .cannotWrite(let isFull, let path):
            Failure(
                ExitCode.cannotWrite,
                (isFull ? localized("the disk is full") : localized("the place cannot be written"))
                    + (path.map { ": \(SafeText.line($0))" } ?? ""))
        }
    }
}

extension ResidentConnection<DiaryMessages> {
    /// Which of these sources came in before.
    fileprivate func known(of sources: [String]) throws -> [String] {
        guard case .sources(let known) = try ask(.knownSources(sources)).reply else { throw Self.unexpected }
        return known
    }
}
