import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// What the owner says of programs, through the command `tresor`: apps, grants, and groups that nobody needs any more.
final class AppAdministration {
    private static let mostWishes = 64
    private static let mostWishesOfOne = 4

    private let device: DeviceOwner
    /// Who asked for a group in vain since the daemon started; the latest last.
    private(set) var wishes: [AppsReport.Wish] = []

    init(device: DeviceOwner) { self.device = device }

    /// The owner speaks through one program.
    func admit(_ identity: CallerIdentity) throws {
        guard identity.isOurs, identity.name == "tresor" else {
            throw Self.notOwner
        }
    }

    /// Told to every other program, whether it is known or not.
    static let notOwner = KeychainError(
        .missingEntitlement, .unknownProgram, detail: KeychainError.ownersCommandAlone)

    func register(_ registration: borrowing AppRegistration) throws {
        let manifest = registration.manifest
        try device.administer(registration.passcode) {
            try device.apps.register(manifest, now: UInt64(clamping: SystemClock.wallMicroseconds()))
        }
    }

    func remove(_ removal: borrowing AppRemoval) throws {
        let identifier = removal.identifier
        try device.administer(removal.passcode) { try device.apps.remove(identifier) }
    }

    func change(_ change: borrowing GrantChange) throws {
        let (grant, isGranted) = (change.grant, change.isGranted)
        try device.administer(change.passcode) {
            if isGranted { try device.apps.grant(grant) } else { try device.apps.revoke(grant) }
        }
        wishes.removeAll { $0.grant == grant }
    }

    func purge(_ purge: borrowing GroupPurge) throws {
        let group = purge.group
        // What belongs to a program that is there is that program's to remove.
        switch ownership(of: group) {
        case .orphan, .unknown: break
        case .ours, .app, .program: throw KeychainError(.missingEntitlement)
        }
        try device.administer(purge.passcode) { _ = try device.store.purge(group: group) }
    }

    func groups() throws -> GroupsReport {
        let (items, hidden) = try device.store.itemsPerGroup()
        let groups = items.filter { !KeychainStore.hiddenGroups.contains($0.key) }.sorted { $0.key < $1.key }
            .prefix(GroupsReport.mostGroups)
            .map { GroupsReport.Group(name: $0.key, items: $0.value, ownership: ownership(of: $0.key)) }
        return GroupsReport(groups: Array(groups), hidden: hidden)
    }

    private func ownership(of group: String) -> GroupOwnership {
        // Where nobody may look, the program may well be there.
        device.apps.registry.ownership(of: group) { path in
            do { return try FileSystem.status(path) != nil } catch { return nil }
        }
    }

    /// The identifiers that a program is given.
    func identifiers(of identity: CallerIdentity, _ seen: CallerIdentifier.Seen?) throws -> IdentifiersReport {
        guard let name = identity.name, let seen else { throw KeychainError(.missingEntitlement, .unknownProgram) }
        try device.refuseUnfinishedReset()
        // The owner's command shows what is, every other program what it was told.
        let advertising =
            try identity.isOurs ? device.apps.advertising() : seen.advertising ?? device.apps.advertising()
        seen.advertising = advertising
        return IdentifiersReport(vendor: try device.apps.vendorIdentifier(of: name), advertising: advertising)
    }

    /// Notes that a program asked for a group that is not its own.
    func note(_ identity: CallerIdentity, wants group: String) {
        guard let name = identity.name, AccessGroup.isName(group), !group.hasPrefix(AccessGroup.ourPrefix) else {
            return
        }
        let grant = AccessGrant(program: name, group: group)
        wishes.removeAll { $0.grant == grant }
        // A program that asks for whatever comes to its mind must not push others out.
        guard wishes.count(where: { $0.grant.program == name }) < Self.mostWishesOfOne else { return }
        if wishes.count >= Self.mostWishes { wishes.removeFirst() }
        wishes.append(AppsReport.Wish(grant: grant, grade: identity.grade, time: SystemClock.wallMicroseconds()))
    }
}
