import DurableDatabase
package import Envelopes
import Membership
import SQLite
package import Secrets

/// What an account's owner has at hand to open a zone with.
package enum ZoneOpener: ~Copyable {
    /// The account key; opens zones of both classes.
    case accountKey(SecretBytes)
    /// The background agreement key; opens zones of class AfterFirstUnlock.
    case backgroundKey(SecretBytes)
}

extension ZoneStore {
    /// Opens an account's zone of a scope: replays its membership log from the first entry, and unwraps its keys.
    ///
    /// Where something of it is damaged and the spare opens, that counts, and is written into the store.
    ///
    /// - Throws: `ZoneError.damagedStore` when log, keyring and keys do not belong together.
    package func openZone(
        scope: String, of account: ZoneAccount, with opener: borrowing ZoneOpener
    ) throws -> OpenZone {
        _ = keystones.spare.tryAgain()
        var used = account
        let zone: OpenZone
        do {
            zone = try look { try Self.open(scope, account, opener, in: $0) }
            keystones.trustStore()
        } catch {
            guard ![.outOfMemory, .replaced].contains(ZoneError(error)) else { throw error }
            let spared = keystones.withSpare { spare in
                // What differs in the account's row may be what is damaged.
                let other = try Self.accounts(spare).first { $0.id == account.id } ?? account
                return (zone: try Self.open(scope, other, opener, in: spare), account: other)
            }
            guard let spared, keystones.isOfRecords(spared.zone) else { throw error }
            keystones.restoreTables()
            (zone, used) = (spared.zone, spared.account)
        }
        switch opener {
        case .accountKey(let key): keystones.settle(used) { Self.isWhole($0, like: used, under: key) }
        case .backgroundKey: break
        }
        keystones.settle(zone)
        keystones.noteMissingSpare()
        return zone
    }

    /// Whether an account has the public keys of one whose zone is open, and its private ones open.
    private static func isWhole(
        _ account: ZoneAccount, like used: ZoneAccount, under key: borrowing SecretBytes
    ) -> Bool {
        guard account.signingKey == used.signingKey, account.agreementKey == used.agreementKey,
            account.backgroundAgreementKey == used.backgroundAgreementKey
        else { return false }
        let keys: [(sealed: [UInt8], publicKey: [UInt8], role: AccountEnvelope.Role)] = [
            (account.sealedSigning, account.signingKey, .signing),
            (account.sealedAgreement, account.agreementKey, .agreement),
            (account.sealedBackground, account.backgroundAgreementKey, .backgroundAgreement),
        ]
        for (sealed, publicKey, role) in keys {
            do {
                _ = try AccountEnvelope.open(sealed, publicKey: publicKey, of: account.id, as: role, under: key)
            } catch { return false }
        }
        return true
    }

    private static func open(
        _ scope: String, _ account: ZoneAccount, _ opener: borrowing ZoneOpener, in database: Database
    ) throws -> OpenZone {
        let (row, zone, entries) = try load(scope, account.id, database)
        let log = try replay(entries, zone: zone)
        guard log.scope == scope, let member = log.members[account.id], member.keys == account.memberKeys else {
            throw ZoneError.damagedStore
        }
        let privateKey = try privateKey(for: log.zoneClass, of: account, opener)
        var keys: [UInt32: ZoneKey] = [:]
        for ring in try keyring(row, account.id, database) {
            guard log.heads.indices.contains(ring.head) else { throw ZoneError.damagedStore }
            let context = ZoneKeyEnvelope.Context(
                zone: zone, generation: ring.generation, member: account.id, head: log.heads[ring.head])
            let key = try ZoneKeyEnvelope.open(ring.wrap, privateKey: privateKey, of: context)
            // The log names the key itself: a wrap of another one is a forgery.
            guard log.names(key, as: ring.generation) else { throw ZoneError.damagedStore }
            keys[ring.generation] = ZoneKey(key)
        }
        guard keys[log.generation] != nil else { throw ZoneError.damagedStore }
        return OpenZone(
            row: row, zone: zone, zoneClass: log.zoneClass, writer: account.id, generation: log.generation,
            keys: keys, heads: log.heads)
    }

    /// The class of an account's zone, as its first log entry says; not trusted before the zone is open.
    ///
    /// - Throws: `ZoneError.damagedStore`.
    package func zoneClass(scope: String, of account: ZoneAccount) throws -> ZoneLogEntry.ZoneClass {
        let find = { (database: Database) in
            guard let first = try Self.load(scope, account.id, database).log.first else {
                throw ZoneError.damagedStore
            }
            return try ZoneLogEntry(from: first.entry).zoneClass
        }
        do { return try look(find) } catch {
            guard let spared = keystones.withSpare(find) else { throw ZoneError(error) }
            return spared
        }
    }

    private static func privateKey(
        for zoneClass: ZoneLogEntry.ZoneClass, of account: ZoneAccount, _ opener: borrowing ZoneOpener
    ) throws -> SecretBytes {
        switch opener {
        case .accountKey(let accountKey):
            if zoneClass == .whenUnlocked {
                return try AccountEnvelope.open(
                    account.sealedAgreement, publicKey: account.agreementKey, of: account.id, as: .agreement,
                    under: accountKey)
            }
            return try AccountEnvelope.open(
                account.sealedBackground, publicKey: account.backgroundAgreementKey, of: account.id,
                as: .backgroundAgreement, under: accountKey)
        case .backgroundKey(let key):
            guard zoneClass == .afterFirstUnlock else { throw ZoneError.damagedStore }
            return try key.copy()
        }
    }

    /// What the log says after its last entry, by the rules of specs/zone-members.md.
    private static func replay(
        _ entries: [(entry: [UInt8], signature: [UInt8])], zone: [UInt8]
    ) throws(ZoneError) -> MembershipLog {
        guard let genesis = entries.first else { throw .damagedStore }
        do throws(MembershipError) {
            var log = try MembershipLog(genesis: genesis.entry, signature: genesis.signature, zone: zone)
            for (entry, signature) in entries.dropFirst() { try log.append(entry, signature: signature) }
            try log.checkEnd()
            return log
        } catch {
            throw .damagedStore
        }
    }

    private static func load(
        _ scope: String, _ account: Identifier, _ database: Database
    ) throws -> (row: Int64, zone: [UInt8], log: [(entry: [UInt8], signature: [UInt8])]) {
        let found = try database.row(
            "SELECT id, zone FROM zone WHERE account = ? AND scope = ?", [account.bytes, scope])
        guard let found, let row = found.integer(0), let zone = found.bytes(1), zone.count == 32 else {
            throw ZoneError.damagedStore
        }
        let log = try database.rows("SELECT entry, sig FROM log WHERE zone = ? ORDER BY n", [row])
        let entries = try log.map { entry in
            guard let encoded = entry.bytes(0), let signature = entry.bytes(1) else { throw ZoneError.damagedStore }
            return (entry: encoded, signature: signature)
        }
        return (row: row, zone: zone, log: entries)
    }

    private static func keyring(
        _ zone: Int64, _ member: Identifier, _ database: Database
    ) throws -> [(generation: UInt32, head: Int, wrap: [UInt8])] {
        try database.rows(
            "SELECT generation, head, wrap FROM keyring WHERE zone = ? AND member = ?", [zone, member.bytes]
        ).map { row in
            guard let generation = row.integer(0).flatMap(UInt32.init(exactly:)), let head = row.integer(1),
                let wrap = row.bytes(2)
            else { throw ZoneError.damagedStore }
            return (generation: generation, head: Int(head), wrap: wrap)
        }
    }
}

extension ZoneAccount {
    /// Those by which a log knows it.
    fileprivate var memberKeys: MemberKeys {
        MemberKeys(signing: signingKey, backgroundAgreement: backgroundAgreementKey, agreement: agreementKey)
    }
}
