import Conformance
import Foundation
import Secrets
import Testing
import Tresor

@testable import TresorTesting

/// One-time codes as programs and the command get them; the figures are of RFC 6238, appendix B, cut to six digits.
@Suite struct OneTimeCodeTests {
    private let device: TestDevice
    private let keychain: Keychain

    init() throws {
        device = try TestDevice()
        keychain = try device.makeKeychain()
    }

    /// The seed of RFC 6238 for SHA-1, in base32.
    private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private static let time = Date(timeIntervalSince1970: 1_111_111_109)
    private static let code = "081804"

    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    private func failure(_ body: () async throws -> Void) async -> TresorError? {
        do {
            try await body()
            return nil
        } catch { return error as? TresorError }
    }

    private func add(_ secret: String, _ title: String, _ account: String? = nil) async throws {
        try await keychain.addOneTimeCode(SecretBytes(text: secret), OneTimeCodeName(title: title, account: account))
    }

    @Test func `a secret that was added makes codes, and says how long they are good`() async throws {
        try await add(Self.seed, "Example", "anna")
        let account = try #require(try await keychain.oneTimeCodes().first)
        #expect(account.title == "Example" && account.name == "anna" && account.server == nil)
        let code = try await keychain.oneTimeCode(of: account, at: Self.time)
        #expect(text(code.digits) == Self.code)
        #expect(code.period == 30)
        #expect(code.end == Date(timeIntervalSince1970: 1_111_111_110))
        #expect(code.secondsLeft(at: Self.time) == 1)
        #expect(code.secondsLeft(at: Self.time + 0.5) == 1)
        #expect(code.secondsLeft(at: Self.time + 5) == 0)
        let next = try await keychain.oneTimeCode(of: account, at: Self.time + 2)
        #expect(text(next.digits) == "050471" && next.secondsLeft(at: Self.time + 2) == 29)
    }

    @Test func `an address says how its codes are made, and is stored without the line end behind it`() async throws {
        let address = "otpauth://totp/Example:anna?secret=\(Self.seed)&digits=8&issuer=Example"
        try await add(address + "\n", "Example", "anna")
        let account = try #require(try await keychain.oneTimeCodes().first)
        #expect(text(try await keychain.oneTimeCode(of: account, at: Self.time).digits) == "07081804")
        #expect(text(try await keychain.read(ItemQuery(account.item.reference))) == address)
        #expect(
            try OneTimeCodeName(in: SecretBytes(text: address)) == OneTimeCodeName(title: "Example", account: "anna"))
        #expect(try OneTimeCodeName(in: SecretBytes(text: Self.seed)) == nil)
    }

    @Test(arguments: [
        (" ", "nothing was given"), ("hunter2 1s", "character 9 is none of A to Z and 2 to 7"),
        ("ABCDEFGHI", "letters are missing at its end"), (String(repeating: "A", count: 300), "it is too long"),
        ("otpauth://totp/x?issuer=y", "has no secret in it"),
        ("otpauth://totp/x?secret=ABC8", "its character 4 is none of A to Z"),
        ("otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5", "none of SHA1, SHA256, SHA512"),
        ("otpauth://totp/x?secret=GEZDGNBV&digits=9", "they have not 6 to 8 digits"),
        ("otpauth://totp/x?secret=GEZDGNBV&period=900", "not good for 1 to 300 seconds"),
        ("otpauth://totp/x y?secret=GEZDGNBV", "cut off, or has something in it"),
        ("otpauth://hotp/x?secret=GEZDGNBV&counter=1", "codes by a counter"),
    ])
    func `what is no seed is refused by words of what is wrong, and by nothing of it`(text: String, words: String)
        async throws
    {
        let error = try #require(await failure { try await add(text, "Example") })
        #expect(error.code == .invalidParameter && error.message.contains(words), "\(error.message)")
        #expect(!error.message.contains("hunter") && !error.message.contains("GEZDGNBV"))
        #expect(try await keychain.oneTimeCodes().isEmpty)
    }

    @Test func `what an import brought makes codes, and an export takes what was added back into its row`() async throws
    {
        let file = """
            folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            ,,login,Mail,a note,,0,https://mail.example,anna,x,\(Self.seed)
            ,,login,Shop,,,0,,bert,y,otpauth://totp/Shop:bert?secret=\(Self.seed)&digits=8
            """
        let plan = try CSVImport(SecretBytes(text: file))
        _ = try await plan.run(into: keychain)
        let accounts = try await keychain.oneTimeCodes()
        #expect(accounts.map(\.title) == ["Mail", "Shop"])
        #expect(accounts.map(\.server) == ["mail.example", nil])
        #expect(text(try await keychain.oneTimeCode(of: accounts[0], at: Self.time).digits) == Self.code)
        #expect(text(try await keychain.oneTimeCode(of: accounts[1], at: Self.time).digits) == "07081804")
        #expect(accounts[0].isFor(service: "Mail") && accounts[0].isFor(service: "mail.example"))
        #expect(accounts[0].isFor(service: "Mail (one-time code, mail.example)"))
        #expect(!accounts[0].isFor(service: "mail") && !accounts[0].isFor(service: ""))

        var login = ItemAttributes()
        login.server = "bank.example"
        login.account = "anna"
        login.label = "Bank"
        try await keychain.add(.internetPassword, login, secret: SecretBytes(text: "z"))
        try await keychain.addOneTimeCode(
            SecretBytes(text: "JBSWY3DP"), OneTimeCodeName(title: "Bank", account: "anna", server: "bank.example"))
        var lines = ""
        _ = try await CSVExport(keychain).write { lines += String(decoding: $0.copyToArray(), as: UTF8.self) }
        let row = try #require(lines.split(separator: "\n").first { $0.contains("\"Bank\"") })
        #expect(row.contains("\"anna\",\"z\",\"https://bank.example\"") || row.contains("\"bank.example\""))
        #expect(row.contains("\"JBSWY3DP\""))
    }

    @Test func `what is no secret of codes by the time is refused before anything is stored`() async throws {
        for (secret, cause) in [
            ("otpauth://hotp/a?secret=\(Self.seed)&counter=1", "counterBased"), ("steam://AAAA", "unsupportedCode"),
            ("no base32 at all!", "notOneTimeCode"), ("", "notOneTimeCode"),
        ] {
            let error = await failure { try await add(secret, "Example") }
            #expect(error?.code == .invalidParameter && error?.cause == cause)
            #expect(error?.description.contains("AAAA") == false)
        }
        #expect(try await keychain.oneTimeCodes().isEmpty)
        try await add(Self.seed, "Example")
        #expect(await failure { try await add(Self.seed, "Example") }?.code == .duplicate)
    }

    @Test func `an item that only calls itself one says so when a code is asked for`() async throws {
        var attributes = ItemAttributes()
        attributes.service = "Example (one-time code)"
        try await keychain.add(.password, attributes, secret: SecretBytes(text: "pass 1890"))
        attributes.service = "Other (one-time code)"
        attributes.itemDescription = "secure note"
        try await keychain.add(.password, attributes, secret: SecretBytes(text: Self.seed))
        let accounts = try await keychain.oneTimeCodes()
        #expect(accounts.map(\.title) == ["Example"])
        #expect(await failure { _ = try await keychain.oneTimeCode(of: accounts[0]) }?.cause == "notOneTimeCode")
    }

    @Test func `no code is made while its class is shut, and none without the presence that an item demands`()
        async throws
    {
        try device.setPasscode("1234")
        try await add(Self.seed, "Example")
        var guarded = ItemAttributes()
        guarded.service = "Bank (one-time code)"
        guarded.accessControl = .userPresence
        try await keychain.add(.password, guarded, secret: SecretBytes(text: Self.seed))
        let accounts = try await keychain.oneTimeCodes()
        #expect(await failure { _ = try await keychain.oneTimeCode(of: accounts[1]) }?.code == .presenceRequired)
        let owner = AuthenticationContext { _ in try SecretBytes(text: "1234") }
        let code = try await keychain.oneTimeCode(of: accounts[1], at: Self.time, context: owner)
        #expect(text(code.digits) == Self.code)
        try device.lock()
        #expect(await failure { _ = try await keychain.oneTimeCode(of: accounts[0]) }?.code == .locked)
        #expect(await failure { _ = try await keychain.oneTimeCodes() }?.code == .locked)
        #expect(try await keychain.oneTimeCodes(skipsLocked: true).isEmpty)
    }

    @Test func `a program without async gets the same over a link of its own`() async throws {
        try device.setPasscode("1234")
        for number in 0..<600 { try await add(Self.seed, "Service \(number)", "anna") }
        let link = ItemLink(device.transport)
        let accounts = try link.oneTimeCodes()
        #expect(try await keychain.oneTimeCodes() == accounts && accounts.count == 600)
        #expect(text(try link.oneTimeCode(of: accounts[599], at: Self.time).digits) == Self.code)
        let none = try link.forEach(ItemQuery(.certificate)) { _ in Issue.record("there is none") }
        #expect(none.locked == 0 && none.damaged == 0)
        try device.lock()
        #expect(try link.oneTimeCodes().isEmpty)
        #expect(throws: TresorError.self) { _ = try link.oneTimeCode(of: accounts[0], at: Self.time) }
        let leftOut = try link.forEach(ItemQuery(.password)) { _ in Issue.record("it is shut") }
        #expect(leftOut.locked == 600)
    }
}
