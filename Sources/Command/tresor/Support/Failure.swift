import ArgumentParser
import DiaryClient
import Linux
import NotesClient
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
            end(Failure(exitCode(for: error.cause), words(of: error), hint: "the same command again finishes it"))
        case let error as NotesError where error.hasEnded == true: end(ended(error.message, "tresor-notes"))
        case let error as DiaryError where error.hasEnded == true: end(ended(error.message, "tresor-diary"))
        case let error as WidgetError where error.hasEnded == true: end(ended(error.message, "tresor-widgets"))
        case let error as NotesError: end(Failure(exitCode(for: error), error.description, hint: hint(for: error)))
        case let error as DiaryError: end(Failure(exitCode(for: error), error.description, hint: hint(for: error)))
        case let error as WidgetError: end(Failure(exitCode(for: error), error.description, hint: hint(for: error)))
        case is Terminal.Cancelled: end(Failure(ExitCode.authenticationFailed, "cancelled; nothing was changed"))
        case let error as LinuxError:
            let hint = error.isShortOfDescriptors ? "descriptors or memory are short: 'ulimit -n 256' at least" : nil
            end(Failure(exitCode(for: error), error.description, hint: hint))
        case let problem as Home.Problem: end(Failure(ExitCode.usage, problem.description))
        case is SecretMemoryError:
            end(
                Failure(
                    ExitCode.unavailable, "no locked memory is left",
                    hint: "raise the limit: ulimit -l (RLIMIT_MEMLOCK)"))
        default: command.exit(withError: error)
        }
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
        let hint = "look whether it was done before you say it again"
        guard let state, state != .unlocked else { return Failure(ExitCode.unavailable, message, hint: hint) }
        let words = state == .locked ? "the device was locked" : "the device is before first unlock"
        return Failure(ExitCode.locked, "\(words) before \(program) had answered", hint: hint)
    }

    static func exitCode(for error: LinuxError) -> Int32 {
        if error.isOutOfSpace || error.isReadOnly { return ExitCode.cannotWrite }
        return error.isOfStorage ? ExitCode.storageFailed : ExitCode.unavailable
    }

    private static func end(_ failure: Failure) -> Never {
        Output.error("tresor: \(failure.message)")
        if let hint = failure.hint { Output.error("  \(hint)") }
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
        case .deviceLocked: "unlock the device with 'tresor unlock'"
        case .cannotWrite: "make room or make the disk writable, and try again"
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
        case .notInstalled: "'tresor profile list' shows what is installed"
        case .untrusted: "if you have the root of whoever signed it from a source that you trust, name it with --ca"
        case .removalDisallowed: "--force removes it all the same"
        case .damaged: "believe nothing in it, and get it anew"
        case .damagedRecord: "'tresor keychain list --service tresor.profile' shows it"
        case .field, .notProfile, .unsupported: "nothing was changed"
        case .outOfMemory: "raise the limit: ulimit -l (RLIMIT_MEMLOCK)"
        }
    }

    static func hint(for _: PasswordRulesError) -> String {
        "an example: 'minlength: 12; required: lower, upper; required: digit; allowed: [-_];'"
    }

    static func hint(for error: PasswordMakingError) -> String {
        switch error {
        case .noLength: "give other rules, or --length and --characters"
        case .lengthOutside: "give another --length"
        case .unmeetable: "give a greater --length, or demand less"
        case .tooManyClasses: "put several of them into one 'required', with commas"
        case .wordsOutside: "six words are 77 bits, ten are 129"
        case .separator: "such as --separator ."
        }
    }

    static func hint(for error: NotesError) -> String? {
        if let hint = error.hint { return "hint: \(SafeText.line(hint))" }
        if let seconds = error.retryAfter { return "the next try is possible in \(Output.describe(.seconds(seconds)))" }
        return switch error.code {
        case .notFound where error.english.contains("attachment"): "'tresor notes attachments ID' shows what there is"
        case .notFound where error.english.contains("version"): "'tresor notes versions ID' shows what there is"
        case .notFound: "'tresor notes list' shows what there is"
        case .refused where error.english == "no passcode is set": "set one with 'tresor passcode set'"
        case .noteLocked: "open a session with 'tresor notes unlock'"
        case .deviceLocked: "unlock the device with 'tresor unlock'"
        case .noPassphrase: "set one with 'tresor notes passphrase set'"
        case .cannotWrite: "make room or make the disk writable, and try again"
        default: nil
        }
    }

    /// Advice that only this command can give; some errors bring other advice in their message.
    static func hint(for error: TresorError) -> String? {
        switch error.code {
        case .notFound where error.status == -25294: "'tresor keychain keychains' shows which there are"
        case .notFound: "'tresor keychain list' shows what there is"
        case .duplicate where error.status == -25296: nil
        case .duplicate: "change the existing one with 'tresor keychain update'"
        case .locked where error.cause == "keychainLocked": "unlock it with 'tresor keychain keychains unlock NAME'"
        case .locked: "unlock with 'tresor unlock'"
        case .authenticationFailed: error.retryAfter.map { "the next try is possible in \(Output.describe($0))" }
        case .presenceRequired: "give the passcode at the prompt or with --passcode-fd"
        case .notPermitted:
            switch error.cause {
            case "noPasscodeSet": "set a passcode with 'tresor passcode set'"
            case "unknownProgram": "this is not the tresor that came with tresord, or its file was replaced"
            default: nil
            }
        case .damaged: "'tresor status' lists damaged items; nothing was deleted"
        case .cannotWrite: "make room or make the disk writable, and try again"
        case .storageFailed where error.cause == "storeReplaced":
            "'tresor down', and then 'tresor up', goes on with what lies there now"
        case .storageFailed: "look at the disk: 'dmesg' and 'smartctl' tell of its failures"
        case .tryAgain: "ask again"
        case .unavailable: nil
        case .invalidParameter, .untrustedServer, .outOfMemory: nil
        }
    }
}
