import ArgumentParser
import KeychainNames
import Linux
import Secrets
import SoughtNames
import TerminalScreen
import Tresor
import Wire

struct GetByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the secret of the item that has a name, alone.",
        discussion: """
            NAME is its service, server, label or account, as it was typed; where nothing is called so, capitals do \
            not count, then 'github' stands for github.com, and at last a part of a name will do. Where several have \
            it, they are listed and none is chosen (exit code 4).
            """)

    @OptionGroup var item: NameOptions
    @Option(help: "Print this instead: account, server, service, label, comment or password.")
    var field: FieldName?
    @Flag(help: "The attributes as JSON, not the secret.")
    var json = false
    @OptionGroup var demands: DemandOptions

    func validate() throws {
        if json && field != nil { throw ValidationError("--json prints all attributes; leave --field out") }
    }

    func run() async throws {
        let keychain = try Keychain()
        let found = try await item.choice.forReading(in: keychain)
        if json { return try Output.json(ItemDocument(found)) }
        if let field, field != .password {
            guard let text = field.text(of: found), !text.isEmpty else {
                throw Failure(Wire.ExitCode.notFound, "it has no \(field.rawValue)")
            }
            return try Output.line(Terminal.isTerminal(1) ? SafeText.line(text) : text)
        }
        let secret = try await keychain.read(ItemQuery(found.reference), context: demands.context())
        try Output.secret(secret)
    }
}

struct CopyByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the secret of the item that has a name; the clipboard is cleared after 30 seconds.")

    @OptionGroup var item: NameOptions
    @OptionGroup var demands: DemandOptions

    func run() async throws {
        let keychain = try Keychain()
        let found = try await item.choice.forReading(in: keychain)
        let secret = try await keychain.read(ItemQuery(found.reference), context: demands.context())
        try await Clipboard.lend(secret)
    }
}

struct CodeByName: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Print the one-time code of the account that has a name, alone.",
        discussion: """
            NAME is what the codes are for, its server, or the account's name; in part, where nothing is called \
            exactly so. 'tresor vault code' lists the accounts that have codes, and adds them.
            """)

    @Argument(help: "What the codes are for: the login's label, server or account.")
    var name: String
    @Option(help: "Only codes of this account.")
    var account: String?
    @Flag(help: "As JSON: the code, its period, and for how many more seconds it is good.")
    var json = false
    @Flag(help: "Copy the code to the clipboard, and clear that after 30 seconds.")
    var clip = false
    @OptionGroup var demands: DemandOptions

    func validate() throws {
        if json && clip { throw ValidationError("--json prints the code, --clip does not; give one of them") }
    }

    func run() async throws {
        let keychain = try Keychain()
        let known = try await CodeAccounts(in: keychain)
        let only = try one(of: known)
        known.left.tell()
        let made = try await keychain.oneTimeCode(of: only, context: demands.context())
        if clip { return try await Clipboard.lend(made.digits) }
        if json { return try PrintCode.printJSON(made) }
        try Output.secret(made.digits)
    }

    private func one(of known: CodeAccounts) throws -> OneTimeCodeAccount {
        let candidates = known.accounts.filter { account == nil || account == $0.name ?? "" }
        let best = SoughtName(name).best(of: candidates) { one in
            [one.title, one.server, one.name, one.item.service, one.item.label].compactMap { $0 }
        }
        guard let first = best.values.first else {
            if known.left.hidesSomething { Output.error("no such account is among the items that can be read") }
            try known.left.report(isLockExpected: false)
            throw Failure(
                Wire.ExitCode.notFound, "no account of this name has one-time codes",
                hint: "'tresor vault code list' shows which do; 'tresor vault code add' takes one in")
        }
        guard best.values.count == 1 else {
            var table = TextTable(["FOR", "ACCOUNT", "SERVER"])
            for one in best.values.prefix(20) { table.add([one.title, one.name ?? "", one.server ?? ""]) }
            var lines = ["\(best.values.count) accounts have this name; none was chosen"]
            lines += table.lines.map { "  " + $0 }
            if best.values.count > 20 { lines.append("  and \(best.values.count - 20) more") }
            throw Failure(Wire.ExitCode.duplicate, lines.joined(separator: "\n"), hint: "narrow it to one: --account")
        }
        return first
    }
}
