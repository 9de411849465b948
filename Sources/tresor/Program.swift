import ArgumentParser
import Linux
import Tresor
import Wire

@main
struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tresor",
        abstract: "Passwords and other secrets that open as far as the lock screen allows.",
        discussion: """
            Secrets are typed at a prompt, or come from standard input or a file descriptor; never from the command \
            line. Exit codes: 0 ok, 3 not found, 4 duplicate, 5 locked, 6 authentication failed, 7 not permitted, \
            8 damaged store, 64 usage, 69 daemon not running, 73 disk cannot be written.
            """,
        version: "tresor 0.1.0",
        subcommands: [
            Up.self, Down.self, Status.self, Lock.self, Unlock.self, PasscodeGroup.self, SettingsCommand.self,
            KeychainGroup.self, PresetsCommand.self, ClassesCommand.self, TrustCommand.self, SecurityKeyGroup.self,
            AppCommand.self,
            ProfileCommand.self, NotesGroup.self, DiaryGroup.self, WidgetGroup.self, Doctor.self, Tour.self,
        ])

    static func main() async {
        do {
            Introduction.introduce()
            try Sandbox.harden()
            try CommandLineCheck.refuseSecrets(CommandLine.arguments)
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Report.exit(with: error, as: Self.self)
        }
    }
}
