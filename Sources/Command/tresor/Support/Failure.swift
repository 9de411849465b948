import ArgumentParser
import DiaryClient
import Linux
import Localization
import NotesClient
import ParserWords
import PasswordMaking
import Profiles
import Protection
import TerminalScreen
import Tresor
import WidgetClient
import Wire

/// A failure of the command itself: what to say, and the exit code.
struct Failure: Error {
    let exitCode: Int32
    let message: String
    let hint: String?

    init(_ exitCode: Int32, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }
}

/// The one place where errors become words, advice and an exit code.
enum Report {
    static func exit(with error: any Error, as command: any ParsableCommand.Type) -> Never {
        IntegrityWarnings.tell()
        switch error {
        case let failure as Failure: end(failure)
        case let error as TresorError: end(Failure(exitCode(for: error), words(of: error), hint: hint(for: error)))
        case let error as ProfileError:
            end(Failure(exitCode(for: error), SafeText.line(error.description), hint: hint(for: error)))
        case let error as PasswordRulesError:
            end(Failure(ExitCode.usage, error.description, hint: hint(for: error)))
        case let error as PasswordMakingError:
            end(Failure(ExitCode.usage, error.description, hint: hint(for: error)))
        case let error as UnfinishedProfile:
            end(
                Failure(
                    exitCode(for: error.cause), words(of: error), hint: localized("the same command again finishes it"))
            )
        // One line: a name in it, such as that of a file, may have line feeds.
        case let error as NotesError where error.hasEnded == true: end(ended(error.message, "tresor-notes"))
        case let error as DiaryError where error.hasEnded == true: end(ended(error.message, "tresor-diary"))
        case let error as WidgetError where error.hasEnded == true: end(ended(error.message, "tresor-widgets"))
        case let error as NotesError:
            end(Failure(exitCode(for: error), SafeText.line(error.message), hint: hint(for: error)))
        case let error as DiaryError:
            end(Failure(exitCode(for: error), SafeText.line(error.message), hint: hint(for: error)))
        case let error as WidgetError:
            end(Failure(exitCode(for: error), SafeText.line(error.message), hint: hint(for: error)))
        case is Terminal.Cancelled:
            end(Failure(ExitCode.authenticationFailed, localized("cancelled; nothing was changed")))
        case let error as LinuxError:
            let hint =
                error.isShortOfDescriptors
                ? localized("descriptors or memory are short: 'ulimit -n 256' at least") : nil
            end(Failure(exitCode(for: error), error.description, hint: hint))
        case let problem as Home.Problem: end(Failure(ExitCode.usage, problem.description))
        case is SecretMemoryError:
            end(
                Failure(
                    ExitCode.unavailable, localized("no locked memory is left"),
                    hint: localized("raise the limit: ulimit -l (RLIMIT_MEMLOCK)")))
        default: end(error, of: command)
        }
    }

    /// What the argument parser throws: help, scripts and what is wrong with a command line.
    private static func end(_ error: any Error, of command: any ParsableCommand.Type) -> Never {
        let code = command.exitCode(for: error)
        guard !code.isSuccess || Localization.catalogue != nil else { command.exit(withError: error) }
        let text = command.fullMessage(for: error, columns: nil)
        let words =
            code.isSuccess
            ? ParserWords.translated(help: text)
            // A word of the command line stands in it as it was typed, or as a shell made it of the name of a file.
            : SafeText.text(ParserWords.translated(text, message: command.message(for: error)))
        if !words.isEmpty {
            // Help has the terminal's width already, and scripts for completion no width at all.
            if code.isSuccess { _ = try? StandardStream.output.write(words + "\n") } else { Output.error(words) }
        }
        ProcessExit.end(with: code.rawValue)
    }

    /// The message; the keychain's status number, which says nothing to most people, only with `--verbose`.
    static func words(of error: TresorError) -> String { Manner.isVerbose ? error.description : error.message }

    private static func words(of error: UnfinishedProfile) -> String { error.told(words(of: error.cause)) }

    /// A program that ended before it answered: at a lock, as it has to, or by a fault.
    ///
    /// tresord knows which.
    private static func ended(_ message: String, _ program: String) -> Failure {
        let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let state = home.flatMap { try? DaemonLink($0, within: .seconds(2)).lockState() }
        let hint = localized("look whether it was done before you say it again")
        guard let state, state != .unlocked else { return Failure(ExitCode.unavailable, message, hint: hint) }
        let words =
            state == .locked
            ? localized("the device was locked before \(program) had answered")
            : localized("the device is before first unlock before \(program) had answered")
        return Failure(ExitCode.locked, words, hint: hint)
    }

    static func exitCode(for error: LinuxError) -> Int32 {
        if error.isOutOfSpace || error.isReadOnly { return ExitCode.cannotWrite }
        return error.isOfStorage ? ExitCode.storageFailed : ExitCode.unavailable
    }

    private static func end(_ failure: Failure) -> Never {
        Output.error("tresor: \(SafeText.text(failure.message))")
        if let hint = failure.hint { Output.error("  \(SafeText.text(hint))") }
        ProcessExit.end(with: failure.exitCode)
    }

    static func exitCode(for error: TresorError) -> Int32 {
        switch error.code {
        case .notFound: ExitCode.notFound
        case .duplicate: ExitCode.duplicate
        case .locked: ExitCode.locked
        case .authenticationFailed, .presenceRequired: ExitCode.authenticationFailed
        case .notPermitted, .untrustedServer: ExitCode.notPermitted
        case .damaged: ExitCode.damaged
        case .invalidParameter: ExitCode.usage
        case .cannotWrite: ExitCode.cannotWrite
        case .storageFailed: ExitCode.storageFailed
        case .unavailable, .outOfMemory: ExitCode.unavailable
        case .tryAgain: ExitCode.noAnswer
        }
    }

    static func exitCode(for error: NotesError) -> Int32 {
        switch error.code {
        case .notFound: ExitCode.notFound
        case .noteLocked, .deviceLocked: ExitCode.locked
        case .wrongPassphrase, .wrongPasscode: ExitCode.authenticationFailed
        case .refused, .noPassphrase, .passphraseExists: ExitCode.notPermitted
        case .damaged: ExitCode.damaged
        case .ambiguous, .invalid, .tooLarge: ExitCode.usage
        case .cannotWrite: ExitCode.cannotWrite
        case .storage: ExitCode.storageFailed
        case .unavailable: ExitCode.unavailable
        case .noAnswer: ExitCode.noAnswer
        }
    }

    static func exitCode(for error: WidgetError) -> Int32 {
        switch error.code {
        case .unknownKind, .unknownPage: ExitCode.notFound
        case .deviceLocked: ExitCode.locked
        case .unknownFamily, .invalid, .tooLarge: ExitCode.usage
        case .cannotWrite: ExitCode.cannotWrite
        case .storage: ExitCode.storageFailed
        case .unavailable: ExitCode.unavailable
        case .noAnswer: ExitCode.noAnswer
        }
    }

    static func hint(for error: WidgetError) -> String? {
        switch error.code {
        case .deviceLocked: localized("unlock the device with 'tresor unlock'")
        case .cannotWrite: localized("make room or make the disk writable, and try again")
        default: nil
        }
    }

    static func exitCode(for error: ProfileError) -> Int32 {
        switch error.code {
        case .notInstalled: ExitCode.notFound
        case .untrusted, .removalDisallowed: ExitCode.notPermitted
        case .damaged, .damagedRecord: ExitCode.damaged
        case .notProfile, .field, .unsupported: ExitCode.usage
        case .outOfMemory: ExitCode.unavailable
        }
    }

    static func hint(for error: ProfileError) -> String? {
        switch error.code {
        case .notInstalled: localized("'tresor profile list' shows what is installed")
        case .untrusted:
            localized("if you have the root of whoever signed it from a source that you trust, name it with --ca")
        case .removalDisallowed: localized("--force removes it all the same")
        case .damaged: localized("believe nothing in it, and get it anew")
        case .damagedRecord: localized("'tresor keychain list --service tresor.profile' shows it")
        case .field, .notProfile, .unsupported: localized("nothing was changed")
        case .outOfMemory: localized("raise the limit: ulimit -l (RLIMIT_MEMLOCK)")
        }
    }

    static func hint(for _: PasswordRulesError) -> String {
        localized("an example: 'minlength: 12; required: lower, upper; required: digit; allowed: [-_];'")
    }

    static func hint(for error: PasswordMakingError) -> String {
        switch error {
        case .noLength: localized("give other rules, or --length and --characters")
        case .lengthOutside: localized("give another --length")
        case .unmeetable: localized("give a greater --length, or demand less")
        case .tooManyClasses: localized("put several of them into one 'required', with commas")
        case .wordsOutside: localized("six words are 77 bits, ten are 129")
        case .separator: localized("such as --separator .")
        }
    }

    /// For whoever has forgotten the passphrase of locked notes.
    private static var reset: String {
        localized("if it is forgotten: 'tresor notes passphrase reset' sets another, for notes locked from then on")
    }

    static func hint(for error: NotesError) -> String? {
        if let hint = error.hint {
            // A line of its own below it.
            let wayOut = error.olderNote == nil ? "\n  " + reset : ""
            return localized("hint: \(SafeText.line(hint))") + wayOut
        }
        if let seconds = error.retryAfter {
            return localized("the next try is possible in \(Output.describe(.seconds(seconds)))")
        }
        return switch error.code {
        case .notFound: localized("'tresor notes list' shows what there is")
        case .noteLocked:
            error.olderNote.map { localized("open it with that one: 'tresor notes unlock \(String($0.prefix(8)))'") }
                ?? localized("open a session with 'tresor notes unlock'")
        case .wrongPassphrase: error.olderNote == nil ? reset : nil
        case .deviceLocked: localized("unlock the device with 'tresor unlock'")
        case .noPassphrase: localized("set one with 'tresor notes passphrase set'")
        case .cannotWrite: localized("make room or make the disk writable, and try again")
        default: nil
        }
    }

    /// For a part of a note that is there.
    static func hint(forMissing part: SoughtPart) -> String {
        switch part {
        case .attachment: localized("'tresor notes attachments ID' shows what there is")
        case .version: localized("'tresor notes versions ID' shows what there is")
        }
    }

    /// Where something was refused because the device has no passcode.
    static var hintWithoutPasscode: String { localized("set one with 'tresor passcode set'") }

    /// Advice that only this command can give; some errors bring other advice in their message.
    static func hint(for error: TresorError) -> String? {
        switch error.code {
        case .notFound where error.status == -25294: localized("'tresor keychain keychains' shows which there are")
        case .notFound: localized("'tresor keychain list' shows what there is")
        case .duplicate where error.status == -25296: nil
        case .duplicate: localized("change the existing one with 'tresor edit'")
        case .locked where error.cause == "keychainLocked":
            localized("unlock it with 'tresor keychain keychains unlock NAME'")
        case .locked: localized("unlock with 'tresor unlock'")
        case .authenticationFailed:
            error.retryAfter.map { localized("the next try is possible in \(Output.describe($0))") }
        case .presenceRequired: localized("give the passcode at the prompt or with --passcode-fd")
        case .notPermitted:
            switch error.cause {
            case "noPasscodeSet": localized("set a passcode with 'tresor passcode set'")
            case "unknownProgram": localized("this is not the tresor that came with tresord, or its file was replaced")
            default: nil
            }
        case .damaged: localized("'tresor status' lists damaged items; nothing was deleted")
        case .cannotWrite: localized("make room or make the disk writable, and try again")
        case .storageFailed where error.cause == "storeReplaced":
            localized("'tresor down', and then 'tresor up', goes on with what lies there now")
        case .storageFailed: localized("look at the disk: 'dmesg' and 'smartctl' tell of its failures")
        case .tryAgain: localized("ask again")
        case .unavailable: nil
        case .invalidParameter, .untrustedServer, .outOfMemory: nil
        }
    }
}
