import Envelopes
import Foundation
import KeyEnvelopes
import SQLite
import Secrets
import Testing

@testable import Zones

/// What a zone opens with, and what of its log and keyring is refused.
@Suite struct ZoneOpeningTests {
    @Test func `a zone opens with its account key, after a restart too`() throws {
        let test = try TestStore()
        let name = try test.put([1, 2, 3])
        try test.reopen()
        #expect(try test.record(name)?.content == [1, 2, 3])
        #expect(try test.store.accounts() == [test.account])
        let found = try test.store.openZone(scope: "notes", of: test.account, with: .accountKey(test.accountKey.copy()))
        #expect(found.zone == test.zone.zone && found.zone.count == 32)
    }

    @Test func `another account key opens nothing`() throws {
        let test = try TestStore()
        #expect(throws: EnvelopeError.notAuthentic) {
            try test.store.openZone(scope: "notes", of: test.account, with: .accountKey(KeyEnvelope.makeKey()))
        }
        #expect(throws: ZoneError.damagedStore) {
            try test.store.openZone(scope: "other", of: test.account, with: .accountKey(test.accountKey.copy()))
        }
        let stranger = try TestStore()
        #expect(throws: ZoneError.damagedStore) {
            try test.store.openZone(
                scope: "notes", of: stranger.account, with: .accountKey(stranger.accountKey.copy()))
        }
    }

    @Test func `the background key opens zones of its class alone`() throws {
        let background = try TestStore(.afterFirstUnlock)
        let name = try background.put([1])
        let zone = try background.store.openZone(
            scope: "notes", of: background.account, with: .backgroundKey(background.backgroundKey.copy()))
        #expect(try background.store.read { try $0.record(name, in: zone) }?.content == [1])
        #expect(throws: EnvelopeError.notAuthentic) {
            try background.store.openZone(
                scope: "notes", of: background.account, with: .backgroundKey(KeyEnvelope.makeKey()))
        }
        let foreground = try TestStore(.whenUnlocked)
        #expect(throws: ZoneError.damagedStore) {
            try foreground.store.openZone(
                scope: "notes", of: foreground.account, with: .backgroundKey(foreground.backgroundKey.copy()))
        }
    }

    /// One bit of each column whose bytes a zone opens by.
    @Test(arguments: [
        ("log", "entry"), ("log", "sig"), ("keyring", "wrap"), ("zone", "zone"), ("account", "agreement"),
        ("account", "agreement_public"), ("account", "signing_public"), ("account", "background_public"),
        ("account", "account"), ("keyring", "member"), ("zone", "account"),
    ])
    func `a zone whose log, keyring or account was changed does not open`(_ table: String, _ column: String) throws {
        let test = try TestStore()
        let before = try test.bytes("SELECT \(column) FROM \(table)")
        for index in [0, before.count / 2, before.count - 1] {
            var changed = before
            changed[index] ^= 1
            try test.execute("UPDATE \(table) SET \(column) = ?", [changed])
            expectShut(test)
        }
        for form: [UInt8] in [[], Array(before.dropLast()), before + [0]] {
            try test.execute("UPDATE \(table) SET \(column) = ?", [form])
            expectShut(test)
        }
        try test.execute("UPDATE \(table) SET \(column) = ?", [before])
        #expect(try test.openZone().zone == test.zone.zone)
    }

    /// As a start does it: the account from its table, the zone by its key.
    private func expectShut(_ test: TestStore, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
            let account = try #require(test.store.accounts().first)
            _ = try test.store.openZone(scope: "notes", of: account, with: .accountKey(test.accountKey.copy()))
        }
    }

    @Test(arguments: [
        "DELETE FROM log", "DELETE FROM keyring", "DELETE FROM zone", "UPDATE keyring SET generation = 2",
        "UPDATE keyring SET head = 1", "UPDATE keyring SET head = -1", "UPDATE keyring SET generation = -1",
        "UPDATE keyring SET wrap = 'text'", "UPDATE log SET entry = 7", "UPDATE zone SET scope = 'other'",
        "INSERT INTO log (zone, n, entry, sig) SELECT zone, 1, entry, sig FROM log",
    ])
    func `a zone with rows that do not belong together does not open`(_ change: String) throws {
        let test = try TestStore()
        try test.execute(change)
        expectShut(test)
    }

    @Test func `a zone that is given out as one of another scope does not open`() throws {
        let test = try TestStore()
        try test.execute("UPDATE zone SET scope = 'other'")
        #expect(throws: ZoneError.damagedStore) {
            try test.store.openZone(scope: "other", of: test.account, with: .accountKey(test.accountKey.copy()))
        }
    }

    @Test func `a wrap of another zone key is a forgery, though it was made for the owner`() throws {
        let test = try TestStore()
        let context = ZoneKeyEnvelope.Context(
            zone: test.zone.zone, generation: 1, member: test.account.id, head: test.zone.heads[0])
        let forged = try ZoneKeyEnvelope.wrap(KeyEnvelope.makeKey(), to: test.account.agreementKey, of: context)
        try test.execute("UPDATE keyring SET wrap = ?", [forged])
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
    }

    @Test func `a genesis entry that somebody else signed anew is not this zone's`() throws {
        let test = try TestStore()
        var entry = try ZoneLogEntry(from: test.bytes("SELECT entry FROM log"))
        let forger = try Signing.makeKeyPair()
        entry.signingKey = forger.publicKey
        let signature = try Signing.sign(entry.encoded, privateKey: forger.privateKey)
        try test.execute("UPDATE log SET entry = ?, sig = ?", [entry.encoded, signature])
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
        // Not even where the zone is renamed after it: the account has another signing key.
        try test.execute("UPDATE zone SET zone = ?", [entry.hash])
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
    }

    @Test func `a log of two zone keys opens with both, each by the commitment of its own generation`() throws {
        let test = try TestStore()
        let before = try test.put([1, 2, 3])
        let key = try KeyEnvelope.makeKey()
        let commitment = ZoneKeyEnvelope.commitment(of: key, generation: 2)
        try test.append { ($0.operation, $0.generation, $0.commitment) = (.rotate, 2, commitment) }
        // The key in force has to be there.
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
        try test.insertWrap(of: key, generation: 2, head: 1)
        try test.reopen()
        #expect(test.zone.generation == 2 && test.zone.heads.count == 2)
        #expect(try test.record(before)?.content == [1, 2, 3])
        let after = try test.put([4])
        try test.reopen()
        #expect(try test.record(after)?.content == [4] && test.record(before)?.content == [1, 2, 3])
        #expect(try test.number("SELECT generation FROM record WHERE head = 1") == 2)

        try test.execute("DELETE FROM keyring WHERE generation = 2")
        try test.insertWrap(of: KeyEnvelope.makeKey(), generation: 2, head: 1)
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
    }

    @Test func `a zone of a log whose second entry breaks a rule does not open`() throws {
        let stranger = try NewAccount.make().account
        let changes: [(inout ZoneLogEntry) -> Void] = [
            // A second member of a zone that is not shared.
            {
                ($0.operation, $0.subject, $0.role) = (.add, stranger.id, .reader)
                ($0.signingKey, $0.agreementKey) = (stranger.signingKey, stranger.agreementKey)
                $0.backgroundAgreementKey = stranger.backgroundAgreementKey
            },
            { $0.operation = .leave }, { $0.zoneClass = .afterFirstUnlock }, { $0.scope = "diary" },
            { ($0.operation, $0.generation) = (.rotate, 3) },
            { ($0.operation, $0.generation, $0.commitment) = (.rotate, 2, [UInt8](repeating: 7, count: 32)) },
        ]
        for (place, change) in changes.enumerated() {
            let test = try TestStore()
            try test.append(change)
            #expect(throws: ZoneError.damagedStore, "\(place)") { try test.openZone() }
            // Without it the zone is what it was.
            try test.execute("DELETE FROM log WHERE n = 1")
            #expect(try test.openZone().zone == test.zone.zone)
        }
    }

    @Test func `a zone whose log has other keys of the account than the store does not open`() throws {
        let test = try TestStore()
        let other = try NewAccount.make().account
        try test.append {
            ($0.operation, $0.signingKey, $0.agreementKey) = (.role, other.signingKey, other.agreementKey)
            $0.backgroundAgreementKey = other.backgroundAgreementKey
        }
        #expect(throws: ZoneError.damagedStore) { try test.openZone() }
    }

    @Test func `a file that is no store of ours is refused and left as it is`() throws {
        let folder = NSTemporaryDirectory() + "tresor-zone-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = URL(fileURLWithPath: folder + "/notes.sqlite")
        let text = Data(repeating: 65, count: 8192)
        try text.write(to: file)
        #expect(throws: ZoneError.damagedStore) { try ZoneStore(folder: folder, file: "notes.sqlite") }
        #expect(try Data(contentsOf: file) == text)
    }

    @Test func `a store of a later version is refused`() throws {
        let test = try TestStore()
        try test.execute("PRAGMA user_version = 3")
        test.store.close()
        #expect(throws: ZoneError.newerStore(format: 3)) { try ZoneStore(folder: test.folder, file: "notes.sqlite") }
    }
}
