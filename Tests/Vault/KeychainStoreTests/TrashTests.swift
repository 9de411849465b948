import EnclaveWire
import Protection
import SQLite
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// Items in the trash: out of every search, sealed as they were, back where they lay, gone in time.
@Suite struct TrashTests {
    /// Clocks in the test's hand.
    private final class Clocks {
        /// Microseconds since 1970.
        var wall: Int64 = 1_750_000_000_000_000
        /// Milliseconds since the machine started.
        var steady: UInt64 = 5000

        func pass(days: Int64) {
            wall += days * TrashTests.day
            steady += UInt64(days) * 86_400_000
        }
    }

    private static let day: Int64 = 86_400_000_000

    private let keystore: MockKeystore
    private let clocks = Clocks()
    private let store: KeychainStore
    private let caller = Caller(connection: 1, accessGroups: ["user"])

    init() throws {
        keystore = try MockKeystore()
        let hand = clocks
        store = try KeychainStore(path: nil, keystore: keystore, steadyClock: { hand.steady }) { hand.wall }
    }

    private func add(
        _ service: String, _ secret: String, as protectionClass: ProtectionClass = .whenUnlocked,
        _ change: (inout Attributes) -> Void = { _ in }, caller: Caller? = nil
    ) throws {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.protectionClass] = .string(protectionClass.code)
        change(&attributes)
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: secret))
        _ = try store.add(item, caller: caller ?? self.caller)
    }

    private func query(_ service: String?, _ returns: KeychainQuery.Returns = []) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = service.map { .string($0) }
        query.matchesAnySynchronizable = true
        query.limit = nil
        query.returns = returns
        return query
    }

    private func page(
        _ write: (inout SecretBuffer) throws -> Void
    ) throws -> (services: [String], secrets: [String], references: [PersistentReference], end: PageEnd) {
        var output = try SecretBuffer(capacity: 1024)
        try write(&output)
        return try output.withBytes { bytes in
            var reader = ByteReader(bytes.extracting(droppingFirst: StreamFrame.headerByteCount))
            _ = try KeychainReply.header(&reader)
            var (services, secrets, references) = ([String](), [String](), [PersistentReference]())
            let page = try Page(from: &reader) { reference, attributes, secret in
                references.append(reference)
                services.append(attributes?.string(.service) ?? "")
                if let secret { secrets.append(String(decoding: secret.copyToArray(), as: UTF8.self)) }
            }
            return (services: services, secrets: secrets, references: references, end: page.end)
        }
    }

    private func secrets(_ service: String) throws -> [String] {
        try page { try store.answerFind(query(service, .data), id: 1, caller: caller, into: &$0) }.secrets
    }

    private func trashed(
        _ caller: Caller? = nil
    ) throws -> (services: [String], secrets: [String], references: [PersistentReference], end: PageEnd) {
        try page { try store.answerTrashed(after: 0, id: 1, caller: caller ?? self.caller, into: &$0) }
    }

    private func restoreFirst() throws {
        try store.restore(try #require(try trashed().references.first), caller: caller)
    }

    private func status(_ body: () throws -> Void) -> KeychainStatus? {
        do {
            try body()
            return nil
        } catch { return (error as? KeychainError)?.status }
    }

    /// One round over all that lies in the trash, after thirty days.
    private func expire() throws -> Int {
        try store.expireTrash(after: .seconds(30 * 86_400), behind: 0).removed
    }

    @Test func `what is removed is found by no query, counted nowhere, and comes back with its secret`() throws {
        try add("mail", "one")
        try add("wifi", "two")
        let reference = try #require(
            try page { try store.answerFind(query("mail"), id: 1, caller: caller, into: &$0) }.references.first)
        try store.trash(query("mail"), caller: caller)
        var byReference = KeychainQuery()
        byReference.persistentReference = reference
        var withTombstones = query(nil)
        withTombstones.usesTombstones = true
        #expect(status { _ = try secrets("mail") } == .itemNotFound)
        for wanted in [byReference, query("mail")] {
            #expect(status { try store.remove(wanted, caller: caller) } == .itemNotFound)
            #expect(status { try store.trash(wanted, caller: caller) } == .itemNotFound)
        }
        let all = try page { try store.answerFind(withTombstones, id: 1, caller: caller, into: &$0) }
        #expect(all.references.count == 1 && all.end.damaged == 0)
        #expect(try store.itemsPerClass() == [.whenUnlocked: 1] && store.itemsPerGroup().items == ["user": 1])
        let list = try trashed()
        #expect(list.services == ["mail"] && list.secrets.isEmpty && list.references == [reference])
        try store.restore(reference, caller: caller)
        #expect(try secrets("mail") == ["one"] && trashed().services.isEmpty && store.quarantined().isEmpty)
        #expect(status { try store.restore(reference, caller: caller) } == .itemNotFound)
    }

    @Test(arguments: [ProtectionClass.whenUnlocked, .afterFirstUnlock, .always])
    func `the place is free meanwhile, and where it is taken nothing comes back`(_ wanted: ProtectionClass) throws {
        try add("mail", "old", as: wanted)
        try store.trash(query("mail"), caller: caller)
        try add("mail", "new", as: wanted)
        #expect(status { try restoreFirst() } == .duplicateItem)
        #expect(try secrets("mail") == ["new"] && trashed().services == ["mail"])
        try store.trash(query("mail"), caller: caller)
        #expect(try trashed().services == ["mail", "mail"])
        try restoreFirst()
        #expect(try secrets("mail") == ["old"])
    }

    @Test func `a shut class keeps what it has out of the trash and in it`() throws {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try add("mail", "x")
        try add("bank", "y")
        try add("radio", "z", as: .afterFirstUnlock)
        try store.trash(query("mail"), caller: caller)
        try store.trash(query("radio"), caller: caller)
        let mail = try #require(try trashed().references.first)
        keystore.lockState = .locked
        store.evictKeys()
        #expect(status { try store.trash(query("bank"), caller: caller) } == .interactionNotAllowed)
        let list = try trashed()
        #expect(list.services == ["radio"] && list.end.locked == 1)
        #expect(status { try store.restore(mail, caller: caller) } == .interactionNotAllowed)
        // Nobody else learns that there is something.
        let other = Caller(connection: 2, accessGroups: ["other"])
        #expect(try trashed(other).end == PageEnd())
        #expect(status { try store.restore(mail, caller: other) } == .itemNotFound)
        try store.emptyTrash(caller: other)
        #expect(try trashed().end.locked == 1)
        try store.emptyTrash(caller: caller)
        #expect(try trashed().end == PageEnd())
        keystore.lockState = .beforeFirstUnlock
        store.evictKeys()
        #expect(status { try store.emptyTrash(caller: caller) } == .interactionNotAllowed)
    }

    @Test func `what demands its owner comes back without, and still demands them`() throws {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try add("mail", "x") { $0[.accessControl] = .number(1) }
        try store.trash(query("mail"), caller: caller)
        try restoreFirst()
        #expect(status { _ = try secrets("mail") } == .authenticationFailed)
    }

    @Test func `a synchronizable item leaves a tombstone, and comes back later than that`() throws {
        try add("mail", "x") { $0[.synchronizable] = .number(1) }
        try store.trash(query("mail"), caller: caller)
        var graves = query("mail")
        graves.usesTombstones = true
        #expect(try page { try store.answerFind(graves, id: 1, caller: caller, into: &$0) }.references.count == 1)
        try restoreFirst()
        #expect(try page { try store.answerFind(graves, id: 1, caller: caller, into: &$0) }.references.count == 1)
        #expect(try secrets("mail") == ["x"])
    }

    @Test func `what Tresor's own programs hang on is not put into the trash`() throws {
        let notes = Caller(connection: 1, accessGroups: ["tresor.notes", "user"])
        try add("key", "x", caller: notes)
        #expect(status { try store.trash(query("key"), caller: notes) } == .itemNotFound)
    }

    @Test func `a keychain's trash goes with the keychain, and a group's with the group`() throws {
        let register = KeychainRegister(store: store)
        try register.reload()
        try register.insert("Work", record: [])
        try add("mail", "x") { $0[.keychain] = .string("Work") }
        try add("wifi", "y")
        try store.trash(query("mail"), caller: caller)
        try store.trash(query("wifi"), caller: caller)
        #expect(try store.counts.items(in: "Work") == 0)
        try register.remove("Work")
        #expect(try trashed().services == ["wifi"])
        #expect(try store.purge(group: "user") == 1 && trashed().services.isEmpty)
    }

    @Test func `the mark of the trash is bound to the attributes`() throws {
        try add("mail", "x")
        let reference = try #require(
            try page { try store.answerFind(query("mail"), id: 1, caller: caller, into: &$0) }.references.first)
        try store.trash(query("mail"), caller: caller)
        try store.storage.perform { try $0.execute("UPDATE item SET tombstone = 0") }
        var byReference = KeychainQuery()
        byReference.persistentReference = reference
        #expect(
            status { _ = try page { try store.answerFind(byReference, id: 1, caller: caller, into: &$0) } } == .decode)
        try store.storage.perform { try $0.execute("UPDATE item SET tombstone = 2") }
        try store.restore(reference, caller: caller)
        try store.storage.perform { try $0.execute("UPDATE item SET tombstone = 2") }
        #expect(try trashed().end.damaged == 1)
        #expect(status { try store.restore(reference, caller: caller) } == .decode)
    }

    @Test func `a reset leaves in the trash what needed no passcode`() throws {
        try keystore.setPasscode(SecretBytes(text: "1234"))
        try add("mail", "x")
        try add("radio", "y", as: .always)
        try store.trash(query("mail"), caller: caller)
        try store.trash(query("radio"), caller: caller)
        try keystore.reset()
        try store.purge(destroyed: keystore.destroyed)
        #expect(try trashed().services == ["radio"] && store.quarantined().isEmpty)
        try add("radio", "z", as: .always)
        #expect(status { try restoreFirst() } == .duplicateItem)
        try store.remove(query("radio"), caller: caller)
        try restoreFirst()
        #expect(try secrets("radio") == ["y"])
    }

    @Test func `after thirty days an item is gone, and not before`() throws {
        try add("mail", "x")
        try store.trash(query("mail"), caller: caller)
        clocks.pass(days: 29)
        #expect(try expire() == 0 && trashed().services == ["mail"])
        clocks.pass(days: 1)
        #expect(try expire() == 1 && trashed().services.isEmpty)
        #expect(try store.storage.perform { try $0.integer("SELECT count(*) FROM item") } == 0)
    }

    @Test func `a clock that is set removes nothing early`() throws {
        try add("mail", "x")
        try store.trash(query("mail"), caller: caller)
        clocks.wall += 400 * Self.day
        #expect(try expire() == 0)
        clocks.wall -= 800 * Self.day
        #expect(try expire() == 0)
        // One of the day before yesterday, at which an item is removed, and that is set right then.
        try add("wifi", "x")
        try store.trash(query("wifi"), caller: caller)
        clocks.wall += 400 * Self.day
        #expect(try expire() == 0 && trashed().services.count == 2)
        // What a program of the next start knows is the day that was noted by then.
        let ages = TrashAges(clock: { [clocks] in clocks.wall }, steadyClock: { [clocks] in clocks.steady })
        let item = try #require(try trashed().references.last?.item)
        let row = try #require(try store.table.trashedRows(after: 0, count: 9).last)
        let date = try #require(try store.table.attributes(row).date(.trashed))
        #expect(row.identity.item == item && ages.age(of: item, since: date) < Self.day)
        // A day to come counts from the start.
        #expect(ages.age(of: .makeRandom(), since: clocks.wall + 90 * Self.day) == 0)
        clocks.steady += 31 * 86_400_000
        #expect(try expire() == 2)
    }

    @Test func `a mark that is none is damage`() throws {
        try add("mail", "x")
        try store.storage.perform { try $0.execute("UPDATE item SET tombstone = 3") }
        var all = query(nil)
        all.usesTombstones = true
        let found = try page { try store.answerFind(all, id: 1, caller: caller, into: &$0) }
        #expect(found.references.isEmpty && found.end.damaged == 1)
    }
}
