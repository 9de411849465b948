import ArgumentParser
import Localization
import NotesClient

struct NotesBrowse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: localized("Show the notes at this terminal: what 'tresor notes' does by itself."))

    @OptionGroup var options: NotesOptions
    @Flag(help: ArgumentHelp(localized("Line by line, without a drawn screen: for screen readers.")))
    var plain = false

    func run() throws { try NotesScreens.browse(isPlain: plain, options) }
}
