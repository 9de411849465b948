import Localization

/// What the findings of an ``IntegrityCheck`` add up to.
public struct IntegrityVerdict: Sendable, Equatable {
    /// All findings, surroundings first.
    public let findings: [IntegrityFinding]
    /// The sum that was needed.
    public let threshold: Int

    /// - Parameter threshold: the sum of weights that is needed.
    package init(findings: [IntegrityFinding], threshold: Int) {
        self.findings = findings
        self.threshold = threshold
    }

    /// The weights of all bad findings together.
    public var sum: Int { findings.filter { $0.state == .bad }.reduce(0) { $0 + $1.weight } }

    /// The signs that are bad and weigh something.
    public var badSigns: [IntegrityFinding] {
        findings.filter { $0.state == .bad && $0.probe.kind == .sign && $0.weight > 0 }
    }

    /// Whether the sum reaches the threshold and at least two signs are bad: one alone never decides.
    ///
    /// False proves nothing: a compromised system says what its owner wants.
    public var isCompromised: Bool { sum >= threshold && badSigns.count >= 2 }
}

/// What a program wants to happen on a machine that counts as compromised.
public enum IntegrityPolicy: String, Sendable, CaseIterable {
    /// It does not open anything.
    case refuse
    /// It tells its user, who decides.
    case warn
    /// It writes a line to its log.
    case log

    /// What to do now.
    ///
    /// - Parameter verdict: of a check just made.
    /// - Returns: what the policy says for a compromised machine; otherwise `log` where a sign is bad, and `proceed`.
    public func decision(on verdict: IntegrityVerdict) -> IntegrityDecision {
        guard verdict.isCompromised else { return verdict.badSigns.isEmpty ? .proceed : .log }
        return switch self {
        case .refuse: .refuse
        case .warn: .warn
        case .log: .log
        }
    }
}

/// What ``IntegrityPolicy`` says to do.
public enum IntegrityDecision: String, Sendable {
    /// Nothing to say.
    case proceed
    /// Write down which signs were bad, and go on.
    case log
    /// Tell the user, and go on if they want.
    case warn
    /// Do not go on.
    case refuse
}

extension IntegrityVerdict {
    /// The verdict and its findings as lines for a person, at most 120 columns wide.
    ///
    ///     integrity    4 of 32, 0 signs: nothing speaks against this machine, which proves nothing
    ///       ok       debugger            16  no process traces this one
    public var lines: [String] {
        let signs = localized(badSigns.count, one: "1 sign", many: "\(badSigns.count) signs")
        let words =
            if isCompromised {
                localized("this machine or process may be in somebody else's hands")
            } else if badSigns.isEmpty {
                localized("nothing speaks against this machine, which proves nothing")
            } else { localized("not enough for a verdict") }
        return [localized("integrity    \(sum) of \(threshold), \(signs): \(words)")] + findings.map(Self.line)
    }

    private static func line(_ finding: IntegrityFinding) -> String {
        let isInformation = finding.probe.kind == .surroundings && finding.state == .ok
        return "  " + padded(isInformation ? localized("info") : words(finding.state), 9) + padded(finding.name, 20)
            + padded("\(finding.weight)", 4) + translated(finding.seen)
    }

    private static func words(_ state: IntegrityFinding.State) -> String {
        switch state {
        case .ok: localized("ok")
        case .bad: localized("bad")
        case .unknown: localized("unknown")
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
