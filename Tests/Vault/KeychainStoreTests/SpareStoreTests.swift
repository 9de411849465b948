import Conformance
import Envelopes
import Foundation
import Protection
import SQLite
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// What all items hang on, and the items of Tresor's own programs, lie twice: one damage costs nothing, and is told.
@Suite final class SpareOfTheKeychain {
    private let folder = NSTemporaryDirectory() + "tresor-spare-\(Identifier.makeRandom())"
    private let keystore: MockKeystore
    private var store: KeychainStore
    private var told: [String] { notes.lines }
    private let notes = Notes()
    private let owner = Caller(connection: 1, accessGroups: ["user"])
    private let program = Caller(connection: 2, accessGroups: ["tresor.notes"])

    private final class Notes {
        var lines: [String] = []
    }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        keystore = try MockKeystore()
        store = try KeychainStore(path: folder + "/keychain.sqlite", keystore: keystore) { 1_000_000 }
        try add("mail", owner)
        try add("key", program)
        try add("always", owner, .always)
        store.settleSpareItems()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func add(_ service: String, _ caller: Caller, _ protectionClass: ProtectionClass = .whenUnlocked) throws {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.protectionClass] = .string(protectionClass.code)
        _ = try store.add(
            ItemAddition(
                kind: ItemKind.password.code, attributes: attributes, secret: SecretBytes(text: "of " + service)),
            caller: caller)
    }

    @Test func `items of a group have keys of their own, whatever they differ in, and none is left at its end`() throws
    {
        var services: [(name: String, class: ProtectionClass, caller: Caller)] = []
        for number in 0..<40 { services.append(("alike \(number)", .whenUnlocked, owner)) }
        for number in 0..<20 {
            let odd: ProtectionClass = number % 3 == 0 ? .afterFirstUnlock : .whenUnlocked
            services.append(("mixed \(number)", odd, number % 2 == 0 ? owner : program))
        }
        try store.beginBatch()
        for service in services + [("one more", .whenUnlocked, owner), ("and another", .whenUnlocked, owner)] {
            // An item of a program of ours ends a group, since it lies twice.
            try store.beginBatch()
            try add(service.name, service.caller, service.class)
        }
        #expect(!store.keys.keysAhead.isEmpty, "some were made ahead")
        try store.endBatch()
        #expect(store.keys.keysAhead.isEmpty)
        for service in services { #expect(try read(service.name, service.caller) == "of " + service.name) }
        let keys = try rowKeys()
        #expect(Set(keys).count == keys.count && keys.count >= services.count)
        // What is shut within a group is refused, and no damage.
        try store.beginBatch()
        for number in 0..<3 { try add("before \(number)", owner) }
        keystore.lockState = .locked
        store.evictKeys()
        #expect(#expect(throws: KeychainError.self) { try add("behind", owner) }?.status == .interactionNotAllowed)
        try store.endBatch()
        keystore.lockState = .unlocked
        for number in 0..<3 { #expect(try read("before \(number)", owner) == "of before \(number)") }
        #expect(try read("behind", owner) == "\(KeychainStatus.itemNotFound)")
    }

    private func reopen() throws {
        try shut()
        notes.lines = []
        store = try KeychainStore(
            path: folder + "/keychain.sqlite", keystore: keystore, tellMended: { [notes] in notes.lines.append($0) }
        ) { 1_000_000 }
        store.settleSpareItems()
    }

    /// The database is closed with its last owner.
    private func shut() throws { store = try KeychainStore(path: nil, keystore: keystore) { 0 } }

    private func query(_ service: String) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        query.returns = .data
        return query
    }

    private func read(_ service: String, _ caller: Caller) throws -> String? {
        var buffer = try SecretBuffer()
        do {
            var page = try PageWriter(in: &buffer)
            let end = try store.find(query(service), caller: caller, into: &page, &buffer)
            try page.end(end, in: &buffer)
        } catch let error as KeychainError { return "\(error.status)" }
        var reader = ByteReader(buffer.bytes)
        var found: String?
        _ = try Page(from: &reader) { _, _, secret in
            if let secret { found = String(decoding: secret.copyToArray(), as: UTF8.self) }
        }
        return found
    }

    private func change(_ sql: String) throws { try store.storage.database.execute(sql) }

    private func rowKeys() throws -> [[UInt8]] {
        try store.storage.database.rows("SELECT row_key FROM item WHERE row_key IS NOT NULL").compactMap { $0.bytes(0) }
    }

    private func secretOfSecond() throws -> Data {
        let secret = try store.storage.database.row("SELECT secret FROM item WHERE id = 2")?.bytes(0)
        return Data(try #require(secret))
    }

    /// How many rows a table of the spare has.
    private func spareCount(_ table: String) -> Int64? {
        store.table.copies.spare?.read { try $0.integer("SELECT count(*) FROM \(table)") } ?? nil
    }

    private func expectAll(_ what: String) throws {
        #expect(try read("mail", owner) == "of mail", "\(what)")
        #expect(try read("always", owner) == "of always", "\(what)")
        #expect(try read("key", program) == "of key", "\(what)")
    }

    @Test(
        arguments: ["table_key", "index_key"],
        [
            "UPDATE $ SET wrapped = zeroblob(60)", "UPDATE $ SET wrapped = 'text'",
            "UPDATE $ SET wrapped = zeroblob(3)",
            "UPDATE $ SET class_key = zeroblob(16)", "UPDATE $ SET class_key = 7", "DELETE FROM $",
        ])
    func `a key that is damaged or gone is made good from the spare`(table: String, form: String) throws {
        let sql = form.replacingOccurrences(of: "$", with: table)
        let select = "SELECT * FROM \(table) ORDER BY class"
        let before = try store.storage.database.rows(select)
        #expect(before.count == 2)
        try change(sql)
        try reopen()
        try expectAll(sql)
        _ = try store.keys.indexKey(.always)
        #expect(told.count == 2 && told.allSatisfy { $0.contains("written anew") }, "\(told)")
        #expect(try store.storage.database.rows(select) == before)
        try reopen()
        try expectAll(sql)
        #expect(told.isEmpty)
    }

    @Test(arguments: [
        "DELETE FROM meta WHERE name = 'keychain'", "UPDATE meta SET value = zeroblob(16) WHERE name = 'keychain'",
        "UPDATE meta SET value = x'00' WHERE name = 'keychain'",
    ])
    func `the store's identifier is made good from the spare`(sql: String) throws {
        let id = store.storeID
        try change(sql)
        try reopen()
        try expectAll(sql)
        #expect(store.storeID == id)
        try change("DELETE FROM tag")
        try reopen()
        #expect(store.storeID == id)
    }

    @Test func `the enclave's name is made good from the spare, and another's is another's`() throws {
        let keybag = Identifier.makeRandom()
        try store.record(keybag: keybag, generation: 1, witness: [])
        func lineage(_ id: Identifier) throws -> KeychainStore.Lineage {
            try store.checkLineage(keybag: id, generation: 1) { _, _, _ in true }
        }
        #expect(try lineage(keybag) == .together && lineage(.makeRandom()) == .foreign)
        try change("UPDATE meta SET value = zeroblob(16) WHERE name = 'keybag'")
        try reopen()
        #expect(try lineage(keybag) == .together && lineage(.makeRandom()) == .foreign)
    }

    @Test(arguments: [
        "UPDATE item SET metadata = zeroblob(80) WHERE", "UPDATE item SET metadata_key = zeroblob(60) WHERE",
        "UPDATE item SET secret = zeroblob(80) WHERE", "UPDATE item SET row_key = zeroblob(60) WHERE",
        "UPDATE item SET tamper = zeroblob(16) WHERE", "UPDATE item SET class = 9 WHERE",
        "UPDATE item SET class_key = zeroblob(16) WHERE", "UPDATE item SET secret = NULL WHERE",
        "UPDATE item SET kind = 99 WHERE", "UPDATE item SET uuid = zeroblob(16) WHERE",
        "DELETE FROM item WHERE", "DELETE FROM tag WHERE item = 2 AND",
    ])
    func `an item of our programs is made good from the spare, one of the owner's stays damaged`(sql: String) throws {
        let select = "SELECT * FROM item WHERE id = 2"
        let before = try store.storage.database.row(select)
        if sql.hasPrefix("DELETE FROM tag") {
            try change("DELETE FROM tag WHERE item = 2")
            try reopen()
            #expect(told.count == 1)
            return try expectAll(sql)
        }
        try change(sql + " id = 2")
        if sql.hasPrefix("DELETE") || sql.contains("kind") || sql.contains("uuid") {
            // The index leads to it no more; an unlock looks for it.
            try reopen()
        }
        try expectAll(sql)
        #expect(try store.storage.database.row(select) == before, "\(sql)")
        #expect(try store.quarantined().isEmpty)
        try reopen()
        #expect(told.isEmpty, "\(told)")
        try change(sql + " id = 1")
        try reopen()
        #expect(try read("mail", owner) != "of mail")
        #expect(try read("key", program) == "of key")
    }

    @Test func `the spare follows a change, and keeps nothing of what was there`() throws {
        let spare = URL(fileURLWithPath: folder + "/spare/keychain.sqlite")
        let sealed = try secretOfSecond()
        #expect(try Data(contentsOf: spare).range(of: sealed) != nil, "the control")
        try store.update(
            ItemUpdate(query: query("key").forUpdate, changes: Attributes(), secret: SecretBytes(text: "anew")),
            caller: program)
        #expect(try Data(contentsOf: spare).range(of: sealed) == nil)
        try change("UPDATE item SET secret = zeroblob(80) WHERE id = 2")
        #expect(try read("key", program) == "anew")
        let later = try secretOfSecond()
        try store.remove(query("key").forUpdate, caller: program)
        #expect(try Data(contentsOf: spare).range(of: later) == nil)
        try reopen()
        #expect(try read("key", program) == "\(KeychainStatus.itemNotFound)")
        #expect(told.isEmpty)
    }

    @Test func `an item that comes back takes no other's place`() throws {
        // The number of the last row is given again.
        try change("DELETE FROM item WHERE id > 1")
        try change("DELETE FROM tag WHERE item > 1")
        try add("newer", owner)
        #expect(try store.storage.database.integer("SELECT max(id) FROM item") == 2)
        try reopen()
        #expect(try read("newer", owner) == "of newer" && read("mail", owner) == "of mail")
        #expect(try read("key", program) == "of key" && told.count == 1, "\(told)")
        try change("DELETE FROM item WHERE id = 3")
        try add("other key", program)
        try reopen()
        #expect(try read("key", program) == "of key" && read("other key", program) == "of other key")
    }

    @Test func `what goes while the spare cannot be written does not come back`() throws {
        try shut()
        let other = try Database(folder + "/spare/keychain.sqlite")
        try other.execute("BEGIN EXCLUSIVE")
        store = try KeychainStore(path: folder + "/keychain.sqlite", keystore: keystore) { 1_000_000 }
        try store.remove(query("key").forUpdate, caller: program)
        try other.execute("ROLLBACK")
        other.close()
        try reopen()
        #expect(try read("key", program) == "\(KeychainStatus.itemNotFound)")
        #expect(try read("mail", owner) == "of mail" && read("always", owner) == "of always")
        // And there is one again.
        #expect(spareCount("table_key") == 2)
    }

    @Test func `the owner's items are not copied`() throws {
        #expect(spareCount("item") == 1)
    }

    @Test func `what was destroyed is destroyed in the spare, too`() throws {
        func both(_ column: String) throws -> [[UInt8]] {
            let sql = "SELECT \(column) FROM table_key UNION SELECT \(column) FROM index_key"
            return try store.storage.database.rows(sql).compactMap { $0.bytes(0) }
        }
        let keys = try both("class_key")
        let wraps = try both("wrapped").map { Data($0) }
        let spare = URL(fileURLWithPath: folder + "/spare/keychain.sqlite")
        let before = try Data(contentsOf: spare)
        #expect(wraps.allSatisfy { before.range(of: $0) != nil }, "the control")
        try store.keys.forgetSpareKeys(of: keys.compactMap { Identifier($0) })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/spare")
        #expect(files.contains("keychain.sqlite"))
        for file in files {
            let after = try Data(contentsOf: URL(fileURLWithPath: folder + "/spare/" + file))
            #expect(wraps.allSatisfy { after.range(of: $0) == nil }, "\(file)")
        }
        #expect(spareCount("item") == 0)
    }

    @Test func `an item whose tags cannot be read is not copied without them`() throws {
        let found: [UInt8]? = store.table.copies.spare?.read { try $0.row("SELECT uuid FROM item")?.bytes(0) } ?? nil
        let item = try #require(found.flatMap { Identifier($0) })
        try change("ALTER TABLE tag RENAME TO gone")
        store.table.copies.copyItem(item)
        try change("ALTER TABLE gone RENAME TO tag")
        try reopen()
        try expectAll("by its name")
        // One that an earlier version copied so takes no place.
        store.table.copies.spare?.write { try $0.execute("DELETE FROM tag") }
        try reopen()
        try expectAll("by its name")
        #expect(told.isEmpty)
        let tags = try store.storage.database.integer(
            "SELECT count(*) FROM tag JOIN item ON id = item WHERE uuid = ?", [item.bytes])
        #expect(tags ?? 0 > 0, "in the store")
    }

    @Test func `a start empties the log of what a kill left in it`() throws {
        try add("doomed", owner)
        try store.scrub()
        let before = try Set(rowKeys())
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string("doomed")
        try store.remove(query, caller: owner)
        let gone = Data(try #require(try before.subtracting(rowKeys()).first))
        let copy = folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder + "/keychain.sqlite" + suffix, toPath: copy + "/keychain.sqlite" + suffix)
        }
        let holds = { [copy] in
            try ["", "-wal"].contains { suffix in
                let path = copy + "/keychain.sqlite" + suffix
                guard FileManager.default.fileExists(atPath: path) else { return false }
                return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: gone) != nil
            }
        }
        #expect(try holds(), "the control: as a kill leaves it")
        let next = try KeychainStore(path: copy + "/keychain.sqlite", keystore: keystore) { 1_000_000 }
        #expect(next.needsScrub)
        try next.scrub()
        #expect(try !holds())
    }

    @Test func `an item of our programs on a page that is overwritten is read from its copy, asked for as they do`()
        throws
    {
        for number in 0..<60 { try add("item \(number)", owner) }
        try add("account", program)
        store.settleSpareItems()
        for number in 60..<120 { try add("item \(number)", owner) }
        let sql = "SELECT pageno FROM dbstat WHERE name = 'item' AND pagetype = 'leaf'"
        let pages = try store.storage.database.rows(sql).compactMap { $0.integer(0) }.map { Int($0) }
        let size = Int(try #require(try store.storage.database.integer("PRAGMA page_size")))
        let row = try store.storage.database.row("SELECT primary_tag FROM item WHERE id = 64")
        let tag = Data(try #require(row?.bytes(0)))
        try shut()
        let path = folder + "/keychain.sqlite"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = try #require(
            pages.first { bytes[(($0 - 1) * size)..<($0 * size)].firstRange(of: tag) != nil })
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xa5, count: size))
        try file.close()
        try reopen()
        let found = try read("account", program)
        #expect(found == "of account", "\(found ?? "nil")")
        #expect(try read("item 119", owner) == "of item 119")
    }

    @Test func `behind a page that is overwritten all other items are there, and those on it count as damaged`() throws
    {
        for number in 0..<300 { try add("item \(number)", owner) }
        let sql = "SELECT pageno FROM dbstat WHERE name = 'item' AND pagetype = 'leaf' LIMIT 1 OFFSET 20"
        let page = Int(try #require(try store.storage.database.integer(sql)))
        let size = Int(try #require(try store.storage.database.integer("PRAGMA page_size")))
        try shut()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/keychain.sqlite"))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xa5, count: size))
        try file.close()
        try reopen()
        var query = KeychainQuery(kind: .password)
        query.limit = nil
        query.returns = .attributes
        var (found, damaged) = (0, 0)
        repeat {
            var buffer = try SecretBuffer()
            var page = try PageWriter(in: &buffer)
            let end = try store.find(query, caller: owner, into: &page, &buffer)
            found += Int(page.count)
            damaged += Int(end.damaged)
            query.cursor = end.next
        } while query.cursor != 0
        #expect(found + damaged == 302 && damaged > 0 && damaged < 30, "\(found), \(damaged)")
        #expect(try read("mail", owner) == "of mail" && read("item 299", owner) == "of item 299")
        var look = try store.look(after: 0) { false }
        #expect(look.hasLostPage && look.next == 0 && Int(look.rows) == found + 1, "\(look)")
        look = try store.look(after: 0) { true }
        #expect(look.rows == 1 && look.next != 0)
    }

    @Test func `a spare that is gone or no database is made anew`() throws {
        let spare = folder + "/spare/keychain.sqlite"
        for bytes in [nil, Data(), Data(repeating: 65, count: 9000)] as [Data?] {
            try shut()
            try FileManager.default.removeItem(atPath: spare)
            if let bytes { try bytes.write(to: URL(fileURLWithPath: spare)) }
            try reopen()
            try expectAll("\(bytes?.count ?? -1)")
            #expect(told.isEmpty)
            let select = "SELECT * FROM table_key ORDER BY class"
            #expect(
                try store.table.copies.spare?.read { try $0.rows(select) } == store.storage.database.rows(select))
        }
        try change("DELETE FROM table_key")
        try change("DELETE FROM item WHERE id = 2")
        try reopen()
        try expectAll("all of it")
    }
}

extension KeychainQuery {
    fileprivate var forUpdate: KeychainQuery {
        var query = self
        query.returns = []
        return query
    }
}
