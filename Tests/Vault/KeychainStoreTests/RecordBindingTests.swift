import Envelopes
import KeyEnvelopes
import Protection
import Secrets
import Testing
import Wire

@testable import KeychainStore
@testable import TresorTesting

/// Whoever has the device's files and no passcode can write every item that is always open.
///
/// What such an item says of a
/// keychain counts only where the unlocked device said it.
@Suite struct RecordBindingTests {
    private let keystore: MockKeystore
    private let store: KeychainStore
    private let register: KeychainRegister
    private let thief: HiddenItems
    private let record: [UInt8]

    init() throws {
        keystore = try MockKeystore()
        store = try KeychainStore(path: nil, keystore: keystore) { 1_000_000 }
        register = KeychainRegister(store: store)
        thief = HiddenItems(group: KeychainRegister.group, in: store)
        try register.reload()
        let wrapped = try #require(WrappedKey([UInt8](repeating: 7, count: 60)))
        record =
            KeychainKeyRecord(
                id: Identifier(high: 1, low: 2), logRounds: 17, salt: [UInt8](repeating: 3, count: 32),
                wrapped: wrapped
            ).encoded
        try register.insert("Vault", record: record)
        try register.insert("Plain", record: [])
        try register.reload()
        #expect(register.isBound)
        register.demandsBinding = { true }
    }

    private func status(_ body: () throws -> Void) -> KeychainStatus? {
        do {
            try body()
            return nil
        } catch { return (error as? KeychainError)?.status }
    }

    private func add(_ service: String, to keychain: String?) throws {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.keychain] = keychain.map { .string($0) }
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "x"))
        _ = try store.add(item, caller: Caller(connection: 1, accessGroups: ["user"]))
    }

    private func stored(_ name: String) throws -> [UInt8] {
        let entries = try thief.entries("tresor.keychain", class: .alwaysThisDeviceOnly)
        return try #require(entries.first { $0.account == name }).secret
    }

    /// The keychain is refused in every way, and is seen to be.
    private func expectRefused(_ name: String, _ comment: Comment? = nil) throws {
        try register.reload()
        #expect(register.hasRefused, comment)
        #expect(status { try add("new", to: name) } == .decode, comment)
        #expect(status { _ = try register.record(name) } == .decode, comment)
        #expect(status { try register.choose(name) } == .decode, comment)
        let report = try register.report(open: [], apps: AppRegister(store: store)).keychains
        let shown = try #require(report.first { $0.name == name })
        #expect(shown.hasOwnPasscode && !shown.isOpen, comment)
        #expect(try store.quarantined().count == 1, comment)
    }

    @Test func `what the device wrote holds`() throws {
        try register.reload()
        #expect(!register.hasRefused && register.isBound)
        #expect(try register.record("Vault") == record)
        try add("new", to: "Plain")
        #expect(try stored("Vault").first == 2 && stored("Plain").first == 2)
        #expect(try store.quarantined().isEmpty)
    }

    @Test func `a passcode that was stripped off a keychain is missed`() throws {
        let bound = try stored("Vault")
        let plain = try stored("Plain")
        let emptied = [2, 0, 0, 0, 0] + bound.suffix(32)
        for (secret, about) in [
            ([], "as 0.1 wrote it"), (emptied, "its tag kept"), (plain, "another keychain's"),
            ([2], "no record at all"),
        ] as [([UInt8], Comment)] {
            try thief.replace("tresor.keychain", "Vault", secret)
            try expectRefused("Vault", about)
            // What it did not touch goes on.
            #expect(status { try add(about.description, to: "Plain") } == nil)
        }
        try thief.replace("tresor.keychain", "Vault", bound)
        try register.reload()
        #expect(!register.hasRefused)
    }

    @Test func `a record that was swapped is missed`() throws {
        var other = try KeychainKeyRecord(record)
        other.id = Identifier(high: 9, low: 9)
        try thief.replace("tresor.keychain", "Vault", other.encoded)
        try expectRefused("Vault")
    }

    @Test func `a keychain that the thief makes takes nothing`() throws {
        try thief.keep("tresor.keychain", account: "Trap", class: .alwaysThisDeviceOnly, [])
        try expectRefused("Trap")
    }

    @Test func `where items go that name no keychain is not the thief's to say`() throws {
        try register.choose("Plain")
        try register.reload()
        let bound = try #require(try thief.content("tresor.keychain.default", "", class: .alwaysThisDeviceOnly))
        for secret in [Array("login".utf8), [2, 0, 0, 0, 0] + bound.suffix(32)] {
            try thief.replace("tresor.keychain.default", "", secret)
            try register.reload()
            #expect(register.hasRefused)
            #expect(status { try add("new", to: nil) } == .decode)
            #expect(status { try add("named", to: "Plain") } != .decode)
        }
        try thief.remove("tresor.keychain.default", "")
        try register.reload()
        #expect(status { try add("new", to: nil) } == .decode)
        // The owner says it anew.
        try register.choose("login")
        try register.reload()
        #expect(!register.hasRefused)
        try add("new", to: nil)
        // The chosen one is gone, and the owner did not remove it.
        try register.choose("Plain")
        try thief.remove("tresor.keychain", "Plain")
        try register.reload()
        #expect(status { try add("newer", to: nil) } == .decode)
    }

    @Test func `what 0.1 wrote is bound at the first unlock`() throws {
        register.demandsBinding = { false }
        try thief.replace("tresor.keychain", "Vault", record)
        try thief.replace("tresor.keychain", "Plain", [])
        try thief.remove("tresor.keychain.default", "")
        try keystore.setPasscode(SecretBytes(text: "1234"))
        keystore.lockState = .beforeFirstUnlock
        store.evictAllKeys()
        try register.reload()
        #expect(!register.isBound && !register.hasRefused && store.directory.names == ["Plain", "Vault"])
        keystore.lockState = .unlocked
        try register.reload()
        #expect(register.isBound)
        register.demandsBinding = { true }
        try register.reload()
        #expect(!register.hasRefused)
        #expect(try register.record("Vault") == record)
        #expect(try stored("Vault").first == 2 && stored("Plain").first == 2)
        try add("new", to: nil)
    }

    @Test func `a device of two moments takes no unbound record, though its keybag promises nothing`() throws {
        register.demandsBinding = { false }
        register.takesUnbound = false
        try thief.replace("tresor.keychain", "Vault", [])
        try expectRefused("Vault")
    }

    @Test func `before the first unlock nothing can be checked, nothing is refused, and nothing is put in`() throws {
        try thief.replace("tresor.keychain", "Vault", [])
        try keystore.setPasscode(SecretBytes(text: "1234"))
        keystore.lockState = .beforeFirstUnlock
        store.evictAllKeys()
        try register.reload()
        #expect(!register.isBound && !register.hasRefused)
        #expect(status { try add("new", to: "Vault") } == .interactionNotAllowed)
    }

    @Test func `a search for a class finds no item of another, also by its whole key`() throws {
        var attributes = Attributes()
        attributes[.service] = .string("s")
        attributes[.account] = .string("a")
        attributes[.protectionClass] = .string(ProtectionClass.alwaysThisDeviceOnly.code)
        let caller = Caller(connection: 1, accessGroups: ["user"])
        _ = try store.add(
            ItemAddition(kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "x")),
            caller: caller)
        for (protectionClass, found) in [
            (ProtectionClass.alwaysThisDeviceOnly, nil), (.whenUnlockedThisDeviceOnly, KeychainStatus.itemNotFound),
        ] as [(ProtectionClass, KeychainStatus?)] {
            var query = KeychainQuery(kind: .password)
            query.attributes = attributes
            query.attributes[.protectionClass] = .string(protectionClass.code)
            query.limit = 1
            query.returns = .data
            let outcome = status {
                var buffer = try SecretBuffer(capacity: 64)
                var page = try PageWriter(in: &buffer)
                _ = try store.find(query, caller: caller, into: &page, &buffer)
            }
            #expect(outcome == found, "\(protectionClass)")
        }
    }
}
