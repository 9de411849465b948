import AppleImport
import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

extension NotesImport {
    struct Apple: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apple",
            abstract: localized("Take in a database of Apple Notes, locked notes with their passphrase."),
            discussion: localized(
                """
                The database is NoteStore.sqlite, or the folder group.com.apple.notes that holds it; a private copy in \
                memory is read. For each passphrase that locks notes there, it is asked for once: at the prompt, or \
                one line each from standard input or --passphrase-fd; an empty line, or the end of the input, leaves \
                them out. Notes that open come in locked under the passphrase of locked notes here, which is asked for \
                next unless a session is open; where none is set, theirs becomes it. Exit codes: 6 when a passphrase \
                was wrong, 8 when notes were damaged, 5 or 7 when notes were kept out here.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @Argument(help: ArgumentHelp(localized("NoteStore.sqlite, or the folder it is in.")), completion: .file())
        var path: String
        @Flag(help: ArgumentHelp(localized("Report what would be read, and change nothing.")))
        var dryRun = false

        func run() throws {
            if options.json { Localization.speakEnglish() }
            let intake = try NoteIntake(options, isDryRun: dryRun)
            do {
                try ScratchFolder.lend { scratch in
                    let store = try AppleNoteStore(path: path, scratch: scratch)
                    defer { store.close() }
                    try AppleIntake(store, intake, passphrase).run()
                }
            } catch let error as AppleImportError { throw Failure(error) }
            try intake.report.finish(json: options.json)
        }
    }
}

/// The notes of one database on their way in.
private final class AppleIntake {
    private let store: AppleNoteStore
    private let intake: NoteIntake
    private let passphrase: PassphraseOptions
    /// What opened the most notes, for an account that has no passphrase yet.
    private var opening: SecretBytes?
    private var openingGroup: LockGroup?
    /// The account's own, where it was given.
    private var own: SecretBytes?

    init(_ store: AppleNoteStore, _ intake: NoteIntake, _ passphrase: PassphraseOptions) {
        self.store = store
        self.intake = intake
        self.passphrase = passphrase
    }

    func run() throws {
        for group in store.lockGroups { try open(group) }
        if openingGroup != nil, let connection = intake.connection { try prepareSession(connection) }
        opening = nil
        try intake.run(count: store.noteCount) { index in
            let note: ImportedNote
            do { note = try store.note(at: index) } catch let error as AppleImportError {
                return intake.report.refuse(localized("note \(index + 1)"), error.message, .damaged)
            }
            try take(note)
        }
    }

    // MARK: Passphrases

    private var mostTries: Int { passphrase.isAtTerminal ? 3 : 1 }

    /// Asks for a group's passphrase; without it, its notes stay shut.
    private func open(_ group: LockGroup) throws {
        let count = group.noteCount
        let prompt = localized(
            count, one: "Passphrase of 1 locked note in Apple Notes",
            many: "Passphrase of \(count) locked notes in Apple Notes")
        for attempt in 1...mostTries {
            guard let given = try passphrase.readOptional(prompt) else { return }
            if try store.unlock(group, with: given) {
                guard group.noteCount > openingGroup?.noteCount ?? 0 else { return }
                opening = consume given
                openingGroup = group
                return
            }
            Output.error(
                localized(
                    count, one: "wrong passphrase of 1 locked note in Apple Notes",
                    many: "wrong passphrase of \(count) locked notes in Apple Notes"))
            if attempt == mostTries, let hint = group.hint { Output.error(localized("  hint: \(SafeText.line(hint))")) }
        }
        intake.report.wasWrong = true
    }

    /// Sees to it that notes can be locked here.
    private func prepareSession(_ connection: NotesConnection) throws {
        guard case .session(let session) = try connection.ask(.touch).reply else { throw NotesConnection.unexpected }
        if session.isOpen { return }
        guard session.hasPassphrase else { return try adoptPassphrase(connection) }
        for _ in 1...mostTries {
            guard let given = try passphrase.readOptional(localized("Passphrase of locked notes here")) else { return }
            do {
                try connection.ask(.unlock(id: nil), secrets: MessageSecrets(try given.copy()))
                own = consume given
                return
            } catch let error as NotesError where error.code == .wrongPassphrase || error.code == .invalid {
                Output.error(localized("\(error.description) (of locked notes here)"))
                if let hint = error.hint { Output.error(localized("  hint: \(SafeText.line(hint))")) }
            }
        }
        intake.report.wasWrong = true
    }

    /// What opened the notes becomes the account's own passphrase.
    private func adoptPassphrase(_ connection: NotesConnection) throws {
        guard let given = opening.take() else { return }
        let hint = openingGroup?.hint
        do {
            try connection.ask(.setPassphrase(hint: hint), secrets: MessageSecrets(try given.copy()))
        } catch let error as NotesError where error.code == .invalid {
            Output.error(
                localized(
                    "the passphrase that opened these notes cannot be that of locked notes here: \(error.description)"))
            return
        }
        own = consume given
        Output.remark(
            hint == nil
                ? localized("the passphrase that opened these notes is now the passphrase of locked notes here")
                : localized(
                    """
                    the passphrase that opened these notes is now the passphrase of locked notes here, and its hint \
                    came along
                    """))
    }

    /// The session may have ended while large files came in.
    private func reopen() throws -> Bool {
        guard let connection = intake.connection else { return false }
        switch own {
        case .some(let own):
            try connection.ask(.unlock(id: nil), secrets: MessageSecrets(try own.copy()))
            return true
        case .none: return false
        }
    }

    // MARK: Notes

    private func take(_ note: ImportedNote) throws {
        if case .closed(let reason, let hint) = note.lock {
            intake.report.locked.append(.init(title: note.title, reason: reason, hint: hint))
            return
        }
        // A note without its text would stand in the way of the whole one, when a better copy is imported.
        if note.markdown.isEmpty, note.attachments.isEmpty, !note.problems.isEmpty {
            return intake.report.refuse(note.title, note.problems.joined(separator: " "), .damaged)
        }
        let isLocked = note.lock == .opened
        let files = note.attachments.map(IncomingFile.init)
        if isLocked, let kept = files.first(where: { !$0.new.kind.isLockable })?.new {
            return intake.report.refuse(
                note.title,
                localized(
                    """
                    its attachment \(kept.name) (\(kept.kind.rawValue)) cannot stand in a locked note; remove the \
                    note's lock in Apple Notes, copy the database again, and import that
                    """), .refused)
        }
        for problem in note.problems { intake.report.add(problem: problem, in: note.title) }
        var head = ImportedNoteHead(note)
        head.isLocked = isLocked
        try intake.take(head, note.markdown, files, reopen: reopen)
    }
}

extension ImportedNoteHead {
    fileprivate init(_ note: ImportedNote) {
        self.init(source: note.sourceID)
        title = note.title
        // A slash in a folder's name would make two folders of it; U+2215 looks the same.
        let names = note.folderPath.map { name in String(name.map { $0 == "/" ? "\u{2215}" : $0 }) }
        folder = names.joined(separator: "/")
        created = note.created
        modified = note.modified
        isPinned = note.isPinned
        isDeleted = note.isDeleted
    }
}

extension IncomingFile {
    fileprivate init(_ attachment: ImportedAttachment) {
        let kind: AttachmentKind =
            switch attachment.kind {
            case .image: .image
            case .sketch: .sketch
            case .map: .map
            case .website: .website
            case .audio: .audio
            case .video: .video
            case .pdf: .pdf
            case .file: .file
            }
        new = NewAttachment(name: attachment.name, kind: kind, mediaType: attachment.mediaType)
        content =
            switch attachment.content {
            case .file(let path): .file(path)
            case .bytes(let bytes): .bytes(bytes)
            }
    }
}

/// A folder of this user alone, on a file system in memory, for as long as a closure runs.
private enum ScratchFolder {
    static func lend<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = try make()
        defer { folder.wipe() }
        return try body(folder.path)
    }

    private static func make() throws -> PrivateFolder {
        do { return try PrivateFolder.make(inMemoryFor: "tresor-import") } catch {
            throw Failure(
                Wire.ExitCode.cannotWrite,
                localized("there is no place in memory for a private copy of the database: \(error)"),
                hint: localized("XDG_RUNTIME_DIR names such a place"))
        }
    }
}

extension Failure {
    /// A database of Apple Notes that cannot be read at all.
    fileprivate init(_ error: AppleImportError) {
        let code =
            switch error.code {
            case .notADatabase, .notNotes, .unreadable: Wire.ExitCode.usage
            case .damaged: Wire.ExitCode.damaged
            case .cannotCopy: Wire.ExitCode.cannotWrite
            }
        self.init(code, SafeText.line(error.message))
    }
}
