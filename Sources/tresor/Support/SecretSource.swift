import Linux
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
                    ExitCode.usage, "a secret on the command line can be read by every program; it was not used",
                    hint: "type it at the prompt, pipe it in, or use --secret-fd N or --passcode-fd N")
            }
        }
    }
}

/// Where a command's secrets come from: each from its descriptor, from standard input where that is no terminal, or
/// from the prompt.
struct SecretSource {
    private let secretDescriptor: Int32?
    private let passcodeDescriptor: Int32?

    init(secretDescriptor: Int32? = nil, passcodeDescriptor: Int32? = nil) throws {
        for descriptor in [secretDescriptor, passcodeDescriptor].compactMap({ $0 })
        where !SecretInput.isOpen(descriptor) {
            throw Failure(ExitCode.usage, "file descriptor \(descriptor) is not open")
        }
        self.secretDescriptor = secretDescriptor
        self.passcodeDescriptor = passcodeDescriptor
    }

    private var standardInputIsTerminal: Bool { Terminal.isTerminal(0) }

    /// Whether both would have to come from one standard input, whose end belongs to the secret.
    func refuseSharedInput() throws {
        guard secretDescriptor != nil || passcodeDescriptor != nil || standardInputIsTerminal else {
            throw Failure(
                ExitCode.usage, "secret and passcode can't both come from standard input",
                hint: "give one of them through --secret-fd or --passcode-fd")
        }
    }

    /// A secret: to the end of the input, byte for byte; or a line from the prompt.
    ///
    /// An empty one is more often a broken pipe than a wish, and so has to be asked for.
    func readSecret(allowsEmpty: Bool) throws -> SecretBytes {
        let secret = try readAnySecret()
        guard allowsEmpty || secret.count > 0 else {
            throw Failure(
                ExitCode.usage, "the secret is empty; nothing was changed",
                hint: "--empty-secret stores an empty one; --keep-secret, of update, leaves the one there is")
        }
        return secret
    }

    private func readAnySecret() throws -> SecretBytes {
        if let secretDescriptor { return try readAll(secretDescriptor) }
        guard standardInputIsTerminal else { return try readAll(0) }
        return SecretBytes(try Terminal.readHiddenLine(prompt: "Secret: "))
    }

    private func readAll(_ descriptor: Int32) throws -> SecretBytes {
        do {
            return SecretBytes(try SecretInput.readAll(descriptor, limit: Frame.nativeLimit))
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(ExitCode.usage, "the secret is larger than 896 KiB; nothing was changed")
        }
    }

    /// The passcode in force: one line.
    func readPasscode(prompt: String = "Passcode: ") throws -> SecretBytes {
        guard let descriptor = passcodeDescriptor ?? (standardInputIsTerminal ? nil : 0) else {
            return SecretBytes(try Terminal.readHiddenLine(prompt: prompt))
        }
        do {
            guard let line = try SecretInput.readLine(descriptor, limit: WireLimits.passcode) else {
                throw Failure(ExitCode.usage, "no passcode came from the input")
            }
            return SecretBytes(line)
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(ExitCode.usage, "a passcode has at most \(WireLimits.passcode) bytes; nothing was changed")
        }
    }

    /// A new passcode: given twice.
    func readNewPasscode() throws -> SecretBytes {
        let first = try readPasscode(prompt: "New passcode: ")
        let second = try readPasscode(prompt: "New passcode again: ")
        guard first.equals(second) else {
            throw Failure(ExitCode.authenticationFailed, "the two passcodes differ; nothing was changed")
        }
        return first
    }
}
