public import FoundationEssentials
import Secrets
public import Tresor

// Who reads the items: a program with tasks, or a blocking one.
extension Keychain {
    /// How the passwords and certificates are doing that this program reaches, as counts.
    ///
    /// Nobody is asked for anything: what demands its owner is counted as skipped, and so is what is locked.
    ///
    /// - Parameters:
    ///   - now: the time by which things are old and expired.
    ///   - rules: from when on.
    /// - Throws: ``TresorError``: `unavailable`, `outOfMemory`.
    nonisolated public func health(
        now: Date = Date(), _ rules: HealthRules = HealthRules()
    ) async throws -> HealthReport { try await healthFindings(now: now, rules).report }

    /// The same, and which items the counts are of.
    ///
    /// - Parameter progress: gets how many items were looked at, after each.
    nonisolated public func healthFindings(
        now: Date = Date(), _ rules: HealthRules = HealthRules(), progress: (Int) -> Void = { _ in }
    ) async throws -> HealthFindings {
        var tally = try HealthTally(now: now, rules)
        var count = 0
        for kind in HealthTally.kinds {
            var query = ItemQuery(kind)
            query.skipsLocked = true
            var items = self.items(query).makeAsyncIterator()
            while let item = try await items.next() {
                count += 1
                progress(count)
                guard tally.wants(item) else { continue }
                do {
                    try tally.add(item, secret: await read(ItemQuery(item.reference)))
                } catch let error as TresorError { try tally.leaveOut(for: error) }
            }
            tally.skip(items.lockedCount)
            tally.noteDamage(items.damagedCount)
        }
        return tally.finish()
    }
}

extension ItemLink {
    /// How the passwords and certificates are doing that this program reaches, as counts.
    ///
    /// As ``Keychain/health(now:_:)``, for programs without tasks.
    package func health(now: Date, _ rules: HealthRules = HealthRules()) throws -> HealthReport {
        var tally = try HealthTally(now: now, rules)
        for kind in HealthTally.kinds {
            let leftOut = try forEach(ItemQuery(kind)) { item in
                guard tally.wants(item) else { return }
                do { try tally.add(item, secret: read(item.reference)) } catch let error as TresorError {
                    try tally.leaveOut(for: error)
                }
            }
            tally.skip(leftOut.locked)
            tally.noteDamage(leftOut.damaged)
        }
        return tally.finish().report
    }
}

extension HealthTally {
    /// - Throws: the error, where it is not about one item alone.
    fileprivate mutating func leaveOut(for error: TresorError) throws {
        switch error.code {
        // Deleted since it was listed.
        case .notFound: break
        case .locked, .presenceRequired, .authenticationFailed, .notPermitted: skip()
        case .damaged: noteDamage()
        default: throw error
        }
    }
}
