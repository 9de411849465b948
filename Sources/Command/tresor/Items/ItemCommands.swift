import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import PasswordMaking
import Secrets
import TerminalScreen
import Tresor
import Wire

struct AddItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: localized(
            "Add an item. Its secret comes from the prompt, --secret-fd or standard input, or is made."),
        discussion: OptionHeadings.more("keychain add"))

    @OptionGroup var generated: GeneratedSecretOptions
    @Option(help: ArgumentHelp(localized("Read the secret from this file descriptor, to its end.")))
    var secretFd: Int32?
    @OptionGroup var item: ItemOptions
    @Option(help: ArgumentHelp(localized("A comment.")))
    var comment: String?
    @OptionGroup var new: NewItemOptions

    func validate() throws { try generated.refuseOther(secretFd: secretFd, emptySecret: new.emptySecret) }

    func run() async throws {
        guard !item.isEmpty else {
            throw Failure(
                Wire.ExitCode.usage, localized("an item needs a name"),
                hint: localized("give --service, --server, --account or --label"))
        }
        try await new.add(item, comment: comment, secret: NewSecret(generated: generated, descriptor: secretFd))
    }
}

struct GetItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: localized("Print an item's secret, alone; or its attributes with --json."))

    @OptionGroup var item: ItemOptions
    @Flag(help: ArgumentHelp(localized("The attributes, not the secret.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("Copy the secret to the clipboard, and clear that after 30 seconds.")))
    var clip = false
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Ask for a finger where the item takes one; at a terminal that is the default.")))
    var finger: Bool?
    @OptionGroup var key: SecurityKeyInput
    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        if let system = try SystemKeychainItems(named: item.keychain, item) { return try system.print(json: json) }
        let keychain = try Keychain()
        if json { return try Output.json(ItemDocument(try await keychain.find(item.query))) }
        try await refuseSeed(in: keychain)
        let state = try await keychain.status().lockState
        let source = try passcode.source()
        let secret = try await keychain.read(
            item.query,
            context: passcode.context(
                source, finger: finger, securityKey: key.asking, itemPassword: password.asking))
        if clip { try Clipboard.lend(secret, readIn: state) } else { try Output.secret(secret) }
    }

    /// Looks where the query does not say already that it means something else.
    private func refuseSeed(in keychain: Keychain) async throws {
        guard item.resolvedKind == .password else { return }
        guard let service = item.service else { return try await keychain.find(item.query).refuseSeed() }
        if OneTimeCodeAccount.isService(service) { throw Item.seedRefusal }
    }
}

struct ListItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List items; never their secrets."),
        discussion: localized(
            """
            Items that the lock state shuts are left out, and their number is said: then it ends with 5, unless \
            --skip-locked is given. It ends with 8 where items are damaged.
            """))

    @OptionGroup var item: ItemOptions
    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("That locked items are left out is no failure.")))
    var skipLocked = false

    func run() async throws {
        if let system = try SystemKeychainItems(named: item.keychain, item) { return try system.list(json: json) }
        let keychain = try Keychain()
        var documents: [JSONElement] = []
        var rows = ListRows(
            [localized("KIND"), localized("NAME"), localized("ACCOUNT"), localized("LABEL"), localized("CLASS")],
            yielding: ItemRows.yielding)
        var left = LeftOut()
        let kinds = item.kind == nil && item.isEmpty ? ItemKind.allCases : [item.resolvedKind]
        for kind in kinds {
            var query = ItemQuery(kind, item.attributes)
            query.skipsLocked = true
            var items = keychain.items(query).makeAsyncIterator()
            while let item = try await items.next() {
                if json {
                    documents.append(JSONElement(ItemDocument(item)))
                } else {
                    try rows.add(Self.cells(item), elsewhere: Self.line(item))
                }
            }
            documents += JSONElement.damagedItems(items.damagedCount, kind: kind)
            left.damaged += items.damagedCount
            left.locked += items.lockedCount
        }
        if json { try Output.json(documents) }
        try rows.finish()
        if try await keychain.status().daemon.enclave.lock == .beforeFirstUnlock {
            left.isEarly = true
            left.isUncounted = item.attributes != ItemAttributes()
        }
        try left.report(isLockExpected: skipLocked)
    }

    private static func line(_ item: Item) -> String { cells(item).map(printable).joined(separator: "\t") }

    private static func cells(_ item: Item) -> [String] {
        let place = item.service ?? item.server ?? item.applicationTag ?? ""
        return [item.kindName, place, item.account ?? "", item.label ?? "", item.protectionClass?.name ?? ""]
    }

    /// Names are the user's; a terminal must not obey them.
    private static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.map {
                $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                    ? "\u{fffd}" : Character($0)
            })
    }
}

struct UpdateItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: localized(
            "Change one item's secret, which comes from the prompt, --secret-fd or standard input, or is made."),
        discussion: localized("With --new-… options alone, and --keep-secret, the secret stays."))

    @OptionGroup var item: ItemOptions
    @Option(help: ArgumentHelp(localized("A new service.")))
    var newService: String?
    @Option(help: ArgumentHelp(localized("A new account.")))
    var newAccount: String?
    @Option(help: ArgumentHelp(localized("A new label.")))
    var newLabel: String?
    @Option(help: ArgumentHelp(localized("Move it to this keychain.")), completion: Completion.keychains)
    var moveTo: String?
    @Option(name: .customLong("class"), help: ArgumentHelp(localized("A new class.")))
    var protectionClass: ClassName?
    @Flag(help: ArgumentHelp(localized("Leave the secret as it is.")))
    var keepSecret = false
    @Option(help: ArgumentHelp(localized("Read the secret from this file descriptor, to its end.")))
    var secretFd: Int32?
    @Flag(help: ArgumentHelp(localized("Take an empty secret for what it is.")))
    var emptySecret = false
    @OptionGroup var consent: ConsentOption
    @OptionGroup var generated: GeneratedSecretOptions
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Ask for a finger where the item takes one; at a terminal that is the default.")))
    var finger: Bool?
    @OptionGroup var key: SecurityKeyInput
    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var passcode: PasscodeOptions

    func validate() throws {
        try generated.refuseOther(secretFd: secretFd, emptySecret: emptySecret, keepSecret: keepSecret)
    }

    func run() async throws {
        guard !item.isEmpty else {
            throw Failure(
                Wire.ExitCode.usage, localized("say which item"),
                hint: localized("give --service, --server, --account or --label"))
        }
        let made = try generated.chosen(for: item)
        var changes = ItemAttributes()
        changes.service = newService
        changes.account = newAccount
        changes.label = newLabel
        changes.keychain = moveTo
        changes.protectionClass = protectionClass?.value
        if protectionClass?.value.availability == .always {
            Output.remark(localized("warning: class always is readable whenever this machine runs, locked or not"))
        }
        if !keepSecret { try consent.ask(localized("Replace its secret? The present one is gone then.")) }
        let keychain = try Keychain()
        let source = try passcode.source(secretDescriptor: secretFd)
        let context = passcode.context(
            source, finger: finger, securityKey: key.asking,
            itemPassword: keepSecret || made != nil
                ? password.asking : try password.askingBesideSecret(from: secretFd),
            isBesideSecret: made == nil)
        if keepSecret {
            try await keychain.update(item.query, changes, secret: nil, context: context)
        } else if let made {
            let secret = try made.maker.make()
            try await keychain.update(item.query, changes, secret: try secret.copy(), context: context)
            try generated.tell(made, secret)
        } else {
            try await keychain.update(
                item.query, changes,
                secret: try source.readSecret(allowsEmpty: emptySecret, typing: generated.typing), context: context)
        }
    }
}

struct DeleteItem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: localized("Delete the items that match. Their bytes leave the disk's files."))

    @OptionGroup var item: ItemOptions
    @Option(
        help: ArgumentHelp(localized("Delete the one item of this reference, as status and --json print it.")),
        completion: Completion.references)
    var reference: String?
    @OptionGroup var consent: ConsentOption

    func run() async throws {
        let keychain = try Keychain()
        if let reference {
            guard let bytes = Hexadecimal.decode(reference), let parsed = PersistentReference(bytes: bytes) else {
                throw Failure(Wire.ExitCode.usage, localized("a reference is 40 hexadecimal digits"))
            }
            try consent.ask(localized("Delete the item of this reference for good?"))
            return try await keychain.remove(ItemQuery(parsed))
        }
        guard !item.isEmpty else {
            throw Failure(
                Wire.ExitCode.usage, localized("say which items"),
                hint: localized("give --service, --server, --account or --label"))
        }
        try consent.ask(localized("Delete all items that match for good?"))
        try await keychain.remove(item.query)
    }
}

/// An item as `--json` prints it.
struct ItemDocument: Encodable {
    let reference: String
    let kind: String
    let service: String?
    let account: String?
    let label: String?
    let server: String?
    let port: Int?
    let path: String?
    let `protocol`: String?
    let comment: String?
    let tag: String?
    let `class`: String?
    let accessGroup: String?
    let keychain: String
    let synchronizable: Bool
    let created: Date?
    let modified: Date?
    /// The reference of what its one-time codes are made from, where the command looks for that.
    var oneTimeCode: String?

    init(_ item: Item) {
        reference = Hexadecimal.encode(item.reference.bytes)
        kind = item.kindName
        service = item.service
        account = item.account
        label = item.label
        server = item.server
        port = item.port
        path = item.path
        `protocol` = item.protocolName
        comment = item.comment
        tag = item.applicationTag
        `class` = item.protectionClass?.name
        accessGroup = item.accessGroup
        keychain = item.keychain
        synchronizable = item.isSynchronizable
        created = item.created
        modified = item.modified
    }
}
