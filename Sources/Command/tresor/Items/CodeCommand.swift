import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

struct CodeGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code",
        abstract: localized("Print a one-time code, list the accounts that have codes, or add one."),
        discussion: localized(
            """
            Codes are made by the time (RFC 6238) from secrets that an import brought or 'tresor add NAME --code' \
            took in. They are printed alone, and good for 30 seconds as a rule; --json says for how many more.
            """),
        subcommands: [PrintCode.self, AddCode.self, ListCodes.self, PrintSeed.self], defaultSubcommand: PrintCode.self)
}

/// The options that name an account with codes.
struct CodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            localized("What the codes are for, as 'list' prints it; or the server of the login that they go with.")),
        completion: Completion.codes)
    var service: String?
    @Option(help: ArgumentHelp(localized("The account's name.")))
    var account: String?

    func matches(_ one: OneTimeCodeAccount) -> Bool {
        (service.map { one.isFor(service: $0) } ?? true) && (account == nil || account == one.name ?? "")
    }
}

/// The accounts that have codes, and how many items could not be looked at: codes may be among them.
struct CodeAccounts {
    private(set) var accounts: [OneTimeCodeAccount] = []
    private(set) var left = LeftOut()

    init(in keychain: Keychain) async throws {
        var query = ItemQuery(.password)
        query.skipsLocked = true
        var items = keychain.items(query).makeAsyncIterator()
        while let item = try await items.next() {
            if let account = OneTimeCodeAccount(item) { accounts.append(account) }
        }
        left.damaged = items.damagedCount
        left.locked = items.lockedCount
        left.isEarly = try await keychain.status().daemon.enclave.lock == .beforeFirstUnlock
    }
}

struct PrintCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: localized("Print the code of an account, alone. This is what 'code' without a word does."),
        discussion: localized(
            "Where no account matches, it ends with 5 if items are locked, and with 8 if items are damaged."))

    @OptionGroup var code: CodeOptions
    @Flag(help: ArgumentHelp(localized("As JSON: the code, its period, and for how many more seconds it is good.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("Copy the code to the clipboard, and clear that after 30 seconds.")))
    var clip = false
    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(localized("Ask for a finger where the item takes one; at a terminal that is the default.")))
    var finger: Bool?
    @OptionGroup var key: SecurityKeyInput
    @OptionGroup var password: ItemPasswordOptions
    @OptionGroup var passcode: PasscodeOptions

    func validate() throws {
        if json && clip {
            throw ValidationError(localized("--json prints the code, --clip does not; give one of them"))
        }
    }

    func run() async throws {
        let keychain = try Keychain()
        let account = try await Self.only(code, in: keychain)
        let context = passcode.context(
            try passcode.source(), finger: finger, securityKey: key.asking, itemPassword: password.asking)
        let state = try await keychain.status().lockState
        let made = try await keychain.oneTimeCode(of: account, context: context)
        if clip { return try Clipboard.lend(made.digits, readIn: state) }
        if json { return try Self.printJSON(made) }
        try Self.print(made)
    }

    /// Prints the digits alone; whoever sits at a terminal is told how long they are good.
    static func print(_ code: borrowing OneTimeCode) throws {
        try Output.secret(code.digits)
        guard Terminal.isTerminal(1) else { return }
        let left = code.secondsLeft(at: Date())
        Output.error(
            localized(left, one: "  good for \(left) more second", many: "  good for \(left) more seconds"))
    }

    /// The one account that is meant: a code of another would be refused where it is typed, and count as a try.
    private static func only(_ options: CodeOptions, in keychain: Keychain) async throws -> OneTimeCodeAccount {
        let known = try await CodeAccounts(in: keychain)
        let accounts = known.accounts.filter { options.matches($0) }
        guard let first = accounts.first else {
            if known.left.hidesSomething {
                Output.error(localized("no such account is among the items that can be read"))
            }
            try known.left.report(isLockExpected: false)
            throw Failure(
                Wire.ExitCode.notFound, localized("no such account has one-time codes"),
                hint: localized("'tresor vault code list' shows which do; 'tresor add NAME --code' takes one in"))
        }
        guard accounts.count == 1 else {
            throw Failure(
                Wire.ExitCode.usage, localized("\(accounts.count) accounts match; say which one"),
                hint: localized("give --service and --account, as 'tresor vault code list' prints them"))
        }
        known.left.tell()
        return first
    }

    /// Written by hand, so that the code is in no string.
    static func printJSON(_ code: borrowing OneTimeCode) throws {
        var text = try SecretBuffer(capacity: 96)
        try text.append(Array("{\"code\":\"".utf8))
        try text.append(code.digits)
        let left = code.secondsLeft(at: Date())
        try text.append(Array("\",\"period\":\(code.period),\"secondsLeft\":\(left)}".utf8))
        if !Terminal.isTerminal(1) { try text.append(byte: UInt8(ascii: "\n")) }
        try Output.secret(text.finish())
    }
}

struct PrintSeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: localized("Print what an account's codes are made from: whoever has that makes all of them."),
        discussion: localized(
            """
            For another device, as an otpauth address or as it was taken in. At a terminal you are asked; elsewhere it \
            takes --yes. No other command shows or copies it, but 'tresor vault export' writes it to its file.
            """) + "\n\n" + OptionHeadings.more("vault code seed"))

    @Argument(
        help: ArgumentHelp(localized("What the codes are for: the login's label, server or account.")),
        completion: Completion.codes)
    var name: String
    @Option(help: ArgumentHelp(localized("Only codes of this account.")), completion: Completion.accounts)
    var account: String?
    @Flag(help: ArgumentHelp(localized("Copy it to the clipboard, and clear that after 30 seconds.")))
    var clip = false
    @Flag(help: ArgumentHelp(localized("Don't ask; show it.")))
    var yes = false
    @OptionGroup var demands: DemandOptions

    func run() async throws {
        guard yes || Question.canBeAsked else {
            throw Failure(
                Wire.ExitCode.usage, localized("there is nobody to be asked; nothing was shown"),
                hint: localized("--yes shows it unasked"))
        }
        let keychain = try Keychain()
        let only = try await CodeAccounts(in: keychain).one(named: name, account: account)
        if !yes {
            for line in only.item.shownLines { Output.error(line) }
            try Question.confirm(
                clip
                    ? localized("Whoever has this makes all of its codes. Copy it?")
                    : localized("Whoever has this makes all of its codes. Show it?"))
        }
        let state = try await keychain.status().lockState
        let seed = try await keychain.read(ItemQuery(only.item.reference), context: demands.context())
        if clip { return try Clipboard.lend(seed, readIn: state) }
        try Output.secret(seed)
    }
}

struct AddCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: localized(
            "Add an account. Its otpauth address or secret comes from the prompt, --secret-fd or standard input."),
        discussion: localized(
            """
            An otpauth address (otpauth://totp/…) is what the square code of a site says; 'zbarimg -q --raw' reads \
            it from a picture. A secret alone, in base32, stands for SHA-1, six digits and 30 seconds. Codes by a \
            counter (hotp) are refused. Codes of a NAME that a login has go with that login. An address names issuer \
            and account itself; NAME and options count before it. At a terminal it is asked for twice, or once with \
            --show, and you are told what was kept and which code it makes now. 'tresor add NAME --code' does the same.
            """))

    @Argument(
        help: ArgumentHelp(localized("What the codes are for: a login that there is, or a new name.")),
        completion: Completion.names)
    var name: String?
    /// As scripts have it: no login is looked for.
    @Option(help: .private)
    var service: String?
    @Option(help: ArgumentHelp(localized("The account's name.")))
    var account: String?
    @Option(help: ArgumentHelp(localized("The server of that login, where it is an internet password.")))
    var server: String?
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(localized("When codes can be made; whenUnlocked where it is not said.")))
    var protectionClass: ClassName?
    @Option(help: ArgumentHelp(localized("Read the secret from this file descriptor, to its end.")))
    var secretFd: Int32?
    @Flag(help: ArgumentHelp(localized("Show the secret while it is typed, and ask once.")))
    var show = false

    func validate() throws {
        if name != nil && service != nil {
            throw ValidationError(localized("NAME and --service both say what the codes are for; give one of them"))
        }
    }

    func run() async throws {
        let addition = CodeAddition(
            name: name ?? service, isVerbatim: service != nil, account: account, server: server,
            protectionClass: protectionClass?.value)
        try await addition.add(from: SecretSource(secretDescriptor: secretFd), typing: show ? .shown : .twice)
    }
}

struct ListCodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("List the accounts that have one-time codes; never a code."),
        discussion: localized(
            """
            What the lock state shuts is left out, and how many items that are is said: then it ends with 5, unless \
            --skip-locked is given. It ends with 8 where items are damaged.
            """))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("That locked items are left out is no failure.")))
    var skipLocked = false

    func run() async throws {
        struct Document: Encodable {
            let service: String
            let account: String?
            let server: String?
            let item: ItemDocument
        }
        let known = try await CodeAccounts(in: Keychain())
        if json {
            let documents = known.accounts.map {
                JSONElement(
                    Document(service: $0.title, account: $0.name, server: $0.server, item: ItemDocument($0.item)))
            }
            try Output.json(documents + JSONElement.damagedItems(known.left.damaged, kind: .password))
        } else {
            var rows = ListRows(
                [localized("FOR"), localized("ACCOUNT"), localized("SERVER"), localized("CLASS")],
                yielding: [.dropped(3), .dropped(2), .dropped(1)])
            for one in known.accounts { try rows.add(Self.cells(one)) }
            try rows.finish()
        }
        try known.left.report(isLockExpected: skipLocked)
    }

    private static func cells(_ one: OneTimeCodeAccount) -> [String] {
        [one.title, one.name ?? "", one.server ?? "", one.item.protectionClass?.name ?? ""]
    }
}
