import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct NotesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List notes, the newest first."),
        discussion: localized("Notes that cannot be read stand at the end; then the exit code is 8."))

    @OptionGroup var options: NotesOptions
    @Option(help: ArgumentHelp(localized("Only this folder, and those in it.")))
    var folder: String?
    @Option(help: ArgumentHelp(localized("Only notes with this tag.")))
    var tag: String?
    @Flag(help: ArgumentHelp(localized("What is in the trash.")))
    var trash = false
    @Option(help: ArgumentHelp(localized("At most so many.")))
    var limit: Int?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError(localized("--limit is a number from 1 on")) }
    }

    func run() throws {
        let filter = NoteFilter(folder: folder, tag: tag, isInTrash: trash, limit: limit ?? .max)
        let connection = try options.connect()
        let notes = try connection.all(filter)
        try NotesOutput.print(notes, json: options.json) { try connection.shortIDs(of: notes.map(\.id)) }
        try NotesOutput.report(damaged: notes)
    }
}

struct NotesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: localized("Print a note as Markdown."),
        discussion: localized("Exit code 5 when it is locked and no session is open; 'tresor notes unlock' opens one."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(localized("A former version, by its number: 'versions' lists them.")))
    var version: Int?

    func run() throws {
        let connection = try options.connect()
        let id = try note.forReading(connection)
        let (reply, body) =
            try version == nil
            ? connection.ask(.show(id: id, version: nil))
            : SoughtPart.version.sought { try connection.ask(.show(id: id, version: version)) }
        guard case .note(let note) = reply else { throw NotesConnection.unexpected }
        if options.json {
            struct Text: Encodable {
                let note: NotesOutput.Entry
                let markdown: String
            }
            try Output.json(Text(note: .init(note), markdown: String(decoding: body, as: UTF8.self)))
            return try Self.refuseDamage(of: note)
        }
        // A program gets the text as it is; a terminal gets nothing that it would obey.
        let written =
            if Terminal.isTerminal(1) {
                try StandardStream.output.write(SafeText.text(String(decoding: body, as: UTF8.self)))
            } else { try body.withSpan { try StandardStream.output.write($0) } }
        guard written else { throw Failure(ExitCode.unavailable, localized("nobody reads the output any more")) }
        try Self.refuseDamage(of: note)
    }

    /// What came is whole, and is not all.
    private static func refuseDamage(of note: NoteSummary) throws {
        guard note.damage?.contains(.origin) == true else { return }
        throw Failure(
            ExitCode.damaged,
            localized(
                """
                this is the note's text; the front matter that it was imported with cannot be read: its record is \
                damaged, and is kept
                """))
    }
}

struct NotesSearch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: localized("Find notes by their text."),
        discussion: localized(
            """
            All words must occur; the last letters may be missing, accents and case do not matter, "words in quotes" \
            stand side by side. Locked notes are searched while their session is open; without one, their titles are.
            """))

    @OptionGroup var options: NotesOptions
    @Argument(help: ArgumentHelp(localized("What to look for.")))
    var words: [String]
    @Option(help: ArgumentHelp(localized("At most so many, up to 200.")))
    var limit = 50

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError(localized("--limit is a number from 1 to 200")) }
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
            throw ValidationError(localized("there is no word to look for"))
        }
    }

    func run() throws {
        let request = NotesRequest.search(text: words.joined(separator: " "), limit: limit)
        let connection = try options.connect()
        let found = try SearchPatience.answer(forScript: options.json) {
            guard case .list(let found) = try connection.ask(request).reply else { throw NotesConnection.unexpected }
            return found
        }
        let unread = found.unread ?? []
        // One whose text is damaged may be found by its title.
        let others = unread.filter { lost in !found.notes.contains { $0.id == lost.id } }
        try NotesOutput.print(found.notes + (options.json ? others : []), json: options.json) {
            try connection.shortIDs(of: found.notes.map(\.id))
        }
        if found.notes.count == limit { Output.remark(localized("there may be more: --limit shows up to 200")) }
        try SearchPatience.report(found, forScript: options.json)
        try NotesOutput.report(damaged: unread)
        if found.notes.isEmpty { throw ArgumentParser.ExitCode(Wire.ExitCode.notFound) }
    }
}

struct NotesVersions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions", abstract: localized("List the former texts of a note, or make one the present text."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Option(help: ArgumentHelp(localized("Make this version the text; the present text becomes a version.")))
    var revert: Int?

    func run() throws {
        let connection = try options.connect()
        if let revert {
            let id = try note.forChange(connection)
            let changed = try SoughtPart.version.sought {
                try connection.note(.revert(id: id, version: revert))
            }
            return try NotesOutput.print(changed, json: options.json)
        }
        guard
            case .versions(let versions) = try connection.ask(
                .versions(id: note.forReading(connection))
            ).reply
        else {
            throw NotesConnection.unexpected
        }
        try print(versions)
        let damaged = versions.filter { $0.isDamaged == true }.map { String($0.number) }
        guard !damaged.isEmpty else { return }
        Output.error(
            localized(
                """
                of this note's versions these are damaged, and kept: \(damaged.joined(separator: ", ")); 0 stands for \
                all those of a list that cannot be read
                """))
        throw ArgumentParser.ExitCode(Wire.ExitCode.damaged)
    }

    private func print(_ versions: [VersionSummary]) throws {
        struct Entry: Encodable {
            let version: Int
            let modified: Date
            let bytes: Int
            let damaged: Bool?
        }
        if options.json {
            return try Output.json(
                versions.map {
                    Entry(
                        version: $0.number, modified: NotesOutput.date($0.modified), bytes: $0.byteCount,
                        damaged: $0.isDamaged)
                })
        }
        var rows = ListRows([localized("VERSION"), localized("WRITTEN"), localized("SIZE")], yielding: [.dropped(2)])
        for version in versions {
            // The size of a locked note's former texts is not kept where it could be seen.
            func size(_ language: MessageCatalogue?) -> String {
                if version.isDamaged == true { return localized("damaged", in: language) }
                guard version.byteCount > 0 else { return localized("locked", in: language) }
                return localized("\(version.byteCount) bytes", in: language)
            }
            let cells = ["\(version.number)", NotesOutput.date(version.modified).formatted(.iso8601)]
            try rows.add(
                cells + [size(Localization.catalogue)], elsewhere: (cells + [size(nil)]).joined(separator: "  "))
        }
        try rows.finish()
    }
}

struct NotesStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Show the session, and how many notes there are."))

    @OptionGroup var options: NotesOptions

    func run() throws {
        guard case .status(let status) = try options.connect().ask(.status).reply else {
            throw NotesConnection.unexpected
        }
        if options.json { return try Output.json(status) }
        let (account, locked, trashed) = (status.account, status.locked, status.trashed)
        try Output.words(
            localized(
                status.notes,
                one: "\(account): \(status.notes) note, \(locked) of them locked; \(trashed) in the trash",
                many: "\(account): \(status.notes) notes, \(locked) of them locked; \(trashed) in the trash"))
        try Output.words(localized("session: \(NotesOutput.describe(status.session))"))
        try Output.words(
            localized(
                status.indexed, one: "search: \(status.indexed) note indexed",
                many: "search: \(status.indexed) notes indexed"))
        try Output.words(localized("settings: \(NotesOutput.describe(status.settings))"))
        guard !status.damaged.isEmpty else { return }
        try Output.words(localized("damaged records, which are kept: \(status.damaged.count)"))
        for name in status.damaged { try Output.line("  \(name)") }
    }
}
