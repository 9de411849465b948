import ArgumentParser
import KeychainTerminal
import Linux
import Localization
import TerminalScreen
import Tresor
import Wire

struct BrowseItems: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: localized(
            "Show the keychain at this terminal: search, details, codes; reveal, copy, add, edit, delete."))

    @Flag(
        help: ArgumentHelp(
            localized(
                "Line by line, without a drawn screen: for screen readers; what was read stays in the scrollback.")))
    var plain = false

    func run() throws {
        guard plain || Terminal.isTerminal(0) && Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("this is no terminal to show the keychain on"),
                hint: localized("'tresor ls' and 'tresor get' print to files and pipes"))
        }
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let owner = OwnerInput(home)
        // A terminal that can only write lines gets lines.
        let isPlain = plain || TerminalLooks.here.isDumb
        try KeychainTerminal.run(
            home: home, keychains: { try KeychainList.names(of: home) }, isPlain: isPlain,
            ownerIsActive: { owner.note() })
    }
}
