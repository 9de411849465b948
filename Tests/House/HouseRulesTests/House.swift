import Checkout
import Foundation

/// The house as Sources/LAYERS.txt has it: wings in their order, and in each its targets.
enum House {
    struct Wing: Equatable {
        /// Its folder below Sources.
        let folder: String
        let sentence: String
    }

    struct Target {
        let wing: String
        let name: String
        let ours: [String]
        let outside: [String]
    }

    private static let plan = read(
        (try? String(contentsOf: HouseRules.sources.appendingPathComponent("LAYERS.txt"), encoding: .utf8)) ?? "")

    static var wings: [Wing] { plan.wings }

    /// From the ground up.
    static var targets: [Target] { plan.targets }

    static func read(_ text: String) -> (wings: [Wing], targets: [Target]) {
        var wings: [Wing] = []
        var targets: [Target] = []
        for line in text.components(separatedBy: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                let folder = String(line[line.index(after: line.startIndex)..<end])
                let sentence = line[line.index(after: end)...].trimmingCharacters(in: .whitespaces)
                wings.append(Wing(folder: folder, sentence: sentence))
            } else if let colon = line.firstIndex(of: ":") {
                let sides = line[line.index(after: colon)...].components(separatedBy: "|")
                    .map { $0.split(separator: " ").map(String.init) }
                targets.append(
                    Target(
                        wing: wings.last?.folder ?? "", name: String(line[..<colon]), ours: sides[0],
                        outside: sides.dropFirst().first ?? []))
            }
        }
        return (wings, targets)
    }

    /// The wing that a file below Sources belongs to: SDK/Apple is one within another.
    static func wing(ofPath path: String) -> String? {
        wings.map(\.folder).filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
    }

    /// What a target may import, and what that may import, to the ground.
    static func reached(from name: String, in targets: [Target]) -> Set<String> {
        var found: Set<String> = []
        // From below: whoever needs a target stands below it.
        for target in targets.reversed() where target.name == name || found.contains(target.name) {
            found.formUnion(target.ours)
        }
        return found
    }

    /// What a target may not be granted: what does not stand above it.
    static func upward(_ targets: [Target]) -> [String] {
        var above: Set<String> = []
        var found: [String] = []
        for target in targets {
            found += target.ours.filter { !above.contains($0) }.map { "\(target.name) → \($0)" }
            above.insert(target.name)
        }
        return found
    }
}
