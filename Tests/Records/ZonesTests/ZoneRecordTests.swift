import Envelopes
import Foundation
import SQLite
import Secrets
import Testing

@testable import Zones

/// Records: written and read, their order, and what an attacker with the database can do to them: nothing but harm.
@Suite struct ZoneRecordTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    @Test(arguments: [0, 1, 59, 60, 61, 1000, 100_000]) func `a record is what was put`(_ count: Int) throws {
        let content = [UInt8](repeating: 7, count: count)
        let name = try test.put(content, type: 5)
        let record = try #require(try test.record(name))
        #expect(record == ZoneRecord(name: name, type: 5, revision: 1, sequence: 1, content: content))
        #expect(try test.record(.makeRandom()) == nil)
    }

    @Test func `each change raises the revision, and takes the next place in the zone's sequence`() throws {
        let one = try test.put([1])
        let two = try test.put([2])
        let zone = test.zone
        let revisions = try test.store.write { writer in
            let revisions = try [[3], [4]].map { try writer.put(one, type: 1, $0, in: zone) }
            let content = try writer.reader.record(one, in: zone)?.content
            #expect(content == [4])
            return revisions
        }
        #expect(revisions == [2, 3])
        #expect(try test.record(one)?.sequence == 4 && test.record(two)?.sequence == 2)
        try test.reopen()
        let three = try test.put([5])
        #expect(try test.record(three)?.sequence == 5 && test.record(one)?.revision == 3)
        #expect(try test.number("SELECT seq FROM zone") == 5)
    }

    @Test func `a transaction that fails leaves neither records nor places behind`() throws {
        struct Stop: Error {}
        let name = try test.put([1])
        let zone = test.zone
        #expect(throws: Stop.self) {
            try test.store.write { writer in
                try writer.put(name, type: 1, [2], in: zone)
                try writer.put(.makeRandom(), type: 1, [3], in: zone)
                throw Stop()
            }
        }
        #expect(try test.record(name)?.content == [1] && test.number("SELECT count(*) FROM record") == 1)
        #expect(try test.number("SELECT seq FROM zone") == 1)
        #expect(try test.record(test.put([4]))?.sequence == 2)
    }

    @Test func `a removed record is a signed-off place in the sequence, and its name begins above it`() throws {
        let name = try test.put([UInt8](repeating: 9, count: 100))
        let zone = test.zone
        try test.store.write { try $0.remove(name, in: zone) }
        #expect(try test.record(name) == nil && test.store.read { try $0.count(ofType: 1, in: zone) } == 0)
        #expect(try test.number("SELECT tombstone FROM record") == 1)
        #expect(try test.number("SELECT revision FROM record") == 2 && test.number("SELECT seq FROM zone") == 2)
        try test.store.write { try $0.remove(name, in: zone) }
        try test.store.write { try $0.remove(.makeRandom(), in: zone) }
        #expect(try test.number("SELECT seq FROM zone") == 2 && test.number("SELECT count(*) FROM record") == 1)
        #expect(try test.store.write { try $0.put(name, type: 1, [1], in: zone) } == 3)
        #expect(try test.record(name)?.content == [1])
    }

    @Test func `a tombstone that is called a record opens as nothing that was there`() throws {
        let name = try test.put([1, 2, 3])
        let zone = test.zone
        try test.store.write { try $0.remove(name, in: zone) }
        try test.execute("UPDATE record SET tombstone = 0")
        #expect(try test.record(name)?.content != [1, 2, 3])
    }

    @Test func `a record of a local type is gone when it is removed`() throws {
        let zone = test.zone
        let local = try test.put([1], type: ZoneWriter.localTypes)
        let shared = try test.put([1], type: ZoneWriter.localTypes - 1)
        for name in [local, shared] { try test.store.write { try $0.remove(name, in: zone) } }
        #expect(try test.number("SELECT count(*) FROM record") == 1)
        #expect(try test.number("SELECT type FROM record") == 127)
    }

    @Test func `a walk over records goes in the order of their making, in steps of any size`() throws {
        let names = try (0..<10).map { try test.put([UInt8($0)], type: $0 % 2 == 0 ? 1 : 2) }
        let zone = test.zone
        try test.store.write { try $0.remove(names[4], in: zone) }
        for limit in [1, 2, 3, 4, 5, .max] {
            var found: [UInt8] = []
            var cursor: ZoneCursor? = .start
            while let place = cursor {
                cursor = try test.store.read { reader in
                    try reader.records(
                        ofType: 1, in: zone, after: place, limit: limit, damaged: { _ in Issue.record("damaged") }
                    ) { found += $0.content }
                }
            }
            #expect(found == [0, 2, 6, 8])
        }
    }

    // MARK: Tampering

    @Test(arguments: ["-1", "9223372036854775807"])
    func `a sequence that no store counts to takes no change`(_ sequence: String) throws {
        let name = try test.put([1])
        try test.execute("UPDATE zone SET seq = \(sequence)")
        #expect(throws: ZoneError.damagedStore) { try test.put([2]) }
        #expect(throws: ZoneError.damagedStore) { try test.store.read { try $0.sequence(of: test.zone) } }
        #expect(try test.record(name)?.content == [1])
    }

    @Test(arguments: ["name", "sealed", "wrapped_key", "sealed, wrapped_key"])
    func `records whose rows were swapped open as neither`(_ columns: String) throws {
        let one = try test.put([1])
        let other = try test.put([2])
        if columns == "name" {
            let spare = Identifier.makeRandom()
            for (from, to) in [(one, spare), (other, one), (spare, other)] {
                try test.execute("UPDATE record SET name = ? WHERE name = ?", [to.bytes, from.bytes])
            }
        } else {
            for column in columns.components(separatedBy: ", ") { try test.swap(column, one, other) }
        }
        #expect(try test.refusal(one) == .damagedRecord(one) && test.refusal(other) == .damagedRecord(other))
    }

    @Test(arguments: [
        "type = 2", "type = -1", "type = 70000", "type = 'text'", "generation = 2", "generation = 0",
        "generation = -1", "revision = 1", "revision = 3", "revision = -1", "writer = zeroblob(16)",
        "writer = x'00'", "writer = NULL", "head = 1", "head = -1", "seq = -1", "seq = 'text'",
        "wrapped_key = zeroblob(40)", "wrapped_key = x''", "sealed = x''", "sealed = zeroblob(40)", "sealed = 'text'",
        "sealed = sealed || x'00'", "sealed = substr(sealed, 1, length(sealed) - 1)",
    ])
    func `a record with a changed column does not open, and the others do`(_ assignment: String) throws {
        let other = try test.put([1])
        let name = try test.put([2])
        _ = try test.store.write { try $0.put(name, type: 1, [3], in: test.zone) }
        // Where the schema itself refuses a value, nothing has changed.
        guard (try? test.execute("UPDATE record SET \(assignment) WHERE name = ?", [name.bytes])) != nil else {
            return #expect(try test.record(name)?.content == [3])
        }
        #expect(try test.refusal(name) == .damagedRecord(name))
        #expect(try test.record(other)?.content == [1])
    }

    @Test func `every byte of a sealed record counts`() throws {
        let name = try test.put([1, 2, 3])
        for column in ["sealed", "wrapped_key"] {
            let bytes = try test.cell(column, name)
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 0x10
                try test.execute("UPDATE record SET \(column) = ?", [changed])
                #expect(try test.refusal(name) == .damagedRecord(name), "\(column), byte \(index)")
            }
            try test.execute("UPDATE record SET \(column) = ?", [bytes])
        }
        #expect(try test.record(name)?.content == [1, 2, 3])
    }

    @Test func `a record that is rolled back below its revision does not open`() throws {
        let name = try test.put([1])
        try test.execute("CREATE TABLE old AS SELECT wrapped_key, sealed FROM record")
        _ = try test.store.write { try $0.put(name, type: 1, [2], in: test.zone) }
        try test.execute("UPDATE record SET (wrapped_key, sealed) = (SELECT wrapped_key, sealed FROM old)")
        #expect(try test.refusal(name) == .damagedRecord(name))
    }

    @Test func `a record of another zone does not open in this one`() throws {
        let name = try test.put([1])
        let stranger = try TestStore()
        let other = try stranger.put([2])
        try stranger.execute(
            "UPDATE record SET name = ?, wrapped_key = ?, sealed = ?",
            [name.bytes, try test.cell("wrapped_key", name), try test.cell("sealed", name)])
        #expect(try stranger.refusal(name) == .damagedRecord(name) && stranger.record(other) == nil)
    }

    @Test func `a walk names the damaged records and goes on`() throws {
        let names = try (0..<4).map { try test.put([UInt8($0)]) }
        try test.execute("UPDATE record SET sealed = zeroblob(100) WHERE name = ?", [names[1].bytes])
        var damaged: [Identifier] = []
        var found: [UInt8] = []
        let end = try test.store.read { reader in
            try reader.records(ofType: 1, in: test.zone, damaged: { damaged.append($0) }) { found += $0.content }
        }
        #expect(damaged == [names[1]] && found == [0, 2, 3] && end == nil)
    }

    // MARK: What stands on the disk

    @Test func `neither content nor removed content stands in the files of the store`() throws {
        let marker = Array("canary in clear".utf8)
        let name = try test.put(marker)
        let zone = test.zone
        let sealed = try test.cell("sealed", name)
        _ = try test.store.write { try $0.put(name, type: 1, [1], in: zone) }
        try test.store.scrub()
        for file in try FileManager.default.subpathsOfDirectory(atPath: test.folder) where file.contains("sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: test.folder + "/" + file))
            #expect(bytes.range(of: Data(marker)) == nil && bytes.range(of: Data(sealed)) == nil)
        }
    }

    @Test func `the store is for its user alone`() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: test.folder + "/notes.sqlite")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
}
