import Foundation
import Protection
import Secrets
import StoreTables
import Testing

@testable import Enclave
@testable import EnclaveWire
@testable import Envelopes
@testable import KeychainStore
@testable import KeyEnvelopes
@testable import Wire

/// A page under specs/ says what the code and the vectors say: numbers, names, examples.
@Suite struct Pages {
    private static let root = Vector.root.deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func page(_ name: String) throws -> String { try text("specs/\(name).md") }

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("specs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()

    /// The cells of every row of every table in a part of a page.
    private static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast(line.hasSuffix("|") ? 1 : 0).split(
                separator: "|", omittingEmptySubsequences: false
            )
            .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What stands between a heading and the next of its depth.
    private static func section(_ heading: String, of page: String) throws -> String {
        let parts = page.components(separatedBy: "\n## ")
        return try #require(parts.first { $0.hasPrefix(heading + "\n") })
    }

    private static func matches(_ pattern: String, in text: String) throws -> [[String]] {
        let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map { match in
            (0..<match.numberOfRanges).map { index in
                Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }

    /// A table's rows that begin with a number and a name.
    private static func numbered(_ section: String) -> [Int: String] {
        var found: [Int: String] = [:]
        for row in rows(section) where row.count > 1 {
            guard let number = Int(row[0]) else { continue }
            // "lock state: the answer to subscribe" and "evict: an event" say more than the name.
            found[number] = row[1].split(separator: ":").first.map { $0.lowercased() } ?? ""
        }
        return found
    }

    /// `changePasscode` as a page writes it.
    private static func spoken(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
    }

    private static func cases<Code>(_ make: (UInt8) -> Code?) -> [Int: String] {
        Dictionary(
            uniqueKeysWithValues: (0...UInt8.max).compactMap { raw in
                make(raw).map { (Int(raw), spoken(String(describing: $0))) }
            })
    }

    // MARK: Opcodes, tags, refusals

    @Test func `requests and replies of the keychain socket`() throws {
        let page = try Self.page("wire")
        #expect(
            try Self.numbered(Self.section("Requests", of: page)) == Self.cases(KeychainRequest.Opcode.init(rawValue:)))
        #expect(
            try Self.numbered(Self.section("Other replies", of: page)) == Self.cases(KeychainReply.Tag.init(rawValue:)))
    }

    @Test func `requests, replies and refusals of the enclave`() throws {
        let page = try Self.page("enclave-protocol")
        #expect(
            try Self.numbered(Self.section("Requests", of: page)) == Self.cases(EnclaveRequest.Opcode.init(rawValue:)))
        #expect(
            try Self.numbered(Self.section("Replies", of: page).components(separatedBy: "\nState:")[0])
                == Self.cases(EnclaveReply.Tag.init(rawValue:)))
        let refusals = try Self.numbered(Self.section("Refusals", of: page))
        #expect(refusals.count == 20 && refusals.keys.sorted() == Array(1...20))
        for (code, name) in refusals {
            // The frame of a refusal of this code is read as one of this name.
            let detail: UInt8 = code == 16 ? 1 : 0
            let frame = [4, UInt8(code), 0, 0, 0, 0, 0, 0, 0, detail]
            let reply = try frame.withSpan { try EnclaveReply.decode($0) }
            let refusal = reply.refusalOrNil()
            let said = String(describing: try #require(refusal)).prefix { $0 != "(" }
            #expect(Self.spoken(String(said)).hasPrefix(name.prefix(12)), "\(code)")
        }
    }

    @Test func `limits of the enclave's requests`() throws {
        let section = try Self.section("Limits", of: Self.page("enclave-protocol"))
        let said = Dictionary(
            uniqueKeysWithValues: Self.rows(section).filter { $0.count == 2 }.map { ($0[0], $0[1]) })
        #expect(said["a passcode"] == "1,024 bytes" && EnclaveLimits.passcode == 1024)
        #expect(said["a binding"] == "512 bytes" && EnclaveLimits.binding == 512)
        #expect(said["a wrapped key, and a key in a reply"] == "128 bytes" && EnclaveLimits.wrappedKey == 128)
        #expect(said["identifiers in a list"] == "256")
        #expect(EnclaveLimits.destroyedKeys == 256 && EnclaveLimits.openKeychains == 256)
        let wire = try Self.page("wire")
        for sentence in [
            "A passcode has at most \(Self.grouped(WireLimits.passcode)) bytes",
            "A program's name has at most \(WireLimits.programName) bytes, a group \(AccessGroup.longest),",
            "a keychain's name \(KeychainName.longest)",
            "manifest `field` of at most \(Self.grouped(WireLimits.manifest)) bytes",
            "n is from 1 to \(Self.grouped(StreamFrame.keychainLimit))",
            "`u32`, at most \(KeychainsReport.mostKeychains); each name",
            "`u32`, at most \(SecurityKeysReport.mostKeys); each `id`",
        ] { #expect(wire.contains(sentence), "\(sentence)") }
        #expect(try Self.page("enclave-protocol").contains("n is from 1 to \(Self.grouped(StreamFrame.enclaveLimit))"))
    }

    private static func grouped(_ number: Int) -> String {
        number >= 1_000
            ? grouped(number / 1_000) + "," + String(String(number % 1_000 + 1_000).dropFirst()) : "\(number)"
    }

    @Test func `costs, promises and versions`() throws {
        let keybag = try Self.page("keybag")
        let range = DeviceKeys.logRoundsRange
        #expect(keybag.contains("`u8`, \(range.lowerBound) to \(range.upperBound): scrypt's N"))
        #expect(keybag.contains("N is 2¹⁷ or more") && DeviceKeys.leastNewLogRounds == 17)
        #expect(keybag.contains("| 0 | 1 | version | \(Keybag.version);") && Keybag.version == 2)
        let promises = try Self.numbered(Self.section("Promises", of: keybag)).keys.reduce(0, |)
        #expect(promises == Int(EnclavePromises.all.rawValue))
        #expect(try Self.page("keychain-item").contains("`user_version` \(Schema.version),"))
        #expect(try Self.page("zone-store").contains("`user_version` is \(StoreTables.zones.format). Cells"))
        #expect(try Self.page("key-wrap").contains("take N = 2^\(DeviceKeys.leastNewLogRounds)"))
        let lock = try Self.page("note-lock")
        #expect(
            lock.contains(
                "\(Self.grouped(Int(LockSuite.rounds.lowerBound))) to \(Self.grouped(Int(LockSuite.rounds.upperBound)))"
            ))
    }

    // MARK: Attributes

    @Test(arguments: [
        (ItemKind.password, ["Common to all kinds:", "Passwords, `genp` and `inet`:", "`genp` alone:"]),
        (.internetPassword, ["Common to all kinds:", "Passwords, `genp` and `inet`:", "`inet` alone:"]),
        (.certificate, ["Common to all kinds:", "`cert`:"]), (.key, ["Common to all kinds:", "`keys`:"]),
    ])
    func `attributes of a kind`(_ kind: ItemKind, _ tables: [String]) throws {
        let section = try Self.section("Schema", of: Self.page("attributes"))
        var said: [String: (type: String, isKey: Bool, isIndexed: Bool)] = [:]
        for table in tables {
            let start = try #require(section.range(of: "\n" + table + "\n"))
            let lines = section[start.upperBound...].drop { $0 == "\n" }.components(separatedBy: "\n\n")[0]
            let hasIndex = lines.prefix { $0 != "\n" }.contains("| indexed |")
            for row in Self.rows(lines) where row[0].hasPrefix("`") {
                for code in row[0].split(separator: " ") {
                    let isIndexed = hasIndex ? row[3] == "yes" : row[2] == "indexed"
                    said[code.filter { $0 != "`" }] = (row[1], row[2].hasPrefix("yes"), isIndexed)
                }
            }
        }
        let entries = ItemSchema.entries(of: kind)
        #expect(Set(said.keys) == Set(entries.keys.map(\.description)))
        for (code, entry) in entries {
            let word = try #require(said[code.description], "\(code)")
            #expect(word.type == "\(entry.type)", "\(code)")
            #expect(word.isKey == (entry.keyDefault != nil), "\(code)")
            #expect(word.isIndexed == entry.isIndexed, "\(code)")
        }
    }

    @Test func `attributes that tresord sets, and those that are none`() throws {
        let section = try Self.section("Schema", of: Self.page("attributes"))
        let source = try Self.text("Sources/Vault/Wire/Keychain/AttributeCode.swift")
        let known = Set(try Self.matches(#"AttributeCode\(literal: "(....)"\)"#, in: source).map { $0[1] })
        let said = Set(try Self.matches("`([a-z]{4})`", in: section).map { $0[1] })
        #expect(known.subtracting(said) == [])
        for code in [AttributeCode.enrolment, .password, .keychainKey, .publicKey] {
            for kind in ItemKind.allCases { #expect(ItemSchema.entries(of: kind)[code] == nil) }
        }
    }

    // MARK: Purposes

    /// Every string that separates one use of a key from another stands in the table, with its length.
    @Test func `purposes are those of the code`() throws {
        let table = try Self.section("Purposes", of: Self.page("README"))
        var said: [String: Int] = [:]
        for row in Self.rows(table) where row[0].hasPrefix("`") {
            let name = row[0].filter { $0 != "`" }
            #expect(said[name] == nil, "\(name)")
            said[name] = Int(row[1])
            #expect(Int(row[1]) == name.utf8.count, "\(name)")
        }
        var used: Set<String> = []
        let folder = Self.root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            used.formUnion(try Self.matches(#""(tresor [a-z0-9 -]+ v[0-9]+)""#, in: source).map { $0[1] })
            used.formUnion(try Self.matches(#""(tresor [a-z]+ [0-9])""#, in: source).map { $0[1] })
        }
        // Made of a slot file's name.
        used.formUnion([Keybag.purpose, TryCount.purpose].map { "tresor slot \($0) v1" })
        #expect(used.count > 40)
        #expect(used.subtracting(said.keys) == [], "in the code, and on no page")
        #expect(Set(said.keys).subtracting(used) == [], "on the page, and in no code")
    }

    // MARK: Vectors and examples

    /// The pages that describe no bytes of their own, or bytes that only their own programs exchange.
    private static let withoutVectors: Set<String> = [
        "diary-socket", "home", "widget-json", "widget-program",
    ]

    @Test func `every folder of vectors has a page, and every page of bytes has vectors`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Vector.root.path).filter { name in
            !Vector.all(name).isEmpty
        }
        let pages = try Self.names.map { (name: $0, text: try Self.page($0)) }
        for folder in folders {
            #expect(
                pages.contains { $0.text.contains("vectors/\(folder)`") || $0.text.contains("vectors/\(folder)/") },
                "\(folder)")
        }
        let bare = pages.filter { !$0.text.contains("vectors/") }.map(\.name)
        #expect(Set(bare) == Self.withoutVectors)
    }

    /// The bytes of an example stand in the vector that it is taken from.
    @Test(arguments: names) func example(_ name: String) throws {
        let page = try Self.page(name)
        for section in page.components(separatedBy: "\n## ") where section.hasPrefix("Example") {
            var folder = ""
            var vectors = ""
            for found in try Self.matches("`(?:vectors/([a-z0-9-]+)/)?([a-z0-9_]+)\\.txt`", in: section) {
                if !found[1].isEmpty { folder = found[1] }
                vectors += try Self.text("vectors/\(folder)/\(found[2]).txt")
            }
            guard !vectors.isEmpty || !Self.withoutVectors.contains(name) else { continue }
            for block in try Self.matches("```\n([^`]*)```", in: section) {
                for line in block[1].split(separator: "\n") {
                    let bytes = try Self.matches(
                        "^ *((?:[0-9a-f]{2}|…)(?: {1,2}(?:[0-9a-f]{2}|…))*)(?= {2,}|$)", in: String(line))
                    for run in bytes.first?[1].split(separator: "…") ?? [] {
                        let digits = run.filter { $0 != " " }
                        #expect(vectors.contains(digits), "\(line)")
                    }
                }
            }
        }
    }
}

extension EnclaveReply {
    /// Why it was refused; nil where it was not.
    fileprivate consuming func refusalOrNil() -> EnclaveRefusal? {
        switch consume self {
        case .refused(let refusal): refusal
        default: nil
        }
    }
}
