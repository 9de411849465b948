import Linux

/// Looks for signs that this machine, or this process, is in somebody else's hands.
///
/// Run it at the start, before a secret is opened. It only ever finds signs: whoever controls the system controls the
/// answers, and so a check without a finding proves nothing, and one finding alone is no verdict. Nobody's licence
/// should depend on it. docs/guides/integrity-check.md has the whole table; the book, 7.4.
///
///     let verdict = IntegrityCheck().verdict()
///     switch IntegrityPolicy.warn.decision(on: verdict) {
///     case .refuse: return
///     case .warn: show(verdict.lines)
///     case .log: log(verdict.badSigns.map(\.name))
///     case .proceed: break
///     }
public struct IntegrityCheck: Sendable {
    private let rules: IntegrityRules
    private let machine: MachineView

    /// A check of this process on this machine.
    ///
    /// - Parameter rules: weights, threshold, and what the program knows of itself.
    public init(rules: IntegrityRules = IntegrityRules()) {
        self.init(rules: rules, machine: .live())
    }

    /// A check of another machine, as a test lays it into a folder.
    package init(rules: IntegrityRules = IntegrityRules(), machine: MachineView) {
        self.rules = rules
        self.machine = machine
    }

    /// Looks at everything, surroundings first.
    ///
    /// Reads some hundred files of the system, tries a sandbox on a thread that ends at once, and changes nothing.
    /// It blocks for some ten milliseconds, longer where the program's digest is to be taken.
    public func verdict() -> IntegrityVerdict {
        IntegrityVerdict(findings: IntegrityProbe.allCases.map(finding), threshold: rules.threshold)
    }

    /// Looks at the signs that cost little to look for, as our own programs do at each start.
    ///
    /// Left out are the system's programs one by one, a program's digest, and the trial of a sandbox.
    package func startVerdict() -> IntegrityVerdict {
        IntegrityVerdict(
            findings: IntegrityProbe.allCases.filter(\.isOfStart).map(finding), threshold: rules.threshold)
    }

    /// Looks at one thing.
    ///
    /// - Parameter probe: what to look at.
    public func finding(_ probe: IntegrityProbe) -> IntegrityFinding {
        let seen = observe(probe)
        return IntegrityFinding(probe: probe, state: seen.state, weight: rules[weightOf: probe], seen: seen.words)
    }

    private func observe(_ probe: IntegrityProbe) -> Observation {
        switch probe {
        case .virtualMachine: SurroundingsProbes.virtualMachine(machine)
        case .container: SurroundingsProbes.container(machine)
        case .debugger: ProcessProbes.debugger(machine)
        case .injectedVariables: ProcessProbes.injectedVariables(machine)
        case .foreignCode: CodeProbes.foreignCode(machine, allowed: rules.allowedCode)
        case .writableCode: CodeProbes.writableCode(machine)
        case .systemPreload: SystemProbes.preload(machine)
        case .writableSystem: SystemProbes.writableFolders(machine)
        case .setuidShell: SetuidProbe.setuidShell(machine)
        case .programDigest: ProgramProbe.digest(machine, expected: rules.expectedProgram)
        case .sandbox: ProcessProbes.sandbox(machine)
        case .ptraceScope: KernelProbes.ptraceScope(machine)
        case .kernelTaint: KernelProbes.taint(machine)
        case .kernelLockdown: KernelProbes.lockdown(machine)
        case .securityModules: KernelProbes.securityModules(machine)
        case .secureBoot: KernelProbes.secureBoot(machine)
        case .measurement: KernelProbes.measurement(machine)
        case .coreDumps: KernelProbes.coreDumps(machine)
        case .swap: SwapProbe.swap(machine)
        }
    }
}

/// What a probe saw.
struct Observation {
    let state: IntegrityFinding.State
    let words: String

    static func ok(_ words: String) -> Observation { Observation(state: .ok, words: words) }
    static func bad(_ words: String) -> Observation { Observation(state: .bad, words: words) }
    static func unknown(_ words: String) -> Observation { Observation(state: .unknown, words: words) }
}
