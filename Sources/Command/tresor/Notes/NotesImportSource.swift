import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import MarkdownFolder
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

/// Which source a folder is, where that has to be said.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            localized("Which earlier source this is: its id, from four digits on, or 'new', or '0.1'."),
            discussion: localized(
                """
                'tresor notes import sources' lists them. 'new' takes the folder for one that never came in; '0.1' for \
                the one that version 0.1 imported, which knew no ids.
                """)))
    var source: String?

    /// Finds out which source a folder is, marks it, and tells the notes.
    ///
    /// - Returns: nil in a dry run.
    func choose(_ kind: String, of folder: String, _ intake: NoteIntake) throws -> ChosenSource? {
        guard let connection = intake.connection else { return nil }
        guard case .importSources(let known) = try connection.ask(.importSources).reply else {
            throw NotesConnection.unexpected
        }
        let mark = try self.mark(folder, known, intake)
        let head = ImportSourceHead(id: mark.id, kind: kind, place: String(mark.folder.prefix(1000)))
        try connection.ask(.beginImport(head))
        return ChosenSource(mark: mark, folder: folder, isFormerCertain: source == "0.1")
    }

    private func mark(_ folder: String, _ known: [ImportSourceSummary], _ intake: NoteIntake) throws -> SourceMark {
        let found = SourceMark.find(from: folder)
        switch source {
        case nil:
            if let found { return try checked(found, known) }
            return try fresh(folder, known, intake)
        case "new": return try write(Identifier.makeRandom().description, folder, intake)
        case "0.1": return try found ?? write(Identifier.makeRandom().description, folder, intake)
        case let wanted?:
            let matches = known.filter { wanted.utf8.count >= 4 && $0.id.hasPrefix(wanted.lowercased()) }
            guard let only = matches.first, matches.count == 1 else {
                throw Failure(
                    matches.isEmpty ? Wire.ExitCode.notFound : Wire.ExitCode.usage,
                    matches.isEmpty
                        ? localized("notes were never imported from a source of this id")
                        : localized("several sources match"),
                    hint: localized("'tresor notes import sources' lists them"))
            }
            if let found, found.id == only.id { return found }
            return try write(only.id, folder, intake)
        }
    }

    /// Two folders with one mark: somebody has copied one, and it may have changed since.
    private func checked(_ found: SourceMark, _ known: [ImportSourceSummary]) throws -> SourceMark {
        guard let before = known.first(where: { $0.id == found.id }), !SourceMark.isSame(before.place, found.folder),
            SourceMark.id(in: before.place) == found.id
        else { return found }
        throw Failure(
            Wire.ExitCode.usage,
            localized(
                "this folder and \(SafeText.line(before.place)), which came in before, have one mark: one is a copy"),
            hint: localized("--source \(found.id.prefix(8)) takes it for the same notes, --source new for others"))
    }

    private func fresh(_ folder: String, _ known: [ImportSourceSummary], _ intake: NoteIntake) throws -> SourceMark {
        let place = SourceMark.absolute(folder)
        if let before = known.first(where: { $0.place == place }) {
            throw Failure(
                Wire.ExitCode.usage,
                localized("notes were imported from this path before, and the folder has no mark of that"),
                hint: localized(
                    "--source \(before.id.prefix(8)) takes it for the same folder, --source new for another"))
        }
        return try write(Identifier.makeRandom().description, folder, intake)
    }

    /// A folder that cannot be marked is imported all the same, and has to be named the next time.
    private func write(_ id: String, _ folder: String, _ intake: NoteIntake) throws -> SourceMark {
        do { return try SourceMark.write(id, in: folder) } catch {
            let problem = localized(
                "The folder cannot be marked: \(error). So say --source \(id.prefix(8)) when you import it again.")
            intake.report.add(problem: problem, in: folder)
            return SourceMark(id: id, folder: SourceMark.absolute(folder))
        }
    }
}

/// The source of an import.
struct ChosenSource {
    let mark: SourceMark
    let folder: String
    let isFormerCertain: Bool

    /// Names a note by its path in the source.
    func name(_ head: inout ImportedNoteHead, _ path: String) {
        head.source = mark.path(path, in: folder)
        head.origin = mark.id
        head.isFormerCertain = isFormerCertain
    }
}

extension NotesImport {
    struct Sources: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sources",
            abstract: localized("List the folders that notes were imported from, the last first."))

        @OptionGroup var options: NotesOptions

        func run() throws {
            guard case .importSources(let sources) = try options.connect().ask(.importSources).reply else {
                throw NotesConnection.unexpected
            }
            if options.json { return try Output.json(sources.map(Entry.init)) }
            var rows = ListRows(
                [localized("ID"), localized("LAST"), localized("KIND"), localized("PLACE")],
                yielding: [
                    .shortened(3, to: 30), .dropped(1), .shortened(3, to: 12), .dropped(2), .shortened(3, to: 6),
                ])
            for source in sources {
                let cells = [
                    String(source.id.prefix(8)), NotesOutput.day(source.last), source.kind, SafeText.line(source.place),
                ]
                try rows.add(cells, elsewhere: cells.joined(separator: "  "))
            }
            try rows.finish()
        }

        private struct Entry: Encodable {
            let id: String
            let kind: String
            let place: String
            let first: Date
            let last: Date

            init(_ source: ImportSourceSummary) {
                id = source.id
                kind = source.kind
                place = source.place
                first = Date(timeIntervalSince1970: Double(source.first) / 1_000_000)
                last = Date(timeIntervalSince1970: Double(source.last) / 1_000_000)
            }
        }
    }
}
