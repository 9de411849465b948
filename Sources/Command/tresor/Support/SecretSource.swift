import Linux
import Localization
import Pinentry
import Secrets
import Tresor
import Wire

/// Secrets never come from the command line, where every program of the machine reads them.
enum CommandLineCheck {
    static let refused = ["--secret", "--password", "--passcode", "--passphrase"]

    static func refuseSecrets(_ arguments: [String]) throws {
        for argument in arguments.dropFirst() {
            let name = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
            guard !refused.contains(name) else {
                throw Failure(
                    ExitCode.usage,
                    localized("a secret on the command line can be read by every program; it was not used"),
                    hint: localized("type it at the prompt, pipe it in, or use --secret-fd N or --passcode-fd N"))
            }
        }
    }
}

/// Where a command's secrets come from: each from its descriptor, from standard input where that is no terminal, or
/// from the prompt; passcodes from pinentry where it was asked for.
struct SecretSource {
    private let secretDescriptor: Int32?
    private let passcodeDescriptor: Int32?
    private let pinentry: Pinentry?

    init(secretDescriptor: Int32? = nil, passcodeDescriptor: Int32? = nil, pinentry: Pinentry? = nil) throws {
        for descriptor in [secretDescriptor, passcodeDescriptor].compactMap({ $0 })
        where !SecretInput.isOpen(descriptor) {
            throw Failure(ExitCode.usage, localized("file descriptor \(descriptor) is not open"))
        }
        self.secretDescriptor = secretDescriptor
        self.passcodeDescriptor = passcodeDescriptor
        self.pinentry = pinentry
    }

    private var standardInputIsTerminal: Bool { Terminal.isTerminal(0) }

    /// Refuses a secret and a passcode that both would come from one standard input, whose end belongs to the secret.
    func refuseSharedInput() throws {
        guard mustShareInput else { return }
        throw Failure(
            ExitCode.usage, localized("secret and passcode can't both come from standard input"),
            hint: localized(
                "give one of them through --secret-fd or --passcode-fd, or have the passcode asked by --pinentry"))
    }

    /// The same for a secret and an item's own password.
    func refuseSharedItemPassword() throws {
        guard mustShareInput else { return }
        throw Failure(
            ExitCode.usage, localized("secret and the item's password can't both come from standard input"),
            hint: localized("give one of them through --secret-fd or --item-password-fd"))
    }

    private var mustShareInput: Bool {
        secretDescriptor == nil && passcodeDescriptor == nil && pinentry == nil && !standardInputIsTerminal
    }

    /// A secret: to the end of the input, byte for byte; or a line from the prompt.
    ///
    /// An empty one is more often a broken pipe than a wish, and so has to be asked for.
    ///
    /// - Parameter typing: how it is asked for at a terminal.
    func readSecret(allowsEmpty: Bool, typing: Typing = .once) throws -> SecretBytes {
        let secret = try readAnySecret(typing)
        guard allowsEmpty || secret.count > 0 else {
            throw Failure(
                ExitCode.usage, localized("the secret is empty; nothing was changed"),
                hint: localized("--empty-secret stores an empty one; --keep-secret, of update, leaves the one there is")
            )
        }
        return secret
    }

    /// How a secret is typed.
    enum Typing {
        /// Hidden, one that shows itself to be wrong.
        case once
        /// Hidden, and so once more: nobody sees a slip.
        case twice
        /// Seen, once.
        case shown
    }

    private func readAnySecret(_ typing: Typing) throws -> SecretBytes {
        guard secretDescriptor == nil && standardInputIsTerminal else {
            guard typing != .shown else {
                throw Failure(
                    ExitCode.usage, localized("--show shows a secret that is typed or made, and this one is neither"),
                    hint: localized("leave --show out"))
            }
            return try readAll(secretDescriptor ?? 0)
        }
        let first = SecretBytes(try Prompt.line(localized("Secret: "), shows: typing == .shown))
        guard typing == .twice else { return first }
        guard first.equals(SecretBytes(try Prompt.line(localized("Secret again: ")))) else {
            throw Failure(
                ExitCode.authenticationFailed, localized("the two secrets differ; nothing was changed"),
                hint: localized("--show shows what you type, and asks once"))
        }
        return first
    }

    private func readAll(_ descriptor: Int32) throws -> SecretBytes {
        do {
            return SecretBytes(try SecretInput.readAll(descriptor, limit: StreamFrame.keychainLimit))
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(ExitCode.usage, localized("the secret is larger than 896 KiB; nothing was changed"))
        }
    }

    /// Whose passcode is read: one that is nobody's by name is the device's.
    enum PasscodeOwner {
        case device, keychain

        /// What is asked for, where a window does.
        fileprivate var description: String {
            switch self {
            case .device: localized("The passcode of the Tresor device, for the command tresor.")
            case .keychain: localized("The own passcode of a keychain, for the command tresor.")
            }
        }

        fileprivate var promptForNew: String {
            switch self {
            case .device: localized("New passcode: ")
            case .keychain: localized("New passcode of the keychain: ")
            }
        }

        fileprivate var promptForNewAgain: String {
            switch self {
            case .device: localized("New passcode again: ")
            case .keychain: localized("New passcode of the keychain again: ")
            }
        }
    }

    /// The passcode in force: one line, or what is typed into pinentry.
    func readPasscode(
        prompt: String = localized("Passcode: "), of owner: PasscodeOwner = .device
    ) throws -> SecretBytes {
        if let pinentry { return try ask(pinentry, owner, prompt, error: nil) }
        guard let descriptor = passcodeDescriptor ?? (standardInputIsTerminal ? nil : 0) else {
            return SecretBytes(try Prompt.line(prompt))
        }
        do {
            guard let line = try SecretInput.readLine(descriptor, limit: WireLimits.passcode) else {
                throw Failure(ExitCode.usage, localized("no passcode came from the input"))
            }
            return SecretBytes(line)
        } catch let error as LinuxError where error.isTooLarge { throw Self.tooLong }
    }

    /// A new passcode: given twice.
    ///
    /// At a window somebody is sure to be, who is asked once more.
    func readNewPasscode(of owner: PasscodeOwner = .device) throws -> SecretBytes {
        if let pinentry {
            if let new = try askTwice(pinentry, owner, error: nil) { return new }
            if let new = try askTwice(pinentry, owner, error: localized("The two differ.")) { return new }
        } else {
            let first = try readPasscode(prompt: owner.promptForNew)
            if first.equals(try readPasscode(prompt: owner.promptForNewAgain)) { return first }
        }
        throw Failure(ExitCode.authenticationFailed, localized("the two passcodes differ; nothing was changed"))
    }

    private static var tooLong: Failure {
        Failure(ExitCode.usage, localized("a passcode has at most \(WireLimits.passcode) bytes; nothing was changed"))
    }

    private func askTwice(_ pinentry: Pinentry, _ owner: PasscodeOwner, error: String?) throws -> SecretBytes? {
        let first = try ask(pinentry, owner, owner.promptForNew, error: error)
        guard first.equals(try ask(pinentry, owner, owner.promptForNewAgain, error: nil)) else { return nil }
        return first
    }

    private func ask(
        _ pinentry: Pinentry, _ owner: PasscodeOwner, _ prompt: String, error: String?
    ) throws -> SecretBytes {
        do throws(PinentryError) {
            return try pinentry.ask(description: owner.description, prompt: prompt, error: error)
        } catch {
            switch error {
            case .cancelled: throw Failure(ExitCode.authenticationFailed, localized("cancelled; nothing was changed"))
            case .timedOut:
                throw Failure(ExitCode.authenticationFailed, localized("no passcode was typed; nothing was changed"))
            case .tooLong: throw Self.tooLong
            case .notInstalled:
                throw Failure(
                    ExitCode.unavailable, localized("there is no pinentry; nothing was changed"),
                    hint: localized(
                        "install one, as pinentry-gnome3 or pinentry-curses, or name it: --pinentry-program PATH"))
            case .failed(let number):
                throw Failure(
                    ExitCode.unavailable, localized("pinentry could not ask (error \(number)); nothing was changed"),
                    hint: localized("it needs a display (DISPLAY, WAYLAND_DISPLAY) or a terminal"))
            case .malformed:
                throw Failure(ExitCode.unavailable, localized("that is no pinentry, or it ended; nothing was changed"))
            case .system(let error): throw error
            }
        }
    }
}
