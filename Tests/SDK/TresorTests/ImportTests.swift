import Conformance
import Secrets
import Testing
import Tresor
import TresorTesting

/// What the SDK does with an export by itself: the command looks first, and asks.
@Suite struct ImportsOfTheSDK {
    private let keychain: Keychain

    init() throws { keychain = try TestDevice().makeKeychain() }

    private static let rows = """
        folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
        ,,login,First,,,0,https://first.example,anna,x,
        ,,login,Too few,,
        ,,login,Last,,,0,https://last.example,anna,y,
        """

    @Test func `nothing is written where a row is bad, unless bad rows are to be skipped`() async throws {
        let plan = try CSVImport(SecretBytes(text: Self.rows))
        #expect(plan.rowCount == 3 && plan.itemCount == 2 && plan.badRows.count == 1)
        do {
            _ = try await plan.run(into: keychain)
            Issue.record("a bad row was passed over")
        } catch let bad as CSVError { #expect(bad == plan.badRows.first) }
        #expect(try await count() == 0)
        var options = CSVImport.Options()
        options.skipsBadRows = true
        #expect(try await plan.run(into: keychain, options).added == 2)
        #expect(try await count() == 2)
    }

    private func count() async throws -> Int {
        try await keychain.items(ItemQuery(.internetPassword)).reduce(0) { count, _ in count + 1 }
    }
}
