/// An app that the owner has registered.
package struct RegisteredApp: Equatable, Sendable {
    /// What its manifest says of it.
    package var claim: AppClaim
    /// The developer's public key, 32 bytes.
    package var developer: [UInt8]
    /// Of the manifest, from 1 on; an earlier one never replaces a later one.
    package var version: UInt32
    /// Microseconds since 1970, UTC; nil for never.
    package var expires: UInt64?

    /// - Parameters:
    ///   - developer: Ed25519, 32 bytes.
    ///   - expires: microseconds since 1970, UTC; nil for never.
    package init(claim: AppClaim, developer: [UInt8], version: UInt32, expires: UInt64?) {
        self.claim = claim
        self.developer = developer
        self.version = version
        self.expires = expires
    }
}

/// The owner's word that a program may use a group that is not its own.
package struct AccessGrant: Hashable, Comparable, Sendable {
    /// An application identifier, or the private group of a program that no manifest names.
    package var program: String
    /// The access group that it may use beside its own.
    package var group: String

    /// - Parameter program: an application identifier, or a private group.
    package init(program: String, group: String) {
        self.program = program
        self.group = group
    }

    /// By program, and then by group.
    package static func < (left: Self, right: Self) -> Bool {
        (left.program, left.group) < (right.program, right.group)
    }
}

/// Why an app is not registered.
package enum RegistryRefusal: UInt8, Error, CaseIterable, Sendable {
    case expired = 1
    /// A newer version is registered.
    case olderVersion
    /// This version is registered, and says something else.
    case sameVersionDiffers
    /// A name of an application group belongs to another developer's key, now and for good.
    case groupOfOthers
    /// An executable, a sandbox, a unit or a system group is another developer's app already.
    case programOfOthers
    /// Another key has the same prefix.
    case prefixOfOthers
    case tooMany
    /// No manifest at all.
    case malformed
    /// The signature does not hold.
    case notAuthentic
    /// No app of that name is registered, or no such grant was given.
    case unknown
}

/// Which apps there are, whose the names of application groups are, and what the owner has granted.
package struct AppRegistry: Equatable, Sendable {
    /// How many apps a device registers.
    package static let mostApps = 512
    /// How many grants the owner may give, in all.
    package static let mostGrants = 1024

    /// By application identifier.
    package private(set) var apps: [String: RegisteredApp] = [:]
    /// The developer's key to which an application group's name went first; also when its app is gone.
    package private(set) var owners: [String: [UInt8]] = [:]
    /// What the owner has let programs reach.
    package private(set) var grants: Set<AccessGrant> = []

    /// No app, no owner of a name, no grant.
    package init() {}

    /// Whether `app` may be registered, or replace what is registered under its identifier.
    ///
    /// - Parameter now: microseconds since 1970, UTC.
    /// - Throws: ``RegistryRefusal``.
    package func check(_ app: RegisteredApp, now: UInt64) throws(RegistryRefusal) {
        if let expires = app.expires, expires <= now { throw .expired }
        if let present = apps[app.claim.identifier] {
            // 80 bits of a hash: it takes a collision, and then nobody could say whose the groups are.
            guard present.developer == app.developer else { throw .prefixOfOthers }
            guard app.version >= present.version else { throw .olderVersion }
            guard app.version > present.version || app == present else { throw .sameVersionDiffers }
        } else if apps.count >= Self.mostApps {
            throw .tooMany
        }
        for group in app.claim.applicationGroups {
            guard owners[group] == nil || owners[group] == app.developer else { throw .groupOfOthers }
        }
        for other in apps.values where other.developer != app.developer {
            guard !other.claim.isKnownLike(app.claim) else { throw .programOfOthers }
        }
    }

    /// Takes an app in that was checked, or was before.
    package mutating func insert(_ app: RegisteredApp) { apps[app.claim.identifier] = app }

    /// The names that registering this app gives to its developer.
    package func newNames(of app: RegisteredApp) -> [String] {
        app.claim.applicationGroups.filter { owners[$0] == nil }
    }

    /// Gives an application group's name to a developer's key, 32 bytes, for good.
    package mutating func own(_ group: String, by developer: [UInt8]) { owners[group] = developer }
    /// Forgets an app; the names of its application groups stay its developer's.
    package mutating func remove(_ identifier: String) { apps[identifier] = nil }
    /// Lets a program into a group; one that it has stays.
    package mutating func grant(_ grant: AccessGrant) { grants.insert(grant) }
    /// Takes a program's group away, if it has it.
    package mutating func revoke(_ grant: AccessGrant) { grants.remove(grant) }

    /// The apps that are to be believed now: not expired, and in application groups only whose names are theirs.
    package func claims(now: UInt64) -> [AppClaim] {
        apps.values.filter { $0.expires.map { $0 > now } ?? true }.map { app in
            var claim = app.claim
            claim.applicationGroups = claim.applicationGroups.filter { owners[$0] == app.developer }
            return claim
        }
    }

    /// When the next of them expires; nil for never.
    package func nextExpiry(after now: UInt64) -> UInt64? {
        apps.values.compactMap(\.expires).filter { $0 > now }.min()
    }

    /// What the owner has let this program into, in ascending order.
    package func granted(_ program: String) -> [String] {
        grants.filter { $0.program == program }.map(\.group).sorted()
    }

    /// Whether some app is known by the content of its file.
    package var needsDigests: Bool { apps.values.contains { !$0.claim.executables.isEmpty } }
}

/// To whom a group of items belongs, as far as can be told.
package enum GroupOwnership: UInt8, Equatable, Sendable, CaseIterable {
    /// The owner's, or one of Tresor's own programs'.
    case ours = 0
    /// An app's that is registered.
    case app = 1
    /// A program's that is there.
    case program = 2
    /// Nobody's any more: the app was removed, or the program's file is gone.
    case orphan = 3
    /// A program's that is known by its content alone: nobody can tell whether it is still somewhere.
    case unknown = 4
}

extension AppRegistry {
    /// - Parameter exists: whether a file of this path is there; nil where that cannot be told.
    package func ownership(of group: String, exists: (String) -> Bool?) -> GroupOwnership {
        if group == AccessGroup.owner || group.hasPrefix(AccessGroup.ourPrefix) { return .ours }
        if apps.values.contains(where: { $0.claim.groups.contains(group) }) { return .app }
        for prefix in ["path.", "interpreter."] where group.hasPrefix(prefix + "/") {
            return exists(String(group.dropFirst(prefix.count))).map { $0 ? .program : .orphan } ?? .unknown
        }
        for prefix in ["sha256.", "interpreter.sha256.", "sandbox.", "unit."] where group.hasPrefix(prefix) {
            return .unknown
        }
        return .orphan
    }
}

extension AppClaim {
    /// Whether the same program could be taken for both.
    fileprivate func isKnownLike(_ other: AppClaim) -> Bool {
        !Set(executables).isDisjoint(with: other.executables) || !Set(sandboxes).isDisjoint(with: other.sandboxes)
            || (unit != nil && unit == other.unit) || (group != nil && group == other.group)
    }
}
