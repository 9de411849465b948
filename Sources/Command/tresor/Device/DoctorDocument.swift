import FoundationEssentials
import Linux
import Tresor
import Wire

/// What `tresor doctor` has found of the keychain; in words, and for `--json`.
struct KeychainFindings {
    let status: DeviceStatus
    /// Groups that are nobody's any more, or perhaps.
    let lost: [GroupsReport.Group]
    /// Items that could not be looked at.
    let hidden: UInt32
    /// Where settings lie that could not be read.
    let settingsAside: String?
    /// The last look at all data.
    let look: DataCheckState?
    /// Databases from before an update.
    let former: [String]

    var isDamaged: Bool {
        !status.damagedItems.isEmpty || status.daemon.rollback != .none || settingsAside != nil
            || look?.damage.isEmpty == false
    }
}

/// `tresor doctor --json`.
struct DoctorDocument: Encodable {
    struct Integrity: Encodable {
        struct Finding: Encodable {
            let name: String
            let state: String
            let weight: Int
            let seen: String
        }

        let compromised: Bool
        let sum: Int
        let threshold: Int
        let findings: [Finding]

        init(_ verdict: IntegrityVerdict) {
            compromised = verdict.isCompromised
            sum = verdict.sum
            threshold = verdict.threshold
            findings = verdict.findings.map {
                Finding(name: $0.name, state: $0.state.rawValue, weight: $0.weight, seen: $0.seen)
            }
        }
    }

    struct Data: Encodable {
        /// Left out where the look was stopped, or never begun.
        let looked: Date?
        let damaged: Int
        let locked: Int
    }

    let integrity: Integrity
    let setup: SetupState
    // What follows is left out where the device does not run.
    var damagedItems: Int?
    var rollback: Bool?
    var orphans: [OrphanedGroupDocument]?
    var hiddenItems: UInt32?
    var settingsAside: String?
    var data: Data?
    var former: [String]?

    init(_ verdict: IntegrityVerdict, _ home: Home, _ found: KeychainFindings?) {
        integrity = Integrity(verdict)
        setup = SetupState.current(home, isPasscodeSet: found?.status.hasPasscode)
        guard let found else { return }
        damagedItems = found.status.damagedItems.count
        rollback = found.status.daemon.rollback != .none
        orphans = found.lost.map { OrphanedGroupDocument($0) }
        hiddenItems = found.hidden
        settingsAside = found.settingsAside
        data = Data(
            looked: found.look?.finished.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) },
            damaged: found.look?.damage.count ?? 0, locked: found.look?.shut ?? 0)
        former = found.former
    }
}
