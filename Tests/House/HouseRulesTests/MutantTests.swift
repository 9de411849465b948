import Foundation
import Testing

/// Every file of Tests/Mutants can be tried: `make mutants` finds its test, and what it breaks is still there.
@Suite struct Mutants {
    struct Mutant: CustomTestStringConvertible {
        let name: String
        let lines: [String]

        var test: String? { value("test: ", lines.first) }
        var reason: String? { value("why: ", lines.dropFirst().first) }
        /// What is changed of which files: the lines that have to be there, and those that take their place.
        var hunks: [(path: String, old: [String], new: [String])] {
            var hunks: [(path: String, old: [String], new: [String])] = []
            var path = ""
            for line in lines.dropFirst(2) {
                if line.hasPrefix("+++ b/") {
                    path = String(line.dropFirst(6))
                } else if line.hasPrefix("@@") {
                    hunks.append((path: path, old: [], new: []))
                } else if let last = hunks.indices.last, let sign = line.first {
                    if sign == " " || sign == "-" { hunks[last].old.append(String(line.dropFirst())) }
                    if sign == " " || sign == "+" { hunks[last].new.append(String(line.dropFirst())) }
                }
            }
            return hunks
        }

        private func value(_ prefix: String, _ line: String?) -> String? {
            guard let line, line.hasPrefix(prefix), line.count > prefix.count else { return nil }
            return String(line.dropFirst(prefix.count))
        }

        var testDescription: String { name }
    }

    static let all: [Mutant] = {
        let folder = HouseRules.root.appendingPathComponent("Tests/Mutants")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { name in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return Mutant(name: name, lines: (text ?? "").components(separatedBy: "\n"))
        }
    }()

    @Test func `there are sixty mutants and more`() {
        #expect(Self.all.count >= 60)
        #expect(Self.all.allSatisfy { $0.name.hasSuffix(".patch") })
    }

    @Test(arguments: all) func `each names its test and its reason, and breaks something small in Sources`(
        _ mutant: Mutant
    ) throws {
        let filter = try #require(mutant.test, "the first line is 'test: FILTER'")
        let reason = try #require(mutant.reason, "the second line is 'why: SENTENCE'")
        #expect(reason.contains(" ") && !reason.hasSuffix("."))
        // Each alternative, so that none of them is a name of nothing.
        for part in filter.components(separatedBy: "|") {
            let expression = try Regex(part)
            let target = part.prefix { $0 != "." }
            let isThere = NamedTests.all.identifiers.contains { $0.hasPrefix(target) && $0.contains(expression) }
            #expect(isThere, "no test is called \(part)")
        }
        let hunks = mutant.hunks
        #expect((1...3).contains(hunks.count))
        for hunk in hunks {
            #expect(hunk.path.hasPrefix("Sources/") && hunk.old != hunk.new)
            #expect(max(hunk.old.count, hunk.new.count) <= 20, "that is more than one small break")
            let file = HouseRules.root.appendingPathComponent(hunk.path)
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            let isThere = lines.indices.contains { lines[$0...].starts(with: hunk.old) }
            #expect(isThere, "what it changes in \(hunk.path) is not there any more")
        }
    }
}
