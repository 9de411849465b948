import Foundation
import Linux
import Testing

/// Moving in from three programs, with the real command: each field is found again.
@Suite(.serialized) struct VaultFormatStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = device.folder + "/" + name
        try FileSystem.replace(path, with: Array(text.utf8))
        return path
    }

    private func get(_ arguments: String...) throws -> String { try device.run(["get"] + arguments).text }

    private static let bitwarden = """
        {"encrypted": false, "folders": [{"id": "f", "name": "Home"}], "items": [
          {"id": "1", "folderId": "f", "type": 1, "name": "Forum", "notes": "ask Bob", "favorite": true,
           "fields": [{"name": "member", "value": "77", "type": 1}],
           "login": {"uris": [{"uri": "https://forum.example/in"}, {"uri": "https://old.example"}], "username": "anna",
             "password": "from bitwarden", "totp": "JBSWY3DPEHPK3PXP"}},
          {"id": "2", "type": 3, "name": "Visa", "card": {"number": "4111111111111111", "code": "123"}},
          {"id": "3", "type": 2, "name": "Alarm", "notes": "9 4 1", "secureNote": {"type": 0}}]}
        """

    private static let keePass = """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <KeePassFile><Root><Group><UUID>r</UUID><Name>DB</Name>
        <Group><UUID>g</UUID><Name>Work</Name><Entry><UUID>e</UUID>
        <String><Key>Title</Key><Value>Git</Value></String><String><Key>UserName</Key><Value>anna</Value></String>
        <String><Key>Password</Key><Value ProtectInMemory="True">from &lt;keepass&gt;</Value></String>
        <String><Key>URL</Key><Value>https://git.example</Value></String>
        <String><Key>PIN</Key><Value>1234</Value></String>
        <String><Key>TimeOtp-Secret-Base32</Key><Value>JBSWY3DPEHPK3PXP</Value></String>
        <Binary><Key>scan.pdf</Key><Value Ref="0"/></Binary><History><Entry><String><Key>Password</Key>
        <Value>former</Value></String></Entry></History></Entry></Group></Group></Root></KeePassFile>
        """

    @Test func `from Firefox, Bitwarden and KeePass everything is found`() throws {
        let files = [
            try file(
                "firefox.csv",
                "url,username,password,httpRealm,formActionOrigin,guid\n"
                    + "https://shop.example,anna,from firefox,,,{1}\n"),
            try file("bitwarden.json", Self.bitwarden), try file("keepass.xml", Self.keePass),
        ]
        for path in files {
            let dry = try device.run("vault", "import", "--dry-run", path)
            #expect(dry.code == 0, "\(path): \(dry)")
        }
        #expect(try device.run("ls").text.isEmpty)
        for path in files {
            let imported = try device.run("vault", "import", path)
            #expect(imported.code == 0, "\(path): \(imported)")
            let (hasNotes, isBitwarden) = (!path.hasSuffix(".csv"), path.hasSuffix(".json"))
            #expect(imported.text.contains("notes are secret, as passwords are") == hasNotes, "\(imported)")
            #expect(imported.text.contains("favorite 1") == isBitwarden, "\(imported)")
            #expect(try device.run("vault", "import", path).code == 4, "\(path): a second time")
        }
        #expect(try get("shop.example") == "from firefox" && get("forum.example") == "from bitwarden")
        #expect(try get("Git") == "from <keepass>" && get("Git", "--field", "comment") == "Work\n")
        #expect(try get("Forum", "--field", "comment") == "Home\n")
        for name in ["Forum", "Git"] {
            #expect(try get(name, "--code").trimmingCharacters(in: .newlines).count == 6, "\(name)")
        }
        #expect(try get("Forum (custom fields, forum.example)") == "member: 77")
        #expect(
            try get("Forum (notes, forum.example)")
                == "ask Bob\n\nfurther address: https://old.example")
        #expect(try get("Visa") == "number: 4111111111111111\ncode: 123" && get("Alarm") == "9 4 1")
        #expect(try get("Git (custom fields, git.example)") == "PIN: 1234")
        let notes = try get("Git (notes, git.example)")
        #expect(notes.contains("attachment, not imported: scan.pdf") && notes.contains("former"))
    }

    @Test func `what is no such file is refused by name, and changes nothing`() throws {
        let cases: [(String, Int32, [String])] = [
            ("{\"encrypted\": true, \"items\": []}", 64, ["encrypted", ".json (Encrypted)"]),
            ("{\"vaults\": {}}", 64, ["Bitwarden JSON", "KeePass XML", "Firefox"]),
            ("<pwlist/>", 64, ["Bitwarden JSON", "KeePass XML", "Firefox"]),
            ("a,b\n1,2\n", 64, ["Bitwarden JSON", "KeePass XML", "Firefox"]),
            ("{\"encrypted\": false,\n\"items\": [{\"name\": \"canary", 8, ["line 2"]),
            ("<KeePassFile>\n<Root>\n", 8, ["line 3"]),
            ("<!DOCTYPE a>\n<KeePassFile/>", 64, ["document type"]),
            ("{\"encrypted\": false, \"items\": [\n{\"type\": 1, \"name\": 7}]}", 64, ["row 1 (line 2)", "name"]),
        ]
        for (text, code, words) in cases {
            let refused = try device.run("vault", "import", file("export", text))
            #expect(refused.code == code && refused.output.isEmpty, "\(text): \(refused)")
            #expect(words.allSatisfy { refused.errors.contains($0) }, "\(text): \(refused)")
            #expect(refused.errors.contains("nothing was written") && !refused.errors.contains("canary"))
        }
        let database = device.folder + "/vault.kdbx"
        try FileSystem.replace(database, with: [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5])
        let sealed = try device.run("vault", "import", database)
        #expect(sealed.code == 64 && sealed.errors.contains("KeePass database"), "\(sealed)")
        #expect(try device.run("ls").text.isEmpty)
    }

    @Test func `an import knows what was added by name, and says so`() throws {
        #expect(try device.run("add", "shop.example", "--account", "anna", input: Data("mine".utf8)).code == 0)
        let header = "name,url,username,password,note\n"
        let same = try device.run(
            "vault", "import", file("a.csv", header + "Shop,https://shop.example/in,anna,mine,\n"))
        #expect(same.code == 4 && same.text.contains("row 1 (line 2): in the keychain already"), "\(same)")
        let other = try device.run("vault", "import", file("b.csv", header + "Shop,https://shop.example,anna,its,\n"))
        #expect(other.code == 4 && other.text.contains("ANOTHER SECRET") && !other.text.contains("its,"), "\(other)")
        let json = try device.run(
            "vault", "import", "--json", "--dry-run", file("c.csv", header + "S,https://shop.example,anna,its,\n"))
        #expect(
            json.text.contains("\"otherAddress\" : true") || json.text.contains("\"otherAddress\": true"), "\(json)")
        #expect(try get("shop.example") == "mine" && device.run("ls").text.split(separator: "\n").count == 1)
    }

    @Test func `items that differ in one thing alone are named by it, and told apart by an id`() throws {
        for arguments in [[], ["--protocol", "htps"], ["--protocol", "htps", "--port", "8443"]] {
            let words = ["keychain", "add", "--server", "shop.example", "--account", "anna"] + arguments
            #expect(try device.run(words, input: Data("of \(arguments.count)".utf8)).code == 0)
        }
        for command in [
            ["get", "shop.example"], ["edit", "shop.example", "--label", "x"], ["rm", "shop.example", "--yes"],
        ] {
            let several = try device.run(command)
            #expect(several.code == 4 && several.output.isEmpty, "\(several)")
            #expect(several.errors.contains("they differ in: protocol, port\n"), "\(several)")
            #expect(
                ["PROTOCOL", "PORT", "https", "8443", "--id"].allSatisfy { several.errors.contains($0) }, "\(several)")
            #expect(!several.errors.contains("--account"), "the account tells nothing apart: \(several)")
        }
        let listed = try device.run("get", "shop.example").errors.split(separator: "\n")
        let ids = listed.filter { $0.contains("internet ") }.compactMap {
            $0.split(separator: " ").last.map(String.init)
        }
        #expect(ids.count == 3 && Set(ids).count == 3, "\(listed)")
        #expect(try Set(ids.map { try get("shop.example", "--id", $0) }) == ["of 0", "of 2", "of 4"])
        let id = try #require(ids.last)
        #expect(try device.run("edit", "shop.example", "--id", id, "--label", "Admin").code == 0)
        #expect(try get("shop.example", "--id", id, "--field", "label") == "Admin\n")
        #expect(try device.run("rm", "shop.example", "--id", id, "--yes").code == 0)
        #expect(try device.run("get", "shop.example", "--id", id).code == 3)
        #expect(try device.run("restore", "shop.example", "--id", id).code == 0)
        #expect(try get("shop.example", "--id", id, "--field", "label") == "Admin\n")
        #expect(try device.run("get", "shop.example", "--id", "zz").code == 64)
    }
}
