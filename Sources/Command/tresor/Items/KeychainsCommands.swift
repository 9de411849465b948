import ArgumentParser
import Certificates
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

struct Keychains: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychains", abstract: localized("List keychains, and make, choose, lock and delete them."),
        discussion: localized(
            """
            'login' is always there and opens with the device. A further keychain may have a passcode of its own: its \
            secrets open only after 'tresor vault keychains unlock', and shut with 'tresor vault keychains lock' or \
            with the device. Names, accounts and dates of its items are seen as ever. 'System' and 'System Roots' hold \
            this machine's certificates, and are only read.
            """),
        subcommands: [
            ListKeychains.self, CreateKeychain.self, DeleteKeychain.self, ChooseKeychain.self, UnlockKeychain.self,
            LockKeychain.self, RekeyKeychain.self,
        ], defaultSubcommand: ListKeychains.self)
}

/// A keychain as `--json` prints it.
private struct KeychainDocument: Encodable {
    let name: String
    let items: UInt32?
    let isDefault: Bool
    let hasOwnPasscode: Bool
    let isOpen: Bool
    /// Of the machine: nothing is added to it here.
    let isReadOnly: Bool
}

struct ListKeychains: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("List keychains: name, items, whether it is the default, whether it is open."))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false

    func run() async throws {
        let keychains = try await Keychain().keychains().keychains
        guard !json else {
            let ours = keychains.map {
                KeychainDocument(
                    name: $0.name, items: $0.items, isDefault: $0.isDefault, hasOwnPasscode: $0.hasOwnPasscode,
                    isOpen: $0.isOpen, isReadOnly: false)
            }
            return try Output.json(
                ours
                    + Self.readOnly.map {
                        KeychainDocument(
                            name: $0.name, items: $0.items, isDefault: false, hasOwnPasscode: false, isOpen: true,
                            isReadOnly: true)
                    })
        }
        var rows = ListRows(
            [localized("KEYCHAIN"), localized("ITEMS"), localized("DEFAULT"), localized("STATE")],
            yielding: [.dropped(1), .dropped(2)])
        for keychain in keychains {
            try rows.add(
                Self.cells(keychain, in: Localization.catalogue), elsewhere: Self.line(Self.cells(keychain, in: nil)))
        }
        for keychain in Self.readOnly {
            try rows.add(
                Self.cells(keychain, in: Localization.catalogue), elsewhere: Self.line(Self.cells(keychain, in: nil)))
        }
        try rows.finish()
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { SafeText.line($0) }.joined(separator: "\t")
    }

    /// - Parameter catalogue: nil for English, which scripts read.
    private static func cells(_ keychain: KeychainsReport.Keychain, in catalogue: MessageCatalogue?) -> [String] {
        [
            keychain.name, count(keychain.items, in: catalogue),
            keychain.isDefault ? localized("default", in: catalogue) : "", passcode(keychain, in: catalogue),
        ]
    }

    private static func cells(_ machines: (name: String, items: UInt32), in catalogue: MessageCatalogue?) -> [String] {
        [machines.name, count(machines.items, in: catalogue), "", localized("read-only", in: catalogue)]
    }

    /// Those of the machine, which hold certificates alone.
    private static var readOnly: [(name: String, items: UInt32)] {
        [SystemKeychain.system, .systemRoots].map {
            // A machine without a list of roots has no roots.
            (name: $0.name, items: UInt32(clamping: (try? $0.records().count) ?? 0))
        }
    }

    private static func count(_ items: UInt32?, in catalogue: MessageCatalogue?) -> String {
        guard let items else { return localized("locked", in: catalogue) }
        return localized(Int(items), one: "1 item", many: "\(items) items", in: catalogue)
    }

    private static func passcode(_ keychain: KeychainsReport.Keychain, in catalogue: MessageCatalogue?) -> String {
        guard keychain.hasOwnPasscode else { return "" }
        return keychain.isOpen
            ? localized("own passcode, unlocked", in: catalogue) : localized("own passcode, locked", in: catalogue)
    }
}

struct CreateKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: localized("Make a keychain."),
        discussion:
            localized(
                "Its name has at most 64 bytes, and cannot be changed. With a passcode of its own it starts unlocked."))

    @Argument(help: ArgumentHelp(localized("Its name.")))
    var name: String
    @Flag(help: ArgumentHelp(localized("Give it a passcode of its own, asked for twice.")))
    var ownPasscode = false
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        guard ownPasscode else { return try await keychain.createKeychain(name, ownPasscode: nil) }
        try await keychain.createKeychain(name, ownPasscode: try passcode.source().readNewPasscode(of: .keychain))
    }
}

struct DeleteKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: localized("Delete a keychain with every item in it."),
        discussion: localized(
            """
            Asks for the device's passcode where one is set; a keychain's own is not needed. Move what you want to \
            keep with 'tresor keychain update --move-to' first. Nothing brings the items back.
            """))

    @Argument(help: ArgumentHelp(localized("Its name.")), completion: Completion.keychains)
    var name: String
    @Flag(help: ArgumentHelp(localized("Delete it although there are items in it.")))
    var withItems = false
    @OptionGroup var consent: ConsentOption
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        // Who keeps a keychain that cannot be deleted says so before its items matter.
        let isDeletable = name != KeychainName.login && !KeychainName.readOnly.contains(name)
        let items = try await keychain.keychains().keychains.first { $0.name == name }?.items ?? 0
        guard items == 0 || withItems || !isDeletable else {
            throw Failure(
                Wire.ExitCode.notPermitted,
                localized(
                    Int(items), one: "there is 1 item in it; nothing was deleted",
                    many: "there are \(items) items in it; nothing was deleted"),
                hint: localized("--with-items deletes them too; 'tresor keychain update --move-to' moves one elsewhere")
            )
        }
        let trashed = isDeletable ? try await keychain.trashed().items.count { $0.item.keychain == name } : 0
        guard trashed == 0 || withItems else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("items of it lie in the trash; nothing was deleted"),
                hint: localized("--with-items deletes them too; 'tresor restore' brings one back"))
        }
        if isDeletable {
            let shown = SafeText.line(name)
            try consent.ask(
                localized(
                    Int(items), one: "Delete the keychain \(shown) and 1 item for good?",
                    many: "Delete the keychain \(shown) and \(items) items for good?"))
        }
        try await keychain.deleteKeychain(name, passcode: try await AppRegistryInput.passcode(passcode, keychain))
    }
}

struct ChooseKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: localized("Choose the keychain that new items lie in; print it where no name is given."))

    @Argument(
        help: ArgumentHelp(localized("Its name; 'login' for the one that was always there.")),
        completion: Completion.keychains)
    var name: String?
    @Flag(help: ArgumentHelp(localized("As JSON, where no name is given.")))
    var json = false

    func validate() throws {
        if json && name != nil {
            throw ValidationError(localized("--json prints the default keychain; leave the name out"))
        }
    }

    func run() async throws {
        let keychain = try Keychain()
        if let name { return try await keychain.chooseKeychain(name) }
        let chosen = try await keychain.keychains().keychains.first(where: \.isDefault)?.name ?? KeychainName.login
        struct Document: Encodable { let name: String }
        if json { return try Output.json(Document(name: chosen)) }
        try Output.line(SafeText.line(chosen))
    }
}

struct UnlockKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: localized("Open a keychain with its own passcode."))

    @Argument(help: ArgumentHelp(localized("Its name.")), completion: Completion.keychains)
    var name: String
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let own = try passcode.source().readPasscode(
            prompt: localized("Passcode of the keychain: "), of: .keychain)
        try await keychain.openKeychain(name, ownPasscode: own)
    }
}

struct LockKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: localized("Shut a keychain that has a passcode of its own; its key leaves memory."))

    @Argument(help: ArgumentHelp(localized("Its name.")), completion: Completion.keychains)
    var name: String

    func run() async throws { try await Keychain().closeKeychain(name) }
}

struct RekeyKeychain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passcode", abstract: localized("Change the own passcode of a keychain."))

    @Argument(help: ArgumentHelp(localized("Its name.")), completion: Completion.keychains)
    var name: String
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let source = try passcode.source()
        let current = try source.readPasscode(
            prompt: localized("Passcode of the keychain: "), of: .keychain)
        try await keychain.changeKeychainPasscode(
            name, PasscodeChange(current: current, new: try source.readNewPasscode(of: .keychain)))
    }
}
