import ArgumentParser
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

struct SecurityKeyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security-key", abstract: localized("Let a security key (FIDO2) count as you being there."),
        discussion: localized(
            """
            Items that demand your presence open by it, as by the passcode or a finger: 'tresor keychain get \
            --security-key'. Unlike a finger it proves itself to the enclave, by a secret that only it derives.
            """), subcommands: [ListSecurityKeys.self, AddSecurityKey.self, RemoveSecurityKey.self],
        defaultSubcommand: ListSecurityKeys.self)
}

struct ListSecurityKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List the security keys that count."))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false

    private struct Document: Encodable {
        let name: String
        let id: String
        /// Whether it has to recognise its owner, by its PIN or a sensor of its own; else it is touched.
        let recognises: Bool
    }

    func run() async throws {
        let keys = try await Keychain().securityKeys().map {
            Document(
                name: $0.description.name, id: $0.id.description, recognises: $0.description.demandsVerification)
        }
        if json { return try Output.json(keys) }
        var rows = ListRows([localized("NAME"), localized("ID"), localized("HOW")], yielding: [.dropped(2)])
        for key in keys {
            try rows.add(
                [key.name, key.id, key.recognises ? localized("recognises you") : localized("is touched")],
                elsewhere: [key.name, key.id, key.recognises ? "recognises you" : "is touched"]
                    .map(SafeText.line).joined(separator: "\t"))
        }
        try rows.finish()
    }
}

struct AddSecurityKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: localized("Enrol the security key that is plugged in."),
        discussion: localized(
            """
            Asks for the device's passcode, for the key's PIN where it has one, and for two touches. Where the key \
            recognises you, by its PIN or a sensor of its own, it must do so each time.
            """))

    @Argument(help: ArgumentHelp(localized("What you call it.")))
    var name: String
    @OptionGroup var passcode: PasscodeOptions
    @Option(help: ArgumentHelp(localized("Read the security key's PIN from this file descriptor, one line.")))
    var pinFd: Int32?

    func run() async throws {
        let keychain = try Keychain()
        guard try await keychain.status().hasPasscode else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("no passcode is set, and so no presence is ever demanded"),
                hint: localized("set a passcode with 'tresor passcode set'"))
        }
        let given = try passcode.source().readPasscode()
        let new = try SecurityKeyInput.makeCredential(named: name, pinDescriptor: pinFd)
        let description = new.description
        try await keychain.enrolSecurityKey(description, secret: try new.secret.copy(), passcode: given)
    }
}

struct RemoveSecurityKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: localized("Let a security key count no more."))

    @Argument(help: ArgumentHelp(localized("Its name.")))
    var name: String
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let matches = try await keychain.securityKeys().filter { $0.description.name == name }
        guard let key = matches.first else { throw Failure(Wire.ExitCode.notFound, localized("no such security key")) }
        try await keychain.removeSecurityKey(
            key.id, passcode: try await AppRegistryInput.passcode(passcode, keychain))
    }
}
