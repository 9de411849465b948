import ArgumentParser
import KeychainNames
import Localization
import Tresor

/// The options that narrow a search over all kinds of items.
struct NarrowingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(localized("Only items of this kind: password, internet, certificate, key, note or wifi.")))
    var kind: KindName?
    @Option(help: ArgumentHelp(localized("Only items of this account.")), completion: Completion.accounts)
    var account: String?
    @Option(help: ArgumentHelp(localized("Only items of this keychain.")), completion: Completion.keychains)
    var keychain: String?

    var narrowing: NamedItems.Narrowing { .init(kind, account: account, keychain: keychain) }
}

extension ItemID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension NamedItems.Narrowing {
    init(_ kind: KindName?, account: String?, keychain: String?, id: ItemID? = nil) {
        self.init()
        self.account = account
        self.keychain = keychain
        if let kind { kinds = [kind.kind] }
        // A secure note is a password item, and is listed as a note.
        accepts = { item in (kind == nil || item.kindName == kind?.rawValue) && id?.isOf(item) != false }
    }
}

/// A name, and what narrows it to one item.
struct NameOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(localized("What it is known by: its service, server, label or account.")),
        completion: Completion.names)
    var name: String
    @OptionGroup var narrowing: NarrowingOptions
    @Option(
        help: ArgumentHelp(localized("Only the item of this id, or whose id begins so: lists of several print it.")))
    var id: ItemID?

    var choice: ItemChoice {
        ItemChoice(
            name: name,
            narrowing: .init(narrowing.kind, account: narrowing.account, keychain: narrowing.keychain, id: id),
            narrowingOptions: localized("--kind, --account or --keychain"))
    }
}

/// How an item's demands are met.
struct DemandOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Ask for a finger where the item takes one; at a terminal that is the default.")))
    var finger: Bool?
    @OptionGroup(visibility: .hidden) var key: SecurityKeyInput
    @OptionGroup(visibility: .hidden) var password: ItemPasswordOptions
    @OptionGroup(visibility: .hidden) var passcode: PasscodeOptions

    /// For a secret that is read.
    func context() throws -> AuthenticationContext {
        passcode.context(
            try passcode.source(), finger: finger, securityKey: key.asking, itemPassword: password.asking)
    }
}

/// `--field`.
enum FieldName: String, ExpressibleByArgument, CaseIterable {
    case account, server, service, label, comment, password

    /// What an item has there; the secret is no text.
    func text(of item: Item) -> String? {
        switch self {
        case .account: item.account
        case .server: item.server
        case .service: item.service
        case .label: item.label
        case .comment: item.comment
        case .password: nil
        }
    }

    /// That it is not there.
    var isMissing: String {
        switch self {
        case .account: localized("it has no account")
        case .server: localized("it has no server")
        case .service: localized("it has no service")
        case .label: localized("it has no label")
        case .comment: localized("it has no comment")
        case .password: localized("it has no password")
        }
    }
}

/// The headings under which options stand.
enum OptionHeadings {
    static var secret: String { localized("The secret") }
    static var item: String { localized("The item") }

    /// What stands on the page of a command that has options which its `--help` leaves out.
    static func more(_ command: String) -> String {
        localized("All options, also those that are seldom needed: tresor \(command) --help-hidden")
    }
}
