import Conformance
import Foundation
import Secrets
import Testing
import Tresor
import TresorTesting

/// The public face, as another package's tests would use it.
@Suite struct KeychainOfTheSDK {
    private let device: TestDevice
    private let keychain: Keychain

    init() throws {
        device = try TestDevice()
        keychain = try device.makeKeychain()
    }

    private func attributes(_ service: String, _ protectionClass: ProtectionClass? = nil) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.protectionClass = protectionClass
        return attributes
    }

    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    private func code(_ body: () async throws -> Void) async -> TresorError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? TresorError)?.code }
    }

    @Test func `what is added is found, read, changed and removed`() async throws {
        let reference = try await keychain.add(.password, attributes("mail"), secret: SecretBytes(text: "old"))
        #expect(try await keychain.find(ItemQuery(reference)).service == "mail")
        #expect(text(try await keychain.read(.password(service: "mail"))) == "old")
        var changes = ItemAttributes()
        changes.label = "Mail"
        try await keychain.update(.password(service: "mail"), changes, secret: SecretBytes(text: "new"))
        #expect(try await keychain.find(.password(service: "mail")).label == "Mail")
        #expect(text(try await keychain.read(ItemQuery(reference))) == "new")
        try await keychain.remove(.password(service: "mail"))
        #expect(await code { _ = try await keychain.find(.password(service: "mail")) } == .notFound)
    }

    @Test func `errors say what happened, and nothing of the user's`() async throws {
        try await keychain.add(.password, attributes("mail"), secret: SecretBytes(text: "x"))
        do {
            try await keychain.add(.password, attributes("mail"), secret: SecretBytes(text: "y"))
            Issue.record("added twice")
        } catch let error as TresorError {
            #expect(error.code == .duplicate && error.status == -25299)
            #expect(!error.description.contains("mail") && error.location.hasPrefix("Tresor/"))
        }
    }

    private func refusal(_ body: () async throws -> Void) async -> TresorError? {
        do {
            try await body()
            return nil
        } catch { return error as? TresorError }
    }

    @Test func `what is refused for a shut class does not say whether there is such an item`() async throws {
        try device.setPasscode("1234")
        try await keychain.add(.password, attributes("there"), secret: SecretBytes(text: "a"))
        try await keychain.add(.password, attributes("open", .afterFirstUnlock), secret: SecretBytes(text: "c"))
        try device.lock()
        var words: Set<String> = []
        for service in ["there", "not there"] {
            let refused = await refusal {
                try await keychain.add(.password, attributes(service), secret: SecretBytes(text: "b"))
            }
            #expect(refused?.code == .locked && refused?.status == -25308)
            words.insert(refused?.description ?? "")
        }
        #expect(words.count == 1, "\(words)")
        #expect(words.allSatisfy { !$0.contains("exists") && $0.contains("whenUnlocked") }, "\(words)")
        // A change to a shut class: the item is there, but is of another class than the one that is said.
        let change = attributes("open", .whenUnlocked)
        let refused = await refusal { try await keychain.update(.password(service: "open"), change, secret: nil) }
        #expect(refused?.code == .locked && refused?.description.contains("exists") == false)
        // Who looks for an item is told that it exists.
        let found = await refusal { _ = try await keychain.read(.password(service: "there")) }
        #expect(found?.description.contains("an item exists, of class whenUnlocked") == true)
        device.restart()
        let early = await refusal {
            try await keychain.add(.password, attributes("not there"), secret: SecretBytes(text: "b"))
        }
        #expect(early?.code == .locked && early?.description.contains("exists") == false)
    }

    @Test func `a test locks, restarts and unlocks its device`() async throws {
        try device.setPasscode("1234")
        try await keychain.add(.password, attributes("a"), secret: SecretBytes(text: "a"))
        try await keychain.add(.password, attributes("c", .afterFirstUnlock), secret: SecretBytes(text: "c"))
        try device.lock()
        #expect(device.lockState == .locked)
        #expect(await code { _ = try await keychain.read(.password(service: "a")) } == .locked)
        #expect(text(try await keychain.read(.password(service: "c"))) == "c")
        device.restart()
        #expect(await code { _ = try await keychain.read(.password(service: "c")) } == .locked)
        #expect(await code { try await keychain.unlock(passcode: SecretBytes(text: "9")) } == .authenticationFailed)
        try device.unlock("1234")
        #expect(text(try await keychain.read(.password(service: "a"))) == "a")
    }

    @Test func `the test's clock dates the items`() async throws {
        device.setTime(Date(timeIntervalSince1970: 1_234_567_890))
        try await keychain.add(.password, attributes("mail"), secret: SecretBytes(text: "x"))
        #expect(
            try await keychain.find(.password(service: "mail")).created == Date(timeIntervalSince1970: 1_234_567_890))
    }

    @Test func `an item that needs presence stays shut without it, and asks its owner once`() async throws {
        try device.setPasscode("1234")
        var guarded = attributes("bank")
        guarded.accessControl = .userPresence
        try await keychain.add(.password, guarded, secret: SecretBytes(text: "x"))
        #expect(await code { _ = try await keychain.read(.password(service: "bank")) } == .presenceRequired)
        let wrong = AuthenticationContext { _ in try SecretBytes(text: "0000") }
        #expect(
            await code { _ = try await keychain.read(.password(service: "bank"), context: wrong) }
                == .authenticationFailed)
        let right = AuthenticationContext { _ in try SecretBytes(text: "1234") }
        #expect(text(try await keychain.read(.password(service: "bank"), context: right)) == "x")
        #expect(await code { _ = try await keychain.read(.password(service: "bank")) } == .presenceRequired)
        try await keychain.update(.password(service: "bank"), secret: SecretBytes(text: "y"), context: right)
    }

    @Test func `items come as a sequence, and no item is an empty one`() async throws {
        var none = keychain.items(ItemQuery(.password)).makeAsyncIterator()
        #expect(try await none.next() == nil)
        for number in 0..<700 {
            try await keychain.add(.password, attributes("s\(number)"), secret: SecretBytes(text: "x"))
        }
        var services: [String] = []
        for try await item in keychain.items(ItemQuery(.password)) { services.append(item.service ?? "") }
        #expect(services == (0..<700).map { "s\($0)" })
    }

    @Test func `several tasks use one keychain at once`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    var attributes = ItemAttributes()
                    attributes.service = "s\(number)"
                    try await keychain.add(.password, attributes, secret: SecretBytes(text: "of \(number)"))
                    let secret = try await keychain.read(.password(service: "s\(number)"))
                    #expect(secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) } == "of \(number)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a redacted value prints nothing of itself`() {
        let value = Redacted("hush")
        #expect("\(value)" == "<redacted>" && String(reflecting: value) == "<redacted>")
        #expect(Mirror(reflecting: value).children.isEmpty)
    }
}
