package import Envelopes
package import KeyEnvelopes
import SQLite
package import Secrets

/// An account as the store knows it: public keys in clear, private ones under its account key.
package struct ZoneAccount: Equatable, Sendable {
    /// Random; members are named by it.
    package var id: Identifier
    /// Verifies what the account has signed: Ed25519, 32 bytes.
    package var signingKey: [UInt8]
    /// Keys of zones of class AfterFirstUnlock are wrapped to it: X25519, 32 bytes.
    package var backgroundAgreementKey: [UInt8]
    /// Keys of zones of class WhenUnlocked are wrapped to it: X25519, 32 bytes.
    package var agreementKey: [UInt8]
    var sealedSigning: [UInt8]
    var sealedBackground: [UInt8]
    var sealedAgreement: [UInt8]
}

/// The secrets of a fresh account, on their way to the keychain.
package struct NewAccount: ~Copyable {
    /// What the store keeps of it.
    package let account: ZoneAccount
    /// 32 bytes, for class WhenUnlocked.
    package let accountKey: SecretBytes
    /// The private key that opens zones of class AfterFirstUnlock, 32 bytes.
    package let backgroundKey: SecretBytes
    let signingKey: SecretBytes

    /// Makes keys; nothing is stored yet.
    package static func make() throws(EnvelopeError) -> NewAccount {
        let id = Identifier.makeRandom()
        let accountKey = try KeyEnvelope.makeKey()
        let signing = try Signing.makeKeyPair()
        let background = try AgreementKeyPair.makeRandom()
        let agreement = try AgreementKeyPair.makeRandom()
        let account = ZoneAccount(
            id: id, signingKey: signing.publicKey, backgroundAgreementKey: background.publicKey,
            agreementKey: agreement.publicKey,
            sealedSigning: try AccountEnvelope.seal(
                signing.privateKey, publicKey: signing.publicKey, of: id, as: .signing, under: accountKey),
            sealedBackground: try AccountEnvelope.seal(
                background.privateKey, publicKey: background.publicKey, of: id, as: .backgroundAgreement,
                under: accountKey),
            sealedAgreement: try AccountEnvelope.seal(
                agreement.privateKey, publicKey: agreement.publicKey, of: id, as: .agreement, under: accountKey))
        return NewAccount(
            account: account, accountKey: accountKey, backgroundKey: background.takePrivateKey(),
            signingKey: signing.takePrivateKey())
    }
}

extension ZoneStore {
    /// The accounts that have zones here; where they are damaged, those of the spare.
    package func accounts() throws -> [ZoneAccount] {
        do { return try look(Self.accounts) } catch {
            guard let spared = keystones.withSpare(Self.accounts), !spared.isEmpty else { throw ZoneError(error) }
            return spared
        }
    }

    /// - Throws: `ZoneError.damagedStore` where none of them is that of a zone, or one is none.
    static func accounts(_ database: Database) throws -> [ZoneAccount] {
        let accounts = try storedAccounts(database)
        let owners = try database.rows("SELECT account FROM zone").map { $0.bytes(0) }
        guard owners.allSatisfy({ owner in accounts.contains { $0.id.bytes == owner } }),
            accounts.isEmpty == owners.isEmpty
        else { throw ZoneError.damagedStore }
        return accounts
    }

    static let accountColumns =
        "account, signing_public, background_public, agreement_public, signing, background, agreement"

    static func storedAccounts(_ database: Database) throws -> [ZoneAccount] {
        let rows = try database.rows("SELECT \(accountColumns) FROM account ORDER BY rowid")
        return try rows.map(account)
    }

    /// The one account, in the place of whatever stands there.
    static func put(_ account: ZoneAccount, into database: Database) throws {
        try database.execute("DELETE FROM account")
        try insert(account, into: database)
    }

    private static func insert(_ account: ZoneAccount, into database: Database) throws {
        try database.execute(
            "INSERT INTO account (\(accountColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                account.id.bytes, account.signingKey, account.backgroundAgreementKey, account.agreementKey,
                account.sealedSigning, account.sealedBackground, account.sealedAgreement,
            ])
    }

    private static func account(_ row: Row) throws -> ZoneAccount {
        guard let id = row.bytes(0).flatMap(Identifier.init), let signingKey = row.bytes(1),
            let backgroundKey = row.bytes(2), let agreementKey = row.bytes(3), let signing = row.bytes(4),
            let background = row.bytes(5), let agreement = row.bytes(6)
        else { throw ZoneError.damagedStore }
        return ZoneAccount(
            id: id, signingKey: signingKey, backgroundAgreementKey: backgroundKey, agreementKey: agreementKey,
            sealedSigning: signing, sealedBackground: background, sealedAgreement: agreement)
    }

    /// Stores an account and its first zone, whose genesis entry it signs, in one transaction.
    ///
    /// - Parameter time: microseconds since 1970.
    package func add(
        _ new: borrowing NewAccount, scope: String, zoneClass: ZoneLogEntry.ZoneClass, time: UInt64
    ) throws {
        let account = new.account
        let zone = try NewZone.make(
            scope: scope, zoneClass: zoneClass, of: account, signingKey: new.signingKey, time: time)
        _ = try write { writer in
            // What a spare of an earlier store has goes.
            (writer.changesTables, writer.movesRecords) = (true, true)
            try Self.insert(account, into: writer.database)
            _ = try zone.insert(into: writer.database)
        }
    }
}
