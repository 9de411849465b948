import AppleImport
import ArgumentParser
import Linux
import Localization
import MarkdownFolder
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

struct NotesImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: localized("Take in notes of Apple Notes, Evernote, Joplin, Standard Notes, Markdown or HTML."),
        discussion: localized(
            """
            Every note is known by its source: a second import adds nothing twice, and brings what has changed there \
            since. What was changed here as well stays: both changes come to stand in the text, and where they touch \
            the same words, both do. The former texts are versions.
            """),
        subcommands: [From.self, Apple.self, Markdown.self, Sources.self], defaultSubcommand: From.self)

    struct Markdown: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "markdown",
            abstract: localized("Take in a folder of Markdown and text files, or one file."),
            discussion: localized(
                """
                Folders become folders. Front matter gives title, tags, created, modified, pinned and folder, and what \
                else it says is kept; the file's own time stands in for a date. Images and files that a note names \
                become attachments if they lie in the folder; links and hidden folders are not followed. A note that \
                was locked when it was exported is locked again, which needs a session or the passphrase. The folder \
                gets a file .tresor-source with a random id: by it a later import knows the folder, wherever it is \
                then. Exit code 8 when something could not be read, 5 when a locked note was left out, 7 when \
                something else kept a note from being updated.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var choice: SourceOptions
        @Argument(help: ArgumentHelp(localized("The folder, or a .md or .txt file.")), completion: .directory)
        var path: String
        @Flag(help: ArgumentHelp(localized("Report what would be read, and change nothing.")))
        var dryRun = false

        func run() throws {
            if options.json { Localization.speakEnglish() }
            let reader: MarkdownFolderReader
            do { reader = try MarkdownFolderReader(path) } catch { throw Failure(error) }
            let intake = try NoteIntake(options, isDryRun: dryRun)
            intake.report.add(reader.problems)
            let origin = try choice.choose("markdown", of: reader.folder, intake)
            try intake.run(count: reader.noteCount) { index in
                do { try take(try reader.note(at: index), from: origin, reader.paths[index], into: intake) } catch let
                    error as MarkdownFolderError
                {
                    intake.report.refuse(reader.paths[index], error.message, .damaged)
                }
            }
            try intake.report.finish(json: options.json)
        }

        private func take(
            _ note: MarkdownNote, from origin: ChosenSource?, _ path: String, into intake: NoteIntake
        ) throws {
            var head = ImportedNoteHead(source: note.source)
            if let origin { origin.name(&head, path) }
            head.formerSource = note.source
            head.frontMatter = note.frontMatter.isEmpty ? nil : note.frontMatter
            head.title = note.title
            head.folder = note.folder
            head.tags = note.tags
            head.created = note.created
            head.modified = note.modified
            head.isPinned = note.isPinned
            head.isLocked = note.isLocked
            head.id = note.id
            let files = note.attachments.map { attachment in
                let type = MediaType(fileName: attachment.name)
                return IncomingFile(
                    new: NewAttachment(name: attachment.name, kind: type.kind, mediaType: type.name),
                    content: .file(attachment.path))
            }
            for problem in note.problems { intake.report.add(problem: problem, in: note.title) }
            try intake.take(head, note.markdown, files) {
                guard let given = try passphrase.readOptional(localized("Passphrase of locked notes")) else {
                    return false
                }
                try intake.connection?.ask(.unlock(), secrets: MessageSecrets(consume given))
                return true
            }
        }
    }
}

/// What became of the notes of an import.
struct ImportReport: Encodable {
    struct Entry: Encodable {
        let title: String
        let reason: String
        var hint: String?
    }

    let isDryRun: Bool
    /// Notes that could be read.
    var read = 0
    var added = 0
    var unchanged = 0
    var updated = 0
    /// Updated, and changed here as well.
    var merged = 0
    /// Changed here and there in the same words: both are in the text.
    var conflicting: [Entry] = []
    /// Notes that stay shut in their source.
    var locked: [Entry] = []
    /// Notes that were read, or should have been, and did not come in, or were not updated.
    var refused: [Entry] = []
    /// What of a note could not be carried over.
    var problems: [Entry] = []
    /// Whether a passphrase that was given is wrong.
    var wasWrong = false
    private var codes: [NotesError.Code] = []

    private enum CodingKeys: String, CodingKey {
        case isDryRun = "dryRun"
        case read, added, unchanged, updated, merged, conflicting, locked
        case refused = "notImported"
        case problems
    }

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    mutating func count(_ outcome: ImportOutcome, of head: ImportedNoteHead) {
        if let remark = outcome.remark { add(problem: translated(remark), in: head.title ?? "") }
        switch outcome.change {
        case .added: added += 1
        case .unchanged: unchanged += 1
        case .updated: updated += 1
        case .merged: merged += 1
        case .conflicting:
            let reason = localized(
                "both are in the text; put it in order, then 'tresor notes resolve \(outcome.id.prefix(8))'")
            conflicting.append(Entry(title: head.title ?? "", reason: reason))
        }
    }

    /// What was passed over; where notes may be missing for it, that is damage.
    mutating func add(_ passedOver: [MarkdownProblem]) {
        for problem in passedOver {
            if problem.isLoss {
                refuse(problem.path, problem.text, .damaged)
            } else {
                add(problem: problem.text, in: problem.path)
            }
        }
    }

    mutating func add(problem: String, in title: String) { problems.append(Entry(title: title, reason: problem)) }

    mutating func refuse(_ title: String, _ reason: String, _ code: NotesError.Code) {
        refused.append(Entry(title: title, reason: reason))
        codes.append(code)
    }

    /// Damage first, then a wrong passphrase, then whatever kept a note out.
    private var exitCode: Int32? {
        if codes.contains(.damaged) { return Wire.ExitCode.damaged }
        if wasWrong { return Wire.ExitCode.authenticationFailed }
        return codes.first.map { Report.exitCode(for: NotesError($0, "")) }
    }

    /// Prints it, and ends the command with its exit code.
    func finish(json: Bool) throws {
        if json {
            try Output.json(self)
        } else if !Manner.isQuiet || isDryRun || hasSomethingToSay {
            try lines.forEach { try Output.words($0) }
        }
        if let exitCode { throw ArgumentParser.ExitCode(exitCode) }
    }

    /// Whether it is more than counts of what went well.
    private var hasSomethingToSay: Bool {
        exitCode != nil || ![conflicting, locked, refused, problems].allSatisfy(\.isEmpty)
    }

    private var lines: [String] {
        let counts =
            isDryRun
            ? [localized("dry run: nothing was changed"), localized("readable \(read)")]
            : [
                localized("added \(added)"), localized("unchanged \(unchanged)"), localized("updated \(updated)"),
                localized("merged with changes made here \(merged)"),
            ]
        return counts
            + Self.lines(localized("changed here and there in the same words \(conflicting.count)"), conflicting)
            + Self.lines(localized("locked, not imported \(locked.count)"), locked)
            + Self.lines(localized("not imported or updated \(refused.count)"), refused)
            + Self.lines(localized("problems \(problems.count)"), problems)
    }

    private static func lines(_ heading: String, _ entries: [Entry]) -> [String] {
        guard !entries.isEmpty else { return [] }
        return [heading]
            + entries.map { entry in
                let title = entry.title.isEmpty ? localized("Untitled") : SafeText.line(entry.title)
                let hint = entry.hint.map { localized(" (hint: \(SafeText.line($0)))") } ?? ""
                return "  \(title): \(SafeText.line(entry.reason))\(hint)"
            }
    }
}

extension PassphraseOptions {
    /// Whether a person is asked, who may try again.
    var isAtTerminal: Bool { passphraseFd == nil && Terminal.isTerminal(0) }

    /// One that may be left out; nil for an empty line, and at the end of the input.
    func readOptional(_ prompt: String) throws -> SecretBytes? {
        if isAtTerminal {
            let line = try Prompt.line(localized("\(prompt) (empty: skip): "))
            return line.count > 0 ? SecretBytes(line) : nil
        }
        let descriptor = passphraseFd ?? 0
        guard SecretInput.isOpen(descriptor) else {
            throw Failure(Wire.ExitCode.usage, localized("file descriptor \(descriptor) is not open"))
        }
        do {
            guard let line = try SecretInput.readLine(descriptor, limit: MessageFrame.secretLimit) else { return nil }
            return line.count > 0 ? SecretBytes(line) : nil
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(Wire.ExitCode.usage, localized("a passphrase has at most \(MessageFrame.secretLimit) bytes"))
        }
    }
}
