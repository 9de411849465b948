import Linux
import Localization
import NotesClient
import NotesTerminal
import Tresor
import Wire

/// The terminal interface, for the commands that show it.
enum NotesScreens {
    static func browse(isPlain: Bool, _ options: NotesOptions) throws {
        guard isPlain || Terminal.isTerminal(0) && Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("this is no terminal to show notes on"),
                hint: localized("'tresor notes --help' lists the commands")
            )
        }
        let home = try home(options)
        let owner = OwnerInput(home)
        // The one that a finger opens is the former.
        func forgetFinger() {
            try? PasswordRemoval.remove(home, service: FingerPassphrase.service, account: FingerPassphrase.account)
        }
        try NotesTerminal.run(
            home: home, isPlain: isPlain, finger: finger(home), passphraseIsNew: forgetFinger
        ) { owner.note() }
    }

    static func edit(_ id: String, _ options: NotesOptions) throws {
        let home = try home(options)
        let owner = OwnerInput(home)
        try NotesTerminal.edit(home: home, id: try wholeID(id, options), finger: finger(home)) { owner.note() }
    }

    private static func finger(_ home: Home) -> FingerPassword {
        FingerPassword(home, service: FingerPassphrase.service, account: FingerPassphrase.account)
    }

    /// The note itself must not be held here while its editor is open: a lock could not wipe it.
    private static func wholeID(_ id: String, _ options: NotesOptions) throws -> String {
        do { return try options.connect().note(.find(id: id)).id } catch let error as NotesError
            where error.code == .deviceLocked
        {
            // The screen says so, and unlocks it.
            return id
        }
    }

    private static func home(_ options: NotesOptions) throws -> Home {
        _ = try options.connect()
        return try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
    }
}
