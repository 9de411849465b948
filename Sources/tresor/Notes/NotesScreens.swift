import Linux
import NotesClient
import NotesTerminal
import Wire

/// The terminal interface, for the commands that show it.
enum NotesScreens {
    static func browse(isPlain: Bool, _ options: NotesOptions) throws {
        guard isPlain || Terminal.isTerminal(0) && Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, "this is no terminal to show notes on", hint: "'tresor notes --help' lists the commands"
            )
        }
        try NotesTerminal.run(home: try home(options), isPlain: isPlain)
    }

    static func edit(_ id: String, _ options: NotesOptions) throws {
        let note = try options.connect().note(.show(id: id))
        try NotesTerminal.edit(home: try home(options), id: note.id)
    }

    private static func home(_ options: NotesOptions) throws -> Home {
        _ = try options.connect()
        return try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
    }
}
