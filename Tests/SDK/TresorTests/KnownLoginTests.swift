import Conformance
import Secrets
import Testing
import Tresor
import TresorTesting

/// What an import takes for a login that the keychain has, and what for another.
@Suite struct KnownLoginTests {
    private let keychain: Keychain

    init() throws { keychain = try TestDevice().makeKeychain() }

    private static let header = "url,username,password,httpRealm,formActionOrigin,guid\n"

    private func add(_ secret: String, _ change: (inout ItemAttributes) -> Void = { _ in }) async throws {
        var attributes = ItemAttributes()
        attributes.server = "shop.example"
        attributes.account = "anna"
        change(&attributes)
        try await keychain.add(.internetPassword, attributes, secret: try SecretBytes(text: secret))
    }

    private func bring(_ rows: String, isDryRun: Bool = false) async throws -> CSVImportReport {
        var options = CSVImport.Options()
        options.isDryRun = isDryRun
        return try await CSVImport(SecretBytes(text: Self.header + rows)).run(into: keychain, options)
    }

    private func count() async throws -> Int {
        try await keychain.items(ItemQuery(.internetPassword)).reduce(0) { count, _ in count + 1 }
    }

    @Test(arguments: [
        "https://shop.example,anna,x,,,", "https://shop.example/login,anna,x,,,", "https://SHOP.example:8443,anna,x,,,",
        "shop.example:8080/a,anna,x,,,", "http://shop.example,anna,x,Members,,",
    ])
    func `one that was added by its host's name is the same login`(row: String) async throws {
        try await add("x") { $0.label = "My shop" }
        for isDryRun in [true, false] {
            let report = try await bring(row + "\n", isDryRun: isDryRun)
            #expect(report.added == 0 && report.duplicates.map(\.hasAnotherAddress) == [true], "\(report)")
            #expect(report.duplicates.first?.origin == .keychainItem(sameSecret: true))
        }
        #expect(try await count() == 1)
    }

    @Test func `another secret is reported, and neither is written over the other`() async throws {
        try await add("old")
        let report = try await bring("https://shop.example,anna,new,,,\n")
        #expect(report.added == 0 && report.duplicates.first?.origin == .keychainItem(sameSecret: false))
        #expect(report.duplicates.first?.hasAnotherAddress == true)
        let kept = try await keychain.read(.internetPassword(server: "shop.example"))
        #expect(kept.equals(try SecretBytes(text: "old")))
    }

    @Test func `with a protocol on both sides the secret decides`() async throws {
        try await add("x") { ($0.protocolName, $0.path) = ("htps", "/a") }
        let report = try await bring("https://shop.example/b,anna,x,,,\nhttps://shop.example/c,anna,y,,,\n")
        #expect(report.added == 1 && report.duplicates.map(\.row) == [1])
        #expect(report.duplicates.map(\.hasAnotherAddress) == [true])
        #expect(try await count() == 2)
    }

    @Test(arguments: [
        "https://shop.example,bob,x,,,", "https://www.shop.example,anna,x,,,", "https://shop.example:8443,anna,x,,,",
        "https://shop.example,anna,x,Members,,",
    ])
    func `another account, server, port or realm is another login`(row: String) async throws {
        try await add("x") { $0.protocolName = "http" }
        #expect(try await bring(row + "\n").added == 1)
        #expect(try await count() == 2)
    }

    @Test func `the very same address is a duplicate like any other, beside a second one too`() async throws {
        try await add("x")
        try await add("y") { $0.protocolName = "htps" }
        let report = try await bring("https://shop.example,anna,x,,,\n")
        #expect(report.added == 0 && report.duplicates.map(\.hasAnotherAddress) == [false])
        #expect(report.duplicates.first?.origin == .keychainItem(sameSecret: false))
    }

    @Test func `two addresses in one file are two logins, as they were`() async throws {
        #expect(try await bring("https://shop.example/a,anna,x,,,\nhttps://shop.example/b,anna,x,,,\n").added == 2)
        let again = try await bring("https://shop.example/a,anna,x,,,\nhttps://shop.example/b,anna,x,,,\n")
        #expect(again.added == 0 && again.duplicates.map(\.hasAnotherAddress) == [false, false])
    }

    @Test func `notes and codes of such a login go by the keychain's label, so that they are found with it`()
        async throws
    {
        try await add("x") { $0.label = "My shop" }
        let rows = """
            Title,Url,Username,Password,OTPAuth,Notes
            Shop,https://shop.example,anna,x,JBSWY3DPEHPK3PXP,a note

            """
        for round in 0..<2 {
            let report = try await CSVImport(SecretBytes(text: rows)).run(into: keychain)
            #expect(report.added == 0 && report.carriedApart == (round == 0 ? [.notes: 1, .oneTimeCode: 1] : [:]))
        }
        let login = try await keychain.find(.internetPassword(server: "shop.example"))
        #expect(
            try await keychain.oneTimeCodes(besides: login)?.item.service == "My shop (one-time code, shop.example)")
        #expect(try await keychain.find(.password(service: "My shop (notes, shop.example)")).account == "anna")
    }

    @Test func `what the lock state shuts is no reason to refuse an import`() async throws {
        let device = try TestDevice()
        let locked = try device.makeKeychain()
        var attributes = ItemAttributes()
        attributes.server = "shop.example"
        try await locked.add(.internetPassword, attributes, secret: try SecretBytes(text: "x"))
        try device.setPasscode("1234")
        try device.lock()
        var options = CSVImport.Options()
        options.protectionClass = .afterFirstUnlock
        let report = try await CSVImport(SecretBytes(text: Self.header + "https://b.example,anna,x,,,\n"))
            .run(into: locked, options)
        #expect(report.added == 1)
    }
}
