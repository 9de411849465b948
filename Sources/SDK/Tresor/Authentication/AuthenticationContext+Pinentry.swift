import Linux
import Localization
import Pinentry
import Secrets

extension AuthenticationContext {
    /// Asks for the passcode through pinentry: in a window where there is a display, else on the terminal.
    ///
    /// For programs that have no prompt of their own. Each operation asks anew. While somebody is asked, the keychain
    /// is busy; cancelling the task takes the question back.
    ///
    ///     let keychain = try Keychain()
    ///     let secret = try await keychain.read(.password(service: "vault"), context: .pinentry())
    ///
    /// Who declines, or types nothing in time, makes the operation fail with a ``TresorError`` of code
    /// `presenceRequired`; without a pinentry, or where it can reach nobody, the code is `unavailable`.
    ///
    /// - Parameters:
    ///   - program: the absolute path of a pinentry program; nil for `/usr/bin/pinentry`, or else
    ///     `/usr/local/bin/pinentry`.
    ///   - seconds: how long the owner has, from 1 to 3600.
    ///   - finger: how a finger is asked for; nil where none shall be.
    /// - Returns: a context to hand to the keychain's calls.
    public static func pinentry(
        program: String? = nil, seconds: UInt32 = 120, finger: Finger? = nil
    ) -> AuthenticationContext {
        let pinentry = Pinentry(program: program)
        return AuthenticationContext(finger: finger) { reason in
            do throws(PinentryError) {
                return try pinentry.ask(
                    description: description(reason), prompt: localized("Passcode:"), timeout: seconds)
            } catch { throw TresorError(error) }
        }
    }

    /// Names the program by its file, since any of them may ask.
    private static func description(_ reason: Reason) -> String {
        let path = try? FileSystem.target(ofLink: "/proc/self/exe")
        let name = path?.split(separator: "/").last.map(String.init) ?? localized("A program")
        return switch reason {
        case .read: localized("\(name) wants to read a protected item.\nGive the passcode of the Tresor device.")
        case .change: localized("\(name) wants to change a protected item.\nGive the passcode of the Tresor device.")
        case .use: localized("\(name) wants to use a protected private key.\nGive the passcode of the Tresor device.")
        }
    }
}

extension TresorError {
    init(_ error: PinentryError, file: String = #fileID, line: Int = #line) {
        let (code, message): (Code, String) =
            switch error {
            case .cancelled: (.presenceRequired, localized("the owner declined"))
            case .timedOut: (.presenceRequired, localized("no passcode was typed in time"))
            case .tooLong: (.invalidParameter, localized("a passcode has at most \(Pinentry.longestPasscode) bytes"))
            case .notInstalled: (.unavailable, localized("pinentry is not installed"))
            case .failed: (.unavailable, localized("pinentry could not ask anybody"))
            case .malformed: (.unavailable, localized("pinentry did not speak its protocol"))
            case .system: (.unavailable, localized("pinentry could not be started"))
            }
        let number: UInt32? = if case .failed(let number) = error { number } else { nil }
        self.init(code, message, cause: number.map { "pinentry: error \($0)" } ?? "pinentry", file: file, line: line)
    }
}
