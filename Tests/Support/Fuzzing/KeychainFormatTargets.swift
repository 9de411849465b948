import KeychainFormats
import Secrets
import Tresor

/// Files of passwords that are no CSV.
enum KeychainFormatTargets {
    /// A file that is planned is planned twice, to the same.
    static func file(_ bytes: [UInt8]) throws -> Bool {
        let once = try plan(bytes)
        return holds { try plan(bytes) == once }
    }

    private struct NoFormat: Error {}

    /// What an import of the file would do.
    private static func plan(_ bytes: [UInt8]) throws -> [String] {
        let file = try bytes.withSpan { (span) throws in try SecretBytes(copying: span) }
        guard let format = file.withBytes({ KeychainFormat($0) }) else { throw NoFormat() }
        let plan = try format.read(file)
        return [plan.format.name, "\(plan.rowCount)", "\(plan.itemCount)"] + plan.badRows.map(\.description)
    }

    /// First inputs: the kinds of items that there are.
    static let bitwarden: [[UInt8]] = [
        """
        {"encrypted":false,"folders":[{"id":"f","name":"Work"}],"items":[{"id":"1","folderId":"f","type":1,\
        "name":"Mail","notes":"a\\nb","favorite":true,\
        "fields":[{"name":"pin","value":"\\u00e9\\ud83d\\udd10","type":1}],\
        "login":{"uris":[{"match":null,"uri":"https://mail.example:993/a?b"},{"uri":"app://x"}],\
        "username":"anna",\
        "password":"s\\"1\\\\","totp":"AAAA"},\
        "passwordHistory":[{"lastUsedDate":"2024-01-01T00:00:00Z","password":"x"}]}]}
        """,
        """
        {"encrypted": false, "collections": [{"id": "c", "name": "Team"}], "items": [
         {"type": 2, "name": "Safe", "notes": "left 12", "secureNote": {"type": 0}, "collectionIds": ["c"]},
         {"type": 3, "name": "Card", "card": {"number": "4111", "expMonth": "7"}},
         {"type": 4, "name": "Me", "identity": {"firstName": "Anna"}},
         {"type": 9, "name": "n", "x": {"y": [1.5e3, true]}}]}
        """,
        "\u{FEFF}{ \"encrypted\" : false , \"items\" : [ ] }",
    ].map { Array($0.utf8) }

    /// The same of KeePass.
    static let keePass: [[UInt8]] = [
        """
        <?xml version="1.0" encoding="utf-8"?>
        <KeePassFile><Meta><RecycleBinUUID>b</RecycleBinUUID></Meta><Root><Group><UUID>r</UUID><Name>DB</Name>
        <Entry><UUID>e</UUID><String><Key>Title</Key><Value>Mail</Value></String><String><Key>Password</Key>
        <Value ProtectInMemory="True">a&lt;b&#x1F510;</Value></String><String><Key>otp</Key>
        <Value>key=AAAA&amp;step=30&amp;size=8</Value></String><Binary><Key>f</Key><Value Ref="0"/></Binary>
        <History><Entry><String><Key>Password</Key><Value>old</Value></String></Entry></History></Entry>
        </Group></Root></KeePassFile>
        """,
        """
        <KeePassFile><Root><Group><Name>DB</Name><Group><UUID>b</UUID><Name>Home</Name><Notes><![CDATA[a note]]></Notes>
        <Entry><Tags>a;b</Tags><Times><Expires>True</Expires><ExpiryTime>gHwG3w4AAAA=</ExpiryTime></Times>
        <String><Key>URL</Key><Value>https://a.example</Value></String><String><Key>TimeOtp-Secret-Hex</Key>
        <Value>48656c6c6f</Value></String></Entry></Group></Group></Root></KeePassFile>
        """,
        "<KeePassFile/>",
    ].map { Array($0.utf8) }
}
