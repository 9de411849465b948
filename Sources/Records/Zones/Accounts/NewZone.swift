import Envelopes
import KeyEnvelopes
import SQLite
import Secrets

/// A zone that is not stored yet: its first log entry, signed, and its key, wrapped for its owner.
struct NewZone: ~Copyable {
    private let genesis: ZoneLogEntry
    private let signature: [UInt8]
    private let wrap: [UInt8]
    private let key: SecretBytes

    /// - Parameter time: microseconds since 1970.
    static func make(
        scope: String, zoneClass: ZoneLogEntry.ZoneClass, of account: ZoneAccount,
        signingKey: borrowing SecretBytes, time: UInt64
    ) throws(EnvelopeError) -> NewZone {
        let key = try KeyEnvelope.makeKey()
        let zeros = [UInt8](repeating: 0, count: 32)
        let genesis = ZoneLogEntry(
            zone: zeros, number: 0, previous: zeros, operation: .create, subject: account.id,
            signingKey: account.signingKey, backgroundAgreementKey: account.backgroundAgreementKey,
            agreementKey: account.agreementKey, role: .owner, zoneClass: zoneClass, scope: scope, generation: 1,
            commitment: ZoneKeyEnvelope.commitment(of: key, generation: 1), time: time, signer: account.id)
        let signature = try Signing.sign(genesis.encoded, privateKey: signingKey)
        let zone = genesis.hash
        let context = ZoneKeyEnvelope.Context(zone: zone, generation: 1, member: account.id, head: zone)
        let recipient = zoneClass == .whenUnlocked ? account.agreementKey : account.backgroundAgreementKey
        let wrap = try ZoneKeyEnvelope.wrap(key, to: recipient, of: context)
        return NewZone(genesis: genesis, signature: signature, wrap: wrap, key: key)
    }

    /// Stores it with no records.
    ///
    /// - Parameter sequence: the last change of the zone whose place it takes; 0 where there is none.
    /// - Returns: what stands for it in the other tables.
    func insert(into database: Database, sequence: Int64 = 0) throws -> Int64 {
        let member = genesis.subject.bytes
        try database.execute(
            "INSERT INTO zone (zone, account, scope, seq) VALUES (?, ?, ?, ?)",
            [genesis.hash, member, genesis.scope, sequence])
        let row = database.lastInsertedRowID
        try database.execute(
            "INSERT INTO log (zone, n, entry, sig) VALUES (?, 0, ?, ?)", [row, genesis.encoded, signature])
        try database.execute(
            "INSERT INTO keyring (zone, generation, member, head, wrap) VALUES (?, 1, ?, 0, ?)", [row, member, wrap])
        return row
    }

    /// The zone, open.
    ///
    /// - Parameter row: what stands for it in the tables.
    func opened(as row: Int64) throws(EnvelopeError) -> OpenZone {
        do {
            return OpenZone(
                row: row, zone: genesis.hash, zoneClass: genesis.zoneClass, writer: genesis.subject, generation: 1,
                keys: [1: ZoneKey(try key.copy())], heads: [genesis.hash])
        } catch { throw .memory }
    }
}
