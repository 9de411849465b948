import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import SoughtNames
import Wire

struct NotesGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes",
        abstract: localized("Notes that lock: write, find, lock, import and export them."),
        discussion: localized(
            """
            Without a command, and at a terminal, it shows the notes themselves; '?' there lists the keys. A locked \
            note opens with its passphrase, never with the device's passcode; the session that a passphrase opens \
            lasts until 'lock-now', the device's lock, or eight minutes without input. Where a note is named, its \
            title does, or the beginning of its id. Exit codes: 3 no such note, 4 several of that title, 5 locked, \
            6 wrong passphrase, 7 refused, 8 damaged, 64 usage, 69 not running, 73 disk cannot be written.
            """),
        subcommands: [
            NotesBrowse.self, NotesNew.self, NotesList.self, NotesShow.self, NotesEdit.self, NotesSearch.self,
            NotesMove.self, NotesTag.self, NotesPin.self, NotesDelete.self, NotesRestore.self, NotesVersions.self,
            NotesResolve.self,
            NotesAttach.self, NotesPlace.self, NotesMap.self, NotesDetach.self, NotesAttachments.self,
            NotesExtract.self, NotesLock.self, NotesUnlock.self, NotesRemoveLock.self, NotesLockNow.self,
            NotesPassphrase.self, NotesHint.self,
            NotesStatusCommand.self, NotesSettingsCommand.self, NotesImport.self, NotesExport.self,
        ],
        defaultSubcommand: NotesBrowse.self)
}

/// What every command about notes takes.
struct NotesOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("The account; the one there is, is 'local': on this device.")))
    var account: String?
    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    func connect() throws -> NotesConnection {
        guard account == nil || account == "local" else {
            throw Failure(
                ExitCode.notFound, localized("there is no account of this name"),
                hint: localized("the one there is, is 'local'"))
        }
        return try NotesConnection(
            home: Home(environment: CurrentProcess.environment, user: CurrentProcess.user))
    }
}

/// Where passphrases come from: a descriptor, standard input where that is no terminal, or the prompt.
struct PassphraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("Read passphrases from this file descriptor, one a line.")))
    var passphraseFd: Int32?

    /// Whether a passphrase can be asked for without taking what standard input holds for something else.
    func isApart(fromInput usesInput: Bool) -> Bool { passphraseFd != nil || !usesInput }

    /// Whether passphrases are typed at a terminal.
    var isTyped: Bool { passphraseFd == nil && Terminal.isTerminal(0) }

    func read(_ prompt: String) throws -> SecretBytes {
        let standardInput: Int32? = Terminal.isTerminal(0) ? nil : 0
        guard let descriptor = passphraseFd ?? standardInput else {
            return SecretBytes(try Prompt.line(localized("\(prompt): ")))
        }
        guard SecretInput.isOpen(descriptor) else {
            throw Failure(ExitCode.usage, localized("file descriptor \(descriptor) is not open"))
        }
        do {
            guard let line = try SecretInput.readLine(descriptor, limit: MessageFrame.secretLimit) else {
                throw Failure(
                    ExitCode.authenticationFailed, localized("the input ended where the passphrase should be"),
                    hint: localized("give one line for each: \(Self.named(prompt))"))
            }
            return SecretBytes(line)
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(ExitCode.usage, localized("a passphrase has at most \(MessageFrame.secretLimit) bytes"))
        }
    }

    /// A prompt within a sentence: English has no capital there; other languages may need theirs.
    private static func named(_ prompt: String) -> String {
        Localization.catalogue == nil ? prompt.lowercased() : prompt
    }

    /// A new one, given twice.
    func readNew() throws -> SecretBytes {
        let first = try read(localized("New passphrase"))
        let second = try read(localized("New passphrase again"))
        guard first.equals(second) else {
            throw Failure(ExitCode.authenticationFailed, localized("the two passphrases differ; nothing was changed"))
        }
        return first
    }
}

/// What a command looks for within a note that was found.
///
/// The error's code is the same as for a note that is not there, and its words may change: what was asked for says it.
enum SoughtPart {
    case attachment, version

    /// - Throws: where nothing was found, a `Failure` that says what shows the parts that there are.
    func sought<Found>(_ ask: () throws -> Found) throws -> Found {
        do { return try ask() } catch let error as NotesError where error.code == .notFound {
            throw Failure(Report.exitCode(for: error), error.description, hint: Report.hint(forMissing: self))
        }
    }
}

extension NotesConnection {
    /// Asks for what needs an open session; without one, asks for the passphrase and once more.
    func askWithSession(
        _ request: NotesRequest, body: [UInt8] = [], _ passphrase: PassphraseOptions, usesInput: Bool = false
    ) throws -> (reply: NotesReply, body: [UInt8]) {
        do { return try ask(request, body: body) } catch let error as NotesError where error.code == .noteLocked {
            guard passphrase.isApart(fromInput: usesInput) else { throw error }
            _ = try ask(
                .unlock(id: nil), secrets: MessageSecrets(try passphrase.read(localized("Passphrase of locked notes"))))
            return try ask(request, body: body)
        }
    }

    /// How many notes are locked, those in the trash included.
    func lockedCount() throws -> Int {
        guard case .status(let status) = try ask(.status).reply else { throw Self.unexpected }
        return status.locked
    }

    func note(_ request: NotesRequest, body: [UInt8] = []) throws -> NoteSummary {
        guard case .note(let note) = try ask(request, body: body).reply else { throw Self.unexpected }
        return note
    }

    /// How short these ids may be, so that each is told from those of all notes, also of the trash.
    func shortIDs(of ids: [String]) throws -> ShortIDs {
        try ShortIDs(of: ids, isAmbiguous: isAmbiguous) {
            try [false, true].flatMap { try all(NoteFilter(isInTrash: $0, limit: .max)).map(\.id) }
        }
    }

    private func isAmbiguous(_ beginning: String) throws -> Bool {
        do {
            _ = try note(.find(id: beginning))
            return false
        } catch let error as NotesError { return error.code == .ambiguous }
    }

    static var unexpected: NotesError { NotesError(.unavailable, localized("tresor-notes answered something else")) }
}

/// Standard input as the text of a note.
enum NoteInput {
    static func readAll() throws -> [UInt8] {
        guard let bytes = try StandardInput.readAll(limit: NotesRequest.textLimit) else {
            throw Failure(ExitCode.usage, localized("\(translated(NotesRequest.longText)); nothing was changed"))
        }
        // Most often something went wrong before the pipe, and an empty text is not what is wanted.
        guard !bytes.isEmpty else {
            throw Failure(
                ExitCode.usage, localized("standard input has no text; nothing was changed"),
                hint: localized("an empty line makes an empty note"))
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(
                ExitCode.usage, localized("standard input is not UTF-8; nothing was changed"),
                hint: localized("'iconv -f ISO-8859-1 -t UTF-8' converts a text of that kind"))
        }
        return bytes
    }
}
