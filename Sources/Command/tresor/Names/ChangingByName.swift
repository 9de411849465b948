import ArgumentParser
import KeychainNames
import Linux
import Localization
import PasswordMaking
import Protection
import Secrets
import SoughtNames
import Tresor
import Wire

/// What makes the secret of a new item, in the order in which people need it.
struct NamedSecretOptions: ParsableArguments {
    @OptionGroup var generated: GeneratedSecretOptions
    @Option(help: ArgumentHelp(localized("Read the secret from this file descriptor, to its end.")))
    var secretFd: Int32?
    @Flag(
        help: ArgumentHelp(
            localized(
                """
                One-time codes: the secret is the otpauth address or the base32 key that the site shows. They go with \
                the login that is called NAME, where there is one.
                """)))
    var code = false
}

/// What a new item is called, and of which kind it is.
struct NamedItemOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("The password of the Wi-Fi that is called NAME; the same as --kind wifi.")))
    var wifi = false
    @OptionGroup var item: ItemOptions
    @Option(help: ArgumentHelp(localized("A comment.")))
    var comment: String?
}

struct AddByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: localized(
            "Add an item. Its secret comes from the prompt, --secret-fd or standard input, or is made."),
        discussion: localized(
            """
            A NAME that is a host, such as shop.example.com, becomes the server of an internet password; any other is \
            the service of a password. It is the label as well, unless --label says another. With --wifi the NAME is \
            that of the network; 'tresor get NAME --qr' then draws the code by which phones join it.
            """) + "\n\n" + OptionHeadings.more("add"))

    @Argument(help: ArgumentHelp(localized("What it shall be known by.")))
    var name: String
    @OptionGroup(title: OptionHeadings.secret) var input: NamedSecretOptions
    @OptionGroup(title: OptionHeadings.item) var named: NamedItemOptions
    @OptionGroup var new: NewItemOptions

    private var wifi: Bool { named.wifi }
    private var code: Bool { input.code }
    private var item: ItemOptions { named.item }

    func validate() throws {
        try refuseBesideCode()
        try input.generated.refuseOther(secretFd: input.secretFd, emptySecret: new.emptySecret)
        let isWiFi = wifi || item.kind == .wifi
        let others = [
            item.service.map { _ in "--service" }, item.server.map { _ in "--server" },
            item.account.map { _ in "--account" },
        ].compactMap(\.self)
        if isWiFi, let other = others.first {
            throw ValidationError(localized("a Wi-Fi is known by its name alone; leave \(other) out"))
        }
        if wifi, let kind = item.kind, kind != .wifi {
            throw ValidationError(localized("--wifi and --kind \(kind.rawValue) both say the kind; give one of them"))
        }
    }

    func run() async throws {
        guard !name.isEmpty else { throw Failure(Wire.ExitCode.usage, localized("a name has at least one character")) }
        guard code else {
            let secret = NewSecret(generated: input.generated, descriptor: input.secretFd)
            return try await new.add(completed, comment: named.comment, secret: secret)
        }
        let addition = CodeAddition(
            name: name, account: item.account, server: item.server, protectionClass: new.protectionClass?.value)
        try await addition.add(
            from: SecretSource(secretDescriptor: input.secretFd), typing: input.generated.typing)
    }

    /// Codes have nothing that the others say: what is not kept is not taken either.
    private func refuseBesideCode() throws {
        guard code else { return }
        let others = [
            wifi ? "--wifi" : nil, input.generated.generate ? "--generate" : nil, item.kind.map { _ in "--kind" },
            item.service.map { _ in "--service" }, item.label.map { _ in "--label" }, item.port.map { _ in "--port" },
            item.protocolName.map { _ in "--protocol" }, item.path.map { _ in "--path" }, item.tag.map { _ in "--tag" },
            item.keychain.map { _ in "--keychain" }, item.issuer.map { _ in "--issuer" },
            item.serial.map { _ in "--serial" }, new.preset.map { _ in "--preset" }, new.strict ? "--strict" : nil,
            new.access.map { _ in "--access" }, named.comment.map { _ in "--comment" },
            new.emptySecret ? "--empty-secret" : nil,
        ].compactMap(\.self)
        guard let other = others.first else { return }
        throw ValidationError(
            localized("--code takes --account, --server, --class, --secret-fd and --show alone; leave \(other) out"))
    }

    private var completed: ItemOptions {
        var named = item
        if named.label == nil { named.label = name }
        if wifi { named.kind = .wifi }
        guard named.service == nil && named.server == nil else { return named }
        switch named.kind {
        case .certificate, .key: break
        case .wifi: named.account = name
        case .internet: named.server = name
        case .password, .note: named.service = name
        case nil: if HostName(name) == nil { named.service = name } else { named.server = name }
        }
        return named
    }
}

struct EditByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: localized("Change the item that has a name: its secret, or what it is called."),
        discussion: localized(
            """
            The new secret comes from the prompt, --secret-fd or standard input, or is made. With attributes alone, \
            such as --label, the secret stays. A NAME that fits only in part is asked about at a terminal, and else \
            refused.
            """) + "\n\n" + OptionHeadings.more("edit"))

    @Argument(
        help: ArgumentHelp(localized("What it is known by now: its service, server, label or account.")),
        completion: Completion.names)
    var name: String
    @OptionGroup(title: OptionHeadings.secret) var generated: GeneratedSecretOptions
    @Option(
        help: ArgumentHelp(localized("Only an item of this kind: password, internet, certificate, key, note or wifi.")))
    var kind: KindName?
    @Option(help: ArgumentHelp(localized("Only an item of this account.")), completion: Completion.accounts)
    var ofAccount: String?
    @Option(
        help: ArgumentHelp(localized("Only an item of this keychain."), visibility: .hidden),
        completion: Completion.keychains)
    var keychain: String?
    @Option(
        help: ArgumentHelp(localized("Only the item of this id, or whose id begins so: lists of several print it.")))
    var id: ItemID?
    @Option(help: ArgumentHelp(localized("A new account.")))
    var account: String?
    @Option(help: ArgumentHelp(localized("A new label.")))
    var label: String?
    @Option(help: ArgumentHelp(localized("A new server, of an internet password.")))
    var server: String?
    @Option(help: ArgumentHelp(localized("A new service, of a password.")))
    var service: String?
    @Option(help: ArgumentHelp(localized("A new comment.")))
    var comment: String?
    @Option(
        help: ArgumentHelp(localized("Move it to this keychain."), visibility: .hidden),
        completion: Completion.keychains)
    var moveTo: String?
    @Option(name: .customLong("class"), help: ArgumentHelp(localized("A new class."), visibility: .hidden))
    var protectionClass: ClassName?
    @Option(help: ArgumentHelp(localized("Read the secret from this file descriptor, to its end.")))
    var secretFd: Int32?
    @Flag(help: ArgumentHelp(localized("Take an empty secret for what it is."), visibility: .hidden))
    var emptySecret = false
    @Flag(help: ArgumentHelp(localized("Ask nothing; then the name has to be right, capitals aside.")))
    var yes = false
    @OptionGroup var demands: DemandOptions

    func validate() throws { try generated.refuseOther(secretFd: secretFd, emptySecret: emptySecret) }

    func run() async throws {
        let canAsk = !yes && Question.canBeAsked
        let opened = try Keychain()
        let choice = ItemChoice(
            name: name, narrowing: .init(kind, account: ofAccount, keychain: keychain, id: id),
            narrowingOptions: localized("--kind, --of-account or --keychain"), accountOption: "--of-account")
        let (item, isSure) = try await choice.forChange(in: opened, canAsk: canAsk)
        let isPassword = ["password", "internet", "wifi"].contains(item.kindName)
        let made = try generated.chosen(
            isPassword: isPassword, host: server ?? service ?? item.server ?? item.service)
        let replaces = made != nil || secretFd != nil || emptySecret || changes == ItemAttributes()
        if !isSure || (replaces && canAsk) {
            for line in item.shownLines { Output.error(line) }
            try Question.confirm(
                replaces
                    ? localized("Replace its secret? The present one is gone then.") : localized("Change this one?"))
        }
        if protectionClass?.value.availability == .always {
            Output.remark(localized("warning: class always is readable whenever this machine runs, locked or not"))
        }
        try await change(item, made, in: opened)
    }

    private var changes: ItemAttributes {
        var changes = ItemAttributes()
        changes.account = account
        changes.label = label
        changes.server = server
        changes.service = service
        changes.comment = comment
        changes.keychain = moveTo
        changes.protectionClass = protectionClass?.value
        return changes
    }

    private func change(_ item: Item, _ made: ChosenPassword?, in keychain: Keychain) async throws {
        let readsSecret = made == nil && (secretFd != nil || emptySecret || changes == ItemAttributes())
        let source = try demands.passcode.source(secretDescriptor: secretFd)
        let context = demands.passcode.context(
            source, finger: demands.finger, securityKey: demands.key.asking,
            itemPassword: !readsSecret
                ? demands.password.asking : try demands.password.askingBesideSecret(from: secretFd),
            isBesideSecret: readsSecret)
        let query = ItemQuery(item.reference)
        if let made {
            let secret = try made.maker.make()
            try await keychain.update(query, changes, secret: try secret.copy(), context: context)
            try generated.tell(made, secret)
        } else if readsSecret {
            try await keychain.update(
                query, changes,
                secret: try source.readSecret(allowsEmpty: emptySecret, typing: generated.typing), context: context)
        } else {
            try await keychain.update(query, changes, secret: nil, context: context)
        }
    }
}

struct RemoveByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: localized("Put the item that has a name into the trash. It is shown, and you are asked."),
        discussion: localized(
            """
            Where several have the name, they are listed and none is removed (exit code 4). With --yes nobody is \
            asked, and the name has to be right, capitals aside. 'tresor restore NAME' brings it back, for 30 days or \
            as 'tresor settings' says; 'tresor trash' lists what there is, and 'tresor empty' removes it for good.
            """))

    @OptionGroup var item: NameOptions
    @OptionGroup var consent: RemovalConsent

    func run() async throws {
        let canAsk = try consent.isAsking()
        let keychain = try Keychain()
        let (found, _) = try await item.choice.forChange(in: keychain, canAsk: canAsk)
        for line in found.shownLines { Output.error(line) }
        if canAsk { try Question.confirm(localized("Put it into the trash?")) }
        try await keychain.trash(ItemQuery(found.reference))
        Output.error(localized("it lies in the trash: 'tresor restore' brings it back"))
    }
}
