import FoundationEssentials
import Linux
package import Wire

/// What the owner chose of the integrity check that notes, diary and widgets make at their start.
///
/// It lies in a file of the owner's, `integrity.json`: a program of theirs that means harm can write there, as it can
/// do worse. See docs/guides/integrity-check.md.
package struct IntegritySettings: Codable, Equatable, Sendable {
    /// What is to happen.
    package enum Policy: String, Codable, Sendable, CaseIterable {
        /// Nothing is looked at.
        case off
        /// Each sign is written to the program's log, once.
        case log
        /// And told whoever uses the program.
        case warn
        /// And the program does not start on a machine that counts as compromised.
        case refuse
    }

    /// What is to happen about signs; a warning where nothing was chosen.
    package var policy = Policy.warn
    /// The sum of weights from which on a machine counts as compromised.
    package var threshold = IntegrityRules().threshold
    /// By the probes' names.
    package var weights: [String: Int] = [:]
    /// Libraries that are the owner's own doing, by their paths.
    package var allowedCode: [String] = []

    /// What holds where nothing was chosen.
    package init() {}

    /// What a file leaves out is as where nothing was chosen.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        policy = try values.decodeIfPresent(Policy.self, forKey: .policy) ?? .warn
        threshold = try values.decodeIfPresent(Int.self, forKey: .threshold) ?? threshold
        weights = try values.decodeIfPresent([String: Int].self, forKey: .weights) ?? [:]
        allowedCode = try values.decodeIfPresent([String].self, forKey: .allowedCode) ?? []
    }

    /// What was chosen; the standard where nothing was, and where the file cannot be read as ours.
    package init(home: Home) {
        let bytes = (try? FileSystem.read(home.integritySettings, limit: 64 * 1024, followsLinks: false)) ?? []
        self = (bytes.isEmpty ? nil : try? JSONDecoder().decode(Self.self, from: Data(bytes))) ?? Self()
    }

    /// Puts the file in the place of the one before, whole or not at all.
    ///
    /// - Throws: `LinuxError`.
    package func save(_ home: Home) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try FileSystem.replace(home.integritySettings, with: Array(try encoder.encode(self)))
    }

    /// As rules of a check of our own programs.
    package var rules: IntegrityRules {
        var rules = IntegrityRules()
        rules.threshold = threshold
        rules.allowedCode = allowedCode + Self.runtime
        for (name, weight) in weights {
            if let probe = IntegrityProbe(rawValue: name) { rules[weightOf: probe] = weight }
        }
        return rules
    }

    /// Where our programs find the Swift runtime that they share: whoever can write there can write to the programs.
    private static var runtime: [String] {
        guard let programs = try? CurrentProcess.executableDirectory() else { return [] }
        return [FileSystem.directory(of: programs) + "/lib/tresor"]
    }
}

/// What a program has found of signs at its starts, and what of that its owner has not been told yet.
///
/// Two files in the program's folder, a line for each finding: its name, a tab, what was seen.
package struct IntegrityNotes {
    private let known: String
    private let untold: String

    /// - Parameters:
    ///   - program: its name, by which its files are called.
    ///   - folder: of the program.
    package init(_ program: String, folder: String) {
        known = folder + "/" + program + ".integrity"
        untold = known + "-untold"
    }

    /// Takes what was found now; what is not there any more is forgotten, so that it counts as new when it returns.
    ///
    /// A finding is its sign and what was seen of it, but for numbers: a process has another one each time, and
    /// another library in a program is another finding.
    ///
    /// - Returns: those that are new.
    package func take(_ signs: [IntegrityFinding], isToBeTold: Bool) throws -> [IntegrityFinding] {
        let before = Set(Self.lines(known).map(Self.withoutNumbers))
        let now = signs.map { Self.withoutNumbers(Self.line($0)) }
        let new = zip(signs, now).filter { !before.contains($0.1) }.map(\.0)
        guard before != Set(now) else { return [] }
        try FileSystem.replace(known, with: Self.bytes(signs))
        if isToBeTold && !new.isEmpty {
            let waiting = Self.lines(untold).joined(separator: "\n")
            let rest = waiting.isEmpty ? [] : Array((waiting + "\n").utf8)
            try FileSystem.replace(untold, with: rest + Self.bytes(new))
        }
        return new
    }

    /// What nobody was told so far: name and words of each; from now on it is told.
    package func takeUntold() -> [(name: String, seen: String)] {
        let lines = Self.lines(untold)
        guard !lines.isEmpty else { return [] }
        try? FileSystem.remove(untold)
        return lines.compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (name: parts[0], seen: parts[1]) : nil
        }
    }

    private static func bytes(_ findings: [IntegrityFinding]) -> [UInt8] {
        Array(findings.map { line($0) + "\n" }.joined().utf8)
    }

    private static func line(_ finding: IntegrityFinding) -> String {
        finding.name + "\t" + finding.seen.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func withoutNumbers(_ line: String) -> String { line.filter { !$0.isNumber } }

    private static func lines(_ path: String) -> [String] {
        let bytes = (try? FileSystem.read(path, limit: 64 * 1024, followsLinks: false)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
