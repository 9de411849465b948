import Protection
import SQLite
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// Several keychains in one store: where items lie, who finds them, and what is unique.
@Suite struct KeychainScopeTests {
    private let keystore: MockKeystore
    private let store: KeychainStore
    private let register: KeychainRegister
    private let caller = Caller(connection: 1, accessGroups: ["user"])

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_000_000 }
        register = KeychainRegister(store: store)
        try register.reload()
        try register.insert("Work", record: [])
        try register.insert("Home", record: [])
    }

    @discardableResult
    private func add(
        _ service: String, _ secret: String, to keychain: String? = nil, as protectionClass: ProtectionClass? = nil,
        sync: Bool = false, caller: Caller? = nil
    ) throws -> PersistentReference {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.keychain] = keychain.map { .string($0) }
        attributes[.protectionClass] = protectionClass.map { .string($0.code) }
        if sync { attributes[.synchronizable] = .number(1) }
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: secret))
        return try store.add(item, caller: caller ?? self.caller)
    }

    private func query(_ service: String, in keychain: String? = nil) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        query.attributes[.keychain] = keychain.map { .string($0) }
        query.matchesAnySynchronizable = true
        return query
    }

    /// The secrets of all matches.
    private func secrets(_ service: String, in keychain: String? = nil, limit: UInt32? = nil) throws -> [String] {
        var query = query(service, in: keychain)
        query.limit = limit
        query.returns = .data
        var buffer = try SecretBuffer(capacity: 1024)
        var page = try PageWriter(in: &buffer)
        let end = try store.find(query, caller: caller, into: &page, &buffer)
        try page.end(end, in: &buffer)
        var found: [String] = []
        try buffer.withBytes { bytes in
            var reader = ByteReader(bytes)
            _ = try Page(from: &reader) { _, _, secret in
                found.append(String(decoding: secret?.copyToArray() ?? [], as: UTF8.self))
            }
        }
        return found
    }

    private func status(_ body: () throws -> Void) -> KeychainStatus? {
        do {
            try body()
            return nil
        } catch { return (error as? KeychainError)?.status }
    }

    @Test func `an item is found where it lies, and by who names no keychain`() throws {
        try add("mail", "work", to: "Work")
        #expect(try secrets("mail") == ["work"])
        #expect(try secrets("mail", in: "Work", limit: 1) == ["work"])
        #expect(status { _ = try secrets("mail", in: "Home", limit: 1) } == .itemNotFound)
        #expect(status { _ = try secrets("mail", in: "login", limit: 1) } == .itemNotFound)
        #expect(status { _ = try secrets("mail", in: "Away") } == .noSuchKeychain)
        #expect(status { _ = try secrets("mail", in: "System Roots") } == .readOnly)
    }

    @Test func `a key is unique in its keychain, and over all for who names none`() throws {
        try add("mail", "work", to: "Work")
        #expect(status { try add("mail", "again", to: "Work") } == .duplicateItem)
        #expect(status { try add("mail", "anywhere") } == .duplicateItem)
        try add("mail", "home", to: "Home")
        try add("mail", "login", to: "login")
        #expect(try secrets("mail").sorted() == ["home", "login", "work"])
        #expect(try secrets("mail", in: "login") == ["login"])
        try store.remove(query("mail", in: "Home"), caller: caller)
        #expect(try secrets("mail").sorted() == ["login", "work"])
    }

    @Test func `the default takes what names nothing, but nothing of ours and nothing that travels`() throws {
        try register.choose("Work")
        try add("mail", "work")
        #expect(try secrets("mail", in: "Work") == ["work"])
        try add("note", "ours", caller: Caller(connection: 1, accessGroups: ["tresor.notes"]))
        let notes = Caller(connection: 1, accessGroups: ["tresor.notes"])
        var buffer = try SecretBuffer(capacity: 64)
        var page = try PageWriter(in: &buffer)
        _ = try store.find(query("note", in: "login"), caller: notes, into: &page, &buffer)
        try add("cloud", "travels", sync: true)
        #expect(try secrets("cloud", in: "login") == ["travels"])
        #expect(status { try add("other", "x", to: "Work", sync: true) } == .parameter)
        // What the store keeps for itself is where it was: the register reads itself anew.
        try register.reload()
        #expect(store.directory.defaultName == "Work" && store.directory.names == ["Home", "Work"])
        try register.choose("login")
        try register.reload()
        #expect(store.directory.defaultName == nil)
    }

    @Test func `an update moves what it matches, and not onto what is there`() throws {
        try add("mail", "work", to: "Work")
        var changes = Attributes()
        changes[.keychain] = .string("Home")
        try store.update(ItemUpdate(query: query("mail"), changes: changes, secret: nil), caller: caller)
        #expect(try secrets("mail", in: "Home") == ["work"])
        #expect(status { _ = try secrets("mail", in: "Work") } == .itemNotFound)
        try add("mail", "second", to: "Work")
        let onto = status {
            try store.update(
                ItemUpdate(query: query("mail", in: "Work"), changes: changes, secret: nil), caller: caller)
        }
        #expect(onto == .duplicateItem)
        #expect(try secrets("mail", in: "Work") == ["second"])
        changes[.keychain] = .string("Away")
        let away = status {
            try store.update(
                ItemUpdate(query: query("mail", in: "Work"), changes: changes, secret: nil), caller: caller)
        }
        #expect(away == .noSuchKeychain)
        // An update that names no keychain leaves each item where it is.
        var label = Attributes()
        label[.label] = .string("both")
        try store.update(ItemUpdate(query: query("mail"), changes: label, secret: nil), caller: caller)
        #expect(try secrets("mail", in: "Work") == ["second"])
        #expect(try secrets("mail", in: "Home") == ["work"])
    }

    @Test func `a keychain goes with its items of every group and class, and no others`() throws {
        try add("a", "1", to: "Work")
        try add("b", "2", to: "Work", as: .always)
        try add("c", "3", to: "Work", as: .afterFirstUnlock, caller: Caller(connection: 1, accessGroups: ["other"]))
        try add("a", "4", to: "Home")
        try add("a", "5", to: "login")
        let apps = AppRegister(store: store)
        var report = try register.report(open: [], apps: apps).keychains
        #expect(report.map(\.name) == ["login", "Home", "Work"] && report.map(\.items) == [1, 1, 3])
        try keystore.setPasscode(SecretBytes(text: "1234"))
        keystore.lockState = .locked
        store.evictKeys()
        #expect(status { try register.remove("Work") } == .interactionNotAllowed)
        keystore.lockState = .unlocked
        try register.remove("Work")
        report = try register.report(open: [], apps: apps).keychains
        #expect(report.map(\.name) == ["login", "Home"] && report.map(\.items) == [1, 1])
        #expect(try secrets("a").sorted() == ["4", "5"])
        #expect(status { try register.remove("Work") } == .noSuchKeychain)
        #expect(status { try register.remove("login") } == .readOnly)
    }

    private func change(_ sql: String) throws { try store.storage.database.execute(sql) }

    @Test func `a keychain that cannot be deleted keeps its items, and its place as the default`() throws {
        try add("a", "1", to: "Work")
        try add("b", "2", to: "Work", as: .always)
        try register.choose("Work")
        // The records of keychains are alone in their class: the items could go, and the record cannot.
        try change(
            """
            CREATE TRIGGER stop BEFORE DELETE ON item WHEN OLD.class = \(ProtectionClass.alwaysThisDeviceOnly.rawValue)
            BEGIN SELECT RAISE(ABORT, 'stop'); END
            """)
        #expect(status { try register.remove("Work") } != nil)
        #expect(try secrets("a", in: "Work") == ["1"] && secrets("b", in: "Work") == ["2"])
        #expect(store.directory.defaultName == "Work")
        try register.reload()
        #expect(store.directory.names == ["Home", "Work"] && store.directory.defaultName == "Work")
        try change("DROP TRIGGER stop")
        try register.remove("Work")
        #expect(store.directory.names == ["Home"] && store.directory.defaultName == nil)
        #expect(try store.counts.items(in: "Work") == 0)
    }

    @Test func `before the first unlock items of class always are found in their keychain`() throws {
        try add("open", "yes", to: "Work", as: .always)
        try add("shut", "no", to: "Work")
        try keystore.setPasscode(SecretBytes(text: "1234"))
        keystore.lockState = .beforeFirstUnlock
        store.evictAllKeys()
        try register.reload()
        #expect(store.directory.names == ["Home", "Work"])
        #expect(try secrets("open", in: "Work", limit: 1) == ["yes"])
        #expect(try secrets("open", limit: 1) == ["yes"])
        #expect(status { _ = try secrets("open", in: "Home", limit: 1) } == .interactionNotAllowed)
    }

    @Test func `new tags after a forgotten passcode know the keychain`() throws {
        try add("open", "yes", to: "Work", as: .always)
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try keystore.reset()
        try store.purge(destroyed: keystore.destroyed)
        keystore.forgetDestroyed()
        try register.reload()
        #expect(try secrets("open", in: "Work", limit: 1) == ["yes"])
        #expect(status { try add("open", "again", to: "Work") } == .duplicateItem)
        try add("open", "other", to: "Home")
    }

    @Test func `names that look alike are two spellings, and one keychain`() throws {
        try register.insert("Caf\u{e9}", record: [])
        #expect(status { try register.checkNew("Cafe\u{301}") } == .duplicateKeychain)
        #expect(status { try register.checkNew("WORK") } == .duplicateKeychain)
        #expect(status { try register.checkNew("\u{212A}1") } == nil)
        try register.insert("K1", record: [])
        #expect(status { try add("x", "1", to: "\u{212A}1") } == .noSuchKeychain)
        #expect(status { try add("x", "1", to: "Cafe\u{301}") } == .noSuchKeychain)
        #expect(status { try register.remove("Cafe\u{301}") } == .noSuchKeychain)
        #expect(status { try register.choose("Cafe\u{301}") } == .noSuchKeychain)
        try add("x", "1", to: "Caf\u{e9}")
        #expect(status { _ = try secrets("x", in: "Cafe\u{301}", limit: 1) } == .noSuchKeychain)
        for name in ["\u{a0}", "\u{3000}x", "a\u{e000}"] {
            #expect(status { try register.checkNew(name) } == .invalidKeychain)
        }
    }

    @Test func `an update makes no double in another keychain`() throws {
        try add("one", "1", to: "Work")
        try add("two", "2", to: "login")
        var changes = Attributes()
        changes[.service] = .string("one")
        let double = status {
            try store.update(ItemUpdate(query: query("two"), changes: changes, secret: nil), caller: caller)
        }
        #expect(double == .duplicateItem)
        #expect(try secrets("one") == ["1"])
        // The owner may, who names the keychain.
        changes[.keychain] = .string("login")
        try store.update(ItemUpdate(query: query("two"), changes: changes, secret: nil), caller: caller)
        #expect(try secrets("one").sorted() == ["1", "2"])
    }

    @Test func `the default keychain comes first`() throws {
        try add("mail", "old", to: "Home")
        try add("mail", "new", to: "Work")
        #expect(try secrets("mail", limit: 1) == ["old"])
        try register.choose("Work")
        #expect(try secrets("mail", limit: 1) == ["new"])
    }

    @Test func `items with a service of ours are counted as anybody's`() throws {
        try add("tresor.keychain", "1")
        try add("tresor.app.manifest", "2")
        let report = try register.report(open: [], apps: AppRegister(store: store)).keychains
        #expect(report[0].items == 2)
        try keystore.setPasscode(SecretBytes(text: "1234"))
        keystore.lockState = .beforeFirstUnlock
        store.evictAllKeys()
        let early = try register.report(open: [], apps: AppRegister(store: store)).keychains
        #expect(early.allSatisfy { $0.items == nil })
    }

    @Test func `a record that is damaged hides no keychain but its own, and its name is not given away`() throws {
        try add("mail", "work", to: "Work")
        #expect(status { try register.checkNew("Work") } == .duplicateKeychain)
        #expect(status { try register.insert("New", record: [1, 2, 3]) } == .decode)
        for name in ["", " a", "a ", "LOGIN", "a\u{0}b", "a\u{202e}b", String(repeating: "a", count: 65)] {
            #expect(status { try register.checkNew(name) } == .invalidKeychain, "\(name)")
        }
        #expect(status { try register.checkNew("System") } == .duplicateKeychain)
        for number in 3..<KeychainsReport.mostKeychains { try register.insert("K\(number)", record: []) }
        #expect(status { try register.checkNew("one too many") } == .parameter)
    }
}
