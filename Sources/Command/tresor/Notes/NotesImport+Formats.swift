import ArgumentParser
import Linux
import Localization
import NoteFormats
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

/// The formats as the command line names them.
enum FormatChoice: String, ExpressibleByArgument, CaseIterable {
    case markdown, html, enex, jex
    case standardNotes = "standard-notes"

    var format: NoteFormat {
        switch self {
        case .markdown: .markdown
        case .html: .html
        case .enex: .enex
        case .jex: .jex
        case .standardNotes: .standardNotes
        }
    }
}

extension NotesImport {
    struct From: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "from", abstract: localized("Take in what another program exported; its format is found out."),
            discussion: localized(
                """
                enex is Evernote's export, jex Joplin's, standard-notes a decrypted backup of Standard Notes (its text \
                file, out of the .zip), html a folder of pages or one, markdown a folder of Markdown and text files. \
                Without --format, name and content decide. For Apple Notes there is 'import apple'. Exit codes: 8 when \
                something could not be read, 5 when a locked note was left out, 7 when something else kept a note from \
                being updated.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var choice: SourceOptions
        @Argument(help: ArgumentHelp(localized("The file, or the folder.")), completion: .file())
        var path: String
        @Option(help: ArgumentHelp(localized("What it is: markdown, html, enex, jex or standard-notes.")))
        var format: FormatChoice?
        @Flag(help: ArgumentHelp(localized("Report what would be read, and change nothing.")))
        var dryRun = false

        func run() throws {
            if options.json { Localization.speakEnglish() }
            let found: NoteFormat
            let archive: NoteArchive
            do {
                found = try format?.format ?? NoteFormat.detect(path)
                guard found != .markdown else { return try markdown().run() }
                archive = try NoteArchive(path, found)
            } catch let error as NoteFormatError {
                let failure = Failure(error)
                // Perhaps it was meant for a command.
                let hint = MistypedWord.hint(for: path, in: NotesImport.self, at: "tresor notes import")
                throw error.code == .notFound ? Failure(failure.exitCode, failure.message, hint: hint) : failure
            }
            let intake = try NoteIntake(options, isDryRun: dryRun)
            intake.report.add(archive.problems)
            // Pages have no names but their paths; the others' notes are named by their programs.
            let origin = found == .html ? try choice.choose("html", of: folder, intake) : nil
            try intake.run(count: archive.count) { index in
                do { try take(try archive.note(at: index), from: origin, into: intake) } catch let error
                    as NoteFormatError
                {
                    intake.report.refuse(localized("note \(index + 1)"), error.message, .damaged)
                }
            }
            try intake.report.finish(json: options.json)
        }

        private var folder: String {
            let isFolder = (try? FileSystem.status(path + "/."))??.isDirectory == true
            guard isFolder else { return FileSystem.directory(of: path) }
            return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }

        private func markdown() -> Markdown {
            var command = Markdown()
            command.options = options
            command.passphrase = passphrase
            command.choice = choice
            command.path = path
            command.dryRun = dryRun
            return command
        }

        private func take(_ note: FormatNote, from origin: ChosenSource?, into intake: NoteIntake) throws {
            var head = ImportedNoteHead(source: note.source)
            if let origin { origin.name(&head, note.source) }
            head.title = note.title
            head.folder = note.folder
            head.tags = note.tags
            head.created = note.created
            head.modified = note.modified
            head.isPinned = note.isPinned
            head.isDeleted = note.isDeleted
            head.isLocked = note.isLocked
            head.id = note.id
            for problem in note.problems { intake.report.add(problem: problem, in: note.title) }
            try intake.take(head, note.markdown, note.attachments.map(IncomingFile.init)) {
                guard let given = try passphrase.readOptional(localized("Passphrase of locked notes")) else {
                    return false
                }
                try intake.connection?.ask(.unlock(), secrets: MessageSecrets(consume given))
                return true
            }
        }
    }
}

extension IncomingFile {
    fileprivate init(_ attachment: FormatAttachment) {
        let known = MediaType(fileName: attachment.name)
        let kind: AttachmentKind =
            switch attachment.mediaType.prefix(while: { $0 != "/" }) {
            case _ where known.kind != .file: known.kind
            case "image": .image
            case "audio": .audio
            case "video": .video
            default: attachment.mediaType == "application/pdf" ? .pdf : .file
            }
        let type = known.name.isEmpty ? attachment.mediaType : known.name
        new = NewAttachment(name: attachment.name, kind: kind, mediaType: type)
        content =
            switch attachment.content {
            case .bytes(let bytes): .bytes(bytes)
            case .file(let path): .file(path)
            }
    }
}

extension Failure {
    /// A file of another program that cannot be read or written.
    init(_ error: NoteFormatError) {
        let code =
            switch error.code {
            case .notFound, .unknownFormat, .tooLarge, .encrypted, .unreadable, .exists: Wire.ExitCode.usage
            case .malformed: Wire.ExitCode.damaged
            case .cannotWrite: Wire.ExitCode.cannotWrite
            }
        self.init(code, SafeText.line(error.message))
    }
}
