import Envelopes
import KeyEnvelopes
package import Protection
import Secrets
package import Wire

/// The registered apps, kept as items in a group that no program reaches.
///
/// Manifests are of class Always, so that apps are known before the first unlock; they prove themselves by their
/// signature. What only the owner's word makes true, grants and whose an application group's name is, opens with the
/// first unlock.
package final class AppRegister {
    /// The group of these items.
    package static let group = "tresor.apps"

    enum Service {
        static let manifest = "tresor.app.manifest"
        static let name = "tresor.app.group"
        static let grant = "tresor.app.grant"
        static let vendor = "tresor.app.vendor"
        static let advertising = "tresor.app.advertising"
    }

    /// All services but those of grants, each of which has its own.
    static let services = [Service.manifest, Service.name, Service.vendor, Service.advertising]

    let store: KeychainStore
    /// What the items say together; empty until ``reload()``.
    package private(set) var registry = AppRegistry()
    private var manifests: [String: [UInt8]] = [:]
    /// Whether grants and names could be read, too.
    package private(set) var isComplete = false
    /// Counts the changes of ``registry``.
    package private(set) var generation: UInt64 = 1

    let items: HiddenItems

    /// Reads nothing yet: see ``reload()``.
    package init(store: KeychainStore) {
        self.store = store
        items = HiddenItems(group: Self.group, in: store)
    }

    /// Reads everything anew that the lock state opens.
    ///
    /// A manifest that does not hold any more is passed over, and kept.
    package func reload() throws {
        var fresh = AppRegistry()
        var files: [String: [UInt8]] = [:]
        for entry in try items.entries(Service.manifest, class: .always) {
            guard let app = try? Self.app(entry.secret) else { continue }
            fresh.insert(app)
            files[app.claim.identifier] = entry.secret
        }
        isComplete = store.classes.lockState != .beforeFirstUnlock
        if isComplete {
            for entry in try items.entries(Service.name, class: .afterFirstUnlock) {
                fresh.own(entry.account, by: entry.secret)
            }
            for entry in try items.entries(beginning: Service.grant, class: .afterFirstUnlock) {
                guard let group = entry.label else { continue }
                fresh.grant(AccessGrant(program: entry.account, group: group))
            }
        }
        generation += 1
        (registry, manifests) = (fresh, files)
    }

    /// As if no app were registered, and nothing granted.
    package func forget() {
        (registry, manifests, isComplete) = (AppRegistry(), [:], false)
        generation += 1
    }

    /// Registers an app, or a newer version of one.
    ///
    /// - Parameters:
    ///   - file: the signed manifest.
    ///   - now: microseconds since 1970, UTC.
    /// - Throws: `KeychainError`: `refusedApp` with a ``RegistryRefusal``, `locked` before first unlock.
    package func register(_ file: [UInt8], now: UInt64) throws {
        try refuseIncomplete()
        let app: RegisteredApp
        do {
            app = try Self.app(file)
            try registry.check(app, now: now)
        } catch { throw Self.error(error) }
        let identifier = app.claim.identifier
        // A name that is given stays given: it goes to the disk before the app that uses it. After a forgotten passcode
        // the names are gone, and the manifest is not.
        for name in registry.newNames(of: app) {
            try items.keep(Service.name, account: name, class: .afterFirstUnlock, app.developer)
            registry.own(name, by: app.developer)
            generation += 1
        }
        guard manifests[identifier] != file else { return }
        try items.keep(Service.manifest, account: identifier, class: .always, file)
        registry.insert(app)
        manifests[identifier] = file
        generation += 1
    }

    /// Forgets an app; its items stay, and the names of its application groups remain its developer's.
    package func remove(_ identifier: String) throws {
        try refuseIncomplete()
        guard manifests[identifier] != nil else { throw Self.error(.unknown) }
        // What was granted to it must not wait for the next app of that name.
        for grant in registry.grants where grant.program == identifier { try revoke(grant) }
        try items.remove(Service.manifest, identifier)
        manifests[identifier] = nil
        registry.remove(identifier)
        try forgetVendor(of: identifier)
        generation += 1
    }

    /// Lets a program into a group that is not its own.
    package func grant(_ grant: AccessGrant) throws {
        try refuseIncomplete()
        guard AccessGroup.isName(grant.program), AccessGroup.isName(grant.group),
            !grant.group.hasPrefix(AccessGroup.ourPrefix)
        else { throw KeychainError(.parameter) }
        guard !registry.grants.contains(grant) else { return }
        guard registry.grants.count < AppRegistry.mostGrants else { throw Self.error(.tooMany) }
        try items.keep(
            Service.grant + " " + grant.group, account: grant.program, class: .afterFirstUnlock, label: grant.group, [])
        registry.grant(grant)
        generation += 1
    }

    /// Takes from a program a group that the owner had let it into.
    ///
    /// - Throws: `KeychainError`: `refusedApp` with ``RegistryRefusal/unknown`` where it was not granted, `locked`
    ///   before first unlock.
    package func revoke(_ grant: AccessGrant) throws {
        try refuseIncomplete()
        guard registry.grants.contains(grant) else { throw Self.error(.unknown) }
        try items.remove(Service.grant + " " + grant.group, grant.program)
        registry.revoke(grant)
        generation += 1
    }

    /// A page of manifests, ascending by identifier.
    package func report(after identifier: String, wishes: [AppsReport.Wish]) -> AppsReport {
        var report = AppsReport(isComplete: isComplete)
        var (bytes, last) = (0, "")
        for (name, manifest) in manifests.sorted(by: { $0.key < $1.key }) where name > identifier {
            guard bytes == 0 || bytes + manifest.count <= 256 * 1024 else {
                report.next = last
                break
            }
            bytes += manifest.count
            report.manifests.append(manifest)
            last = name
        }
        if identifier.isEmpty {
            report.grants = registry.grants.sorted()
            report.wishes = wishes
        }
        return report
    }

    func refuseIncomplete() throws {
        guard isComplete else { throw store.classes.lockedError(nil) }
    }

    private static func error(_ refusal: RegistryRefusal) -> KeychainError {
        KeychainError(
            refusal == .unknown ? .itemNotFound : .missingEntitlement, .refusedApp, detail: UInt64(refusal.rawValue))
    }

    private static func app(_ file: [UInt8]) throws(RegistryRefusal) -> RegisteredApp {
        do {
            let manifest = try AppManifest(signed: file)
            return RegisteredApp(
                claim: manifest.claim, developer: manifest.developer, version: manifest.version,
                expires: manifest.expires == 0 ? nil : manifest.expires)
        } catch { throw error == .notAuthentic ? .notAuthentic : .malformed }
    }
}
