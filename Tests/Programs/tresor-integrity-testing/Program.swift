import Glibc
import Linux
import Tresor

/// Checks itself and its machine, for tests that do something to it first: never installed.
///
/// It prints a line `NAME STATE WEIGHT` for each finding, and `verdict SUM THRESHOLD compromised|clear`. `--wait` lets
/// it print `ready` and wait for a line, or the end, of its standard input first; `--hide` hides it from others
/// (PR_SET_DUMPABLE); `--allow PATH` allows code from there; `--sha256 DIGITS` is what its file should be; `--words`
/// prints the lines for a person instead; `--start` prints what the probes of a start cost, in milliseconds of the
/// processor.
@main
enum Program {
    /// The best of many: what else the machine does meanwhile is not what they cost.
    private static func costOfStart() -> Double {
        (0..<15).map { _ in
            let begin = clock()
            _ = IntegrityCheck().startVerdict()
            // POSIX has a million of them in a second.
            return Double(clock() - begin) / 1000
        }.min() ?? .infinity
    }

    static func main() {
        var rules = IntegrityRules()
        var waits = false
        var speaksWords = false
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--wait": waits = true
            case "--words": speaksWords = true
            case "--start":
                print(costOfStart())
                return
            case "--hide":
                guard (try? Sandbox.harden()) != nil else { exit(71) }
            case "--allow":
                guard let path = arguments.popFirst() else { exit(64) }
                rules.allowedCode.append(path)
            case "--sha256":
                guard let digest = arguments.popFirst().flatMap(ProgramDigest.init(hexadecimal:)) else { exit(64) }
                rules.expectedProgram = digest
            default: exit(64)
            }
        }
        if waits {
            print("ready")
            fflush(nil)
            _ = readLine()
        }
        let verdict = IntegrityCheck(rules: rules).verdict()
        if speaksWords {
            verdict.lines.forEach { print($0) }
        } else {
            for finding in verdict.findings { print(finding.name, finding.state.rawValue, finding.weight) }
            print("verdict", verdict.sum, verdict.threshold, verdict.isCompromised ? "compromised" : "clear")
        }
    }
}
