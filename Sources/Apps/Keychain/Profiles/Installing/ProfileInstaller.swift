import Localization
import Secrets
package import Tresor

/// Installs profiles into a keychain, and takes them out again.
///
/// The order survives an end at any moment. A record of the new installation comes first, then its items, each with the
/// installation's mark; then the record says that it is complete, and only then what it replaces goes. So an
/// installation that was interrupted leaves the one before in place, and the next install or remove of that profile
/// undoes it.
package struct ProfileInstaller: Sendable {
    private let keychain: Keychain
    private let shelf: ProfileShelf

    package init(_ keychain: Keychain) {
        self.keychain = keychain
        shelf = ProfileShelf(keychain)
    }

    /// What installing a profile would do.
    package func plan(
        _ profile: ConfigurationProfile, _ rule: AvailabilityRule
    ) async throws -> InstallationPlan {
        try InstallationPlan(profile, rule, before: try await shelf.record(profile.identifier))
    }

    /// Installs a profile, in place of the one of its identifier if there is one.
    ///
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `TresorError`, and then the keychain is as it was; ``UnfinishedProfile`` where the profile is
    ///   installed and a later step failed.
    package func install(_ plan: InstallationPlan, now: Int64) async throws {
        let before = try await settled(plan.profile.identifier)
        var record = ProfileRecord(plan, before: before, now: now)
        let wish = try await idleLock().wish
        let policy = try await shelf.policy(leavingOut: record.identifier).stricter(record.policy)
        let idleLock = policy.allowedIdleLock(wish)
        record.formerIdleLock = idleLock == wish ? nil : wish
        do {
            try await shelf.write(record)
            let mark = InstallationMark(installation: record.installation)
            for (index, item) in plan.items.enumerated() {
                record.items[index].reference = try await item.add(to: keychain, mark)
            }
            record.state = .installed
            try await shelf.write(record)
        } catch {
            // What failed is told, not what fails again in putting it right: the next install or remove does that.
            try? await undo(record, before)
            throw error
        }
        let installed = record
        record.superseded = []
        let finished = record
        try await telling(.installed) {
            try await setIdleLock(idleLock)
            try await removeItems(installed.superseded)
            try await shelf.write(finished)
        }
    }

    /// Removes a profile with exactly its items.
    ///
    /// - Parameter identifier: the profile's PayloadIdentifier.
    /// - Parameter isForced: also a profile that says that it may not be removed.
    /// - Returns: what was removed.
    /// - Throws: `ProfileError` `notInstalled`, `removalDisallowed`; ``UnfinishedProfile`` where something failed after
    ///   the removal began.
    @discardableResult
    package func remove(_ identifier: String, isForced: Bool = false) async throws -> ProfileRecord {
        guard let record = try await shelf.record(identifier) else {
            throw ProfileError(.notInstalled, "", localized("no profile of this identifier is installed"))
        }
        guard !record.isRemovalDisallowed || isForced else {
            throw ProfileError(
                .removalDisallowed, "PayloadRemovalDisallowed", localized("the profile may not be removed"))
        }
        try await telling(.removing) {
            try await removeMarked(record)
            try await removeItems(record.items + record.superseded)
            let wish = try await idleLock().wish
            try await setIdleLock(try await shelf.policy(leavingOut: identifier).allowedIdleLock(wish))
            try await shelf.remove(identifier)
        }
        return record
    }

    /// Steps behind which a failure must not look as if nothing had been changed.
    private func telling(_ work: UnfinishedProfile.Work, _ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as TresorError { throw UnfinishedProfile(work: work, cause: error) }
    }

    /// The record of a complete installation; one that was interrupted is undone.
    private func settled(_ identifier: String) async throws -> ProfileRecord? {
        guard let record = try await shelf.record(identifier) else { return nil }
        guard record.state == .installing else {
            guard !record.superseded.isEmpty else { return record }
            try await removeItems(record.superseded)
            var finished = record
            finished.superseded = []
            return finished
        }
        try await removeMarked(record)
        return record
    }

    /// As it was before an installation that failed.
    private func undo(_ record: ProfileRecord, _ before: ProfileRecord?) async throws {
        var unfinished = record
        unfinished.state = .installing
        try await removeMarked(unfinished)
        if let before { try await shelf.write(before) } else { try await shelf.remove(record.identifier) }
    }

    /// Items that an unfinished installation has added and whose references nobody has written down.
    private func removeMarked(_ record: ProfileRecord) async throws {
        guard record.state == .installing else { return }
        let mark = InstallationMark(installation: record.installation)
        var places = Set<[UInt8]>()
        for item in record.items
        where places.insert([item.kind.rawValue, item.protectionClass.rawValue]).inserted {
            try await removing { try await keychain.remove(mark.query(item.kind, item.protectionClass)) }
        }
    }

    private func removeItems(_ items: [ProfileRecord.Item]) async throws {
        for reference in items.compactMap(\.reference) {
            try await removing { try await keychain.remove(ItemQuery(reference)) }
        }
    }

    /// What is gone already need not be removed.
    private func removing(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let error as TresorError where error.code == .notFound { return }
    }
}

// What policies ask of the device.
extension ProfileInstaller {
    /// The idle lock that is set, and the one that would be without any profile; in seconds, and 0 is never.
    private func idleLock() async throws -> (current: UInt32, wish: UInt32) {
        let current = UInt32(clamping: try await keychain.status().daemon.idleLock.components.seconds)
        return (current, IdleLockWish.seconds(behind: current, try await shelf.records().readable))
    }

    private func setIdleLock(_ seconds: UInt32) async throws {
        let wanted = Duration.seconds(seconds)
        guard try await keychain.status().daemon.idleLock != wanted else { return }
        try await keychain.setIdleLock(after: wanted)
    }
}

/// What somebody had set before profiles made the idle lock shorter.
enum IdleLockWish {
    /// - Parameter current: what is set now; where it is not what the profiles demand, somebody has set it since.
    static func seconds(behind current: UInt32, _ records: [ProfileRecord]) -> UInt32 {
        let demanded = records.reduce(PasscodePolicy()) { $0.stricter($1.policy) }
        guard current == demanded.idleLockSeconds else { return current }
        return records.compactMap(\.formerIdleLock).first ?? current
    }
}

extension ProfileRecord {
    /// The record of an installation that begins.
    fileprivate init(_ plan: InstallationPlan, before: ProfileRecord?, now: Int64) {
        let profile = plan.profile
        let policy = profile.passcodePolicy ?? PasscodePolicy()
        state = .installing
        installation = Identifier.makeRandom()
        identifier = profile.identifier
        uuid = profile.uuid
        displayName = profile.displayName ?? ""
        organization = profile.organization ?? ""
        isRemovalDisallowed = profile.isRemovalDisallowed
        rule = plan.rule
        installed = now
        minimumLength = UInt8(clamping: policy.minimumLength)
        idleLockSeconds = policy.idleLockSeconds
        formerIdleLock = nil
        items = plan.items.map {
            Item(kind: $0.kind, role: $0.role, protectionClass: $0.protectionClass, payload: $0.payload)
        }
        superseded = before.map { $0.state == .installed ? $0.items : $0.superseded } ?? []
    }
}
