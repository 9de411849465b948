import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import StoreRepair
import StoreTables
import Tresor
import Wire

struct Repair: AsyncParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: localized("Put damaged databases together again, and look at all that came back."),
        discussion: localized(
            """
            The device must not run: 'tresor down'. Where a database of the keychain, of notes or of the diary is \
            damaged, a new one is made of every row that can still be read. It takes the place of the damaged one, \
            whose folder is kept beside, as NAME.damaged-DATE, until you remove it. Then the device is started and \
            unlocked, everything is opened, and what is still damaged is named.

            With --from, what is damaged or lost is taken from an earlier copy of the home, as far as it opens: a \
            backup of the folder in which keychain, notes and diary lie.

            Exits with 8 where something is damaged or lost.
            """))

    @Option(help: ArgumentHelp(localized("A copy of the home's data folder, to take from it what is damaged or lost.")))
    var from: String?

    @Flag(help: ArgumentHelp(localized("Only put the databases together: start nothing, and look at nothing.")))
    var offline = false

    func validate() throws {
        guard !offline || from == nil else {
            throw ValidationError(
                localized("what is taken from a copy has to be opened first: --from goes without --offline"))
        }
    }

    func run() async throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let outcome = try Self.withoutDevice(home) { try HomeRepair(home, from: from).run() }
        if let code = outcome.failure { throw ArgumentParser.ExitCode(code) }
        guard !offline else {
            guard outcome.isWhole else { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
            return
        }
        let look = try Self.lookAtAll()
        guard look == ProcessExit.success else { throw ArgumentParser.ExitCode(look) }
        guard outcome.isWhole else { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    /// Keeps a device from being started on what is put together.
    private static func withoutDevice<Result>(_ home: Home, _ body: () throws -> Result) throws -> Result {
        guard try FileSystem.status(home.data) != nil else {
            throw Failure(Wire.ExitCode.notFound, localized("there is no home at \(home.data)"))
        }
        let lock = try FileDescriptor.open(home.lock, FileFlags.readWriteOrCreate)
        guard try lock.lockExclusively(within: .seconds(1)) else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("the device runs; nothing was changed"),
                hint: localized("end it with 'tresor down', and copy the home to another disk before you repair it"))
        }
        let result = try body()
        // The kernel drops it with the descriptor.
        _ = lock.raw
        return result
    }

    /// What a process was taken for stays, so each step is one of its own.
    ///
    /// - Returns: the exit code of the step that failed, or of the look.
    private static func lookAtAll() throws -> Int32 {
        let program = try CurrentProcess.executableDirectory() + "/tresor"
        let steps = [["up", "--detach"], ["unlock"], ["repair-data"]]
        let manner = (Manner.isQuiet ? ["--quiet"] : []) + (Manner.isVerbose ? ["--verbose"] : [])
        for step in steps {
            if step == ["unlock"], isUnlocked() { continue }
            let code = try ChildProcess.runInTerminal(program, step + manner).exitCode
            if code == ProcessExit.success { continue }
            if step != ["repair-data"] {
                Output.error(
                    localized(
                        "not looked at yet: 'tresor unlock', and then 'tresor repair-data', which opens everything"))
            }
            return code
        }
        return ProcessExit.success
    }

    private static func isUnlocked() -> Bool {
        guard let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user) else {
            return false
        }
        return (try? DaemonLink(home).lockState()) == .unlocked
    }
}

/// The second half of a repair, on an unlocked device.
struct RepairData: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair-data",
        abstract: localized(
            "The second half of 'tresor repair': take what is lost from the copy, and look at everything."),
        discussion: localized(
            """
            For what was locked when it was repaired: unlock the device, sign in to the diary, open locked notes, and \
            give this command. What stays locked is taken at a later time; --done removes the copy.
            """),
        shouldDisplay: false)

    @Flag(help: ArgumentHelp(localized("Remove the copy from which is taken, whatever was locked.")))
    var done = false

    func run() async throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        if HomeCopy.isThere(home) {
            let check = DataCheck(home, json: false, takes: true)
            let (taken, shut) = try await check.take()
            for found in taken { try Output.words(localized("came back    \(found.words)")) }
            for store in RepairedStore.all {
                guard shut.contains(where: { $0.rawValue == store.name }), !done else {
                    try HomeCopy.remove(store, home)
                    continue
                }
                guard HomeCopy.isThere(home, of: store) else { continue }
                Output.error(
                    localized(
                        """
                        \(store.name): something is locked or does not open, and nothing of it was taken. Unlock it, \
                        and give 'tresor repair-data' again; 'tresor repair-data --done' does without.
                        """))
            }
        }
        let check = DataCheck(home, json: false)
        if try await check.run() { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }
}
