import Envelopes
import Foundation
import SQLite
import Secrets
import Testing

@testable import Zones

/// A store with one account and its zone, in a temporary folder.
final class TestStore {
    /// The type of records that are kept twice.
    static let keystone: UInt16 = 4

    let folder: String
    let account: ZoneAccount
    let accountKey: SecretBytes
    let backgroundKey: SecretBytes
    private(set) var store: ZoneStore
    private(set) var zone: OpenZone

    init(_ zoneClass: ZoneLogEntry.ZoneClass = .whenUnlocked) throws {
        folder = NSTemporaryDirectory() + "tresor-zone-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let new = try NewAccount.make()
        account = new.account
        accountKey = try new.accountKey.copy()
        backgroundKey = try new.backgroundKey.copy()
        store = try ZoneStore(folder: folder, file: "notes.sqlite", keystones: [Self.keystone])
        try store.add(new, scope: "notes", zoneClass: zoneClass, time: 1)
        zone = try store.openZone(scope: "notes", of: new.account, with: .accountKey(try new.accountKey.copy()))
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Closes the store and opens it and its zone again.
    func reopen() throws {
        store.close()
        store = try ZoneStore(folder: folder, file: "notes.sqlite", keystones: [Self.keystone])
        zone = try openZone()
    }

    func openZone() throws -> OpenZone {
        let account = try store.accounts().first ?? account
        return try store.openZone(scope: "notes", of: account, with: .accountKey(try accountKey.copy()))
    }

    // MARK: Records

    func put(_ content: [UInt8], type: UInt16 = 1) throws -> Identifier {
        let name = Identifier.makeRandom()
        _ = try store.write { try $0.put(name, type: type, content, in: zone) }
        return name
    }

    func record(_ name: Identifier) throws -> ZoneRecord? { try store.read { try $0.record(name, in: zone) } }

    /// Why a record does not open; nil where it does.
    func refusal(_ name: Identifier) throws -> ZoneError? {
        do {
            _ = try record(name)
            return nil
        } catch let error as ZoneError { return error }
    }

    // MARK: The log

    /// Puts a second entry behind the first: like it, signed by the owner, but for what `change` makes of it.
    func append(_ change: (inout ZoneLogEntry) -> Void) throws {
        let first = try ZoneLogEntry(from: bytes("SELECT entry FROM log WHERE n = 0"))
        var entry = first
        (entry.zone, entry.number, entry.previous) = (first.hash, 1, first.hash)
        change(&entry)
        let signingKey = try AccountEnvelope.open(
            account.sealedSigning, publicKey: account.signingKey, of: account.id, as: .signing, under: accountKey)
        let signature = try Signing.sign(entry.encoded, privateKey: signingKey)
        try execute(
            "INSERT INTO log (zone, n, entry, sig) VALUES (?, 1, ?, ?)", [zone.row, entry.encoded, signature])
    }

    /// Wraps a zone key for the owner.
    ///
    /// - Parameter head: the number of the log's entry to which the wrap is bound.
    func insertWrap(of key: borrowing SecretBytes, generation: UInt32, head: Int) throws {
        let hash = try ZoneLogEntry(from: bytes("SELECT entry FROM log WHERE n = ?", [head])).hash
        let context = ZoneKeyEnvelope.Context(
            zone: zone.zone, generation: generation, member: account.id, head: hash)
        let wrap = try ZoneKeyEnvelope.wrap(key, to: account.agreementKey, of: context)
        try execute(
            "INSERT INTO keyring (zone, generation, member, head, wrap) VALUES (?, ?, ?, ?, ?)",
            [zone.row, Int64(generation), account.id.bytes, head, wrap])
    }

    // MARK: The database underneath

    /// Changes the store, and its spare as well where that is to be no help.
    func execute(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = [], inSpare: Bool = true
    ) throws {
        try store.database.execute(sql, arguments)
        if inSpare { store.keystones.spare.write { try $0.execute(sql, arguments) } }
    }

    func number(_ sql: String) throws -> Int? { try store.database.integer(sql).map { Int($0) } }

    func bytes(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) throws -> [UInt8] {
        let found = try store.database.row(sql, arguments)?.bytes(0)
        return try #require(found)
    }

    /// Gives the one record a column of the other, and the other way round.
    func swap(_ column: String, _ one: Identifier, _ other: Identifier) throws {
        let (mine, its) = (try cell(column, one), try cell(column, other))
        for (name, bytes) in [(one, its), (other, mine)] {
            try execute("UPDATE record SET \(column) = ? WHERE name = ?", [bytes, name.bytes])
        }
    }

    /// A column of a record as it is stored.
    func cell(_ column: String, _ name: Identifier) throws -> [UInt8] {
        try bytes("SELECT \(column) FROM record WHERE name = ?", [name.bytes])
    }
}
