import ArgumentParser
import Linux
import Localization
import Protection
import TerminalScreen
import Tresor
import Wire

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: localized(
            "Look for what is amiss: signs of a compromised machine, damaged items, a rollback, lost items."),
        discussion: localized(
            """
            Names the one command for what is not set up yet: that the device starts by itself, and its passcode; and \
            the folder in which everything lies.

            Changes nothing. Exits with 8 where something is damaged, and where the signs make this machine count as \
            compromised, by the weights of 'tresor settings integrity'.

            With --data, everything that Tresor keeps is opened and thrown away: every item, note, version, entry and \
            file. What is locked is not looked at, and counted: unlock the device first, open locked notes, and sign \
            in to the diary. It goes in parts of some milliseconds, and goes on where it was when it was stopped.
            """))

    @Flag(help: ArgumentHelp(localized("List the access groups that are nobody's any more, and nothing else.")))
    var orphans = false

    @Flag(help: ArgumentHelp(localized("Open everything that is kept, and name what is damaged.")))
    var data = false

    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    @Flag(
        help: ArgumentHelp(
            localized(
                "With --data: only where it is a month ago, slowly, while the device is unlocked; a timer asks for it.")
        ))
    var scheduled = false

    func validate() throws {
        guard !scheduled || (data && !json) else {
            throw ValidationError(localized("--scheduled goes with --data alone"))
        }
        guard !data || !orphans else { throw ValidationError(localized("--data and --orphans do not go together")) }
    }

    func run() async throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        if scheduled {
            if try await DataCheck.runScheduled(home) { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
            return
        }
        if data {
            let check = DataCheck(home, json: json)
            if try await check.run() { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
            return
        }
        if json { return try await printJSON(home) }
        // Needs no daemon. A compromised machine would not say so: what is found counts, what is not proves nothing.
        let isCompromised = try orphans ? false : Self.checkIntegrity()
        if !orphans {
            try Output.words(SetupState.current(home, isPasscodeSet: nil).startLine)
            try Output.words(localized("home         \(home.data); 'tresor admin where' says how to uninstall, too"))
        }
        do { try await checkKeychain() } catch let error as TresorError where isCompromised {
            // A device that does not run must not make a bad verdict look like that alone.
            Output.error("tresor: \(Report.words(of: error))")
        }
        if isCompromised { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    /// - Returns: whether this machine counts as compromised.
    private static func checkIntegrity() throws -> Bool {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let verdict = IntegrityCheck(rules: IntegritySettings(home: home).rules).verdict()
        for line in verdict.lines { try Output.words(line) }
        return verdict.isCompromised
    }

    /// Where the settings lie that tresord could not read.
    static func settingsAside() throws -> String? {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let kept = home.settings + ".damaged"
        return try FileSystem.status(kept) == nil ? nil : kept
    }

    private func findings() async throws -> KeychainFindings {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let keychain = try Keychain()
        let report = try await keychain.accessGroups()
        return KeychainFindings(
            status: try await keychain.status(),
            lost: report.groups.filter { $0.ownership == .orphan || $0.ownership == .unknown }, hidden: report.hidden,
            settingsAside: try Self.settingsAside(), look: DataCheckState.load(home),
            former: try RepairedStore.former(in: home))
    }

    /// - Throws: `ExitCode` where something is damaged, after all is printed.
    private func printJSON(_ home: Home) async throws {
        if orphans { return try Output.json(try await findings().lost.map { OrphanedGroupDocument($0) }) }
        let verdict = IntegrityCheck(rules: IntegritySettings(home: home).rules).verdict()
        var found: KeychainFindings?
        do { found = try await findings() } catch let error as TresorError where verdict.isCompromised {
            Output.error("tresor: \(Report.words(of: error))")
        }
        try Output.json(DoctorDocument(verdict, home, found))
        if verdict.isCompromised || found?.isDamaged == true { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    private func checkKeychain() async throws {
        let found = try await findings()
        if orphans { return try printOrphans(found.lost) }
        let status = found.status
        let setup = SetupState(startsByItself: nil, isPasscodeSet: status.hasPasscode)
        if let line = setup.passcodeLine { try Output.words(line) }
        try Output.words(
            status.damagedItems.isEmpty
                ? localized("items        all that were looked at can be read")
                : localized("items        \(status.damagedItems.count) cannot be decoded; 'tresor status' names them"))
        try Output.words(
            status.daemon.rollback == .none
                ? localized("rollback     none")
                : localized("rollback     the enclave and the store are of different moments"))
        let orphaned = found.lost.filter { $0.ownership == .orphan }.reduce(0) { $0 + Int($1.items) }
        let count = localized(orphaned, one: "1 item", many: "\(orphaned) items")
        try Output.words(
            orphaned == 0
                ? localized("orphans      \(count)")
                : localized("orphans      \(count); see 'tresor doctor --orphans'"))
        if let kept = found.settingsAside {
            try Output.words(
                localized("settings     could not be read, and are the strictest; see \(kept), and remove it then"))
        }
        try Output.words(found.look?.line ?? localized("data         never looked at; 'tresor doctor --data' does it"))
        for path in found.former {
            try Output.words(
                localized("kept         \(path), from before an update; 'tresor doctor --data' removes it"))
        }
        if found.hidden > 0 {
            try Output.words(localized("not seen     \(found.hidden) items, shut by the lock state or damaged"))
        }
        if found.isDamaged { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }

    private func printOrphans(_ lost: [GroupsReport.Group]) throws {
        var rows = ListRows(
            [localized("GROUP"), localized("ITEMS"), localized("DOUBT")],
            yielding: [.shortened(2, to: 12), .dropped(2)])
        for group in lost {
            let doubt = group.ownership == .unknown ? ", if its program is gone" : ""
            try rows.add(
                [group.name, "\(group.items)", group.ownership == .unknown ? localized("if its program is gone") : ""],
                elsewhere: "\(group.name)  \(group.listedCount)\(doubt)")
        }
        try rows.finish()
    }
}
