import KeychainFormats
import ProcessorTime
import Testing
import Tresor

/// Bitwarden's JSON: its members are those of bitwarden.com/help/condition-bitwarden-import, the values made up.
@Suite struct BitwardenTests {
    private let vault: ImportedVault

    init() throws { vault = try ImportedVault() }

    static let login = """
        {"encrypted": false, "folders": [{"id": "f1", "name": "Work"}], "items": [
          {"passwordHistory": [{"lastUsedDate": "2024-05-01T08:00:00.000Z", "password": "older \\"one\\""}],
           "revisionDate": "2025-01-02T03:04:05.000Z", "creationDate": "2023-01-02T03:04:05.000Z", "deletedDate": null,
           "id": "i1", "organizationId": null, "folderId": "f1", "type": 1, "reprompt": 1, "name": "Shop",
           "notes": "two\\nlines", "favorite": true,
           "fields": [{"name": "pin", "value": "12\\u00e934", "type": 1, "linkedId": null},
             {"name": "agreed", "value": "true", "type": 2, "linkedId": null},
             {"name": "user", "value": null, "type": 3, "linkedId": 100}],
           "login": {"uris": [{"match": null, "uri": "androidapp://example.shop"},
               {"match": 3, "uri": "https://shop.example/login?from=mail"},
               {"match": null, "uri": "https://m.shop.example"}],
             "fido2Credentials": [{"credentialId": "c1", "keyValue": "KEY", "rpId": "shop.example",
               "discoverable": "true"}],
             "username": "anna", "password": "p\\u0000w\\ud83d\\udd10", "totp": "JBSWY3DPEHPK3PXP"},
           "collectionIds": null}]}
        """

    @Test func `a login comes whole, and what has no place stands behind its notes with its name`() async throws {
        let report = try await vault.bring(Self.login)
        #expect(report.added == 1 && report.carriedApart == [.notes: 1, .oneTimeCode: 1, .customFields: 1])
        #expect(report.leftOut == ["id": 1, "creationDate": 1, "revisionDate": 1, "favorite": 1])
        let item = try #require(try await vault.items(.internetPassword).first)
        #expect([item.server, item.account, item.label] == ["shop.example", "anna", "Shop"])
        #expect([item.path, item.protocolName, item.comment] == ["/login", "htps", "Work"])
        #expect(try await vault.secret(ItemQuery(item.reference)) == "p\u{0}w🔐")
        #expect(try await vault.password("Shop (one-time code, shop.example)", "anna") == "JBSWY3DPEHPK3PXP")
        #expect(
            try await vault.password("Shop (custom fields, shop.example)", "anna")
                == "pin: 12é34\nagreed: true\nuser: linked to user name")
        let notes = try await vault.password("Shop (notes, shop.example)", "anna")
        #expect(notes.hasPrefix("two\nlines\n\n"))
        for line in [
            "password until 2024-05-01T08:00:00.000Z: older \"one\"", "master password reprompt: yes",
            "further address: androidapp://example.shop", "further address: https://m.shop.example",
            "whole address: https://shop.example/login?from=mail", "address 2 match: 3", "passkey 1 key value: KEY",
            "passkey 1 rp id: shop.example", "passkey 1 credential id: c1",
        ] { #expect(notes.split(separator: "\n").contains { $0 == line }, "\(line) in \(notes)") }
    }

    @Test func `of a login that was only marked as a favourite no note is made, and the mark is counted`() async throws
    {
        let report = try await vault.bring(
            """
            {"encrypted": false, "folders": [], "items": [
              {"type": 1, "name": "Shop", "favorite": true, "notes": null, "login": {"username": "a", "password": "b"}},
              {"type": 1, "name": "Mail", "favorite": true, "notes": "\\n ", "login": {"username": "a", "password": "c"}},
              {"type": 2, "name": "Blank", "favorite": false, "notes": " ", "secureNote": {"type": 0}}]}
            """)
        #expect(report.added == 3 && report.carriedApart.isEmpty)
        #expect(report.leftOut == ["favorite": 2, "blank notes": 1])
        #expect(try await vault.items(.password).map(\.service) == ["Shop", "Mail", "Blank"])
        #expect(try await vault.password("Blank") == " ", "of a secure note it is all that there is")
    }

    @Test func `cards, identities, keys and kinds of later versions are notes with a line for each field`() async throws
    {
        try await vault.bring(
            """
            {"encrypted": false, "folders": [], "items": [
              {"id": "1", "type": 2, "name": "Safe", "notes": "left 12", "secureNote": {"type": 0}, "folderId": null},
              {"id": "2", "type": 3, "name": "Visa", "notes": null, "fields": [],
               "card": {"cardholderName": "Anna Muster", "brand": "Visa", "number": "4111111111111111",
                 "expMonth": "7", "expYear": "2031", "code": "123"}},
              {"id": "3", "type": 4, "name": "Me", "notes": "as in the passport",
               "identity": {"firstName": "Anna", "passportNumber": "C01X", "ssn": null}},
              {"id": "4", "type": 5, "name": "", "sshKey": {"privateKey": "-----BEGIN\\nKEY-----", "publicKey": "ssh"}},
              {"id": "5", "type": 9, "name": "Later", "passport": {"number": "L1", "valid": [true, 2031]}}]}
            """)
        #expect(try await vault.items(.password).map(\.itemDescription) == Array(repeating: "secure note", count: 5))
        #expect(try await vault.password("Safe") == "left 12")
        let card = try await vault.password("Visa")
        #expect(card.contains("cardholder name: Anna Muster\n") && card.contains("number: 4111111111111111\n"))
        #expect(card.contains("exp month: 7\nexp year: 2031\ncode: 123"))
        #expect(try await vault.password("Me") == "as in the passport\n\nfirst name: Anna\npassport number: C01X")
        #expect(try await vault.password("ssh key") == "private key:\n-----BEGIN\nKEY-----\npublic key: ssh")
        let later = try await vault.password("Later")
        #expect(later == "passport number: L1\npassport valid 1: true\npassport valid 2: 2031")
    }

    @Test func `an organisation's export has its collections for folders`() async throws {
        try await vault.bring(
            """
            {"encrypted": false, "collections": [{"id": "c1", "name": "Team"}, {"id": "c2", "name": "All"}], "items": [
              {"id": "1", "organizationId": "o", "collectionIds": ["c1", "c2"], "type": 1, "name": "Router",
               "login": {"uris": null, "username": "admin", "password": "x", "totp": null}}]}
            """)
        let router = try #require(try await vault.items(.password).first)
        #expect(router.service == "Router" && router.account == "admin" && router.comment == "Team, All")
    }

    @Test func `a collection that an item names again and again is its folder once`() async throws {
        try await vault.bring(
            """
            {"encrypted": false, "collections": [{"id": "c", "name": "Team"}], "items": [
              {"type": 1, "name": "Shop", "collectionIds": ["c", "c", "c"], "login": {"username": "anna",
               "password": "p", "uris": [{"uri": "https://shop.example"}]}}]}
            """)
        #expect(try await vault.items(.internetPassword).map(\.comment) == ["Team"])
    }

    @Test func `a short file that would have notes without end is a bad row soon`() throws {
        let name = String(repeating: "n", count: 400_000)
        let members = (0..<5000).map { "\"\($0)\":1" }.joined(separator: ",")
        let text = """
            {"encrypted": false, "folders": [], "items": [{"type": 2, "name": "A", "\(name)": {\(members)}}]}
            """
        let time = try ProcessorTime.of {
            let plan = try ImportedVault.plan(text)
            #expect(plan.badRows.map(\.problem) == [.secretTooLarge(column: "notes")])
        }
        #expect(time < .seconds(2), "\(time)")
    }

    @Test func `a second import finds everything, also what changed`() async throws {
        try await vault.bring(Self.login)
        let again = try await vault.bring(Self.login.replacing("JBSWY3DPEHPK3PXP", with: "AAAAAAAA"))
        #expect(again.added == 0 && again.carriedApart.isEmpty && again.duplicates.count == 4)
        let different = again.duplicates.filter { $0.origin == .keychainItem(sameSecret: false) }
        #expect(different.map(\.part) == [.oneTimeCode])
    }

    @Test(arguments: [
        "{\"encrypted\": true, \"items\": []}",
        "{\"encrypted\": true, \"passwordProtected\": true, \"salt\": \"s\", \"kdfType\": 0, \"data\": \"2.x\"}",
    ])
    func `an encrypted export is refused, with words on how to export`(text: String) throws {
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(text) }
        #expect(error?.problem == .encrypted && error?.isDamage == false)
        #expect(error?.advice?.contains("not \".json (Encrypted)\"") == true)
    }

    @Test(arguments: ["[]", "{}", "{\"items\": 3, \"encrypted\": false}", "{\"vaults\": {}, \"encrypted\": false}"])
    func `JSON of another program is refused by the names of all that are known`(text: String) throws {
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(text) }
        #expect(error?.problem == .unknownFormat)
        #expect(CSVFormat.allCases.allSatisfy { error?.description.contains($0.name) == true })
    }

    @Test func `an item that is not what the format has is a bad row with its line, and no more`() async throws {
        let text = """
            {"encrypted": false, "items": [
              {"type": 1, "name": "Good", "login": {"username": "a", "password": "b"}},
              {"type": 1, "name": 7, "login": {}},
              {"type": 1, "name": null, "login": {"password": "nameless"}},
              []]}
            """
        let plan = try ImportedVault.plan(text)
        #expect(plan.badRows.map(\.row) == [2, 3, 4] && plan.badRows.map(\.line) == [3, 4, 5])
        #expect(plan.badRows[0].problem == .wrongValue(column: "name") && plan.badRows[1].problem == .nameless)
        await #expect(throws: CSVError.self) { try await vault.bring(text) }
        #expect(try await vault.items(.password).isEmpty)
        #expect(try await vault.bring(text, skipsBadRows: true).added == 1)
    }
}
