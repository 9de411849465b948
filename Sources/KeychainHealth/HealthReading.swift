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
    nonisolated public func healthFindings(
        now: Date = Date(), _ rules: HealthRules = HealthRules()
    ) async throws -> HealthFindings {
        var tally = try HealthTally(now: now, rules)
        for kind in HealthTally.kinds {
            var query = ItemQuery(kind)
            query.skipsLocked = true
            var items = self.items(query).makeAsyncIterator()
            while let item = try await items.next() {
                guard tally.wants(item) else { continue }
                switch try await secret(of: item) {
                case .some(let secret): try tally.add(item, secret: secret)
                case .none: tally.skip()
                }
            }
            tally.skip(items.lockedCount + items.damagedCount)
        }
        return tally.finish()
    }

    nonisolated private func secret(of item: Item) async throws -> SecretBytes? {
        do { return try await read(ItemQuery(item.reference)) } catch let error as TresorError where error.isOfItem {
            return nil
        }
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
                switch try secret(of: item) {
                case .some(let secret): try tally.add(item, secret: secret)
                case .none: tally.skip()
                }
            }
            tally.skip(leftOut.locked + leftOut.damaged)
        }
        return tally.finish().report
    }

    private func secret(of item: Item) throws -> SecretBytes? {
        do { return try read(item.reference) } catch let error as TresorError where error.isOfItem { return nil }
    }
}

extension TresorError {
    /// Whether it says something of one item, and the others can be read all the same.
    fileprivate var isOfItem: Bool {
        switch code {
        case .notFound, .locked, .presenceRequired, .authenticationFailed, .notPermitted, .damaged: true
        case .duplicate, .invalidParameter, .cannotWrite, .unavailable, .untrustedServer, .outOfMemory: false
        }
    }
}
