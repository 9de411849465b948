import Foundation
import Testing

/// docs/CONFORMANCE.md says which test shows what, and on which paths: both are looked up.
@Suite struct ConformancePage {
    struct Row: CustomTestStringConvertible {
        let line: Int
        let columns: [String]
        let cells: [String]

        subscript(_ column: String) -> String? {
            columns.firstIndex(of: column).flatMap { cells.indices.contains($0) ? cells[$0] : nil }
        }
        var testDescription: String { "line \(line)" }
    }

    static let text: String = {
        let page = HouseRules.root.appendingPathComponent("docs/CONFORMANCE.md")
        return (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    }()

    /// The rows of all tables but that of the paths.
    static let rows: [Row] = {
        var rows: [Row] = []
        var columns: [String] = []
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            guard line.hasPrefix("|"), line.hasSuffix("|") else {
                columns = []
                continue
            }
            let cells = line.dropFirst().dropLast().components(separatedBy: "|")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            if columns.isEmpty {
                columns = cells
            } else if cells.first?.hasPrefix("---") != true, columns.contains("test") {
                rows.append(Row(line: number + 1, columns: columns, cells: cells))
            }
        }
        return rows
    }()

    /// The names of the paths, from the table that explains them.
    static let paths: Set<String> = {
        let lines = text.components(separatedBy: "\n").drop { $0 != "| path | what a test of it does |" }
        return Set(
            lines.dropFirst(2).prefix { $0.hasPrefix("|") }.compactMap {
                $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
            })
    }()

    @Test func `every row says which paths its tests cover, and which they leave out`() {
        #expect(Self.rows.count > 150 && Self.paths.count > 10)
        for row in Self.rows {
            #expect(row.cells.count == row.columns.count, "line \(row.line) has another number of cells than its head")
            guard let cell = row["paths"], !cell.isEmpty else {
                Issue.record("line \(row.line) names no path")
                continue
            }
            let parts = cell.components(separatedBy: "–")
            let named = parts.flatMap { $0.components(separatedBy: ",") }
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " ;")) }.filter { !$0.isEmpty }
            #expect(parts.count <= 2 && Set(named).isSubset(of: Self.paths), "line \(row.line): \(cell)")
            #expect(Set(named).count == named.count, "line \(row.line) names a path twice")
            let shows = row["test"].map { !$0.hasPrefix("–") } ?? false
            let covered = parts[0].trimmingCharacters(in: CharacterSet(charactersIn: " ;"))
            #expect(shows != covered.isEmpty, "line \(row.line): a test covers a path, and no test covers none")
        }
    }

    @Test func `every test that the page names is there`() throws {
        #expect(NamedTests.all.identifiers.count > 1000)
        var count = 0
        for row in Self.rows {
            for citation in Self.citations(in: row["test"] ?? "") {
                count += 1
                #expect(NamedTests.all.has(citation.sentence, in: citation.place), "line \(row.line): \(citation)")
            }
        }
        #expect(count > 300)
        let joined = Self.text.components(separatedBy: "\n").filter { !$0.hasPrefix("|") }.joined(separator: " ")
            .replacing(#/ +/#, with: " ")
        let inProse = joined.matches(of: #/([A-Z]\w+) "([^"]+)"/#)
        #expect(!inProse.isEmpty)
        for match in inProse where Self.isPlace(String(match.output.1)) {
            #expect(NamedTests.all.has(String(match.output.2), in: String(match.output.1)), "\(match.output.0)")
        }
    }

    @Test func `every vector that the page names is there`() throws {
        let root = HouseRules.root
        for match in Self.text.matches(of: #/vectors/([a-z-]+)(?:/([A-Za-z0-9_…]+))?/#) {
            let folder = root.appendingPathComponent("vectors/\(match.output.1)").path
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            guard let name = match.output.2.map(String.init) else { continue }
            let isCut = name.hasSuffix("…")
            let found = names.contains { isCut ? $0.hasPrefix(name.dropLast()) : $0 == name + ".txt" }
            #expect(found, "\(match.output.0) is not there")
        }
    }

    @Test func `a test that is not there would be seen`() {
        let cited = Self.citations(
            in: #"Rules "Apple's names…", aClassIsReadAsItsNameSays; 1.4 "y"; NoSuchTests; Faults; vectors/wire/x_…"#)
        #expect(cited.map(\.place) == ["Rules", "Rules", "Conformance", "NoSuchTests", "Faults"])
        #expect(cited.map(\.sentence) == ["Apple's names…", "aClassIsReadAsItsNameSays", "y", "…", "…"])
        #expect(NamedTests.all.has("Apple's names…", in: "Rules"))
        #expect(NamedTests.all.has("aClassIsReadAsItsNameSays", in: "Rules"))
        #expect(!NamedTests.all.has("Apple's names", in: "Rules"), "without an ellipsis it is the whole name")
        #expect(!NamedTests.all.has("Apple's names…", in: "Tampering"), "that is another suite's")
        #expect(!NamedTests.all.has("…", in: "NoSuchTests"))
    }

    struct Citation {
        let place: String
        let sentence: String
    }

    /// The sentences that a cell cites, each with the suite named before it; a suite alone stands for any of its tests.
    static func citations(in cell: String) -> [Citation] {
        var found: [Citation] = []
        var place = ""
        var waits = false
        // A sentence, or a word; words with a slash are vectors and files.
        for match in cell.matches(of: #/"([^"]+)"|([\w.\/`…-]+)/#) {
            let word = match.output.2.map(String.init)
            let name = word?.wholeMatch(of: #/1\.[1-6]/#) == nil ? word : "Conformance"
            if let sentence = match.output.1.map(String.init) ?? name.flatMap({ isFunction($0) ? $0 : nil }) {
                found.append(Citation(place: place, sentence: sentence))
                waits = false
            } else if let name, isPlace(name) {
                if waits { found.append(Citation(place: place, sentence: "…")) }
                (place, waits) = (name, true)
            }
        }
        return waits ? found + [Citation(place: place, sentence: "…")] : found
    }

    private static func isFunction(_ name: String) -> Bool {
        name.count > 12 && name.first?.isLowercase == true && name.contains(where: \.isUppercase)
            && name.allSatisfy(\.isLetter)
    }

    private static func isPlace(_ name: String) -> Bool {
        let endings = ["Tests", "Stories", "Story"]
        return endings.contains { name.hasSuffix($0) && name != $0 } || NamedTests.all.places[name] != nil
    }
}
