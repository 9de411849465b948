import ProcessorTime
import Secrets
import Testing
import Wire

@testable import Tresor

/// The items of a file, or what is wrong with its rows.
private func plan(_ file: String) throws -> CSVPlan { try plan(Array(file.utf8)) }
private func plan(_ file: [UInt8]) throws -> CSVPlan { try file.withSpan { try CSVPlan($0) } }

/// An item's secret.
///
/// A test's secret may leave locked memory.
private func secret(_ item: CSVItem, in file: String) throws -> String {
    try Array(file.utf8).withSpan { span in
        let secret = try CSVPlan.secret(item, in: span)
        return String(decoding: secret.withBytes { $0.copyToArray() }, as: UTF8.self)
    }
}

private func problem(_ file: String) throws -> CSVError.Problem? { try plan(file).badRows.first?.problem }

@Suite struct CSVFormatTests {
    private static let firefox =
        "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\",\"timeLastUsed\","
        + "\"timePasswordChanged\"\r\n"
    private static let bitwarden =
        "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n"
    private static let keePassXC =
        #""Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created""# + "\n"

    @Test func `Firefox rows become internet passwords`() throws {
        let file =
            Self.firefox
            + #""https://Mail.Example","anna","p""1,ü🔑",,"https://mail.example","{1}","1","2","3""# + "\r\n"
            + "\"http://router.example:8080\",\"\",\"x\ny\",\"Router\",,\"{2}\",\"1\",\"2\",\"3\"\r\n"
            + #""chrome://FirefoxAccounts","uid","{}","Firefox Accounts credentials",,"{3}","1","2","3""#
        let plan = try plan(file)
        #expect(plan.format == .firefox)
        #expect(plan.badRows.isEmpty)
        #expect(plan.rowCount == 3)
        #expect(plan.items.map(\.kind) == [.internetPassword, .internetPassword, .password])
        let first = plan.items[0].attributes
        #expect(first.server == "mail.example")
        #expect(first.account == "anna")
        #expect(first.protocolName == "htps")
        #expect(first.label == "mail.example")
        #expect(first.port == nil)
        #expect(first.path == nil)
        #expect(try secret(plan.items[0], in: file) == "p\"1,ü🔑")
        let second = plan.items[1].attributes
        #expect(second.port == 8080)
        #expect(second.protocolName == "http")
        #expect(second.account == nil)
        #expect(second.values.string(.securityDomain) == "Router")
        #expect(try secret(plan.items[1], in: file) == "x\ny")
        #expect(plan.items[2].attributes.service == "chrome://FirefoxAccounts")
        #expect(plan.items[2].attributes.comment == "Firefox Accounts credentials")
        #expect(plan.leftOut["guid"] == 3)
        #expect(plan.leftOut["formActionOrigin"] == 1)
    }

    @Test func `one login for two realms of a server is two items`() throws {
        let plan = try plan(
            Self.firefox + "https://a.example,anna,1,One,,,,,\r\nhttps://a.example,anna,2,Two,,,,,\r\n")
        #expect(plan.items.count == 2)
        #expect(plan.duplicates.isEmpty)
    }

    @Test(arguments: ["name,url,username,password\n", "Name,URL,Username,Password\r\n"])
    func `Chrome rows become internet passwords`(header: String) throws {
        let file =
            header + "a.example,https://a.example/sign/in?x=1#top,anna,pw1\n"
            + "com.app,android://hash@com.app/,bert,\"p\0w\"\n"
        let plan = try plan(file)
        #expect(plan.format == .chrome)
        #expect(plan.items[0].attributes.path == "/sign/in")
        #expect(plan.leftOut["user, query or fragment of the address"] == 1)
        #expect(plan.items[1].kind == .password)
        #expect(plan.items[1].attributes.service == "com.app")
        #expect(plan.items[1].attributes.comment == "android://hash@com.app/")
        #expect(try secret(plan.items[1], in: file) == "p\0w")
    }

    @Test func `Chrome's note becomes an item of its own`() throws {
        let file = "name,url,username,password,note\nShop,https://shop.example/,anna,pw,\"line 1\nline 2\"\n"
        let plan = try plan(file)
        #expect(plan.format == .chrome)
        #expect(plan.items.map(\.part) == [.entry, .notes])
        #expect(plan.items[0].attributes.path == nil)
        #expect(plan.items[1].kind == .password)
        #expect(plan.items[1].attributes.service == "Shop (notes, shop.example)")
        #expect(plan.items[1].attributes.account == "anna")
        #expect(try secret(plan.items[1], in: file) == "line 1\nline 2")
    }

    @Test func `Bitwarden logins and secure notes are told apart`() throws {
        let file =
            Self.bitwarden
            + "Work,1,login,Mail,remember,pin: 1234,0,\"https://m.example,https://n.example\",anna,pw,JBSW\n"
            + ",,note,Safe,\"the \"\"code\"\"\",,0,,,,\n" + ",,login,Bare,,,1,m.example:8443,bert,x,\n"
        let plan = try plan(file)
        #expect(plan.format == .bitwarden)
        #expect(plan.badRows.isEmpty)
        #expect(plan.items.map(\.part) == [.entry, .notes, .oneTimeCode, .customFields, .entry, .entry])
        #expect(plan.items[0].attributes.server == "m.example")
        #expect(plan.items[0].attributes.comment == "Work")
        #expect(plan.items[2].attributes.service == "Mail (one-time code, m.example)")
        #expect(try secret(plan.items[2], in: file) == "JBSW")
        #expect(try secret(plan.items[3], in: file) == "pin: 1234")
        #expect(plan.items[4].kind == .password)
        #expect(plan.items[4].attributes.service == "Safe")
        #expect(plan.items[4].attributes.itemDescription == "secure note")
        #expect(try secret(plan.items[4], in: file) == "the \"code\"")
        #expect(plan.items[5].attributes.server == "m.example")
        #expect(plan.items[5].attributes.port == 8443)
        #expect(plan.items[5].attributes.protocolName == nil)
        #expect(plan.leftOut == ["favorite": 1, "reprompt": 1, "further addresses": 1])
    }

    @Test(arguments: [
        "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
        "title,url,username,password,OTPAuth,a,b,tags,notes",
    ])
    func `1Password rows are read`(header: String) throws {
        let file =
            header + "\nBank,https://bank.example:443/,anna,pw,otpauth://totp/x?secret=A,false,false,money,hint\n"
            + "Door,,,,,true,false,,4711\n"
        let plan = try plan(file)
        #expect(plan.format == .onePassword)
        #expect(plan.items.map(\.part) == [.entry, .notes, .oneTimeCode, .entry])
        #expect(plan.items[0].attributes.port == nil)
        #expect(plan.items[0].attributes.comment == "money")
        #expect(try secret(plan.items[2], in: file) == "otpauth://totp/x?secret=A")
        #expect(plan.items[3].attributes.itemDescription == "secure note")
        #expect(try secret(plan.items[3], in: file) == "4711")
        #expect(plan.leftOut.values.reduce(0, +) == 1)
    }

    @Test func `1Password's older header is read by its required columns`() throws {
        let plan = try plan("Title,Url,Username,Password,Notes,Type\nX,,anna,pw,,Login\n")
        #expect(plan.format == .onePassword)
        #expect(plan.items[0].attributes.service == "X")
        #expect(plan.leftOut == ["Type": 1])
    }

    @Test func `KeePassXC rows are read`() throws {
        let file =
            "\u{feff}" + Self.keePassXC
            + #""Root/Mail","Mail 📬","anna","a ""quoted"" one","https://[2001:DB8::1]:8443/in","","","0","2024-01-01","2024""#
            + "\n" + #""Root","SSH","root","pw","ssh://host.example","","","0","","""# + "\n"
        let plan = try plan(file)
        #expect(plan.format == .keePassXC)
        #expect(plan.items[0].attributes.server == "2001:db8::1")
        #expect(plan.items[0].attributes.port == 8443)
        #expect(plan.items[0].attributes.path == "/in")
        #expect(plan.items[0].attributes.label == "Mail 📬")
        #expect(plan.items[0].attributes.comment == "Root/Mail")
        #expect(try secret(plan.items[0], in: file) == "a \"quoted\" one")
        #expect(plan.items[1].attributes.service == "SSH")
        #expect(plan.items[1].attributes.comment == "Root")
        #expect(plan.leftOut == ["Last Modified": 1, "Created": 1, "address": 1])
    }

    @Test func `an unknown header lists the known exports`() throws {
        let error = try #require(throws: CSVError.self) { _ = try plan("hunter2,anna\n") }
        #expect(error.problem == .unknownFormat)
        for name in ["Firefox", "Chrome/Edge", "Bitwarden", "1Password", "KeePassXC"] {
            #expect(error.description.contains(name))
        }
        #expect(!error.description.contains("hunter2"))
    }

    @Test func `a header with more columns than any export has is unknown, whatever they are`() throws {
        let more = (0..<1000).map { ",x\($0)" }.joined()
        let error = #expect(throws: CSVError.self) {
            _ = try plan("Title,Url,Username,Password,Notes\(more)\na,https://a.example,b,c,\(more)\n")
        }
        #expect(error?.problem == .unknownFormat)
    }

    @Test func `an empty file is refused`() throws {
        #expect(try #require(throws: CSVError.self) { _ = try plan("") }.problem == .emptyFile)
    }

    @Test func `a bad row is named, and the others are read`() throws {
        let plan = try plan("name,url,username,password\nA,,a,1\nB,,b\nC,,c,3\n,,,4\n")
        #expect(plan.rowCount == 4)
        #expect(plan.items.map(\.row) == [1, 3])
        #expect(plan.badRows.map(\.row) == [2, 4])
        #expect(plan.badRows.map(\.line) == [3, 5])
        #expect(plan.badRows.map(\.problem) == [.fieldCount(expected: 4, found: 3), .nameless])
    }

    @Test func `a text must be UTF-8 and short, a secret need not`() throws {
        let header = Array("name,url,username,password\n".utf8)
        let notUTF8 = try plan(header + [0xff] + Array(",,a,p\n".utf8))
        #expect(notUTF8.badRows.map(\.problem) == [.invalidText(column: "name")])
        #expect(try plan(header + Array("A,,a,".utf8) + [0xff, 0x0a]).badRows.isEmpty)
        let long = String(repeating: "x", count: 8193)
        #expect(try problem("name,url,username,password\nA,,\(long),p\n") == .textTooLong(column: "username"))
    }

    @Test func `a secret larger than an item may hold is a bad row`() throws {
        let header = Array("name,url,username,password\nA,,a,".utf8)
        let limit = 896 * 1024
        #expect(try plan(header + [UInt8](repeating: 0x61, count: limit)).badRows.isEmpty)
        #expect(
            try plan(header + [UInt8](repeating: 0x61, count: limit + 1)).badRows.map(\.problem)
                == [.secretTooLarge(column: "password")])
    }

    @Test func `an unknown type of entry is a bad row`() throws {
        #expect(try problem(Self.bitwarden + ",,card,X,,,0,,,,\n") == .unknownType)
    }

    @Test func `two rows with one key are reported, whether or not the secret is the same`() throws {
        let plan = try plan(
            "name,url,username,password\nA,https://a.example,x,1\nA,https://A.example/,x,1\n"
                + "B,https://a.example:443,x,2\n")
        #expect(plan.items.map(\.row) == [1])
        #expect(plan.duplicates.map(\.row) == [2, 3])
        #expect(
            plan.duplicates.map(\.origin)
                == [.earlierRow(1, sameSecret: true), .earlierRow(1, sameSecret: false)])
    }

    @Test func `a long secret is not decoded for each row that has its key`() throws {
        let long = "\"a quote \"\" is doubled" + String(repeating: "x", count: 800_000) + "\""
        let rows = String(repeating: "A,https://a.example,anna,short\n", count: 2000)
        let time = try ProcessorTime.of {
            let plan = try plan("name,url,username,password\nA,https://a.example,anna,\(long)\n\(rows)")
            #expect(plan.items.count == 1 && plan.duplicates.count == 2000)
            #expect(plan.duplicates.allSatisfy { $0.origin == .earlierRow(1, sameSecret: false) })
        }
        #expect(time < .seconds(3), "\(time)")
    }

    @Test func `what is no web address is none`() {
        let texts = [
            "", "mail", "two words.example", "ftp://a.example", "https://", "https://a:99999/", "a@b.example",
            "com.app://x",
        ]
        for text in texts {
            #expect(WebAddress(text) == nil, "\(text)")
        }
    }

    @Test func `a user, a query and a fragment stay out of a web address`() {
        #expect(WebAddress("HTTPS://u:p@Host.example/a?b")?.server == "host.example")
        #expect(WebAddress("https://host.example/a?b")?.hasMore == true)
        #expect(WebAddress("https://host.example/a")?.hasMore == false)
        #expect(WebAddress("http://host.example:443")?.port == 443)
    }
}
