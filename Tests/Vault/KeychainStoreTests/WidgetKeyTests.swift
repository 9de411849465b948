import Envelopes
import KeyEnvelopes
import Protection
import SQLite
import Secrets
import Testing
import Tresor
import Widgets
import Wire

@testable import KeychainStore
@testable import TresorTesting
@testable import WidgetHost

/// The widgets' keys are asked for in their classes: what stands in another, somebody without the passcode put there.
@Suite struct WidgetKeyTests {
    private let transport: InMemoryTransport
    private let keys: WidgetKeys

    init() throws {
        transport = try InMemoryTransport(now: 1_000_000, accessGroups: [WidgetKeys.group])
        keys = WidgetKeys(daemon: DaemonLink(over: transport))
    }

    private func put(_ account: String, _ protectionClass: ProtectionClass, _ key: [UInt8]) throws {
        let daemon = DaemonLink(over: transport)
        do {
            try daemon.removePassword(service: "tresor.widgets.key", account: account, group: WidgetKeys.group)
        } catch let error as TresorError where error.code == .notFound {}
        var attributes = ItemAttributes()
        attributes.service = "tresor.widgets.key"
        attributes.account = account
        attributes.protectionClass = protectionClass
        try daemon.addPassword(attributes, secret: WidgetKeys.secret(key))
    }

    private func read(_ account: String) throws -> [UInt8]? {
        do {
            return try DaemonLink(over: transport).readPassword(service: "tresor.widgets.key", account: account)
                .withBytes { $0.copyToArray() }
        } catch let error as TresorError where error.code == .notFound { return nil }
    }

    /// Seals something of class completeUnlessOpen.
    private func seal() throws -> WidgetTimelineEnvelope {
        try keys.seal(
            TimelineArchive.Parts(open: [1], secrets: [2]), kind: "notes.recent", protection: .completeUnlessOpen)
    }

    private func opensByOurs(_ sealed: WidgetTimelineEnvelope) throws -> Bool {
        let key = try keys.openingKey(.completeUnlessOpen)
        return (try? sealed.openSecrets(kind: "notes.recent", key: key)) != nil
    }

    @Test func `the public key is nothing that is always open`() throws {
        try keys.prepare(.completeUnlessOpen)
        #expect(try opensByOurs(seal()))
        #expect(try read("completeUnlessOpen.public") == nil)
        let classes = try transport.turn { device in
            try device.store.storage.database.rows("SELECT class FROM item ORDER BY class").compactMap { $0.integer(0) }
        }
        let expected: [ProtectionClass] = [.whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly]
        #expect(classes == expected.map { Int64($0.rawValue) }.sorted())
    }

    @Test func `somebody else's public key is not sealed to, wherever it stands`() throws {
        try keys.prepare(.completeUnlessOpen)
        let theirs = try AgreementKeyPair.makeRandom().publicKey
        // In the place where 0.1 kept it, and in that of today, as a class that is always open.
        try put("completeUnlessOpen.public", .alwaysThisDeviceOnly, theirs)
        try put("completeUnlessOpen.sealing", .alwaysThisDeviceOnly, theirs)
        let sealed = try? seal()
        if let sealed { #expect(try opensByOurs(sealed)) }
        // The unlocked device puts its own in their place.
        try keys.prepare(.completeUnlessOpen)
        #expect(try opensByOurs(seal()))
        #expect(try read("completeUnlessOpen.public") == nil && read("completeUnlessOpen.sealing") != theirs)
    }

    @Test func `a home of 0.1 seals on, to the key that it had`() throws {
        try keys.prepare(.completeUnlessOpen)
        let former = try #require(try read("completeUnlessOpen.sealing"))
        try put("completeUnlessOpen.public", .alwaysThisDeviceOnly, former)
        try DaemonLink(over: transport).removePassword(
            service: "tresor.widgets.key", account: "completeUnlessOpen.sealing", group: WidgetKeys.group)
        try keys.prepare(.completeUnlessOpen)
        #expect(try read("completeUnlessOpen.sealing") == former && read("completeUnlessOpen.public") == nil)
    }

    @Test(arguments: [WidgetProtection.complete, .completeUntilFirstUserAuthentication, .completeUnlessOpen])
    func `a class's key of another class opens and seals nothing`(_ protection: WidgetProtection) throws {
        let theirs = [UInt8](repeating: 7, count: 32)
        try put(protection.name, .alwaysThisDeviceOnly, theirs)
        #expect(throws: TresorError.self) { _ = try keys.openingKey(protection) }
        #expect(throws: (any Error).self) {
            _ = try keys.seal(
                TimelineArchive.Parts(open: [1], secrets: [2]), kind: "k", protection: protection)
        }
    }
}
