import Conformance
import SQLite
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// §1.7: what an attacker with the database, but not the keys, can do to items: make them unreadable, and no more.
@Suite struct Tampering {
    private let keystore: MockKeystore
    private let store: KeychainStore
    private let caller = Caller(connection: 1, accessGroups: ["user"])

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_000_000 }
        for name in ["one", "two"] {
            var attributes = Attributes()
            attributes[.service] = .string(name)
            _ = try store.add(
                ItemAddition(
                    kind: ItemKind.password.code, attributes: attributes, secret: SecretBytes(text: "of " + name)),
                caller: caller)
        }
    }

    private func read(_ service: String) throws -> Result<String?, KeychainError> {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        query.returns = .data
        var buffer = try SecretBuffer()
        do {
            var page = try PageWriter(in: &buffer)
            let end = try store.find(query, caller: caller, into: &page, &buffer)
            try page.end(end, in: &buffer)
        } catch let error as KeychainError { return .failure(error) }
        var reader = ByteReader(buffer.bytes)
        var found: String?
        _ = try Page(from: &reader) { _, _, secret in
            if let secret { found = String(decoding: secret.copyToArray(), as: UTF8.self) }
        }
        return .success(found)
    }

    private func change(_ sql: String) throws { try store.storage.database.execute(sql) }

    private func swap(_ columns: String...) throws {
        for column in columns {
            try change(
                "UPDATE item SET \(column) = CASE id WHEN 1 THEN (SELECT \(column) FROM item WHERE id = 2) "
                    + "ELSE (SELECT \(column) FROM item WHERE id = 1) END")
        }
    }

    @Test(arguments: [
        ["metadata"], ["metadata_key"], ["metadata", "metadata_key"], ["secret"], ["row_key"], ["secret", "row_key"],
        ["tamper"], ["secret", "row_key", "tamper"], ["metadata", "metadata_key", "tamper"],
    ])
    func halvesOfTwoItemsDoNotPassAsOne(_ columns: [String]) throws {
        for column in columns { try swap(column) }
        let answer = try read("one")
        guard case .failure(let error) = answer else {
            Issue.record("opened as \(answer)")
            return
        }
        #expect(error.status == .decode && error.reason == .damagedItem)
        #expect(try store.quarantined().count >= 1)
    }

    @Test(arguments: [
        "kind = 2", "class = 7", "class = 99", "sync = 1", "class_key = randomblob(16)", "tamper = randomblob(3)",
    ])
    func aChangedColumnDoesNotChangeWhatTheItemIs(_ assignment: String) throws {
        try change("UPDATE item SET \(assignment) WHERE id = 1")
        guard case .failure(let error) = try read("one") else {
            Issue.record("opened")
            return
        }
        #expect(error.status == .decode || error.status == .itemNotFound)
        #expect(try read("two") == .success("of two"))
    }

    @Test(arguments: ["metadata", "metadata_key", "secret", "row_key"])
    func everyFlippedBitIsNoticed(_ column: String) throws {
        let sql = "SELECT \(column) FROM item WHERE id = 1"
        let original = try #require(try store.storage.database.row(sql)?.bytes(0))
        for index in stride(from: 0, to: original.count, by: 7) {
            var flipped = original
            flipped[index] ^= 1 << UInt8(index % 8)
            try store.storage.database.execute("UPDATE item SET \(column) = ? WHERE id = 1", [flipped])
            guard case .failure(let error) = try read("one") else {
                Issue.record("bit \(index) of \(column)")
                return
            }
            #expect(error.status == .decode)
        }
        try store.storage.database.execute("UPDATE item SET \(column) = ? WHERE id = 1", [original])
        #expect(try read("one") == .success("of one"))
        #expect(try store.quarantined().isEmpty)
    }

    @Test func `a lock error is not taken for damage, and damages nothing`() throws {
        keystore.nextFailures = [.locked]
        #expect(try read("one") == .failure(store.classes.lockedError(.whenUnlocked)))
        #expect(try store.quarantined().isEmpty)
        #expect(try read("one") == .success("of one"))
    }

    private func query(_ service: String) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        return query
    }

    @Test func `damage of one match neither hides the others nor stops them`() throws {
        for account in ["a", "b", "c"] {
            var attributes = Attributes()
            attributes[.service] = .string("shared")
            attributes[.account] = .string(account)
            _ = try store.add(
                ItemAddition(
                    kind: ItemKind.password.code, attributes: attributes, secret: SecretBytes(text: "of " + account)),
                caller: caller)
        }
        try change("UPDATE item SET metadata = randomblob(length(metadata)) WHERE id = 3")
        let damaged = try store.storage.database.row("SELECT metadata FROM item WHERE id = 3")
        #expect(try read("shared") == .success("of b"))
        try store.update(
            ItemUpdate(query: query("shared"), changes: Attributes(), secret: SecretBytes(text: "new")), caller: caller)
        #expect(try read("shared") == .success("new"))
        try store.remove(query("shared"), caller: caller)
        #expect(try store.storage.database.row("SELECT metadata FROM item WHERE id = 3") == damaged)
        // Nothing else is left: damage is not absence.
        #expect(try read("shared") == .failure(KeychainError(.decode, .damagedItem, protectionClass: .whenUnlocked)))
        for change: () throws -> Void in [
            { try store.remove(query("shared"), caller: caller) },
            {
                let update = ItemUpdate(
                    query: query("shared"), changes: Attributes(), secret: try SecretBytes(text: "x"))
                try store.update(update, caller: caller)
            },
        ] {
            do {
                try change()
                Issue.record("a damaged item was changed")
            } catch let error as KeychainError { #expect(error.reason == .damagedItem) }
        }
        #expect(try store.storage.database.integer("SELECT count(*) FROM item") == 3)
    }

    @Test func `a damaged secret can be replaced by its owner`() throws {
        try change("UPDATE item SET secret = randomblob(length(secret)) WHERE id = 1")
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string("one")
        try store.update(
            ItemUpdate(query: query, changes: Attributes(), secret: SecretBytes(text: "new")), caller: caller)
        #expect(try read("one") == .success("new"))
    }

    @Test func `a row without its secret columns is not an empty secret`() throws {
        for column in ["secret", "row_key"] {
            try change("UPDATE item SET \(column) = NULL WHERE id = 1")
            guard case .failure(let error) = try read("one") else {
                Issue.record("opened without \(column)")
                return
            }
            #expect(error.status == .decode)
            try change("UPDATE item SET secret = randomblob(92), row_key = randomblob(60) WHERE id = 1")
        }
    }

    @Test func `secrets of like lengths are sealed to the same size`() throws {
        let sizes = try store.storage.database.rows("SELECT DISTINCT length(secret) FROM item").compactMap {
            $0.integer(0)
        }
        #expect(sizes == [64 + 28])
    }
}
