import ArgumentParser
import DiaryClient
import DiaryViews
import Linux
import Localization
import ResidentClient
import Secrets
import Wire

/// Where the diary's secrets come from: a descriptor, standard input where that is no terminal, or the prompt.
struct DiarySecretOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("Read passwords and keys from this file descriptor, one a line.")))
    var passwordFd: Int32?

    /// A line; nil at the end of the input.
    func read(_ prompt: String) throws -> SecretBytes? {
        let standardInput: Int32? = Terminal.isTerminal(0) ? nil : 0
        guard let descriptor = passwordFd ?? standardInput else {
            return SecretBytes(try Prompt.line(prompt + ": "))
        }
        guard SecretInput.isOpen(descriptor) else {
            throw Failure(ExitCode.usage, localized("file descriptor \(descriptor) is not open"))
        }
        do {
            guard let line = try SecretInput.readLine(descriptor, limit: MessageFrame.secretLimit) else { return nil }
            return SecretBytes(line)
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(ExitCode.usage, localized("a password has at most \(MessageFrame.secretLimit) bytes"))
        }
    }

    func require(_ prompt: String) throws -> SecretBytes {
        guard let secret = try read(prompt) else {
            throw Failure(
                ExitCode.authenticationFailed, localized("the input ended where a line should be"),
                hint: localized("give one line for each: \(prompt)"))
        }
        return secret
    }

    /// A new password, given twice; where the two differ it says so and asks again.
    func readNew(_ language: DiaryLanguage, _ prompt: DiaryPhrase = .password) throws -> SecretBytes {
        while true {
            let first = try require(prompt.text(in: language))
            let second = try require(DiaryPhrase.repeatPassword.text(in: language))
            if first.count == 0 {
                Output.error(localized("a password has at least one character"))
            } else if first.equals(second) {
                return first
            } else {
                Output.error(DiaryPhrase.passwordsDiffer.text(in: language))
            }
        }
    }
}

/// The recovery key, shown once.
enum DiaryRecovery {
    static func show(_ key: borrowing SecretBytes) throws {
        Output.remark(
            localized(
                "The recovery key opens the diary when the password is forgotten. Write it down; it is shown once:"))
        try Output.secret(key)
        if !Terminal.isTerminal(1) { try Output.line("") }
    }
}

struct DiaryRegister: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: localized("Register the diary's password, given twice; prints the recovery key."),
        discussion: localized(
            """
            Nobody is signed in by it. The recovery key goes to standard output, once; without it, and without \
            --allow-passcode, a forgotten password shuts the diary for good.
            """))

    @OptionGroup var secrets: DiarySecretOptions
    @Flag(
        help: ArgumentHelp(
            localized("The device's passcode is a way back in as well; whoever knows it can then read the diary.")))
    var allowPasscode = false

    func run() throws {
        let connection = try DiaryOptions().connect()
        guard try !connection.status().isRegistered else {
            throw DiaryError(
                .alreadyRegistered, localized("a password is registered already; 'password change' changes it"))
        }
        let language = DiaryOptions.language
        let password = MessageSecrets(try secrets.readNew(language))
        let key = try connection.askForSecret(.register(allowsPasscode: allowPasscode), secrets: password)
        Output.remark(DiaryPhrase.registered.text(in: language))
        try DiaryRecovery.show(key)
    }
}

struct DiarySignIn: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: localized("Open the diary with its password."),
        discussion: localized(
            """
            It stays open for the commands that follow, until 'tresor diary lock', the device's lock, or some minutes \
            without input ('tresor diary settings'). Wrong passwords are counted, and after four in a row delayed.
            """))

    @OptionGroup var options: DiaryOptions
    @OptionGroup var secrets: DiarySecretOptions

    func run() throws {
        let connection = try options.connect()
        let before = try connection.status()
        guard before.isRegistered else {
            throw DiaryError(.notRegistered, localized("no password is registered for the diary yet"))
        }
        guard !before.isSignedIn else {
            throw DiaryError(.refused, localized("somebody is signed in already; 'tresor diary lock' first"))
        }
        let language = DiaryOptions.language
        let password = MessageSecrets(try secrets.require(DiaryPhrase.password.text(in: language)))
        do {
            guard case .status(let status) = try connection.ask(.signIn, secrets: password).reply else {
                throw DiaryConnection.unexpected
            }
            if options.json || !Manner.isQuiet { try DiaryOutput.print(status, json: options.json) }
        } catch let error as DiaryError where error.code == .wrongPassword && error.english == "the password is wrong" {
            throw DiaryError(
                .wrongPassword, DiaryPhrase.signInFailed.text(in: language), retryAfter: error.retryAfter)
        }
    }
}

struct DiaryLock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: localized("Lock the diary: nothing of it stays in memory."))

    func run() throws {
        let connection = try DiaryOptions().connect()
        try connection.ask(.lock)
        // The program replaces itself: its end of this connection says that it is done.
        connection.waitForEnd()
    }
}

struct DiaryPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: localized("Change the diary's password, or set a new one where it was forgotten."),
        subcommands: [Change.self, Reset.self, Passcode.self, Recovery.self])

    struct Change: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: localized("Change the password; the present one is needed first, then the new one twice."))

        @OptionGroup var secrets: DiarySecretOptions

        func run() throws {
            let connection = try DiaryOptions().connect()
            let language = DiaryOptions.language
            let current = try secrets.require(DiaryPhrase.password.text(in: language))
            let new = try secrets.readNew(language, .newPassword)
            try connection.ask(.changePassword, secrets: MessageSecrets(current, new))
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: localized(
                "Set a new password by the recovery key, by the device's passcode, or by erasing everything."),
            discussion: localized(
                """
                Asks for the recovery key, or with --by-passcode for the device's passcode, where that was allowed; \
                then for the new password twice. Prints a new recovery key; the old one is worth nothing from then \
                on. With --erase it says what will be lost, and asks to type that sentence's last words.
                """))

        @OptionGroup var secrets: DiarySecretOptions
        @Flag(help: ArgumentHelp(localized("By the device's passcode.")))
        var byPasscode = false
        @Flag(help: ArgumentHelp(localized("Without either: everything in the diary is lost.")))
        var erase = false

        func validate() throws {
            guard !(erase && byPasscode) else {
                throw ValidationError(localized("--erase and --by-passcode exclude each other"))
            }
        }

        func run() throws {
            let connection = try DiaryOptions().connect()
            let status = try connection.status()
            // Also where the mark of a registration is lost.
            if erase { return try eraseAll(status, connection) }
            guard status.isRegistered else {
                throw DiaryError(.notRegistered, localized("no password is registered for the diary yet"))
            }
            let language = DiaryOptions.language
            let proof = try secrets.require(
                byPasscode ? localized("The device's passcode") : localized("The recovery key"))
            let new = try secrets.readNew(language, .newPassword)
            let key = try connection.askForSecret(
                byPasscode ? .resetByPasscode : .resetByRecoveryKey, secrets: MessageSecrets(proof, new))
            try DiaryRecovery.show(key)
        }

        private func eraseAll(_ status: DiaryStatus, _ connection: DiaryConnection) throws {
            let words = "erase my diary"
            Output.error(
                localized(
                    """
                    This removes the diary: \(DiaryOutput.count(status.entries)), with all photos, sounds and drafts. \
                    No password, no recovery key and no passcode brings them back. To do it, type: \(words)
                    """))
            let typed = try secrets.require(localized("Type '\(words)'"))
            guard typed.equals(try Array(words.utf8).withSpan({ try SecretBytes(copying: $0) })) else {
                throw Failure(ExitCode.authenticationFailed, localized("that was something else; nothing was changed"))
            }
            try connection.ask(.erase)
            Output.remark(localized("The diary is gone; 'register' begins a new one."))
        }
    }

    struct Recovery: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "recovery-key",
            abstract: localized("Make a new recovery key; asks for the password. The old one opens nothing any more."))

        @OptionGroup var secrets: DiarySecretOptions

        func run() throws {
            let connection = try DiaryOptions().connect()
            let password = MessageSecrets(
                try secrets.require(DiaryPhrase.password.text(in: DiaryOptions.language)))
            try DiaryRecovery.show(try connection.askForSecret(.renewRecoveryKey, secrets: password))
        }
    }

    struct Passcode: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passcode",
            abstract: localized("Let the device's passcode be a way back in, or no longer; asks for the password."))

        @OptionGroup var secrets: DiarySecretOptions
        @Argument(help: ArgumentHelp(localized("on or off.")))
        var state: Switch

        enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

        func run() throws {
            let connection = try DiaryOptions().connect()
            let password = MessageSecrets(
                try secrets.require(DiaryPhrase.password.text(in: DiaryOptions.language)))
            try connection.ask(.allowPasscode(state == .on), secrets: password)
        }
    }
}
