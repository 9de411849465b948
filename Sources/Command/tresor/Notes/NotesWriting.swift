import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Wire

struct NotesNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: localized("Make a note from Markdown on standard input, and print its id."),
        discussion: localized(
            """
            At a terminal it is typed, line by line: Ctrl-D on an empty line ends it. 'tresor notes' has an editor, \
            where 'n' begins a note.

            A line '- [ ] milk' is a box to tick, '- milk' an item of a list, '# Food' a heading.
            """))

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Option(help: ArgumentHelp(localized("The folder, such as Work/Plans.")))
    var folder: String?
    @Option(help: ArgumentHelp(localized("A tag; may be given several times.")))
    var tag: [String] = []
    @Flag(help: ArgumentHelp(localized("Pin it.")))
    var pinned = false
    @Flag(
        help: ArgumentHelp(
            localized("Locked from its first moment on; without a session, the passphrase is asked for.")))
    var locked = false

    func run() throws {
        let connection = try options.connect()
        if locked && !passphrase.isApart(fromInput: !Terminal.isTerminal(0)) { try requireSession(connection) }
        if Question.canBeAsked {
            Output.remark(localized("Type the note. Ctrl-D on an empty line ends it, Ctrl-C makes none."))
        }
        let body = try NoteInput.readAll()
        let new = NewNote(folder: folder, tags: tag, isPinned: pinned, isLocked: locked)
        let (reply, _) = try connection.askWithSession(
            .create(new), body: body, passphrase, usesInput: !Terminal.isTerminal(0))
        guard case .note(let note) = reply else { throw NotesConnection.unexpected }
        try NotesOutput.print(note, json: options.json)
    }

    private func requireSession(_ connection: NotesConnection) throws {
        guard case .session(let session) = try connection.ask(.touch).reply else { return }
        guard session.hasPassphrase else {
            throw NotesError(.noPassphrase, localized("no passphrase for locked notes is set"))
        }
        guard session.isOpen else {
            throw Failure(
                ExitCode.locked, localized("no session is open, and standard input is the note's text"),
                hint: localized("open one with 'tresor notes unlock', or give the passphrase with --passphrase-fd"))
        }
    }
}

struct NotesMove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: localized("Move a note to a folder; a folder exists as long as a note is in it.")
    )

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(help: ArgumentHelp(localized("The folder, such as Work/Plans; '' for none.")))
    var folder: String

    func run() throws {
        let connection = try options.connect()
        let moved = try connection.note(.move(id: note.forChange(connection), folder: folder))
        try NotesOutput.print(moved, json: options.json)
    }
}

struct NotesTag: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag", abstract: localized("Add or remove tags of a note."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(help: ArgumentHelp(localized("Tags to add; one that begins with ^ is removed.")))
    var tags: [String]

    func run() throws {
        let removed = tags.filter { $0.hasPrefix("^") }.map { String($0.dropFirst()) }
        let connection = try options.connect()
        let request = NotesRequest.tag(
            id: try note.forChange(connection), add: tags.filter { !$0.hasPrefix("^") }, remove: removed)
        try NotesOutput.print(try connection.note(request), json: options.json)
    }
}

struct NotesPin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: localized("Pin a note to the top of lists."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Flag(help: ArgumentHelp(localized("Take the pin away.")))
    var remove = false

    func run() throws {
        let connection = try options.connect()
        let pinned = try connection.note(.pin(id: note.forChange(connection), isPinned: !remove))
        try NotesOutput.print(pinned, json: options.json)
    }
}

struct NotesDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: localized("Move notes to the trash; there, delete them for good."))

    @OptionGroup var options: NotesOptions
    @Argument(help: ArgumentHelp(localized("The notes: titles, ids, or beginnings of ids."), valueName: "notes"))
    var notes: [NoteName]
    @Flag(
        help: ArgumentHelp(
            localized("For good: versions and attachments go as well. Only what is in the trash is deleted so.")))
    var forever = false
    @OptionGroup var consent: ConsentOption

    func run() throws {
        let connection = try options.connect()
        // All of them are looked up first: one that is not there, and none is deleted.
        let found = try notes.map { try connection.note(.find(id: $0.forChange(connection, isInTrash: forever))).id }
        if forever {
            try consent.ask(
                found.count == 1
                    ? localized("Delete it for good?") : localized("Delete \(found.count) notes for good?"))
        }
        for id in found { try connection.ask(.delete(id: id, forever: forever)) }
    }
}

struct NotesResolve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: localized("Say that a note with two edits of one passage has been put in order."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName

    func run() throws {
        let connection = try options.connect()
        try NotesOutput.print(
            try connection.note(.resolve(id: note.forChange(connection))), json: options.json)
    }
}

struct NotesRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: localized("Take a note out of the trash, or make a note of a text whose head is lost."),
        discussion: localized(
            """
            Where a note's head is damaged or gone, 'list' names it. Its text gets a new head then, with the \
            files that it shows; folder, tags, times and former texts are lost, unless 'tresor repair --from' finds \
            them in an earlier copy: do that first.
            """))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName

    func run() throws {
        let connection = try options.connect()
        let id = try note.forChange(connection, isInTrash: true)
        try NotesOutput.print(try connection.note(.restore(id: id)), json: options.json)
    }
}

struct NotesEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: localized("Edit a note at the terminal, or replace its text by standard input."),
        discussion: localized(
            """
            At a terminal our own editor opens, whose drafts are sealed as you type. --editor opens the program of \
            $VISUAL or $EDITOR instead. We do not know what that program writes to disk, so a locked note needs \
            --external-editor.
            """))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Flag(help: ArgumentHelp(localized("Edit with the program that $VISUAL or $EDITOR names.")))
    var editor = false
    @Flag(help: ArgumentHelp(localized("Like --editor, for a locked note too: that program sees its text.")))
    var externalEditor = false
    @Option(
        help: ArgumentHelp(
            localized(
                "The revision that the text began from, as 'show --json' has it: what others changed since is kept.")))
    var base: UInt64?

    func validate() throws {
        guard base == nil || !(editor || externalEditor) else {
            throw ValidationError(localized("--base is for a text that comes from standard input"))
        }
    }

    func run() throws {
        let id = try note.forChange(options.connect())
        if editor || externalEditor { return try ExternalEdit(id: id, mayBeLocked: externalEditor).run(options) }
        if Terminal.isTerminal(0) { return try NotesScreens.edit(id, options) }
        let connection = try options.connect()
        let before = try connection.note(.show(id: id))
        let body = try NoteInput.readAll()
        try NotesOutput.print(
            try connection.note(.edit(id: id, base: base ?? before.revision), body: body), json: options.json)
    }
}

/// A note in another program's editor: in a file of this user on a file system in memory, wiped afterwards.
struct ExternalEdit {
    let id: String
    let mayBeLocked: Bool

    func run(_ options: NotesOptions) throws {
        guard let editor = CurrentProcess.environment("VISUAL") ?? CurrentProcess.environment("EDITOR"),
            let name = editor.split(separator: " ").first.map(String.init),
            let program = name.hasPrefix("/") ? name : try CurrentProcess.findProgram(name)
        else { throw Failure(ExitCode.usage, localized("EDITOR names no program; nothing was changed")) }
        let connection = try options.connect()
        let (reply, body) = try connection.ask(.show(id: id))
        guard case .note(let note) = reply else { throw NotesConnection.unexpected }
        guard case .attachments(let files) = try connection.ask(.attachments(id: note.id)).reply else {
            throw NotesConnection.unexpected
        }
        if note.isLocked {
            guard mayBeLocked else {
                throw Failure(
                    ExitCode.notPermitted,
                    localized("the note is locked, and \(name) may keep copies of what it shows"),
                    hint: localized("'tresor notes edit \(id)' keeps it here; --external-editor does it all the same"))
            }
            Output.remark(
                localized("warning: \(name) may keep copies of this locked note: swap files, history, plugins"))
        }
        let folder = try Self.makeFolder()
        let file = folder.path + "/" + Self.name
        let arguments = editor.split(separator: " ").dropFirst().map(String.init) + [file]
        let process: ChildProcess
        do {
            try folder.write(body, as: Self.name)
            process = try ChildProcess(attached: program, arguments: arguments)
        } catch {
            // Nobody has typed anything yet.
            folder.wipe()
            throw error
        }
        let end = process.waitForEnd()
        guard try folder.holds(Self.name) else {
            folder.wipe()
            throw Failure(ExitCode.unavailable, localized("\(name) has removed the text; nothing was changed"))
        }
        do {
            let edited = try folder.read(Self.name, limit: NotesRequest.textLimit)
            guard edited != body else {
                folder.wipe()
                return Output.remark(localized("nothing was changed"))
            }
            guard end == .success else { throw Failure(ExitCode.unavailable, localized("\(name) failed")) }
            // A fresh connection: the device may have been locked and unlocked meanwhile.
            let edit = NotesRequest.edit(id: note.id, base: note.revision, files: files.map(\.id))
            let saved = try options.connect().note(edit, body: edited)
            folder.wipe()
            try NotesOutput.print(saved, json: options.json)
        } catch {
            Output.error(localized("the edit could not be saved; it is kept, in the clear and in memory only: \(file)"))
            Output.error(
                localized(
                    """
                      save it with: tresor notes edit --base \(note.revision) \(note.id.prefix(8)) < \(file) && \
                    rm \(file)
                    """))
            throw error
        }
    }

    private static let name = "note.md"

    /// On a file system in memory, so that no disk ever holds the text.
    private static func makeFolder() throws -> PrivateFolder {
        do { return try PrivateFolder.make(inMemoryFor: "tresor-edit") } catch {
            throw Failure(
                ExitCode.cannotWrite, localized("there is no place in memory for the editor's file: \(error)"),
                hint: localized("XDG_RUNTIME_DIR names such a place"))
        }
    }
}
