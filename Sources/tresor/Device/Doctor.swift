import ArgumentParser
import Protection
import Tresor
import Wire

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look for what is amiss: signs of a compromised machine, damaged items, a rollback, lost items.",
        discussion: "Changes nothing. Exits with 8 where something is damaged.")

    @Flag(help: "List the access groups that are nobody's any more, and nothing else.")
    var orphans = false

    func run() async throws {
        // Needs no daemon. A compromised machine would not say so: what is found counts, what is not proves nothing.
        if !orphans { for line in IntegrityCheck().verdict().lines { try Output.line(line) } }
        let keychain = try Keychain()
        let report = try await keychain.accessGroups()
        let lost = report.groups.filter { $0.ownership == .orphan || $0.ownership == .unknown }
        if orphans {
            for group in lost {
                let doubt = group.ownership == .unknown ? ", if its program is gone" : ""
                try Output.line("\(group.name)  \(group.count)\(doubt)")
            }
            return
        }
        let status = try await keychain.status()
        let isDamaged = !status.damagedItems.isEmpty || status.daemon.rollback != 0
        try Output.line(
            status.damagedItems.isEmpty
                ? "items        all that were looked at can be read"
                : "items        \(status.damagedItems.count) cannot be decoded; 'tresor status' names them")
        try Output.line(
            status.daemon.rollback == 0
                ? "rollback     none" : "rollback     the enclave and the store are of different moments")
        let orphaned = lost.filter { $0.ownership == .orphan }.reduce(0) { $0 + Int($1.items) }
        let count = orphaned == 1 ? "1 item" : "\(orphaned) items"
        try Output.line("orphans      \(count)\(orphaned == 0 ? "" : "; see 'tresor doctor --orphans'")")
        if report.hidden > 0 {
            try Output.line("not seen     \(report.hidden) items, shut by the lock state or damaged")
        }
        if isDamaged { throw ArgumentParser.ExitCode(Wire.ExitCode.damaged) }
    }
}
