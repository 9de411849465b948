import ArgumentParser
import Localization
import Secrets
import Tresor
import Wire

/// Where the password of an item that has one of its own comes from.
struct ItemPasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp(localized("Read the item's own password from this file descriptor, one line.")))
    var itemPasswordFd: Int32?

    /// For an item that is there.
    var asking: @Sendable (AuthenticationContext.Reason) throws -> SecretBytes {
        let descriptor = itemPasswordFd
        return { _ in try SecretSource(passcodeDescriptor: descriptor).readPasscode(prompt: Self.prompt) }
    }

    private static var prompt: String { localized("Password of the item: ") }

    /// For an item whose secret is replaced: the new one and the password may not come from one standard input.
    ///
    /// - Parameter secretDescriptor: where the new secret comes from.
    func askingBesideSecret(
        from secretDescriptor: Int32?
    ) throws -> @Sendable (AuthenticationContext.Reason) throws -> SecretBytes {
        let source = try SecretSource(secretDescriptor: secretDescriptor, passcodeDescriptor: itemPasswordFd)
        return { _ in
            try source.refuseSharedItemPassword()
            return try source.readPasscode(prompt: Self.prompt)
        }
    }

    /// For one that shall have it: at a terminal it is typed twice.
    func readNew() throws -> SecretBytes {
        let source = try SecretSource(passcodeDescriptor: itemPasswordFd)
        guard itemPasswordFd == nil else { return try source.readPasscode() }
        let first = try source.readPasscode(prompt: localized("New password of the item: "))
        guard first.equals(try source.readPasscode(prompt: localized("New password of the item again: "))) else {
            throw Failure(Wire.ExitCode.authenticationFailed, localized("the two passwords differ; nothing was added"))
        }
        return first
    }
}

/// A secret that a closure gives out, as often as it is asked.
final class HeldSecret: Sendable {
    private let secret: SecretBytes

    init(_ secret: consuming SecretBytes) { self.secret = secret }

    func copy() throws -> SecretBytes { try secret.copy() }
}
