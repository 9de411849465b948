import DiaryClient
import Localization
import Wire

extension Report {
    static func exitCode(for error: DiaryError) -> Int32 {
        switch error.code {
        case .notFound: ExitCode.notFound
        case .signedOut, .deviceLocked: ExitCode.locked
        case .wrongPassword, .wrongRecoveryKey, .wrongPasscode: ExitCode.authenticationFailed
        case .notRegistered, .alreadyRegistered, .refused: ExitCode.notPermitted
        case .damaged: ExitCode.damaged
        case .ambiguous, .invalid, .tooLarge, .conflict: ExitCode.usage
        case .cannotWrite: ExitCode.cannotWrite
        case .storage: ExitCode.storageFailed
        case .unavailable: ExitCode.unavailable
        case .noAnswer: ExitCode.noAnswer
        }
    }

    static func hint(for error: DiaryError) -> String? {
        if let seconds = error.retryAfter {
            return localized("the next try is possible in \(Output.describe(.seconds(seconds)))")
        }
        return switch error.code {
        case .notFound: localized("'tresor diary list' shows what there is")
        case .signedOut: localized("sign in with 'tresor diary sign-in'")
        case .deviceLocked: localized("unlock the device with 'tresor unlock'")
        case .notRegistered: localized("register one with 'tresor diary register'")
        case .wrongPassword: localized("forgotten? 'tresor diary password reset --help' tells the ways back in")
        case .cannotWrite: localized("make room or make the disk writable, and try again")
        default: nil
        }
    }
}
