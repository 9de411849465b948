import KeychainFormats
import ProcessorTime
import Testing
import Tresor

/// KeePass 2's XML: its elements are those of keepass.info/help/kb/kdbx.html, the values made up.
@Suite struct KeePassTests {
    private let vault: ImportedVault

    init() throws { vault = try ImportedVault() }

    static func string(_ key: String, _ value: String, _ attributes: String = "") -> String {
        "<String><Key>\(key)</Key><Value\(attributes)>\(value)</Value></String>"
    }

    static func file(_ groups: String, bin: String = "") -> String {
        """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <KeePassFile><Meta><Generator>KeePass</Generator><RecycleBinUUID>\(bin)</RecycleBinUUID>
        <Binaries><Binary ID="0" Compressed="True">H4sIAAAA</Binary></Binaries></Meta>
        <Root><Group><UUID>r</UUID><Name>Database</Name><Notes/>\(groups)</Group><DeletedObjects/></Root></KeePassFile>
        """
    }

    static func entry(_ content: String) -> String { "<Entry><UUID>e</UUID><IconID>0</IconID>\(content)</Entry>" }

    static let login = file(
        "<Group><UUID>g</UUID><Name>Work</Name><Group><UUID>h</UUID><Name>Shops &amp; more</Name>"
            + entry(
                "<OverrideURL>cmd://x</OverrideURL><Tags>red;blue</Tags><Times><LastModificationTime>"
                    + "2025-01-02T03:04:05Z</LastModificationTime><ExpiryTime>2030-01-01T00:00:00Z</ExpiryTime>"
                    + "<Expires>True</Expires></Times>"
                    + string("Notes", "two\nlines") + string("Password", "p&lt;w&#x1F510;", " ProtectInMemory=\"True\"")
                    + string("Title", "Shop") + string("URL", "https://shop.example/login")
                    + string("UserName", "anna") + string("PIN", "1234") + string("Empty", "")
                    + string("TimeOtp-Secret-Base32", "JBSWY3DPEHPK3PXP")
                    + "<Binary><Key>scan.pdf</Key><Value Ref=\"0\"/></Binary>"
                    + "<AutoType><Enabled>True</Enabled><DefaultSequence>{PASSWORD}</DefaultSequence>"
                    + "<Association><Window>Shop*</Window><KeystrokeSequence>{TAB}</KeystrokeSequence></Association>"
                    + "</AutoType><CustomData><Item><Key>plug-in</Key><Value>kept</Value></Item></CustomData><History>"
                    + old("older", "2024-01-01T00:00:00Z") + old("older", "2024-02-01T00:00:00Z")
                    + old("newer", "gHwG3w4AAAA=") + "</History>") + "</Group></Group>")

    private static func old(_ password: String, _ time: String) -> String {
        "<Entry><UUID>e</UUID><Times><LastModificationTime>\(time)</LastModificationTime></Times>"
            + string("Title", "Shop") + string("Password", password) + "</Entry>"
    }

    @Test func `an entry comes whole, and what has no place stands behind its notes with its name`() async throws {
        let report = try await vault.bring(Self.login)
        #expect(report.added == 1 && report.carriedApart == [.notes: 1, .oneTimeCode: 1, .customFields: 1])
        #expect(report.leftOut == ["UUID": 1, "times": 1, "attachments": 1, "former tags and times": 1])
        let item = try #require(try await vault.items(.internetPassword).first)
        #expect([item.server, item.account, item.label] == ["shop.example", "anna", "Shop"])
        #expect([item.path, item.comment] == ["/login", "Work/Shops & more"])
        #expect(try await vault.secret(ItemQuery(item.reference)) == "p<w🔐")
        #expect(try await vault.password("Shop (one-time code, shop.example)", "anna") == "JBSWY3DPEHPK3PXP")
        #expect(try await vault.password("Shop (custom fields, shop.example)", "anna") == "PIN: 1234\nEmpty: ")
        let notes = try await vault.password("Shop (notes, shop.example)", "anna")
        #expect(
            notes == """
                two
                lines

                OverrideURL: cmd://x
                tags: red;blue
                auto-type: {PASSWORD}
                auto-type in 'Shop*': {TAB}
                custom data plug-in: kept
                expires: 2030-01-01T00:00:00Z
                attachment, not imported: scan.pdf
                Password of 2024-01-01T00:00:00Z: older
                Password of 2025-01-01T00:00:00Z: newer
                """)
    }

    @Test(arguments: [
        (
            [("otp", "otpauth://totp/Shop:anna?secret=AAAA&amp;period=60")],
            "otpauth://totp/Shop:anna?secret=AAAA&period=60"
        ),
        (
            [("otp", "key=JBSWY3DPEHPK3PXP&amp;step=30&amp;size=8")],
            "otpauth://totp/?secret=JBSWY3DPEHPK3PXP&algorithm=SHA1&digits=8&period=30"
        ),
        (
            [("TimeOtp-Secret-Base32", "JBSW Y3DP"), ("TimeOtp-Length", "8"), ("TimeOtp-Algorithm", "HMAC-SHA-256")],
            "otpauth://totp/?secret=JBSWY3DP&algorithm=SHA256&digits=8&period=30"
        ),
        ([("TimeOtp-Secret", "Hello")], "JBSWY3DP"),
        ([("TimeOtp-Secret-Hex", "48656C6c6f")], "JBSWY3DP"),
        ([("TimeOtp-Secret-Base64", "SGVsbG8=")], "JBSWY3DP"),
        (
            [("TOTP Seed", "JBSWY3DP"), ("TOTP Settings", "60;7")],
            "otpauth://totp/?secret=JBSWY3DP&algorithm=SHA1&digits=7&period=60"
        ),
    ])
    func `what codes are made from is found in each program's fields`(
        fields: [(String, String)], secret: String
    ) async throws {
        let strings = fields.map { Self.string($0.0, $0.1) }.joined()
        let report = try await vault.bring(Self.file(Self.entry(Self.string("Title", "Shop") + strings)))
        #expect(report.carriedApart == [.oneTimeCode: 1])
        #expect(try await vault.password("Shop (one-time code)") == secret)
    }

    @Test(arguments: [
        [("TimeOtp-Secret-Hex", "4")], [("TimeOtp-Secret-Base64", "?")],
        [("TOTP Seed", "A"), ("TOTP Settings", "x;6")],
        [("TimeOtp-Secret-Base32", "AAAA"), ("TimeOtp-Algorithm", "MD5")], [("HmacOtp-Secret", "A")],
        [("otp", "type=HOTP&amp;key=A")],
    ])
    func `what is not understood of codes stays among the fields`(fields: [(String, String)]) async throws {
        let strings = fields.map { Self.string($0.0, $0.1) }.joined()
        try await vault.bring(Self.file(Self.entry(Self.string("Title", "Shop") + strings)))
        #expect(
            try await vault.password("Shop (custom fields)")
                == fields.map { "\($0.0): \($0.1.replacing("&amp;", with: "&"))" }.joined(separator: "\n"))
    }

    @Test func `what lies in the recycle bin is counted, and notes of a group are a note`() async throws {
        let report = try await vault.bring(
            Self.file(
                "<Group><UUID>b</UUID><Name>Recycle Bin</Name>" + Self.entry(Self.string("Title", "Gone")) + "</Group>"
                    + "<Group><UUID>g</UUID><Name>Home</Name><Notes>the key is under the mat</Notes></Group>", bin: "b")
        )
        #expect(report.added == 1 && report.leftOut["entries in the recycle bin"] == 1)
        #expect(try await vault.password("Home") == "the key is under the mat")
    }

    @Test func `a value that is still encrypted is a bad row`() throws {
        let plan = try ImportedVault.plan(
            Self.file(
                Self.entry(Self.string("Title", "A") + Self.string("Password", "c2VhbGVk", " Protected=\"True\""))))
        #expect(plan.badRows.map(\.problem) == [.encryptedValue(column: "Password")] && plan.itemCount == 0)
    }

    @Test(.serialized, arguments: ["Password", "Notes", "PIN"])
    func `a value that is too large for an item is a bad row`(key: String) throws {
        let large = String(repeating: "line\n", count: 200_000)
        let plan = try ImportedVault.plan(
            Self.file(Self.entry(Self.string("Title", "A") + Self.string(key, large))))
        #expect(plan.badRows.map(\.problem) == [.secretTooLarge(column: key == "PIN" ? "fields" : key)])
    }

    @Test func `what an entry was before is compared in no more time than it takes to read it`() throws {
        let strings = (0..<8000).map { Self.string("k\($0)", "v") }.joined()
        let history = "<History><Entry>\(strings)</Entry></History>"
        let text = Self.file(Self.entry(Self.string("Title", "A") + strings + history))
        let time = try ProcessorTime.of {
            let plan = try ImportedVault.plan(text)
            #expect(plan.badRows.isEmpty)
        }
        #expect(time < .seconds(2), "\(time)")
    }

    @Test func `what stands in a file once is not written or compared at length for each entry`() throws {
        let time = String(repeating: "t", count: 2_000_000)
        let strings = (0..<16_000).map { Self.string("k\($0)", "v") }.joined()
        let old = "<Times><LastModificationTime>\(time)</LastModificationTime></Times>\(strings)"
        let identifier = String(repeating: "i", count: 100_000)
        let groups = String(repeating: "<Group><UUID>\(identifier)x</UUID>", count: 30)
        let entries = String(repeating: "<Entry></Entry>", count: 20_000)
        for (text, bin) in [
            (Self.entry(Self.string("Title", "A") + "<History><Entry>\(old)</Entry></History>"), ""),
            (groups + entries + String(repeating: "</Group>", count: 30), identifier + "y"),
        ] {
            let file = Self.file(text, bin: bin)
            let time = try ProcessorTime.of { _ = try ImportedVault.plan(file).itemCount }
            #expect(time < .seconds(3), "\(time)")
        }
    }

    @Test func `a group's name that is too long for a folder makes its entries bad rows`() throws {
        let groups =
            String(repeating: "<Group><Name>\(String(repeating: "g", count: 9000))</Name>", count: 3)
            + Self.entry(Self.string("Title", "A")) + String(repeating: "</Group>", count: 3)
        let plan = try ImportedVault.plan(Self.file(groups))
        #expect(plan.badRows.map(\.problem) == [.textTooLong(column: "folder")])
    }

    @Test func `a second import finds everything`() async throws {
        try await vault.bring(Self.login)
        let again = try await vault.bring(Self.login)
        #expect(
            again.added == 0
                && again.duplicates.map(\.origin) == Array(repeating: .keychainItem(sameSecret: true), count: 4))
    }
}

/// XML that is not to be read.
@Suite struct XMLDamageTests {
    typealias Problem = KeychainFormatError.Problem

    @Test(arguments: [
        ("<KeePassFile>\n<Root>", Problem.endsEarly, 2), ("<KeePassFile>\n</Root>", .malformed, 2),
        ("<KeePassFile>\n&nbsp;</KeePassFile>", .malformed, 2), ("<KeePassFile/>\nx", .malformed, 2),
        ("<!DOCTYPE KeePassFile [<!ENTITY a \"b\">]>\n<KeePassFile>&a;</KeePassFile>", .documentType, 1),
        ("<KeePassFile>\n<Entry/></KeePassFile>", .unexpected("Entry"), 2),
        ("<KeePassFile>\n" + String(repeating: "<a>", count: 70), .tooDeep, 2),
    ])
    func `what is damaged or dangerous is said with its line`(text: String, problem: Problem, line: Int) throws {
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(text) }
        #expect(error?.problem == problem && error?.line == line, "\(String(describing: error))")
    }

    /// Expat reads what it has a part of anew with each further part: 8 MiB took it ten seconds.
    @Test(arguments: [("<!--", "-->"), ("<Meta a='", "'/>"), ("<?x ", "?>"), ("<Meta", "/>")])
    func `a comment, or a tag, that is longer than any export has it is refused before it is read`(
        begin: String, end: String
    ) throws {
        func file(_ count: Int) -> String {
            "<KeePassFile>\n\(begin)\(String(repeating: "x", count: count))\(end)</KeePassFile>"
        }
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(file(300_000)) }
        #expect(error?.problem == .malformed && error?.line == 2, "\(String(describing: error))")
        #expect(try ImportedVault.plan(file(200)).itemCount == 0)
    }

    @Test func `a text on one line may be as long as the file`() throws {
        let text = KeePassTests.file("<CustomData>\(String(repeating: "x", count: 300_000))</CustomData>")
        #expect(try ImportedVault.plan(text).badRows.isEmpty)
    }

    @Test(arguments: ["<pwlist/>", "<html></html>", "<?xml version=\"1.0\"?><a/>"])
    func `XML of another program is refused by the names of all that are known`(text: String) throws {
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(text) }
        #expect(error?.problem == .unknownFormat && error?.description.contains("KeePass XML") == true)
    }

    @Test func `a file that is cut off anywhere is refused`() throws {
        let text = KeePassTests.login
        for end in text.utf8.indices.dropFirst() {
            let part = String(text[..<end])
            #expect(throws: (any Error).self, "\(part.count)") { _ = try ImportedVault.plan(part) }
        }
    }
}
