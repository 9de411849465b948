package import Envelopes
import FoundationEssentials
import GRDB
package import Secrets

/// An account as the store knows it: public keys in clear, private ones under its account key.
package struct ZoneAccount: Equatable, Sendable {
    package var id: Identifier
    package var signingKey: [UInt8]
    package var backgroundAgreementKey: [UInt8]
    package var agreementKey: [UInt8]
    var sealedSigning: [UInt8]
    var sealedBackground: [UInt8]
    var sealedAgreement: [UInt8]
}

/// The secrets of a fresh account, on their way to the keychain.
package struct NewAccount: ~Copyable {
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
    /// The accounts that have zones here.
    package func accounts() throws -> [ZoneAccount] {
        do {
            return try database.inDatabase { database in
                try Row.fetchAll(database, sql: "SELECT \(Self.accountColumns) FROM account ORDER BY rowid")
                    .map(Self.account)
            }
        } catch { throw ZoneError(error) }
    }

    private static let accountColumns =
        "account, signing_public, background_public, agreement_public, signing, background, agreement"

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
            let database = writer.database
            try database.execute(
                sql: "INSERT INTO account (\(Self.accountColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    Data(account.id.bytes), Data(account.signingKey), Data(account.backgroundAgreementKey),
                    Data(account.agreementKey), Data(account.sealedSigning), Data(account.sealedBackground),
                    Data(account.sealedAgreement),
                ])
            _ = try zone.insert(into: database)
        }
    }
}
