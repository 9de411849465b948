import Linux
import Protection
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// What a shell is told of the names that begin so: all of them, now, and of nothing that is shut.
@Suite struct NameSearchTests {
    private let keystore: MockKeystore
    private let store: KeychainStore
    private let caller = Caller(connection: 1, accessGroups: ["user"])

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_750_000_000_000_000 }
    }

    private func add(
        _ service: String, account: String? = nil, as protectionClass: ProtectionClass = .whenUnlocked,
        caller: Caller? = nil
    ) throws {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.account] = account.map { .string($0) }
        attributes[.protectionClass] = .string(protectionClass.code)
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "x"))
        _ = try store.add(item, caller: caller ?? self.caller)
    }

    private func query(_ service: String) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        return query
    }

    /// Each page's services, by the pages that a client reads.
    private func pages(_ beginning: String, caller: Caller? = nil) throws -> [[String]] {
        var query = NameQuery(beginning: beginning)
        var pages: [[String]] = []
        repeat {
            var buffer = try SecretBuffer()
            try store.answerFindNames(query, id: 1, caller: caller ?? self.caller, into: &buffer)
            var services: [String] = []
            query.cursor = try buffer.withBytes { span in
                var reader = ByteReader(span.extracting(droppingFirst: StreamFrame.headerByteCount))
                _ = try KeychainReply.header(&reader)
                return try Page(from: &reader) { _, attributes, secret in
                    if secret != nil { Issue.record("a secret") }
                    services.append(attributes?.string(.service) ?? "")
                }.end.next
            }
            pages.append(services)
        } while query.cursor != 0
        return pages
    }

    private func found(_ beginning: String, caller: Caller? = nil) throws -> [String] {
        try pages(beginning, caller: caller).flatMap(\.self)
    }

    @Test func `what begins so is found by any of its names, in any case, whatever shells put around it`() throws {
        try add("GitHub")
        try add("radio", account: "gita")
        try add("it's git")
        try add("legit")
        for _ in 0..<2 {
            #expect(try found("git") == ["GitHub", "radio"])
            #expect(try found("GITH") == ["GitHub"])
            #expect(try found("\"git") == ["GitHub", "radio"])
            #expect(try found("its\\ ").isEmpty == false)
            #expect(try found("") == ["GitHub", "radio", "it's git", "legit"])
            #expect(try found("gitx") == [])
        }
    }

    @Test func `what is written meanwhile is found, what goes is not`() throws {
        try add("alpha")
        #expect(try found("a") == ["alpha"])
        try add("anton")
        #expect(try found("a") == ["alpha", "anton"])
        var changes = Attributes()
        changes[.service] = .string("berta")
        try store.update(ItemUpdate(query: query("anton"), changes: changes, secret: nil), caller: caller)
        #expect(try found("a") == ["alpha"] && found("b") == ["berta"])
        try store.remove(query("alpha"), caller: caller)
        #expect(try found("a") == [])
        try store.trash(query("berta"), caller: caller)
        #expect(try found("b") == [])
    }

    @Test func `a locked device tells of what it may show`() throws {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try add("bank")
        try add("broadcast", as: .afterFirstUnlock)
        #expect(try found("b") == ["bank", "broadcast"])
        keystore.lockState = .locked
        #expect(try found("b") == ["broadcast"])
        keystore.lockState = .unlocked
        #expect(try found("b") == ["bank", "broadcast"], "what was shut is looked at again")
    }

    @Test func `another program's items are not told of`() throws {
        let other = Caller(connection: 2, accessGroups: ["app"])
        try add("mine")
        try add("my app's", caller: other)
        #expect(try found("m") == ["mine"])
        #expect(try found("m", caller: other) == ["my app's"])
    }

    @Test func `a page opens no more than its share, and the names are held from then on`() throws {
        try store.beginBatch()
        for number in 0..<530 { try add("host\(number)") }
        try store.endBatch()
        #expect(try pages("host52") == [["host52"], (520..<530).map { "host\($0)" }])
        #expect(try pages("host52") == [["host52"] + (520..<530).map { "host\($0)" }])
        #expect(try pages("host").map(\.count) == [512, 18])
    }

    @Test func `whatever shuts keys wipes the names that are held`() throws {
        try add("alpha")
        for wipe in [store.evictKeysOfUnlockedDevice, store.evictKeys, store.evictAllKeys] {
            #expect(try found("a") == ["alpha"] && store.shelf.last > 0)
            wipe()
            #expect(store.shelf.last == 0)
        }
    }

    // MARK: what is held

    private func shelf(_ room: Int, _ names: [String]) throws -> NameShelf {
        let shelf = try NameShelf(room: room)
        for (row, name) in names.enumerated() { shelf.append(Int64(row) + 1, [name]) }
        return shelf
    }

    @Test func `where there is no room, the rest is opened each time`() throws {
        let small = try shelf(40, ["aaa", "aab", "aac", "aad"])
        #expect(small.last == 3 && small.rows(NameBeginning("aa"), after: 0) == [1, 2, 3])
        #expect(small.rows(NameBeginning("aa"), after: 2) == [3])
        small.forget()
        #expect(small.last == 0 && small.rows(NameBeginning(""), after: 0) == [])
        small.append(9, ["b"])
        #expect(small.last == 9)
        small.forget(unless: 1, .unlocked)
        #expect(small.last == 0)
    }

    @Test func `a letter counts in both its spellings, and nothing else is let through`() {
        let composed = "k\u{E4}se"
        let apart = "ka\u{308}se"
        for beginning in ["k", composed, apart, "k\u{E4}", "ka\u{308}"] {
            let beginning = NameBeginning(NameQuery.folded(beginning))
            #expect(beginning.mayBegin(composed) && beginning.mayBegin(apart))
            #expect(!beginning.mayBegin("wurst"))
        }
        #expect(!NameBeginning("kase").mayBegin(composed))
        #expect(!NameBeginning("käse").mayBegin("kase"))
    }

    @Test func `a beginning has at most 64 bytes, and ends at a character`() {
        #expect(NameQuery.folded(String(repeating: "Ä", count: 40)) == String(repeating: "ä", count: 32))
        #expect(NameQuery(beginning: "x" + String(repeating: "ä", count: 40)).beginning.utf8.count == 63)
        #expect(NameQuery.folded("It's \\\"so\\\"") == "its so")
    }
}
