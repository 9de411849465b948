import Foundation
import Testing

/// The tests as they stand in Tests/: which suites there are, and what their tests are called.
struct NamedTests {
    /// Where tests lie together: a type, a file, a target; `1.4` for the cases of the acceptance suite.
    private(set) var places: [String: Set<String>] = [:]
    /// What `swift test --filter` compares with: target, types and name.
    private(set) var identifiers: [String] = []

    static let all: NamedTests = {
        var tests = NamedTests()
        let root = HouseRules.root.appendingPathComponent("Tests")
        let enumerator = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let url = enumerator?.nextObject() as? URL {
            guard url.pathExtension == "swift", let text = try? String(contentsOf: url, encoding: .utf8) else {
                continue
            }
            // Wings hold targets; those of the apps lie one deeper.
            let path = url.path.dropFirst(root.path.count + 1).split(separator: "/").map(String.init)
            let depth = path[0] == "Apps" ? 2 : 1
            guard path.count > depth else { continue }
            tests.read(text, of: path[depth], in: url.deletingPathExtension().lastPathComponent)
        }
        return tests
    }()

    private mutating func read(_ text: String, of target: String, in file: String) {
        var types: [(name: String, indent: Int)] = []
        var isTest = false
        for line in text.components(separatedBy: "\n") {
            let indent = line.prefix { $0 == " " }.count
            if let name = Self.type(line) {
                types.removeAll { $0.indent >= indent }
                types.append((name: name, indent: indent))
            }
            isTest = isTest || line.contains("@Test")
            if target == "Conformance", let sentence = Self.acceptanceCase(line) { insert(sentence, [target]) }
            guard let name = Self.function(line) else { continue }
            // A type that stands before it at its depth has ended.
            types.removeAll { $0.indent >= indent }
            if isTest {
                // `extension One.Another` is both.
                let path = types.flatMap { $0.name.components(separatedBy: ".") }
                insert(name, path + [target, file])
                let written = name.contains(" ") ? "`\(name)`" : name
                identifiers.append(target + "." + (path + [written]).joined(separator: "/") + "()")
            }
            isTest = false
        }
    }

    private mutating func insert(_ name: String, _ found: [String]) {
        for place in found + [""] { places[place, default: []].insert(name) }
    }

    private static func type(_ line: String) -> String? {
        line.firstMatch(of: #/^ *(?:[@A-Za-z]+(?:\([^)]*\))? )*(?:struct|class|enum|actor|extension) ([\w.]+)/#).map {
            String($0.output.1)
        }
    }

    private static func function(_ line: String) -> String? {
        line.firstMatch(of: #/func (?:`([^`]+)`|(\w+))/#).map { String($0.output.1 ?? $0.output.2 ?? "") }
    }

    /// A case of the acceptance suite has its sentence as a text.
    private static func acceptanceCase(_ line: String) -> String? {
        line.firstMatch(of: #/"((?:[^"\\]|\\.){12,})"/#).map { String($0.output.1) }
    }

    /// Whether there is a test that is called so, there or, where the place is empty, anywhere; an ellipsis stands for more.
    func has(_ sentence: String, in place: String) -> Bool {
        var parts = sentence.components(separatedBy: "…").map { $0.trimmingCharacters(in: .whitespaces) }
        let start = parts.removeFirst()
        return places[place, default: []].contains { name in
            guard name.hasPrefix(start) else { return false }
            var rest = name.dropFirst(start.count)
            for part in parts {
                guard let found = rest.range(of: part) ?? (part.isEmpty ? rest.endIndex..<rest.endIndex : nil) else {
                    return false
                }
                rest = rest[found.upperBound...]
            }
            return sentence.hasSuffix("…") || rest.isEmpty
        }
    }
}
