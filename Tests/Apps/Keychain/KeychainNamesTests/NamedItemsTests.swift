import KeychainNames
import Protection
import Secrets
import Testing
import Tresor
import TresorTesting
import Wire

/// What a name finds in a keychain in memory.
@Suite struct NamedItemsTests {
    private let device: TestDevice
    private let keychain: Keychain

    init() throws {
        device = try TestDevice()
        keychain = try device.makeKeychain()
    }

    @discardableResult
    private func add(
        _ kind: ItemKind = .password, _ change: (inout ItemAttributes) -> Void
    ) async throws -> PersistentReference {
        var attributes = ItemAttributes()
        change(&attributes)
        return try await keychain.add(kind, attributes, secret: try SecretBytes.makeRandom(count: 8))
    }

    private func password(_ service: String, _ account: String? = nil) async throws -> PersistentReference {
        try await add {
            $0.service = service
            $0.account = account
        }
    }

    private func find(
        _ name: String, _ narrow: (inout NamedItems.Narrowing) -> Void = { _ in }
    ) async throws -> NamedItems.Found {
        var narrowing = NamedItems.Narrowing()
        narrow(&narrowing)
        return try await NamedItems(in: keychain, narrowing).find(name)
    }

    @Test func `an item of any kind is found by each of its names`() async throws {
        let login = try await add(.internetPassword) {
            ($0.server, $0.account, $0.label) = ("bank.example", "anna", "My bank")
        }
        let key = try await add(.key) { ($0.label, $0.applicationTag) = ("signing", "org.example.key") }
        let certificate = try await add(.certificate) { $0.label = "root" }
        for (name, reference) in [
            ("bank.example", login), ("anna", login), ("My bank", login), ("signing", key), ("org.example.key", key),
            ("root", certificate),
        ] {
            let found = try await find(name)
            #expect(found.tier == .exact && found.items.map(\.reference) == [reference], "\(name)")
        }
    }

    @Test func `what fits best counts alone, and several that fit alike are all found`() async throws {
        let github = try await password("github", "anna")
        let other = try await password("GitHub")
        let host = try await add(.internetPassword) { $0.server = "www.github.com" }
        #expect(try await find("github").items.map(\.reference) == [github])
        #expect(try await find("gitHub").items.map(\.reference) == [github, other])
        #expect(try await find("github.com").items.map(\.reference) == [host])
        let contained = try await find("thub")
        #expect(contained.tier == .contained && contained.items.count == 3)
    }

    @Test func `an item that is called so twice is found once`() async throws {
        try await add { ($0.service, $0.label) = ("wifi", "wifi") }
        #expect(try await find("wifi").items.count == 1)
    }

    @Test func `kind, account and what else is said narrow the search`() async throws {
        let anna = try await password("mail", "anna")
        let bob = try await password("mail", "bob")
        let login = try await add(.internetPassword) { ($0.server, $0.label) = ("mail.example", "mail") }
        #expect(try await find("mail").items.map(\.reference) == [anna, bob, login])
        #expect(try await find("mail") { $0.account = "bob" }.items.map(\.reference) == [bob])
        #expect(try await find("MAIL") { $0.account = "bob" }.items.map(\.reference) == [bob])
        #expect(try await find("mail") { $0.kinds = [.internetPassword] }.items.map(\.reference) == [login])
        #expect(try await find("mail") { $0.accepts = { $0.account == "anna" } }.items.map(\.reference) == [anna])
        #expect(try await find("bob") { $0.account = "anna" }.items.isEmpty)
        let gone = await #expect(throws: TresorError.self) { try await find("mail") { $0.keychain = "Gone" } }
        #expect(gone?.code == .notFound)
    }

    @Test func `what an import put beside a login counts only without it`() async throws {
        let login = try await add(.internetPassword) {
            ($0.server, $0.account, $0.label) = ("shop.example", "anna", "Shop")
        }
        for part in ["notes", "one-time code"] {
            try await add {
                ($0.service, $0.account) = ("Shop (\(part), shop.example)", "anna")
                $0.itemDescription = part
            }
        }
        #expect(try await find("anna").items.map(\.reference) == [login])
        #expect(try await find("shop").items.map(\.reference) == [login])
        #expect(try await find("one-time").items.count == 1)
        // Whoever else has notes of that account is another.
        try await add {
            ($0.service, $0.account) = ("Bank (notes)", "anna")
            $0.itemDescription = "notes"
        }
        #expect(try await find("anna").items.count == 2)
    }

    @Test func `where nothing is called so, what is nearly called so is named`() async throws {
        _ = try await password("github")
        try await add(.internetPassword) { $0.server = "gitlab.example" }
        let found = try await find("githab")
        #expect(found.tier == nil && found.items.isEmpty && found.similar == ["github", "gitlab.example"])
    }

    @Test func `what the lock shuts is never told as absent`() async throws {
        try device.setPasscode("1234")
        _ = try await password("bank")
        let open = try await add {
            ($0.service, $0.account, $0.protectionClass) = ("bank", "anna", .afterFirstUnlock)
        }
        try device.lock()
        let shut = try await find("bank")
        #expect(shut.locked != nil && shut.items.map(\.reference) == [open])
        let unsure = try await find("ban")
        #expect(unsure.items.map(\.reference) == [open] && unsure.lockedCount == 1)
        let absent = try await find("absent")
        #expect(absent.items.isEmpty && absent.locked != nil && absent.lockedCount == 1)
        device.restart()
        let early = try await find("bank")
        #expect(early.items.isEmpty && early.lockedCount == 2)
    }

    @Test func `several pages are read to their end`() async throws {
        for number in 0..<600 { _ = try await password("service \(number)", "anna") }
        #expect(try await find("anna").items.count == 600)
        #expect(try await find("SERVICE 599").items.count == 1)
        #expect(try await find("service").items.count == 600)
    }
}
