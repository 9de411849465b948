import ArgumentParser
import Linux
import Localization
import PasswordMaking
import Protection
import Secrets
import Tresor
import Wire

/// Where the secret of a new item comes from.
///
/// No group of options around these two: in debug builds the parser looks through a group again for each group around
/// it.
struct NewSecret {
    let generated: GeneratedSecretOptions
    /// The file descriptor that it is read from; nil for the prompt or standard input.
    let descriptor: Int32?
}

/// What is said of a new item besides its names: seldom needed, and so shown by `--help-hidden` alone.
struct NewItemOptions: ParsableArguments {
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            localized("When it can be read; whenUnlocked where it is not said, always for a certificate."),
            visibility: .hidden))
    var protectionClass: ClassName?
    @Option(
        help: ArgumentHelp(
            localized("What kind of secret it is, as 'tresor presets' lists them: its class is that kind's."),
            visibility: .hidden))
    var preset: PresetName?
    @Flag(
        help: ArgumentHelp(
            localized("With --preset: the stricter class of that kind, where there is one."), visibility: .hidden))
    var strict = false
    @Option(
        help: ArgumentHelp(
            localized(
                """
                What it demands: userPresence, biometryAny, biometryCurrentSet, devicePasscode, several with or, and; \
                and applicationPassword, a password of its own.
                """), visibility: .hidden))
    var access: AccessName?
    @Flag(help: ArgumentHelp(localized("Take an empty secret for what it is."), visibility: .hidden))
    var emptySecret = false
    @OptionGroup(visibility: .hidden) var password: ItemPasswordOptions

    /// Adds the item that these names are of.
    ///
    /// - Parameters:
    ///   - item: what it is called.
    ///   - comment: what is written beside it.
    ///   - input: where its secret comes from.
    func add(_ item: ItemOptions, comment: String?, secret input: NewSecret) async throws {
        let chosen = try chosenClass
        let made = try input.generated.chosen(for: item)
        var attributes = item.newAttributes
        attributes.protectionClass = chosen
        attributes.comment = comment
        attributes.accessControl = access?.value
        if chosen?.availability == .always || (chosen == nil && item.resolvedKind == .certificate) {
            Output.remark(localized("warning: class always is readable whenever this machine runs, locked or not"))
        }
        let keychain = try Keychain()
        let secret = try newSecret(made, input)
        let reference = try await keychain.add(
            item.resolvedKind, attributes, secret: secret, context: newItemContext())
        if Question.canBeAsked, let kept = try? await keychain.find(ItemQuery(reference)) {
            for line in [localized("kept:")] + kept.keptLines { Output.error(line) }
        }
        if let made { try input.generated.tell(made, secret) }
    }

    private func newSecret(_ made: ChosenPassword?, _ input: NewSecret) throws -> SecretBytes {
        if let made { return try made.maker.make() }
        return try SecretSource(secretDescriptor: input.descriptor).readSecret(
            allowsEmpty: emptySecret, typing: input.generated.typing)
    }

    /// Gives an item with a password of its own that password, read before anything is sent.
    private func newItemContext() throws -> AuthenticationContext? {
        guard access?.value.contains(.applicationPassword) == true else { return nil }
        let own = HeldSecret(try password.readNew())
        return AuthenticationContext(itemPassword: { _ in try own.copy() }) { _ in
            throw Failure(Wire.ExitCode.authenticationFailed, localized("no passcode is needed to add an item"))
        }
    }

    private var chosenClass: ProtectionClass? {
        get throws {
            guard let preset = preset?.value else {
                guard !strict else {
                    throw Failure(
                        Wire.ExitCode.usage, localized("--strict chooses the class of a --preset; none is given"))
                }
                return protectionClass?.value
            }
            let chosen = preset.protectionClass(strict ? .strict : .documented)
            guard protectionClass == nil else {
                throw Failure(
                    Wire.ExitCode.usage, localized("--preset \(preset.name) and --class both say the class"),
                    hint: localized("leave one of them out; the preset's is \(chosen.name)"))
            }
            return chosen
        }
    }
}
