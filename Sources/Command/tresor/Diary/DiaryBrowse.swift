import ArgumentParser
import DiaryTerminal
import DiaryViews
import Linux
import Localization
import TerminalScreen
import Tresor
import Wire

struct DiaryBrowse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: localized("Show the diary at this terminal: what 'tresor diary' does by itself."),
        discussion: localized(
            """
            It asks for the password at every start, and locks the diary when it is left, stopped, or ended, and where \
            'settings --lock-on-resign' says so when its window loses the focus. Pictures are drawn where the \
            terminal says that it takes them, else in coloured characters; with NO_COLOR not in those.
            """))

    @Flag(
        help: ArgumentHelp(
            localized(
                "Line by line, without a drawn screen: for screen readers; what was read stays in the scrollback.")))
    var plain = false

    func run() throws {
        guard plain || Terminal.isTerminal(0) && Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("this is no terminal to show the diary on"),
                hint: localized("'tresor diary --help' lists the commands"))
        }
        let home = try DiaryOptions.home()
        let owner = OwnerInput(home)
        // A terminal that can only write lines gets lines.
        let isPlain = plain || TerminalLooks.here.isDumb
        try DiaryTerminal.run(home: home, language: DiaryOptions.language, isPlain: isPlain) { owner.note() }
    }
}
