import Envelopes
import Foundation
import KeyEnvelopes
import SQLite
import Secrets
import Testing

@testable import Zones

/// A zone that is given another class: all of it moves, or nothing.
@Suite struct ZoneClassTests {
    @Test func `its records open with the background key, and stay what they were`() throws {
        let test = try TestStore()
        let names = try (0..<150).map { try test.put([UInt8($0)], type: UInt16($0 % 3 + 1)) }
        let local = try test.put([7], type: 128)
        _ = try test.store.write { writer in
            try writer.put(names[3], type: 1, [33], in: test.zone)
            try writer.remove(names[4], in: test.zone)
        }
        let before = try test.places()
        let (old, oldKeyring) = (test.zone.zone, try test.bytes("SELECT wrap FROM keyring"))
        let changed = try test.changeClass(to: .afterFirstUnlock)
        #expect(changed.zone != old && changed.zoneClass == .afterFirstUnlock)
        #expect(try test.places() == before, "names, types, revisions, places and tombstones")
        #expect(try test.number("SELECT count(*) FROM zone") == 1)
        #expect(try test.number("SELECT count(*) FROM log") == 1 && test.number("SELECT count(*) FROM keyring") == 1)
        #expect(try test.bytes("SELECT wrap FROM keyring") != oldKeyring)
        let zone = try test.store.openZone(
            scope: "notes", of: test.account, with: .backgroundKey(test.backgroundKey.copy()))
        #expect(zone.zone == changed.zone)
        for (number, name) in names.enumerated() {
            let content = try test.store.read { try $0.record(name, in: zone) }?.content
            #expect(content == (number == 4 ? nil : number == 3 ? [33] : [UInt8(number)]))
        }
        #expect(try test.store.read { try $0.record(local, in: zone) }?.content == [7])
        // The next change follows the last one before.
        let sequence = try #require(try test.number("SELECT max(seq) FROM record"))
        let next = Identifier.makeRandom()
        _ = try test.store.write { try $0.put(next, type: 1, [1], in: zone) }
        #expect(try test.number("SELECT max(seq) FROM record") == sequence + 1)
    }

    @Test func `the way back shuts it for the background key, and leaves no wrap of the old one on the disk`() throws {
        let test = try TestStore(.afterFirstUnlock)
        let name = try test.put([1, 2, 3])
        let wrap = Data(try test.bytes("SELECT wrap FROM keyring"))
        let sealed = Data(try test.cell("sealed", name))
        _ = try test.changeClass(to: .whenUnlocked)
        try test.store.scrub()
        #expect(throws: ZoneError.damagedStore) {
            try test.store.openZone(
                scope: "notes", of: test.account, with: .backgroundKey(test.backgroundKey.copy()))
        }
        #expect(try test.openZone().zoneClass == .whenUnlocked)
        for file in try FileManager.default.contentsOfDirectory(atPath: test.folder) where file.hasPrefix("notes") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: test.folder + "/" + file))
            #expect(bytes.range(of: wrap) == nil && bytes.range(of: sealed) == nil, "\(file)")
        }
        try test.reopen()
        #expect(try test.record(name)?.content == [1, 2, 3])
    }

    @Test func `one record that does not open keeps all of it as it was`() throws {
        let test = try TestStore()
        let good = try test.put([1])
        let bad = try test.put([2])
        let wrapped = try test.cell("wrapped_key", good)
        try test.execute("UPDATE record SET wrapped_key = ? WHERE name = ?", [wrapped, bad.bytes])
        let before = try test.places()
        #expect(throws: ZoneError.damagedRecord(bad)) { try test.changeClass(to: .afterFirstUnlock) }
        #expect(try test.places() == before && test.number("SELECT count(*) FROM zone") == 1)
        #expect(try test.openZone().zone == test.zone.zone && test.record(good)?.content == [1])
    }

    @Test func `without the account key nothing is signed`() throws {
        let test = try TestStore()
        _ = try test.put([1])
        #expect(throws: EnvelopeError.notAuthentic) {
            try test.store.changeClass(
                of: test.zone, to: .afterFirstUnlock, of: test.account, scope: "notes", with: KeyEnvelope.makeKey(),
                time: 2)
        }
        #expect(try test.openZone().zone == test.zone.zone)
    }
}

extension TestStore {
    fileprivate func changeClass(to zoneClass: ZoneLogEntry.ZoneClass) throws -> OpenZone {
        try store.changeClass(of: zone, to: zoneClass, of: account, scope: "notes", with: accountKey, time: 2)
    }

    /// What of each record must not change, in the order in which they were made.
    fileprivate func places() throws -> [String] {
        let columns = ["hex(name)", "type", "revision", "seq", "tombstone"].joined(separator: " || ' ' || ")
        return try store.database.rows("SELECT \(columns) FROM record ORDER BY id").compactMap { $0.text(0) }
    }
}
