import Envelopes
import Foundation
import KeyEnvelopes
import Linux
import SQLite
import Secrets
import Testing

@testable import Zones

/// The rows on which all others of a store hang lie twice: one damage anywhere costs nothing, and is told.
@Suite struct SpareTests {
    private static let tables = ["account", "zone", "log", "keyring"]

    /// Every cell of the small tables, in store or spare.
    private func rows(_ read: ((Database) throws -> [Row]) throws -> [Row]?) throws -> [[Row]] {
        try Self.tables.map { table in
            let columns = table == "zone" ? "id, zone, account, scope" : "*"
            return try #require(try read { try $0.rows("SELECT \(columns) FROM \(table)") })
        }
    }

    private func expectSame(_ test: TestStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let stored = try rows { try $0(test.store.database) }
        let spared = try rows { test.store.keystones.spare.read($0) }
        #expect(stored == spared, sourceLocation: sourceLocation)
        #expect(stored.allSatisfy { !$0.isEmpty }, sourceLocation: sourceLocation)
    }

    private func expectMended(_ test: TestStore, _ name: Identifier, what: String) throws {
        try test.reopen()
        #expect(!test.store.mended.isEmpty, "\(what)")
        #expect(try test.store.accounts() == [test.account], "\(what)")
        #expect(try test.record(name)?.content == [1, 2, 3], "\(what)")
        try expectSame(test)
        #expect(try test.put([4]) != name)
        try test.reopen()
        #expect(test.store.mended.isEmpty, "\(what)")
        #expect(try test.record(name)?.content == [1, 2, 3], "\(what)")
    }

    @Test(arguments: [
        ("log", "entry"), ("log", "sig"), ("keyring", "wrap"), ("zone", "zone"), ("account", "agreement"),
        ("account", "agreement_public"), ("account", "signing_public"), ("account", "background_public"),
        ("account", "account"), ("keyring", "member"), ("zone", "account"),
    ])
    func `a changed cell of the small tables is made good from the spare`(_ table: String, _ column: String) throws {
        let test = try TestStore()
        let name = try test.put([1, 2, 3])
        let before = try test.bytes("SELECT \(column) FROM \(table)")
        var changed = before
        changed[before.count / 2] ^= 1
        for form: [UInt8] in [changed, [], Array(before.dropLast())] {
            try test.execute("UPDATE \(table) SET \(column) = ?", [form], inSpare: false)
            try expectMended(test, name, what: "\(table) \(column)")
        }
    }

    @Test(arguments: [
        "DELETE FROM log", "DELETE FROM keyring", "DELETE FROM zone", "DELETE FROM account",
        "UPDATE keyring SET generation = 2", "UPDATE keyring SET head = -1", "UPDATE keyring SET wrap = 'text'",
        "UPDATE zone SET scope = 'other'", "UPDATE zone SET id = 7", "UPDATE log SET entry = 7",
    ])
    func `a row that is gone, or does not belong there, is made good from the spare`(_ change: String) throws {
        let test = try TestStore()
        let name = try test.put([1, 2, 3])
        try test.execute(change, inSpare: false)
        try expectMended(test, name, what: change)
    }

    @Test func `the sequence goes on behind a mended zone`() throws {
        let test = try TestStore()
        for _ in 0..<5 { _ = try test.put([1]) }
        let last = try test.store.read { try $0.sequence(of: test.zone) }
        try test.execute("DELETE FROM zone", inSpare: false)
        try test.reopen()
        #expect(try test.store.read { try $0.sequence(of: test.zone) } == last)
        _ = try test.put([1])
        #expect(try test.number("SELECT count(DISTINCT seq) FROM record") == 6)
    }

    @Test(arguments: ["keyring", "log", "zone", "account"])
    func `behind a page that is overwritten the records can be read`(_ table: String) throws {
        let test = try TestStore()
        let name = try test.put([1, 2, 3])
        let page = try #require(try test.number("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'"))
        let size = try #require(try test.number("PRAGMA page_size"))
        test.store.close()
        let file = try FileDescriptor.open(test.folder + "/notes.sqlite", FileFlags.readWrite)
        try file.write([UInt8](repeating: 0xa5, count: size), at: (page - 1) * size)
        try test.reopen()
        #expect(!test.store.mended.isEmpty)
        #expect(try test.record(name)?.content == [1, 2, 3])
    }

    @Test func `a wrong key mends nothing`() throws {
        let test = try TestStore()
        try test.execute("DELETE FROM keyring", inSpare: false)
        #expect(throws: (any Error).self) {
            try test.store.openZone(scope: "notes", of: test.account, with: .accountKey(KeyEnvelope.makeKey()))
        }
        #expect(try test.number("SELECT count(*) FROM keyring") == 0 && test.store.mended.isEmpty)
    }

    @Test(arguments: [
        "UPDATE record SET sealed = zeroblob(92) WHERE type = 4", "DELETE FROM record WHERE type = 4",
        "UPDATE record SET type = 5 WHERE type = 4", "UPDATE record SET wrapped_key = 7 WHERE type = 4",
        "UPDATE record SET revision = 9 WHERE type = 4", "UPDATE record SET name = zeroblob(16) WHERE type = 4",
    ])
    func `a record on which others hang is made good from the spare`(_ change: String) throws {
        let test = try TestStore()
        let name = try test.put([7, 7], type: TestStore.keystone)
        _ = try test.store.write { try $0.put(name, type: TestStore.keystone, [8, 8], in: test.zone) }
        let other = try test.put([1, 2, 3])
        try test.execute(change, inSpare: false)
        try test.reopen()
        #expect(try test.record(name)?.content == [8, 8] && test.record(name)?.revision == 2)
        #expect(test.store.mended.count == 1)
        #expect(try test.record(other)?.content == [1, 2, 3])
        try test.reopen()
        #expect(test.store.mended.isEmpty)
    }

    /// All that lies in the folder of the spare.
    private func spareBytes(_ test: TestStore) throws -> [UInt8] {
        let folder = test.folder + "/spare/"
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap {
            Array(try Data(contentsOf: URL(fileURLWithPath: folder + $0)))
        }
    }

    @Test func `a spare that is all there is stays as it is until its rows are in the store again`() throws {
        let test = try TestStore()
        let name = try test.put([1, 2, 3], type: TestStore.keystone)
        try test.execute("UPDATE keyring SET wrap = zeroblob(length(wrap))", inSpare: false)
        try test.execute(
            "CREATE TRIGGER stop BEFORE DELETE ON keyring BEGIN SELECT RAISE(ABORT, 'stop'); END", inSpare: false)
        let former = try rows { test.store.keystones.spare.read($0) }
        for _ in 0..<2 {
            try test.reopen()
            #expect(test.store.mended.count == 1 && test.store.keystones.isSpareAlone)
            #expect(try test.record(name)?.content == [1, 2, 3])
            #expect(try rows { test.store.keystones.spare.read($0) } == former)
            let plain = try test.put([5], type: 1)
            #expect(try test.record(plain)?.content == [5], "what nothing hangs on is written")
            #expect(throws: ZoneError.self, "nothing is written that would have to lie twice") {
                try test.put([4], type: TestStore.keystone)
            }
            #expect(try rows { test.store.keystones.spare.read($0) } == former)
        }
        try test.execute("DROP TRIGGER stop", inSpare: false)
        let other = try test.put([4], type: TestStore.keystone)
        try expectSame(test)
        try test.reopen()
        #expect(test.store.mended.isEmpty)
        #expect(try test.record(name)?.content == [1, 2, 3] && test.record(other)?.content == [4])
    }

    @Test func `what was removed does not come back, not even from a spare of an earlier day`() throws {
        let test = try TestStore()
        let kept = try test.put([1], type: TestStore.keystone)
        let removed = try test.put([7, 7], type: TestStore.keystone)
        let sealed = Data(try test.cell("sealed", removed))
        test.store.close()
        let spare = test.folder + "/spare/notes.sqlite"
        let former = try Data(contentsOf: URL(fileURLWithPath: spare))
        #expect(former.range(of: sealed) != nil, "the control")
        try test.reopen()
        try test.store.write { try $0.remove(removed, in: test.zone) }
        #expect(try test.record(removed) == nil)
        #expect(try Data(spareBytes(test)).range(of: sealed) == nil, "while the store is open")
        test.store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: spare)).range(of: sealed) == nil)
        try former.write(to: URL(fileURLWithPath: spare))
        try test.reopen()
        #expect(try test.record(removed) == nil && test.store.mended.isEmpty)
        #expect(try test.record(kept)?.content == [1])
        test.store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: spare)).range(of: sealed) == nil)
        try test.reopen()
    }

    @Test func `another class leaves nothing of the former keys in the spare`() throws {
        let test = try TestStore()
        let name = try test.put([7, 7], type: TestStore.keystone)
        let wrap = Data(try test.bytes("SELECT wrap FROM keyring"))
        let sealed = Data(try test.cell("sealed", name))
        let zone = try test.store.changeClass(
            of: test.zone, to: .afterFirstUnlock, of: test.account, scope: "notes",
            with: test.accountKey, time: 2)
        #expect(try test.store.read { try $0.record(name, in: zone) }?.content == [7, 7])
        try expectSame(test)
        for isOpen in [true, false] {
            if !isOpen { test.store.close() }
            let spare = Data(try spareBytes(test))
            #expect(spare.range(of: wrap) == nil && spare.range(of: sealed) == nil, "open: \(isOpen)")
        }
        try test.reopen()
        #expect(test.store.mended.isEmpty)
        try test.execute("DELETE FROM keyring", inSpare: false)
        try test.execute("DELETE FROM record", inSpare: false)
        try test.reopen()
        #expect(try test.record(name)?.content == [7, 7])
    }

    @Test func `a spare of before a change of class takes no place of what is there`() throws {
        let test = try TestStore()
        let name = try test.put([7, 7])
        test.store.close()
        let spare = URL(fileURLWithPath: test.folder + "/spare/notes.sqlite")
        let former = try Data(contentsOf: spare)
        try test.reopen()
        _ = try test.store.changeClass(
            of: test.zone, to: .afterFirstUnlock, of: test.account, scope: "notes", with: test.accountKey, time: 2)
        let wrap = try test.bytes("SELECT wrap FROM keyring")
        test.store.close()
        try former.write(to: spare)
        let store = try ZoneStore(folder: test.folder, file: "notes.sqlite", keystones: [TestStore.keystone])
        defer { store.close() }
        let signature = try store.database.row("SELECT sig FROM log")?.bytes(0)
        try store.database.execute("UPDATE log SET sig = zeroblob(64)")
        func open() throws -> OpenZone {
            try store.openZone(scope: "notes", of: test.account, with: .accountKey(test.accountKey.copy()))
        }
        #expect(throws: (any Error).self) { try open() }
        #expect(try store.database.row("SELECT wrap FROM keyring")?.bytes(0) == wrap)
        #expect(store.mended.isEmpty)
        try store.database.execute("UPDATE log SET sig = ?", [signature])
        let zone = try open()
        #expect(try store.read { try $0.record(name, in: zone) }?.content == [7, 7])
    }

    @Test func `what an earlier program left in the journal of the spare goes at the next start`() throws {
        let test = try TestStore()
        let name = try test.put([7, 7], type: TestStore.keystone)
        test.store.close()
        let journal = test.folder + "/spare/notes.sqlite-journal"
        // Without a header it is no change that was cut short.
        let left = Data(repeating: 0, count: 512) + Data("a former wrap".utf8)
        try left.write(to: URL(fileURLWithPath: journal))
        try test.reopen()
        try expectSame(test)
        #expect(try Data(spareBytes(test)).range(of: Data("a former wrap".utf8)) == nil)
        #expect(try test.record(name)?.content == [7, 7])
    }

    @Test func `a spare that is gone, cut, or no database is made anew`() throws {
        let test = try TestStore()
        let name = try test.put([7], type: TestStore.keystone)
        let spare = test.folder + "/spare/notes.sqlite"
        let changes: [() throws -> Void] = [
            { try FileManager.default.removeItem(atPath: test.folder + "/spare") },
            { try Data().write(to: URL(fileURLWithPath: spare)) },
            { try Data(repeating: 65, count: 9000).write(to: URL(fileURLWithPath: spare)) },
        ]
        for change in changes {
            test.store.close()
            try change()
            try test.reopen()
            #expect(test.store.hasSpare && test.store.mended.isEmpty)
            try expectSame(test)
            #expect(test.store.keystones.spare.read { try $0.integer("SELECT count(*) FROM record") } == 1)
            #expect(try test.record(name)?.content == [7])
            let attributes = try FileManager.default.attributesOfItem(atPath: spare)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a store goes on where no spare can be kept, and makes one when it can`() throws {
        let test = try TestStore()
        test.store.close()
        try FileManager.default.removeItem(atPath: test.folder + "/spare")
        try Data([1]).write(to: URL(fileURLWithPath: test.folder + "/spare"))
        try test.reopen()
        let name = try test.put([7], type: TestStore.keystone)
        #expect(!test.store.hasSpare)
        test.store.close()
        try FileManager.default.removeItem(atPath: test.folder + "/spare")
        try test.reopen()
        #expect(test.store.hasSpare)
        try expectSame(test)
        try test.execute("DELETE FROM record", inSpare: false)
        try test.reopen()
        #expect(try test.record(name)?.content == [7])
    }

    @Test func `a store of 0.1 gets its spare when its zone is opened`() throws {
        let test = try TestStore()
        let name = try test.put([7], type: TestStore.keystone)
        test.store.close()
        try FileManager.default.removeItem(atPath: test.folder + "/spare")
        try test.reopen()
        try test.execute("DELETE FROM record", inSpare: false)
        try test.execute("DELETE FROM keyring", inSpare: false)
        try test.reopen()
        #expect(try test.record(name)?.content == [7])
    }
}
