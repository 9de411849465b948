import Conformance
import Secrets
import Testing
import Tresor
import TresorTesting

/// The trash as programs see it.
@Suite struct TrashOfTheSDK {
    private let keychain: Keychain

    init() throws { keychain = try TestDevice().makeKeychain() }

    private func add(_ service: String, _ secret: String) async throws {
        var attributes = ItemAttributes()
        attributes.service = service
        try await keychain.add(.password, attributes, secret: try SecretBytes(text: secret))
    }

    private func services() async throws -> [String?] {
        try await keychain.trashed().items.map(\.item.service)
    }

    @Test func `an item goes into the trash and comes back, and what is removed does not`() async throws {
        try await add("mail", "one")
        try await add("wifi", "two")
        try await keychain.trash(.password(service: "mail"))
        try await keychain.remove(.password(service: "wifi"))
        let entry = try #require(try await keychain.trashed().items.first)
        #expect(try await services() == ["mail"] && entry.trashed != nil)
        await #expect(throws: TresorError.self) { try await keychain.find(.password(service: "mail")) }
        await #expect(throws: TresorError.self) { try await keychain.trash(.password(service: "mail")) }
        try await keychain.restore(entry.item.reference)
        #expect(try await keychain.find(.password(service: "mail")).reference == entry.item.reference)
        #expect(try await services().isEmpty)
    }

    @Test func `an emptied trash gives nothing back`() async throws {
        for number in 0..<600 { try await add("mail \(number)", "x") }
        for number in 0..<600 { try await keychain.trash(.password(service: "mail \(number)")) }
        let contents = try await keychain.trashed()
        #expect(contents.items.count == 600 && contents.lockedCount == 0 && contents.damagedCount == 0)
        try await keychain.emptyTrash()
        #expect(try await services().isEmpty)
        let reference = contents.items[0].item.reference
        await #expect(throws: TresorError.self) { try await keychain.restore(reference) }
    }
}
