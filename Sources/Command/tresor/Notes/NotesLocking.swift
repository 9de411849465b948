import ArgumentParser
import Linux
import Localization
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Tresor
import Wire

struct NotesLock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: localized("Lock a note under the passphrase of locked notes."),
        discussion: localized(
            """
            Without a session the passphrase is asked for. A note that holds audio, video, PDFs or other files is \
            refused (exit code 7), and the attachment named.
            """))

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName

    func run() throws {
        let connection = try options.connect()
        let (reply, _) = try connection.askWithSession(.lock(id: note.forChange(connection)), passphrase)
        guard case .note(let locked) = reply else { throw NotesConnection.unexpected }
        try NotesOutput.print(locked, json: options.json)
    }
}

struct NotesRemoveLock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-lock",
        abstract: localized("Take a note's lock away for good; needs its session or its passphrase."))

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName

    func run() throws {
        let connection = try options.connect()
        let id = try note.forChange(connection)
        do {
            try NotesOutput.print(try connection.note(.removeLock(id: id)), json: options.json)
        } catch let error as NotesError where error.code == .noteLocked {
            let secrets = MessageSecrets(try passphrase.read(localized("Passphrase of this note")))
            let reply = try connection.ask(.removeLock(id: id), secrets: secrets).reply
            guard case .note(let open) = reply else { throw NotesConnection.unexpected }
            try NotesOutput.print(open, json: options.json)
        }
    }
}

struct NotesUnlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: localized("Open a session: all notes under the passphrase can be read."),
        discussion: localized(
            "The device's passcode opens no note. After three wrong passphrases in a row the hint is shown."))

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Flag(help: ArgumentHelp(localized("By a finger; 'tresor notes passphrase remember' comes first.")))
    var biometric = false
    @Argument(
        help: ArgumentHelp(
            localized("A note, where an older passphrase of it is meant: its title or id."), valueName: "note"))
    var note: NoteName?

    func run() async throws {
        let connection = try options.connect()
        // What makes a passphrase useless is said before one is asked for.
        guard case .session(let before) = try connection.ask(.touch).reply, before.hasPassphrase else {
            throw NotesError(.noPassphrase, localized("no passphrase for locked notes is set"))
        }
        let id = try note?.forReading(connection)
        let isOlder = try id.map { try connection.note(.find(id: $0)).hasOlderPassphrase == true } ?? false
        let prompt =
            isOlder ? localized("Older passphrase, from before the reset") : localized("Passphrase of locked notes")
        let secrets = MessageSecrets(
            biometric ? try await FingerPassphrase().read() : try passphrase.read(prompt))
        let reply = try connection.ask(.unlock(id: id), secrets: secrets).reply
        guard case .session(let session) = reply else { throw NotesConnection.unexpected }
        try NotesOutput.session(session, json: options.json)
    }
}

struct NotesLockNow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock-now", abstract: localized("End the session; drafts are sealed first."))

    @OptionGroup var options: NotesOptions

    func run() throws {
        guard case .session(let session) = try options.connect().ask(.lockNow).reply else {
            throw NotesConnection.unexpected
        }
        try NotesOutput.session(session, json: options.json)
    }
}

struct NotesHint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hint", abstract: localized("Show the passphrase's hint, after three wrong ones in a row."))

    @OptionGroup var options: NotesOptions

    func run() throws {
        guard case .hint(let hint) = try options.connect().ask(.hint).reply else { throw NotesConnection.unexpected }
        struct Answer: Encodable { let hint: String? }
        if options.json { return try Output.json(Answer(hint: hint)) }
        try Output.line(hint.map(SafeText.line) ?? localized("no hint was set"))
    }
}

struct NotesPassphrase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: localized("Set, change, reset or keep the passphrase of locked notes."),
        subcommands: [Set.self, Change.self, Reset.self, Remember.self, Forget.self])

    struct HintOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                localized("Shown after three wrong passphrases in a row; anybody at the screen may read it.")))
        var hint: String?

        /// Asked for behind the passphrase, where that was typed; nil for none.
        func read(after passphrase: PassphraseOptions) throws -> String? {
            guard hint == nil, passphrase.isTyped else { return hint }
            let line = SecretBytes(try Prompt.line(localized("Hint, or nothing: "), shows: true))
            let text = line.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
            return text.isEmpty ? nil : text
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: localized("Set the first passphrase."),
            discussion:
                localized(
                    """
                    Two lines: the passphrase, and again; at a terminal a hint, or nothing. Nobody can recover it: \
                    without it locked notes stay shut.
                    """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var hint: HintOption

        func run() throws {
            let connection = try options.connect()
            guard case .session(let session) = try connection.ask(.touch).reply, !session.hasPassphrase else {
                throw NotesError(
                    .passphraseExists,
                    localized("a passphrase is set already; change it, or reset it if it is forgotten"))
            }
            let secrets = MessageSecrets(try passphrase.readNew())
            let hint = try hint.read(after: passphrase)
            let reply = try connection.ask(.setPassphrase(hint: hint), secrets: secrets).reply
            try finish(reply, options, localized("passphrase set; nobody can recover it"))
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: localized("Change the passphrase; needs the present one."),
            discussion: localized(
                """
                Three lines: the present passphrase, the new one, and again. Every note under the present one \
                goes over to the new one; notes under older passphrases stay as they are. A hint is asked for at a \
                terminal; elsewhere there is none without --hint.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var hint: HintOption

        func run() async throws {
            let connection = try options.connect()
            let secrets = MessageSecrets(try passphrase.read(localized("Present passphrase")), try passphrase.readNew())
            let hint = try hint.read(after: passphrase)
            let reply = try connection.ask(.changePassphrase(hint: hint), secrets: secrets).reply
            try finish(reply, options, localized("passphrase changed, for every note that was under the former one"))
            try await forgetFinger()
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: localized(
                "Set a new passphrase where the present one is forgotten; needs the device's passcode."),
            discussion: localized(
                """
                Three lines: the device's passcode, the new passphrase, and again. It is for notes locked from now on: \
                those locked before stay shut, unless the old passphrase comes back to mind: 'tresor notes unlock \
                NOTE' takes it. At a terminal it says how many there are, and asks. Refused while no passcode is set.
                """))

        @OptionGroup var options: NotesOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var hint: HintOption
        @OptionGroup var consent: ConsentOption

        func run() async throws {
            let connection = try options.connect()
            let staying = try connection.lockedCount()
            if staying > 0 { try consent.ask(Self.question(staying)) }
            let secrets = MessageSecrets(
                try passphrase.read(localized("Passcode of the device")), try passphrase.readNew())
            let hint = try hint.read(after: passphrase)
            let reply = try await reset(connection, hint, secrets)
            try finish(reply, options, Self.outcome(staying))
            try await forgetFinger()
        }

        private func reset(
            _ connection: NotesConnection, _ hint: String?, _ secrets: borrowing MessageSecrets
        ) async throws -> NotesReply {
            do { return try connection.ask(.resetPassphrase(hint: hint), secrets: secrets).reply } catch let error
                as NotesError where error.code == .refused
            {
                guard let status = try? await Keychain().status(), !status.hasPasscode else { throw error }
                throw Failure(
                    Report.exitCode(for: error), error.description,
                    hint: Report.hintWithoutPasscode)
            }
        }

        private static func question(_ staying: Int) -> String {
            localized(
                staying,
                one: "1 locked note stays under the older passphrase, which alone opens it. Set a new one?",
                many: "\(staying) locked notes stay under the older passphrase, which alone opens them. Set a new one?")
        }

        private static func outcome(_ staying: Int) -> String {
            guard staying > 0 else { return localized("new passphrase set; no note stays under an older one") }
            return localized(
                staying,
                one: "new passphrase set; 1 note stays under the older one, which 'tresor notes unlock NOTE' takes",
                many: """
                    new passphrase set; \(staying) notes stay under the older one, which 'tresor notes unlock NOTE' \
                    takes
                    """)
        }
    }

    fileprivate static func forgetFinger() async throws {
        // The one that is kept is the former.
        if try await FingerPassphrase().forget() {
            Output.remark(localized("a finger opens no note until 'tresor notes passphrase remember' is said again"))
        }
    }

    private static func finish(_ reply: NotesReply, _ options: NotesOptions, _ text: String) throws {
        guard case .session(let session) = reply else { throw NotesConnection.unexpected }
        if !options.json { try Output.done(text) }
        try NotesOutput.session(session, json: options.json)
    }
}

struct NotesSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: localized("Choose how locked notes are shown and sealed, and when notes can be read."))

    @OptionGroup var options: NotesOptions
    @Option(help: ArgumentHelp(localized("Show the titles of locked notes: yes or no.")))
    var lockedTitles: YesOrNo?
    @Option(help: ArgumentHelp(localized("Minutes without input until a session ends: 3 or 8.")))
    var sessionMinutes: Int?
    @Option(help: ArgumentHelp(localized("The suite of passphrases set from now on: tresor-256 or documented-128.")))
    var suite: String?
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            localized("When notes can be read: whenUnlocked, or afterFirstUnlock, which is behind the lock screen too.")
        ))
    var protectionClass: String?

    enum YesOrNo: String, ExpressibleByArgument, CaseIterable { case yes, no }

    func run() throws {
        let connection = try options.connect()
        let changes = NotesSettings(
            showsLockedTitles: lockedTitles.map { $0 == .yes }, sessionMinutes: sessionMinutes, lockSuite: suite,
            protectionClass: protectionClass)
        try connection.ask(.changeSettings(changes))
        guard case .status(let status) = try connection.ask(.status).reply else { throw NotesConnection.unexpected }
        if options.json { return try Output.json(status.settings) }
        try Output.words(NotesOutput.describe(status.settings))
        if status.settings.protectionClass == "afterFirstUnlock" {
            Output.remark(
                localized("Open notes can be read behind the lock screen, once it was unlocked after a start."))
            Output.remark(localized("Locked notes cannot."))
        }
    }
}
