import Conformance
import Secrets
import Testing
import TresorTesting
import Wire

@testable import Tresor

/// What makes an item one of its kind goes out with it, and comes back.
@Suite struct ExportedKinds {
    private let keychain: Keychain

    init() throws { keychain = try TestDevice().makeKeychain() }

    /// What the words of an item's description are to us, and some that are nothing to us.
    private static let descriptions =
        [CSVEntry.secureNote, WiFiItem.description, "mail password", "with \"quotes\", and\nlines"]
        + CSVPart.allCases.filter { $0 != .entry }.map(\.name)

    private func add(_ kind: ItemKind, _ secret: String, _ build: (inout ItemAttributes) -> Void) async throws {
        var attributes = ItemAttributes()
        build(&attributes)
        try await keychain.add(kind, attributes, secret: SecretBytes(text: secret))
    }

    /// The file, and the items that it becomes in another keychain.
    private func exported() async throws -> (text: String, report: CSVExport.Report, other: Keychain) {
        var text = ""
        let report = try await CSVExport(keychain).write { text += String(decoding: $0.copyToArray(), as: UTF8.self) }
        let other = try TestDevice().makeKeychain()
        let plan = try CSVImport(SecretBytes(text: text))
        #expect(plan.badRows.isEmpty && plan.format == .keePassXC)
        #expect(try await plan.run(into: other).duplicates.isEmpty)
        return (text, report, other)
    }

    private func items(_ keychain: Keychain, _ kind: ItemKind = .password) async throws -> [Item] {
        try await keychain.items(ItemQuery(kind)).reduce(into: []) { $0.append($1) }
    }

    private func secret(_ item: Item, _ keychain: Keychain) async throws -> String {
        let secret = try await keychain.read(ItemQuery(item.reference))
        return String(decoding: secret.withBytes { $0.copyToArray() }, as: UTF8.self)
    }

    @Test(arguments: descriptions)
    func `what an item is described as comes back with it, with an account and without`(words: String) async throws {
        for account in [nil, "anna"] {
            try await add(.password, "of \(account ?? "nobody")") {
                $0.service = "Service"
                $0.account = account
                $0.itemDescription = words
            }
        }
        let (_, report, other) = try await exported()
        #expect(report.leftOut.isEmpty)
        let back = try await items(other).sorted { ($0.account ?? "") < ($1.account ?? "") }
        #expect(back.map(\.itemDescription) == [words, words] && back.map(\.service) == ["Service", "Service"])
        #expect(back.map { $0.account ?? "" } == ["", "anna"])
        for item in back { #expect(try await secret(item, other) == "of \(item.account ?? "nobody")") }
    }

    @Test func `a Wi-Fi comes back as one, under its own name and service, and is called by it in the file`()
        async throws
    {
        for (service, network, label) in [
            (WiFiItem.service, "Home", "Home"), (WiFiItem.service, "Work", "at work"), ("Mine", "Attic", "Attic"),
        ] {
            try await add(.password, "of \(network)") {
                $0.service = service
                $0.account = network
                $0.label = label
                $0.comment = "upstairs"
                $0.itemDescription = WiFiItem.description
            }
        }
        let (text, report, other) = try await exported()
        #expect(report.leftOut.isEmpty)
        #expect(text.contains("\n\"upstairs\",\"at work\",\"Work\",\"of Work\","))
        let back = try await items(other)
        #expect(back.map(\.wifiNetwork) == ["Home", "Work", "Attic"])
        #expect(back.map(\.service) == [WiFiItem.service, WiFiItem.service, "Mine"])
        #expect(back.map(\.label) == ["Home", "at work", "Attic"])
        for item in back { #expect(try await secret(item, other) == "of \(item.wifiNetwork ?? "")") }
        let again = try CSVImport(SecretBytes(text: text))
        #expect(try await again.run(into: keychain).duplicates.count == 3, "each is known again")
    }

    @Test func `a note that Apple's type alone says is one comes back as one`() async throws {
        try await add(.password, "left 12") {
            $0.service = "Safe"
            $0.values[.type] = .number(CSVEntry.noteType)
        }
        let (text, _, other) = try await exported()
        #expect(text.contains("\"Safe\",\"\",\"\",\"\",\"left 12\""), "other programs have it among their notes")
        let back = try #require(try await items(other).first)
        #expect(back.itemDescription == CSVEntry.secureNote && back.isNoteOrHidden)
        #expect(try await secret(back, other) == "left 12")
    }

    @Test func `an internet password keeps its description, and a login its note and code`() async throws {
        try await add(.internetPassword, "pw") {
            $0.server = "mail.example"
            $0.account = "anna"
            $0.label = "Mail"
            $0.itemDescription = "Internet password"
        }
        for part in [CSVPart.notes, .oneTimeCode] {
            try await add(.password, part == .notes ? "a note" : "JBSWY3DPEHPK3PXP") {
                $0.service = part.service(beside: "Mail", at: "mail.example")
                $0.account = "anna"
                $0.itemDescription = part.name
            }
        }
        let (text, report, other) = try await exported()
        #expect(report.rows == 1 && report.items == 3 && report.leftOut.isEmpty, "\(text)")
        #expect(try await items(other, .internetPassword).map(\.itemDescription) == ["Internet password"])
        #expect(try await items(other).compactMap(\.part) == [.notes, .oneTimeCode])
    }

    @Test func `columns of ours in another program's file are left out and counted`() throws {
        let file = "name,url,username,password,kind,service\nA,https://a.example,anna,x,secure note,AirPort\n"
        let plan = try Array(file.utf8).withSpan { try CSVPlan($0) }
        #expect(plan.format == .chrome && plan.leftOut == ["kind": 1, "service": 1])
        #expect(plan.items.map(\.attributes.itemDescription) == [nil])
    }
}
