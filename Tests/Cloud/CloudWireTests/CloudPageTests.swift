import Checkout
import CloudWire
import Foundation
import Secrets
import Testing

/// specs/cloud.md, docs/cloud/openapi.yaml and the code say the same numbers and words.
@Suite struct CloudPageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func section(_ heading: String) throws -> String {
        let parts = try text("specs/cloud.md").components(separatedBy: "\n## ")
        return try #require(parts.first { $0.hasPrefix(heading + "\n") })
    }

    /// The cells of every row with something in the first one.
    private static func rows(_ section: String) -> [[String]] {
        section.components(separatedBy: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("| ---") }.map { line in
            line.components(separatedBy: "|").dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.first?.isEmpty == false }
    }

    private static func matches(_ pattern: String, in text: String) throws -> [[String]] {
        let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { index in
                Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }

    // MARK: Limits

    private struct Limit {
        let name: String
        let value: Int

        init(_ name: String, _ value: Int) { (self.name, self.value) = (name, value) }
    }

    /// Rows of the page's table, with the protocol's limits in the order in which they stand there.
    private static let table: [String: [Limit]] = [
        "records, entries, wraps, links, assets in a batch": [
            Limit("records", CloudLimits.records), Limit("entries", CloudLimits.entries),
            Limit("wraps", CloudLimits.wraps), Limit("links", CloudLimits.links), Limit("assets", CloudLimits.assets),
        ],
        "sealed bytes of a record; a batch; a request's JSON": [
            Limit("sealed", CloudLimits.sealed), Limit("batch", CloudLimits.batch), Limit("json", CloudLimits.json),
        ],
        "members of a zone; entries of its log; zones of an account": [
            Limit("members", CloudLimits.members), Limit("log", CloudLimits.log), Limit("zones", CloudLimits.zones),
        ],
        "an asset; a part of it": [Limit("assetPart", CloudLimits.assetPart)],
        "devices, open invitations, links, joins of an account": [
            Limit("devices", CloudLimits.devices), Limit("invitations", CloudLimits.invitations),
            Limit("invitationLinks", CloudLimits.invitationLinks), Limit("joins", CloudLimits.joins),
        ],
    ]

    /// Rows that are the server's alone.
    private static let rates: Set<String> = [
        "an account's bytes", "bodies that the server holds in memory, together", "requests of a token",
        "sign-ins, of a name; of an address prefix", "new accounts, joins, claims of an address prefix",
        "profiles and claims of a token",
    ]

    /// What stands elsewhere on the page.
    private static let sentences: [(limit: Limit, sentence: String)] = [
        (Limit("json", CloudLimits.json), "a request's at most # bytes"),
        (Limit("batch", CloudLimits.batch), "The body has at most # bytes."),
        (Limit("entries", CloudLimits.entries), "| entries | `u32`, 0 to #: "),
        (Limit("wraps", CloudLimits.wraps), "| wraps | `u32`, 0 to #: "),
        (Limit("links", CloudLimits.links), "| links | `u32`, 0 to #: "),
        (Limit("assets", CloudLimits.assets), "| adopted | `u32`, 0 to #: "),
        (Limit("assets", CloudLimits.assets), "| released | `u32`, 0 to #: "),
        (Limit("records", CloudLimits.records), "| records | `u32`, 0 to #: "),
        (Limit("records", CloudLimits.records), "`u32` count of records, 0 to #,"),
        (Limit("leastSealed", CloudLimits.leastSealed), "| sealed, `field`, n from # to "),
        (Limit("sealed", CloudLimits.sealed), "n from 92 to # |"),
        (Limit("entry", CloudLimits.entry.lowerBound), "entry `field`, n from # to "),
        (Limit("entry", CloudLimits.entry.upperBound), "entry `field`, n from 273 to # "),
        (Limit("items", CloudLimits.items), "| items | `u32`, at most # and, together, "),
        (Limit("page", CloudLimits.page), "and, together, # bytes, or one item of any length |"),
        (Limit("token", CloudLimits.token), "| token | `field`, 1 to # bytes"),
        (Limit("log", CloudLimits.log), "| length | `u64`, 1 to #: "),
        (Limit("log", CloudLimits.log), "`u64` length of the log, 1 to #;"),
        (Limit("head", CloudLimits.head), "A head has at most # bytes,"),
        (Limit("path", CloudLimits.path), "bytes, a path #."),
        (Limit("assetPart", CloudLimits.assetPart), "`Upload-Offset`, 1 to # bytes"),
        (Limit("accountName", CloudLimits.accountName), "`name` is 1 to # characters"),
    ]

    private static func grouped(_ number: Int) -> String {
        number >= 1_000
            ? grouped(number / 1_000) + "," + String(String(number % 1_000 + 1_000).dropFirst()) : "\(number)"
    }

    @Test func `each limit of the page's table is the code's, in its place`() throws {
        let rows = Self.rows(try Self.section("Limits, quotas and rates"))
        #expect(Set(rows.map { $0[0] }) == Self.rates.union(Self.table.keys) && rows.count == 11)
        for row in rows {
            guard let limits = Self.table[row[0]] else { continue }
            // What has a star is a setting of the server.
            let values = row[1].components(separatedBy: ";").filter { !$0.contains("*") }.joined(separator: ";")
            let said = try Self.matches("[0-9][0-9,]*", in: values).map { $0[0].filter(\.isNumber) }
            #expect(said == limits.map { "\($0.value)" }, "\(row[0])")
        }
    }

    @Test func `each limit of the code stands on the page`() throws {
        let page = try Self.text("specs/cloud.md")
        for (limit, sentence) in Self.sentences {
            let said = sentence.replacingOccurrences(of: "#", with: Self.grouped(limit.value))
            #expect(page.contains(said), "\(limit.name): \(said)")
        }
        let source = try Self.text("Sources/Cloud/CloudWire/CloudLimits.swift")
        let names = Set(try Self.matches(#"static let (\w+) ="#, in: source).map { $0[1] })
        let compared = Self.table.values.joined().map(\.name) + Self.sentences.map(\.limit.name)
        #expect(names == Set(compared) && names.count > 15)
    }

    // MARK: Errors

    @Test func `the errors of the page are the code's, with their statuses and members`() throws {
        let rows = Self.rows(try Self.section("Errors")).filter { $0.count == 4 && $0[0] != "status" }
        let words = rows.map { $0[1].filter { $0 != "`" } }
        #expect(words == CloudError.allCases.map(\.rawValue) && words.count == 24)
        for row in rows {
            let error = try #require(CloudError(rawValue: row[1].filter { $0 != "`" }), "\(row[1])")
            #expect(row[0] == error.statuses.map(String.init).joined(separator: ", "), "\(error)")
            #expect(try Self.matches("`(\\w+)`", in: row[3]).map { $0[1] } == error.members, "\(error)")
        }
    }

    @Test func `the errors of the routes' description are the code's, with their statuses and members`() throws {
        let routes = try Self.text("docs/cloud/openapi.yaml")
        let schema = try #require(routes.components(separatedBy: "\n    Error:\n").dropFirst().first)
        let words = try Self.matches(#"^ {16}- (\w+)$"#, in: schema).map { $0[1] }
        #expect(words == CloudError.allCases.map(\.rawValue))
        let members = try Self.matches(#"^ {12}(\w+):$"#, in: schema).map { $0[1] }
        #expect(Set(members) == Set(CloudError.allCases.flatMap(\.members)).union(["code"]))
        var said: [Int: [String]] = [:]
        for found in try Self.matches(#"^    E(\d+):\n      description: (.+)$"#, in: routes) {
            said[try #require(Int(found[1]))] = found[2].components(separatedBy: ", ")
        }
        var meant: [Int: [String]] = [:]
        for error in CloudError.allCases {
            for status in error.statuses { meant[status, default: []].append(error.rawValue) }
        }
        #expect(said == meant)
    }

    // MARK: Example

    @Test func `the page's example is its vector, byte for byte`() throws {
        let vector = try Self.text("vectors/cloud-modify/one_record.txt")
        let body = try #require(try Self.matches("^body: ([0-9a-f]+)$", in: vector).first?[1])
        let part = try #require(
            try Self.section("Zones").components(separatedBy: "\n### ").first { $0.hasPrefix("Example\n") })
        let block = try #require(try Self.matches("```\n([^`]*)```", in: part).first?[1])
        var pattern = ""
        for line in block.components(separatedBy: "\n") {
            // Bytes stand in front, in groups that one or two spaces part; then words say what they are.
            let bytes = try Self.matches("^((?:[0-9a-f]{2}|…)(?: {1,2}(?:[0-9a-f]{2}|…))*)(?= {3,}|$)", in: line)
            pattern += (bytes.first?[1] ?? "").filter { $0 != " " }.replacingOccurrences(of: "…", with: "[0-9a-f]*")
        }
        #expect(pattern.count > 600 && body.count == 2 * 482)
        #expect(try Self.matches("^\(pattern)$", in: body).count == 1)
    }
}
