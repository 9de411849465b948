import Conformance
import KeychainFormats
import Secrets
import Testing
import Tresor
import TresorTesting

/// A keychain in memory, and what an export brings into it.
struct ImportedVault {
    let keychain: Keychain

    init() throws { keychain = try TestDevice().makeKeychain() }

    /// Reads a file as the command does.
    static func plan(_ text: String) throws -> CSVImport {
        let file = try SecretBytes(text: text)
        let format = try #require(file.withBytes { KeychainFormat($0) })
        return try format.read(file)
    }

    @discardableResult
    func bring(_ text: String, skipsBadRows: Bool = false) async throws -> CSVImportReport {
        let plan = try Self.plan(text)
        var options = CSVImport.Options()
        options.skipsBadRows = skipsBadRows
        return try await plan.run(into: keychain, options)
    }

    func secret(_ query: ItemQuery) async throws -> String {
        try await keychain.read(query).withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    func password(_ service: String, _ account: String? = nil) async throws -> String {
        try await secret(.password(service: service, account: account))
    }

    func items(_ kind: ItemKind) async throws -> [Item] {
        try await keychain.items(ItemQuery(kind)).reduce(into: []) { $0.append($1) }
    }
}
