import ArgumentParser
import Linux
import Localization
import ParserWords
import StoreTables
import Tresor
import Wire

@main
struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tresor",
        abstract: localized("Passwords and other secrets that open as far as the lock screen allows."),
        discussion: localized(
            """
            Secrets are typed at a prompt, or come from standard input or a file descriptor; never from the command \
            line. Everything lies in $TRESOR_HOME, else in ~/.local/share/tresor and ~/.local/state/tresor; 'tresor \
            admin where' names the folders, and says how to uninstall. Every command takes --quiet and --verbose. \
            Exit codes: 0 ok, 3 not found, 4 duplicate, or several have the name, 5 locked, 6 authentication failed, \
            7 not permitted, 8 damaged store, 64 usage, 69 daemon not running, 73 disk cannot be written, 75 no answer.
            """),
        version: "tresor \(Version.text)",
        groupedSubcommands: TopWords.groups)

    @Flag(
        name: [.customShort("q"), .long],
        help: ArgumentHelp(localized("With any command: say nothing but data and errors.")))
    var quiet = false
    @Flag(
        help: ArgumentHelp(
            localized("With any command: say of an error also the keychain's status number, such as -25308.")))
    var verbose = false

    /// The argument parser gives these two to nobody else, wherever they stand: here they are taken down.
    func validate() throws { Manner.choose(isQuiet: quiet, isVerbose: verbose) }

    /// Without a word: what there is, and how to begin where nothing runs yet.
    func run() async throws {
        let help = Self.fullMessage(for: CleanExit.helpRequest(self), columns: nil)
        try Output.line(ParserWords.translated(help: help))
        guard Terminal.isTerminal(1), Terminal.isTerminal(2),
            let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user),
            !RunningDaemon.isThere(home)
        else { return }
        Output.remark("\n" + localized("Tresor does not run. This starts it in the background: tresor up --detach"))
    }

    private static let fewestDescriptors = 32

    static func main() async {
        Localization.followEnvironment()
        if Completion.isAsked(CommandLine.arguments) { Completion.answer(Self.self) }
        do {
            // Swift reads them there.
            guard !CommandLine.arguments.isEmpty else {
                throw Failure(
                    ExitCode.unavailable, localized("/proc is not there, so no program can read its own command line"),
                    hint: localized("mount it: mount -t proc proc /proc"))
            }
            // With fewer the runtime ends this process without a word.
            let descriptors = CurrentProcess.descriptorLimit
            guard descriptors >= fewestDescriptors else {
                throw Failure(
                    ExitCode.unavailable, localized("only \(descriptors) files may be open at once"),
                    hint: localized("raise the limit: 'ulimit -n 256', or LimitNOFILE= in a unit"))
            }
            // Nothing secret is read before the process hides: only the words that it was started with.
            try CommandLineCheck.refuseSecrets(CommandLine.arguments)
            var command = try parsedCommand()
            try refuseInputWithoutSubcommand(type(of: command))
            // What tresord sees of a process holds as long as that runs: nobody is shown who does not need it.
            if wantsItems(type(of: command)) {
                // A lock waits for nobody; it is let in without a name as well.
                Introduction.introduce(within: command is Lock ? .milliseconds(300) : Introduction.patience)
            }
            try Sandbox.harden()
            // Nobody reads what that one says.
            if !(command is KeepClipboard) { IntegrityWarnings.tell() }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            if !(command is KeepClipboard) { IntegrityWarnings.tell() }
        } catch {
            Report.exit(with: error, as: Self.self)
        }
    }

    private static func parsedCommand() throws -> any ParsableCommand {
        let words = MistypedWord.understood(CommandLine.arguments, in: Self.self)
        do {
            let parsed = try parseAsRoot(Array(words.dropFirst()))
            if let placed = parsed as? any CommandWrapper { return placed.wrapped }
            return parsed
        } catch {
            if let mistyped = MistypedWord.failure(of: words, error, in: Self.self) { throw mistyped }
            throw error
        }
    }

    /// A group of commands prints its help, which is no answer to whom something was piped into it.
    private static func refuseInputWithoutSubcommand(_ command: any ParsableCommand.Type) throws {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, ObjectIdentifier(command) != ObjectIdentifier(Self.self),
            !Terminal.isTerminal(0),
            (try? FileSystem.target(ofLink: "/proc/self/fd/0")) != "/dev/null"
        else { return }
        let names = subcommands.compactMap { $0.configuration.commandName }.joined(separator: ", ")
        let name = command.configuration.commandName ?? ""
        throw Failure(
            ExitCode.usage, localized("'\(name)' does nothing by itself"),
            hint: localized("say which of these: \(names)"))
    }

    private static func wantsItems(_ command: any ParsableCommand.Type) -> Bool {
        !(command is any AsksForNoItems.Type)
    }
}

/// A command that wants nothing of the keychain's: it does not make itself known to tresord, which takes it for nobody.
///
/// What a process was taken for once it stays, whatever it executes later. A command that gives its place to another
/// image is one of these, and a test of the sources looks for it.
protocol AsksForNoItems {}
