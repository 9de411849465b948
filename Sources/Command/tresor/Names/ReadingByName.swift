import ArgumentParser
import KeychainNames
import Linux
import Localization
import Secrets
import SoughtNames
import TerminalScreen
import Tresor
import Wire

struct GetByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: localized("Print the secret of the item that has a name, alone."),
        discussion: localized(
            """
            NAME is its service, server, label or account, as it was typed; where nothing is called so, capitals do \
            not count, then 'github' stands for github.com, and at last a part of a name will do. Where several have \
            it, they are listed and none is chosen (exit code 4). What one-time codes are made from is not printed: \
            --code prints the code.
            """) + "\n\n" + OptionHeadings.more("get"))

    @OptionGroup var item: NameOptions
    @Option(help: ArgumentHelp(localized("Print this instead: account, server, service, label, comment or password.")))
    var field: FieldName?
    @Flag(
        help: ArgumentHelp(
            localized("The attributes as JSON, not the secret; and under which reference its one-time code is kept.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("Print the one-time code that goes with it.")))
    var code = false
    @Flag(
        help: ArgumentHelp(
            localized(
                """
                Draw the secret as a QR code in this terminal, for the camera of a phone; of a Wi-Fi's password the \
                code by which it joins.
                """)))
    var qr = false
    @Flag(help: ArgumentHelp(localized("With --qr and without colours: for light letters on a dark ground.")))
    var invert = false
    @OptionGroup var demands: DemandOptions

    func validate() throws {
        if qr && (json || code || field != nil && field != .password) {
            throw ValidationError(localized("--qr draws the secret and nothing else; leave the other out"))
        }
        if invert && !qr { throw ValidationError(localized("--invert belongs to --qr")) }
        if json && field != nil { throw ValidationError(localized("--json prints all attributes; leave --field out")) }
        if code && (json || field != nil) {
            throw ValidationError(
                localized("--code prints a one-time code and nothing else; leave --json and --field out"))
        }
    }

    func run() async throws {
        let screen = try qr ? CodeScreen(inverted: invert) : nil
        let keychain = try Keychain()
        let found = try await item.choice.forReading(in: keychain)
        if code { return try await printCode(besides: found, in: keychain) }
        if json {
            var document = ItemDocument(found)
            let account = try await keychain.oneTimeCodes(besides: found)
            document.oneTimeCode = account.map { Hexadecimal.encode($0.item.reference.bytes) }
            return try Output.json(document)
        }
        if let field, field != .password {
            guard let text = field.text(of: found), !text.isEmpty else {
                throw Failure(Wire.ExitCode.notFound, field.isMissing)
            }
            return try Output.line(Terminal.isTerminal(1) ? SafeText.line(text) : text)
        }
        try found.refuseSeed()
        let secret = try await keychain.read(ItemQuery(found.reference), context: demands.context())
        if let screen { return try screen.draw(secret, of: found) }
        try Output.secret(secret)
        // A person is told; a script that wants it asks for it, and no secret waits for an answer.
        if Terminal.isTerminal(1), Terminal.isTerminal(2), try await keychain.oneTimeCodes(besides: found) != nil {
            Output.error(localized("  a one-time code goes with it: --code prints that"))
        }
    }

    private func printCode(besides login: Item, in keychain: Keychain) async throws {
        guard let account = try await keychain.oneTimeCodes(besides: login) else {
            throw Failure(
                Wire.ExitCode.notFound, localized("no one-time codes go with it"),
                hint: localized("'tresor vault code list' shows what has codes; 'tresor add NAME --code' takes one in"))
        }
        try PrintCode.print(try await keychain.oneTimeCode(of: account, context: demands.context()))
    }
}

extension Item {
    /// What codes are made from is shown by a command of its own: a name is not asked for, and gives it away for good.
    func refuseSeed() throws {
        guard OneTimeCodeAccount(self) != nil else { return }
        throw Self.seedRefusal
    }

    static var seedRefusal: Failure {
        Failure(
            Wire.ExitCode.usage, localized("this is what one-time codes are made from; it is not shown or copied here"),
            hint: localized("'tresor code NAME' makes a code; 'tresor vault code seed NAME' shows what it is made from")
        )
    }
}

struct CopyByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: localized("Copy the secret of the item that has a name; the clipboard is cleared after 30 seconds."),
        discussion: OptionHeadings.more("copy"))

    @OptionGroup var item: NameOptions
    @OptionGroup var demands: DemandOptions

    func run() async throws {
        let keychain = try Keychain()
        let found = try await item.choice.forReading(in: keychain)
        try found.refuseSeed()
        let state = try await keychain.status().lockState
        let secret = try await keychain.read(ItemQuery(found.reference), context: demands.context())
        try Clipboard.lend(secret, readIn: state)
    }
}

struct CodeByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: localized("Print the one-time code of the account that has a name, alone."),
        discussion: localized(
            """
            To add one: 'tresor add NAME --code'. It asks for the secret that the site shows.

            NAME is what the codes are for, its server, or the account's name; in part, where nothing is called \
            exactly so. 'tresor vault code list' lists the accounts that have codes.
            """) + "\n\n" + OptionHeadings.more("code"))

    @Argument(
        help: ArgumentHelp(localized("What the codes are for: the login's label, server or account.")),
        completion: Completion.codes)
    var name: String
    /// For whoever types `code add NAME`; `code add` alone is the code of what is called so.
    @Argument(help: .private)
    var others: [String] = []
    @Option(help: ArgumentHelp(localized("Only codes of this account.")), completion: Completion.accounts)
    var account: String?
    @Flag(help: ArgumentHelp(localized("As JSON: the code, its period, and for how many more seconds it is good.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("Copy the code to the clipboard, and clear that after 30 seconds.")))
    var clip = false
    @OptionGroup var demands: DemandOptions

    func validate() throws {
        if json && clip {
            throw ValidationError(localized("--json prints the code, --clip does not; give one of them"))
        }
        guard let other = others.first, name != "add" else { return }
        throw ValidationError(localized("Unexpected argument '\(other)'"))
    }

    func run() async throws {
        if let new = others.first {
            throw Failure(
                Wire.ExitCode.usage, localized("'tresor code' prints a code, and adds none"),
                hint: localized("to add it: tresor add \(SafeText.line(new)) --code"))
        }
        let keychain = try Keychain()
        let known = try await CodeAccounts(in: keychain)
        let only = try known.one(named: name, account: account)
        known.left.tell()
        let state = try await keychain.status().lockState
        let made = try await keychain.oneTimeCode(of: only, context: demands.context())
        if clip { return try Clipboard.lend(made.digits, readIn: state) }
        if json { return try PrintCode.printJSON(made) }
        try PrintCode.print(made)
    }
}

extension CodeAccounts {
    /// The one account that a name means.
    func one(named name: String, account: String?) throws -> OneTimeCodeAccount {
        let candidates = accounts.filter { account == nil || account == $0.name ?? "" }
        let best = SoughtName(name).best(of: candidates) { one in
            [one.title, one.server, one.name, one.item.service, one.item.label].compactMap { $0 }
        }
        guard let first = best.values.first else {
            if left.hidesSomething { Output.error(localized("no such account is among the items that can be read")) }
            try left.report(isLockExpected: false)
            throw Failure(
                Wire.ExitCode.notFound, localized("no account of this name has one-time codes"),
                hint: localized("'tresor vault code list' shows which do; 'tresor add NAME --code' takes one in"))
        }
        guard best.values.count == 1 else {
            var table = TextTable([localized("FOR"), localized("ACCOUNT"), localized("SERVER")])
            for one in best.values.prefix(20) { table.add([one.title, one.name ?? "", one.server ?? ""]) }
            var lines = [localized("\(best.values.count) accounts have this name; none was chosen")]
            lines += Output.told(table)
            if best.values.count > 20 { lines.append(localized("  and \(best.values.count - 20) more")) }
            throw Failure(
                Wire.ExitCode.duplicate, lines.joined(separator: "\n"), hint: localized("narrow it to one: --account"))
        }
        return first
    }
}
